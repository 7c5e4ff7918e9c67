internal import TraceRecords

/// One value of a result, of the kinds that SQLite has.
package enum Cell: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

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
}

/// A cell as people read it.
package enum CellText {
    /// Three years. A larger number whose column does not name it a duration is a point in time.
    private static let longestDuration: Int64 = 100_000_000_000_000_000

    /// The text for an aligned table or a terminal: units, percent and grouped thousands unless `raw`; NULL is `–`.
    package static func text(_ cell: Cell, kind: ColumnKind, raw: Bool) -> String {
        switch cell {
        case .null: return "–"
        case .text(let text): return VisibleText.neutralised(text)
        case .blob(let bytes): return HexadecimalText.blob(bytes)
        case .integer(let value):
            if raw { return String(value) }
            switch kind {
            case .plain: return String(value)
            case .count: return NumberText.grouped(value)
            case .seconds: return HumanDuration.text(seconds: Double(value))
            case .durationOrTime where value >= Self.longestDuration: return CivilTime.iso(nanoseconds: value)
            case .nanoseconds, .durationOrTime: return HumanDuration.text(nanoseconds: value)
            case .time: return CivilTime.iso(nanoseconds: value)
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
