/// Durations for people: one unit below a minute, two above, so that a figure is read at a glance.
package enum DurationText {
    /// The text of a duration: `0 s`, `812 ns`, `350 ms`, `4.2 s`, `1 min 5 s`, `1 h 23 min`, `3 d 4 h`.
    ///
    /// - Parameter nanoseconds: The duration; a negative one keeps its sign.
    package static func of(_ nanoseconds: Int64) -> String {
        if nanoseconds == 0 { return "0 s" }
        if nanoseconds < 0 { return "−" + of(magnitude: nanoseconds.magnitude) }
        return of(magnitude: UInt64(nanoseconds))
    }

    private static func of(magnitude: UInt64) -> String {
        // Rounding may reach the next unit (999.96 ms is 1 s), so each step asks for the rounded value.
        if magnitude < 1_000 { return "\(magnitude)\(space)ns" }
        if let text = small(magnitude, unit: 1_000, name: "µs") { return text }
        if let text = small(magnitude, unit: 1_000_000, name: "ms") { return text }
        let tenths = rounded(magnitude, by: 100_000_000)
        if tenths < 600 { return decimal(tenths) + "\(space)s" }
        let seconds = rounded(magnitude, by: 1_000_000_000)
        if seconds < 3_600 { return pair(seconds, 60, "min", "s") }
        let minutes = rounded(seconds, by: 60)
        if minutes < 1_440 { return pair(minutes, 60, "h", "min") }
        return pair(rounded(minutes, by: 60), 24, "d", "h")
    }

    /// Between number and unit: a space at which no line is broken.
    private static let space = "\u{A0}"

    private static func small(_ magnitude: UInt64, unit: UInt64, name: String) -> String? {
        let tenths = rounded(magnitude, by: unit / 10)
        if tenths < 100 { return decimal(tenths) + space + name }
        let whole = rounded(magnitude, by: unit)
        return whole < 1_000 ? "\(whole)\(space)\(name)" : nil
    }

    private static func rounded(_ value: UInt64, by unit: UInt64) -> UInt64 {
        value / unit + (value % unit >= (unit + 1) / 2 ? 1 : 0)
    }

    private static func decimal(_ tenths: UInt64) -> String {
        tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    private static func pair(_ value: UInt64, _ base: UInt64, _ big: String, _ small: String) -> String {
        let rest = value % base
        return "\(value / base)\(space)\(big)" + (rest == 0 ? "" : " \(rest)\(space)\(small)")
    }
}
