/// The visits of one state.
package struct VisitTruth: Sendable, Hashable, Codable {
    package var layer: String
    package var state: String
    /// All visits, cut ones included.
    package var visits: Int
    /// Visits whose both ends were logged.
    package var completed: Int
    /// Visits cut by the begin or end of the log, or by a silent end of the run.
    package var censored: Int
    /// Sum of the dwell of the completed visits, in nanoseconds.
    package var dwellNanoseconds: Int64

    enum CodingKeys: String, CodingKey {
        case layer, state, visits, completed, censored
        case dwellNanoseconds = "dwell_ns"
    }
}
