/// The callbacks of one instance in order, and how many instances show just these.
package struct TraceVariant: Sendable, Hashable {
    /// Canonical ids of the callbacks, folded lines left out.
    package var callbacks: [String]
    /// Number of instances.
    package var count: Int
    /// Whether the log shows the beginning of the instance; otherwise it may begin in any state.
    package var beginsInLog: Bool

    package init(callbacks: [String], count: Int = 1, beginsInLog: Bool = true) {
        self.callbacks = callbacks
        self.count = count
        self.beginsInLog = beginsInLog
    }
}
