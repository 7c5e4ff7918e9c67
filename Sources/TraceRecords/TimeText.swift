/// A duration as people say it: at most two parts, so that it is read at a glance (`1 h 23 min`, `4.2 s`, `350 ms`).
///
/// The one wording for tables, diagrams and the report. Exact arithmetic on integers decides the rounding (half away
/// from zero), so that a value never reads `60 s` or `1 h 60 min`.
public enum HumanDuration {
    /// The text of a duration in nanoseconds.
    ///
    /// - From a minute on, two whole parts of which the second is left out when it is zero: `2 d 3 h`, `1 h 23 min`,
    ///   `3 min 20 s`, `1 h`.
    /// - Below, one part with at most one decimal: `42.7 s`, `4 s`, `350 ms`, `1.5 ms`, `12 µs`, `7 ns`.
    /// - A negative duration carries the minus sign `−`.
    public static func text(nanoseconds: Int64) -> String {
        let sign = nanoseconds < 0 ? "−" : ""
        return sign + magnitude(nanoseconds.magnitude)
    }

    /// The text of a duration in seconds; `–` when it is not a number, `∞` when it is beyond all bounds.
    public static func text(seconds: Double) -> String {
        if seconds.isNaN { return "–" }
        let nanoseconds = (seconds * 1e9).rounded(.toNearestOrAwayFromZero)
        guard nanoseconds.magnitude < 9.2e18 else { return (seconds < 0 ? "−" : "") + ages(seconds.magnitude) }
        return text(nanoseconds: Int64(nanoseconds))
    }

    /// More seconds than 64 bits hold nanoseconds: whole days, as long as these are a number of ordinary length.
    private static func ages(_ seconds: Double) -> String {
        let days = (seconds / 86_400).rounded()
        return days < 1e15 ? "\(Int64(days)) d" : "∞"
    }

    /// The first unit that holds the rounded value wins; rounding up to the next unit falls through to it.
    private static func magnitude(_ nanoseconds: UInt64) -> String {
        if nanoseconds == 0 { return "0 s" }
        if nanoseconds < 1_000 { return "\(nanoseconds) ns" }
        if let text = onePart(nanoseconds, unit: 1_000, name: "µs", below: 1_000, decimalBelow: 10) { return text }
        if let text = onePart(nanoseconds, unit: 1_000_000, name: "ms", below: 1_000, decimalBelow: 10) { return text }
        if let text = onePart(nanoseconds, unit: second, name: "s", below: 60, decimalBelow: 60) { return text }
        if let text = twoParts(nanoseconds, large: 60 * second, "min", small: second, "s", below: 60) { return text }
        if let text = twoParts(nanoseconds, large: 3_600 * second, "h", small: 60 * second, "min", below: 24) {
            return text
        }
        return twoParts(nanoseconds, large: 86_400 * second, "d", small: 3_600 * second, "h", below: .max) ?? "∞"
    }

    private static let second: UInt64 = 1_000_000_000

    /// One part, with one decimal as long as it is below `decimalBelow`; `nil` when it rounds to `below` or more.
    private static func onePart(
        _ value: UInt64, unit: UInt64, name: String, below: UInt64, decimalBelow: UInt64
    ) -> String? {
        let tenths = rounded(value, to: unit / 10)
        if tenths < decimalBelow * 10 {
            let decimal = tenths % 10 == 0 ? "" : ".\(tenths % 10)"
            return "\(tenths / 10)\(decimal) \(name)"
        }
        let whole = rounded(value, to: unit)
        return whole < below ? "\(whole) \(name)" : nil
    }

    /// Two whole parts; `nil` when the first reaches `below`.
    private static func twoParts(
        _ value: UInt64, large: UInt64, _ largeName: String, small: UInt64, _ smallName: String, below: UInt64
    ) -> String? {
        let smalls = rounded(value, to: small)
        let (first, second) = smalls.quotientAndRemainder(dividingBy: large / small)
        guard first < below else { return nil }
        return second == 0 ? "\(first) \(largeName)" : "\(first) \(largeName) \(second) \(smallName)"
    }

    private static func rounded(_ value: UInt64, to unit: UInt64) -> UInt64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: unit)
        return remainder >= unit - remainder ? quotient + 1 : quotient
    }
}

/// The supported times: 1825 to 2115 in nanoseconds since 1970, so that the difference of any two of them fits
/// 64 bits.
public enum TimeLimits {
    /// The years.
    public static let years = 1825...2115
    /// Seconds since 1970, a day more on either side for zones.
    public static let seconds: ClosedRange<Int64> = -4_575_900_000...4_607_500_000

    /// Seconds and nanoseconds since 1970 as nanoseconds; `nil` for times that no log has.
    @inline(__always)
    public static func nanoseconds(_ seconds: Int64, _ nanoseconds: Int64 = 0) -> Int64? {
        Self.seconds.contains(seconds) ? seconds &* 1_000_000_000 &+ nanoseconds : nil
    }

    /// Nanoseconds since 1970; `nil` for times that no log has.
    @inline(__always)
    public static func checked(_ nanoseconds: Int64) -> Int64? {
        Self.seconds.contains(nanoseconds / 1_000_000_000) ? nanoseconds : nil
    }
}
