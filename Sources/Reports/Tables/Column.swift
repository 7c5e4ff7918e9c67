/// A column of a result: its name, and what its numbers mean to a reader.
package struct Column: Sendable, Hashable {
    package var name: String
    package var kind: ColumnKind

    /// - Parameter kind: What the numbers mean; without it the name decides.
    package init(_ name: String, kind: ColumnKind? = nil) {
        self.name = name
        self.kind = kind ?? ColumnKind(columnName: name)
    }
}

/// What the numbers of a column mean, which decides how they are shown to people; programs always get the numbers.
package enum ColumnKind: String, Sendable, Hashable, CaseIterable {
    /// Unknown: numbers are shown as they are.
    case plain
    /// Seconds of a duration.
    case seconds
    /// Nanoseconds of a duration.
    case nanoseconds
    /// Nanoseconds of a duration or of a point in time; the size decides.
    case durationOrTime
    /// A point in time, in nanoseconds since 1970.
    case time
    /// A count; thousands are grouped.
    case count
    /// A share of a whole, 0 to 1; shown as percent.
    case share

    /// Whether its numbers are shown as durations.
    var isDuration: Bool { self == .seconds || self == .nanoseconds || self == .durationOrTime }

    /// The kind that the naming rules of the public views and the named queries promise (`dwell_s`, `count`, `share`).
    package init(columnName name: String) {
        let lower = name.lowercased()
        let words = lower.split(separator: "_", omittingEmptySubsequences: true)
        let last = words.last ?? ""
        switch last {
        case "s" where words.count > 1: self = .seconds
        case "ns" where words.count > 1:
            let isDuration = words.contains { Self.durations.contains(String($0)) }
            self = Self.pointsInTime.contains(lower) ? .time : isDuration ? .nanoseconds : .durationOrTime
        case "share", "probability": self = .share
        default:
            let isCount = Self.counted.contains(String(last)) || lower.hasPrefix("count(")
            self = isCount ? .count : .plain
        }
    }

    /// Columns in nanoseconds that hold points in time.
    private static let pointsInTime: Set<String> = [
        "time_ns", "entered_ns", "left_ns", "started_ns", "ended_ns", "first_ns", "last_ns", "from_ns", "until_ns",
        "first_seen_ns", "last_seen_ns", "next_seen_ns", "since_ns", "begin_ns", "end_ns", "day_ns",
    ]

    /// Words in the names of columns that hold durations; sums over a fleet can reach many years.
    private static let durations: Set<String> = [
        "dwell", "total", "sum", "mean", "avg", "average", "median", "p25", "p50", "p75", "p90", "p95", "p99",
        "suspended",
        "stay", "least", "most", "limit", "taken", "margin", "duration", "length", "lifetime", "age", "foreground",
        "background", "active", "inactive", "time",
    ]

    /// Last words in the names of columns that hold counts.
    private static let counted: Set<String> = [
        "count", "visits", "complete", "censored", "events", "lines", "runs", "bytes", "transitions", "findings",
        "instances", "rejects", "sources", "stays", "sessions", "launches", "entries", "rows", "devices", "apps",
        "overruns", "callbacks", "days", "activations", "arrived", "backgrounded", "cut", "deallocated", "deaths",
        "flaps", "matches", "starts", "suspensions", "undocumented",
    ]
}
