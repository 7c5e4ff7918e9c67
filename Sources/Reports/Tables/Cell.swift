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
