/// One end of a time that is measured.
package struct LimitPoint: Sendable, Hashable {
    /// What can be an end.
    package enum Kind: String, Sendable, CaseIterable {
        /// The start of the process, where a line tells it.
        case processStart = "process_start"
        /// The first callback of the run.
        case firstCallback = "first_callback"
        /// One of ``LimitPoint/callbacks``.
        case callback
        /// The line that tells of the end of the method of one of ``LimitPoint/callbacks``.
        case callbackExit = "callback_exit"
        /// The next event of the run.
        case nextEvent = "next_event"
        /// The last sign of life of the run before the state changes or the run ends.
        case lastActivity = "last_activity"
        /// The end of the run.
        case runEnd = "run_end"
        /// Entering and leaving one of ``LimitPoint/states``.
        case stateEntry = "state_entry"
        case stateExit = "state_exit"
        /// The beginning of a suspension, observed or estimated.
        case suspension
    }

    package var kind: Kind
    package var callbacks: [String]
    package var states: [String]
    /// Whether it only stands in for what the log does not show; the finding says so.
    package var isApproximate: Bool
    /// Whether it counts only if the process was never silent beyond the suspension grace in between, and, where the
    /// next event stands in for an end, no background task was open that kept it running.
    package var isContinuous: Bool

    package init(
        kind: Kind, callbacks: [String] = [], states: [String] = [], isApproximate: Bool = false,
        isContinuous: Bool = false
    ) {
        self.kind = kind
        self.callbacks = callbacks
        self.states = states
        self.isApproximate = isApproximate
        self.isContinuous = isContinuous
    }
}
