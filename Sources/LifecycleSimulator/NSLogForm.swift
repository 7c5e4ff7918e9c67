/// How an NSLog line prints its time.
package enum NSLogForm: String, Sendable, Hashable, CaseIterable {
    /// Milliseconds, no zone, as before Xcode 8. The simulated machine runs on UTC.
    case old
    /// Microseconds and a zone.
    case new
    /// Files take turns, the old form first.
    case alternating
}
