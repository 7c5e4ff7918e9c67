/// Numbers for people and for drawing, independent of locale, so that equal input gives equal bytes.
enum NumberText {
    /// A coordinate: at most two decimals, no trailing zeros, never `-0`.
    static func coordinate(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        // Far beyond any canvas; keeps the conversion from trapping.
        let hundredths = Int64((max(-1e12, min(1e12, value)) * 100).rounded())
        let magnitude = hundredths.magnitude
        let fraction = magnitude % 100
        var text = hundredths < 0 ? "-\(magnitude / 100)" : "\(magnitude / 100)"
        if fraction > 0 {
            text += fraction % 10 == 0 ? ".\(fraction / 10)" : (fraction < 10 ? ".0\(fraction)" : ".\(fraction)")
        }
        return text
    }

    /// A count with thin groups of three: `12 345`.
    static func count(_ value: Int) -> String {
        let digits = String(value.magnitude)
        guard digits.count > 4 else { return String(value) }
        var text = value < 0 ? "−" : ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += "\u{202F}" }
            text.append(digit)
        }
        return text
    }

    /// A share as percent: whole numbers, and one decimal where a whole number would say 0 or hide that something is
    /// missing from 100.
    static func percent(_ share: Double) -> String {
        guard share.isFinite else { return "–" }
        let value = share * 100
        if value <= 0 { return "0\u{A0}%" }
        if value < 0.1 { return "<0.1\u{A0}%" }
        if value > 99.9, value < 100 { return ">99.9\u{A0}%" }
        let tenths = Int((value * 10).rounded())
        if value < 9.95 || (value > 99 && value < 100) {
            return tenths % 10 == 0 ? "\(tenths / 10)\u{A0}%" : "\(tenths / 10).\(tenths % 10)\u{A0}%"
        }
        return "\(Int(value.rounded()))\u{A0}%"
    }
}
