package import TraceRecords

/// A value as a table shows it.
package typealias Cell = SQLValue

extension SQLValue {
    /// Bytes that the value holds besides itself.
    var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .null, .integer, .real: 0
        }
    }

    /// Whether the value is a number, which tables align at the right.
    var isNumber: Bool {
        switch self {
        case .integer, .real: true
        case .null, .text, .blob: false
        }
    }

    /// NULL and what is not finite are `null`, a blob is a SQL literal.
    var json: JSONValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .number(number)
        case .text(let text): .string(text)
        case .blob(let bytes): .string(HexadecimalText.blob(bytes))
        }
    }
}

/// A cell as it is shown to people.
package enum CellText {
    /// A point in time as the views have it, to the millisecond: `2024-05-01 12:34:56.789`; `nil` for another text.
    private static func time(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count > 19, bytes.count < 36, bytes[10] == UInt8(ascii: "T"), bytes[4] == UInt8(ascii: "-"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), bytes[bytes.count - 1] == UInt8(ascii: "Z"),
            bytes.allSatisfy({ $0 < 0x80 })
        else { return nil }
        let rest = bytes[19..<bytes.count - 1]
        guard rest.isEmpty || rest.first == UInt8(ascii: ".") && rest.dropFirst().allSatisfy({ 48...57 ~= $0 }) else {
            return nil
        }
        let fraction = (rest.dropFirst().prefix(3) + [48, 48, 48]).prefix(3)
        return String(decoding: bytes[..<10] + [0x20] + bytes[11..<19] + [0x2E] + fraction, as: UTF8.self)
    }

    /// Whether a cell shows a point in time.
    static func isTime(_ text: String) -> Bool {
        text.utf8.count == 23 && text.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/) != nil
    }

    /// Three years. A larger number whose column does not name it a duration is a point in time.
    private static let longestDuration: Int64 = 100_000_000_000_000_000

    /// The text for an aligned table or a terminal: units, percent and grouped thousands unless `raw`; NULL is `–`.
    package static func text(_ cell: Cell, kind: ColumnKind, raw: Bool) -> String {
        switch cell {
        case .null: return "–"
        case .text(let text): return raw ? VisibleText.neutralised(text) : time(text) ?? VisibleText.neutralised(text)
        case .blob(let bytes): return HexadecimalText.blob(bytes)
        case .integer(let value):
            if raw { return String(value) }
            switch kind {
            case .plain: return String(value)
            case .count: return NumberText.grouped(value)
            case .seconds: return HumanDuration.text(seconds: Double(value))
            case .durationOrTime where value >= Self.longestDuration: return CivilTime.milliseconds(nanoseconds: value)
            case .nanoseconds, .durationOrTime: return HumanDuration.text(nanoseconds: value)
            case .time: return CivilTime.milliseconds(nanoseconds: value)
            case .share: return NumberText.percent(Double(value))
            }
        case .real(let value):
            if raw { return NumberText.exact(value) }
            switch kind {
            case .plain, .count, .time: return NumberText.readable(value)
            case .seconds: return HumanDuration.text(seconds: value)
            case .nanoseconds, .durationOrTime: return HumanDuration.text(seconds: value / 1e9)
            case .share: return NumberText.percent(value)
            }
        }
    }
}

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
    case seconds
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
