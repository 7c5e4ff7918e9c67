/// A transition of a documented model: a row of the view `documented_transitions`.
package struct DocumentedTransition: Sendable, Hashable {
    /// Ids of the model, the layer it describes and the two states.
    package var model: String
    package var layer: String
    package var from: String
    package var to: String
    /// Canonical ids of the callbacks that go with it, parted by blanks.
    package var callbacks: String
    /// Whether it happens without a callback.
    package var isSilent: Bool
    /// Where it is documented.
    package var citation: String?

    package init(
        model: String, layer: String, from: String, to: String, callbacks: String, isSilent: Bool, citation: String?
    ) {
        self.model = model
        self.layer = layer
        self.from = from
        self.to = to
        self.callbacks = callbacks
        self.isSilent = isSilent
        self.citation = citation
    }
}
