/// Numbers as text, the same in tables, pictures and messages.
package enum NumberText {
    /// The shortest text that reads back as the same number.
    package static func exact(_ value: Double) -> String {
        if value.isInfinite { return value < 0 ? "-Inf" : "Inf" }
        return value.isNaN ? "NaN" : value.description
    }

    /// Thousands grouped: `1,234,567`.
    package static func grouped(_ value: some BinaryInteger) -> String {
        let digits = Array(String(value.magnitude))
        var text = value < 0 ? "−" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// A share as a percentage with one decimal, rounded to 0 or 100 only when it is exactly that: `62.5%`, `<0.1%`, `>99.9%`;
    /// of more than the whole, without a decimal: `2,728%`.
    package static func percent(_ share: Double) -> String {
        guard share.isFinite else { return "–" }
        if share > 0, share < 0.0005 { return "<0.1%" }
        if share < 1, share >= 0.9995 { return ">99.9%" }
        guard share.magnitude < 1e12 else { return "\(share * 100)%" }
        if share.magnitude > 1 { return grouped(Int64((share * 100).rounded())) + "%" }
        let tenths = Int64((share * 1000).rounded(.toNearestOrAwayFromZero))
        let sign = tenths < 0 ? "−" : ""
        return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10)%"
    }

    /// A number with at most six significant digits: enough to compare, without the noise of binary fractions.
    package static func readable(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "–" : (value < 0 ? "−∞" : "∞") }
        var scale = 1.0
        var size = value.magnitude
        if value == 0 { return "0" }
        guard size < 1e15, size > 1e-9 else { return value.description }
        while size < 100_000 {
            size *= 10
            scale *= 10
        }
        let text = ((value * scale).rounded() / scale).description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// An amount of data in decimal units with three digits: `1.23 GB`, `420 MB`, `7 bytes`.
    package static func bytes(_ count: Int64) -> String {
        let magnitude = count.magnitude
        if magnitude < 1_000 { return count == 1 ? "1 byte" : "\(count) bytes" }
        var unit = 1_000.0
        for name in ["kB", "MB", "GB", "TB"] {
            let value = Double(count) / unit
            if value.magnitude < 999.5 || name == "TB" { return threeDigits(value) + " " + name }
            unit *= 1_000
        }
        return "\(count) bytes"
    }

    /// A positive number with three digits: `1.23`, `12.3`, `123`.
    package static func threeDigits(_ value: Double) -> String {
        fixed(value, decimals: value.magnitude < 9.995 ? 2 : value.magnitude < 99.95 ? 1 : 0)
    }

    /// A number with so many decimals, at most nine: `0.0120`.
    package static func fixed(_ value: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(Int64(1)) { power, _ in power * 10 }
        let whole = Int64((value * Double(scale)).rounded())
        guard decimals > 0 else { return "\(whole)" }
        let (units, fraction) = whole.quotientAndRemainder(dividingBy: scale)
        let digits = String(fraction.magnitude)
        return "\(units)." + String(repeating: "0", count: decimals - digits.count) + digits
    }
}

/// A number with its noun: `1 file`, `1,234 files`.
package enum Plural {
    package static func text(_ count: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
        "\(NumberText.grouped(count)) \(count == 1 ? singular : plural ?? singular + "s")"
    }
}

extension UInt64 {
    /// Sixteen hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Names; the first are shown, and the others counted.
package enum NameList {
    /// How many names are shown: the fourth takes no more room than "and 1 more".
    package static func shown(of count: Int) -> Int { count == 4 ? 4 : min(count, 3) }
}

/// A value of a result, of the kinds that SQLite has.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}
