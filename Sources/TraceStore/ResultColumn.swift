/// A column of a query's result.
package struct ResultColumn: Sendable, Hashable {
    /// What the values of a column mean, as far as its name tells.
    package enum Kind: Sendable, Hashable {
        /// A point in time, in nanoseconds since 1970 UTC.
        case time
        /// A length of time, in nanoseconds or in seconds.
        case durationNanoseconds, durationSeconds
        /// Anything else: the values speak for themselves.
        case plain
    }

    package var name: String
    package var kind: Kind

    /// The meaning follows from the name: `…_s` is a duration in seconds; `…_ns` a time, unless the word before says
    /// that it is a duration.
    package init(name: String) {
        self.name = name
        if name.hasSuffix("_ns") {
            let stem = name.dropLast(3)
            kind = Self.durations.contains { stem.hasSuffix($0) } ? .durationNanoseconds : .time
        } else {
            kind = name.hasSuffix("_s") ? .durationSeconds : .plain
        }
    }

    private static let durations = [
        "dwell", "at_least", "suspended", "duration", "gap", "margin", "limit", "total", "mean", "min", "max", "p50",
        "p90",
        "p99",
    ]
}
