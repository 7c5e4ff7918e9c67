/// What a simulated log says, counted while it was written, from the times as they are printed.
package struct Truth: Sendable, Hashable, Codable {
    /// Names of the log files, in order.
    package var files: [String] = []
    package var lines = 0
    package var callbacks = 0
    package var runs = 0
    /// Number of runs by end reason (`terminated`, `killed_in_background` …).
    package var endReasons: [String: Int] = [:]
    /// By layer and state, in the order of the model.
    package var visits: [VisitTruth] = []
    /// By layer, states and callback, in the order of the model's states.
    package var transitions: [TransitionTruth] = []
    package var suspensions = SuspensionTruth()

    enum CodingKeys: String, CodingKey {
        case files, lines, callbacks, runs, visits, transitions, suspensions
        case endReasons = "end_reasons"
    }
}
