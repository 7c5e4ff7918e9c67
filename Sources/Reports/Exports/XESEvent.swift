/// An event of an XES log.
package struct XESEvent: Sendable, Hashable {
    /// The activity: `concept:name`.
    package var name: String
    /// Nanoseconds since 1970 UTC; `nil` leaves the time out.
    package var time: Int64?
    /// Step of the activity's life: `start`, `complete`, `ate_abort` … of the lifecycle extension.
    package var lifecycle: String
    /// Further attributes, in order.
    package var attributes: [XESAttribute]

    package init(name: String, time: Int64?, lifecycle: String = "complete", attributes: [XESAttribute] = []) {
        self.name = name
        self.time = time
        self.lifecycle = lifecycle
        self.attributes = attributes
    }
}
