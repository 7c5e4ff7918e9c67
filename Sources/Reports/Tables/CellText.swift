internal import TraceRecords

/// A cell as a person reads it.
enum CellText {
    /// Three years. What is more and is not named as a duration is a point in time: nanoseconds since 1970.
    private static let longestDuration: Int64 = 100_000_000_000_000_000

    /// The text for an aligned table: units, percent and grouped thousands unless `raw`; NULL is `–`.
    static func text(_ cell: Cell, kind: ColumnKind, raw: Bool) -> String {
        switch cell {
        case .null: return "–"
        case .text(let text): return VisibleText.neutralised(text)
        case .blob(let bytes): return NumberText.blob(bytes)
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
