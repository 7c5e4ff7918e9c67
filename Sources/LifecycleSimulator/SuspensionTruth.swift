/// The silences in background stays that are over the grace time and over before the log or the run is.
package struct SuspensionTruth: Sendable, Hashable, Codable {
    /// Grace time in nanoseconds.
    package var grace: Int64 = 0
    package var count = 0
    /// Sum of what lies beyond the grace, in nanoseconds.
    package var suspended: Int64 = 0

    enum CodingKeys: String, CodingKey {
        case count
        case grace = "grace_ns"
        case suspended = "suspended_ns"
    }
}
