/// A state of a documented model: a row of the view `documented_states`.
package struct DocumentedState: Sendable, Hashable {
    /// Ids of the model, the layer it describes and the state.
    package var model: String
    package var layer: String
    package var state: String
    /// Name of the state for people.
    package var title: String
    /// Whether an instance begins or ends in it.
    package var isInitial: Bool
    package var isFinal: Bool

    package init(model: String, layer: String, state: String, title: String, isInitial: Bool, isFinal: Bool) {
        self.model = model
        self.layer = layer
        self.state = state
        self.title = title
        self.isInitial = isInitial
        self.isFinal = isFinal
    }
}
