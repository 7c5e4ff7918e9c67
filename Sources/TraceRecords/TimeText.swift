/// A duration as people write it: at most two parts, to be read at a glance (`1 h 23 min`, `4.2 s`, `350 ms`).
///
/// The one wording for tables, diagrams and the report. Exact arithmetic on integers decides the rounding (half away
/// from zero), so that a value never reads `60 s` or `1 h 60 min`.
public enum HumanDuration {
    /// The text of a duration in nanoseconds.
    ///
    /// - From a minute on, two whole parts; the second is left out when it is zero: `2 d 3 h`, `1 h 23 min`,
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

    /// A duration that is a lower bound, rounded down to what ``text(nanoseconds:)`` shows.
    public static func lowerBound(_ nanoseconds: Int64) -> Int64 {
        let steps: [(from: UInt64, shown: UInt64)] = [
            (86_400 * second, 3_600 * second), (3_600 * second, 60 * second), (60 * second, second),
            (second, second / 10), (10_000_000, 1_000_000), (1_000_000, 100_000), (10_000, 1_000), (1_000, 100),
        ]
        let shown = steps.first { nanoseconds.magnitude >= $0.from }?.shown ?? 1
        return nanoseconds - nanoseconds % Int64(shown)
    }

    /// The text of a duration where room is scarce: `1h23m`, `4.2s`, `350ms`. Other texts stay as they are.
    package static func compact(_ text: String) -> String {
        text.contains(":") ? text : text.replacing(" min", with: "m").replacing(" ", with: "")
    }

    /// A compact text without the small unit, rounded, where the number of large ones has two digits or more: `34m`.
    package static func rounded(_ compact: String) -> String {
        guard let parts = compact.wholeMatch(of: /(−?)(\d{2,})([dhm])(\d+)([hms])/), let large = Int(parts.2),
            let small = Int(parts.4)
        else { return compact }
        return "\(parts.1)\(small * 2 >= (parts.5 == "h" ? 24 : 60) ? large + 1 : large)\(parts.3)"
    }

    /// More seconds than 64 bits hold nanoseconds: whole days, as long as these are a number of ordinary length.
    private static func ages(_ seconds: Double) -> String {
        let days = (seconds / 86_400).rounded()
        return days < 1e15 ? "\(NumberText.grouped(Int64(days))) d" : "∞"
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
        // Only days can be thousands.
        let whole = "\(NumberText.grouped(Int64(first))) \(largeName)"
        return second == 0 ? whole : "\(whole) \(second) \(smallName)"
    }

    private static func rounded(_ value: UInt64, to unit: UInt64) -> UInt64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: unit)
        return remainder >= unit - remainder ? quotient + 1 : quotient
    }
}

/// The supported times: 1825 to 2115 in nanoseconds since 1970, so that the difference of any two of them fits in
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

/// Writes many times as `2026-05-12T08:00:00.123456789Z`, the form of the ISO 8601 columns of the public views. The text
/// of the date is kept from one time to the next.
package struct TimestampText {
    private var bytes = Array("0000-00-00T00:00:00.000000000Z".utf8)
    private var day = Int64.min

    package init() {}

    /// Hands over the UTF-8 of a time in nanoseconds since 1970 UTC.
    package mutating func with<T>(_ nanoseconds: Int64, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let length: Int64 = 86_400_000_000_000
        let time = nanoseconds % length
        let rest = time < 0 ? time + length : time
        let whole = (nanoseconds - time) / length - (time < 0 ? 1 : 0)
        if whole != day {
            day = whole
            bytes.replaceSubrange(0..<10, with: CivilTime.date(nanoseconds: nanoseconds).utf8)
        }
        let (seconds, fraction) = rest.quotientAndRemainder(dividingBy: 1_000_000_000)
        write(seconds / 3_600, digits: 2, at: 11)
        write(seconds / 60 % 60, digits: 2, at: 14)
        write(seconds % 60, digits: 2, at: 17)
        write(fraction, digits: 9, at: 20)
        return try bytes.withUnsafeBytes(body)
    }

    private mutating func write(_ value: Int64, digits: Int, at start: Int) {
        var rest = value
        for place in (start..<start + digits).reversed() {
            bytes[place] = UInt8(truncatingIfNeeded: 48 + rest % 10)
            rest /= 10
        }
    }
}

/// Days of the Gregorian calendar, counted without any library (after Howard Hinnant): the hot path needs nothing more.
package enum CivilDate {
    /// Days from 1970-01-01 to a date of the proleptic Gregorian calendar. The date must be valid.
    @inlinable
    package static func days(year: Int, month: Int, day: Int) -> Int64 {
        // Years begin in March here, so that the leap day is the last day of its year.
        let y = Int64(month <= 2 ? year - 1 : year)
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let monthFromMarch = Int64((month + 9) % 12)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date `days` days after 1970-01-01.
    package static func date(days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month, day)
    }

    /// Whether the calendar has this date.
    @inlinable
    package static func isValid(year: Int, month: Int, day: Int) -> Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        return day <= length(ofMonth: month, year: year)
    }

    /// Number of days of a month.
    @inlinable
    package static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether a year has a 29 February.
    @inlinable
    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}

/// Points in time as text, in UTC and without Foundation: the same on every machine.
package enum CivilTime {
    /// `2024-05-01T12:34:56.789Z` from nanoseconds since 1970; the fraction has 0, 3, 6 or 9 digits, as needed.
    package static func iso(nanoseconds: Int64) -> String {
        let time = Parts(nanoseconds)
        let fraction = time.fraction
        let digits = fraction == 0 ? 0 : fraction % 1_000_000 == 0 ? 3 : fraction % 1_000 == 0 ? 6 : 9
        return "\(time.date)T\(time.clock)\(digits > 0 ? "." + padded(fraction, 9).prefix(digits) : "")Z"
    }

    /// The same with as many digits of the fraction as the time has: none, or 1 to 9.
    package static func shortISO(_ nanoseconds: Int64) -> String {
        let time = Parts(nanoseconds)
        var text = "\(time.date)T\(time.clock)"
        if time.fraction > 0 { text += "." + padded(time.fraction, 9) }
        while time.fraction > 0, text.last == "0" { text.removeLast() }
        return text + "Z"
    }

    /// `2024-05-01 12:34:56`, for sentences.
    package static func readable(nanoseconds: Int64) -> String {
        readable(seconds: floorDivide(nanoseconds, 1_000_000_000).quotient)
    }

    /// The same for seconds since 1970.
    package static func readable(seconds: Int64) -> String {
        let time = Parts(seconds: seconds)
        return "\(time.date) \(time.clock)"
    }

    /// `2024-05-01 12:34:56.789`, for tables.
    package static func milliseconds(nanoseconds: Int64) -> String {
        let time = Parts(nanoseconds)
        return "\(time.date) \(time.clock).\(padded(time.fraction / 1_000_000, 3))"
    }

    /// `2024-05-01`.
    package static func date(nanoseconds: Int64) -> String { Parts(nanoseconds).date }

    /// The label of a tick of an axis: `12:34`, with seconds and milliseconds where the ticks are that close.
    ///
    /// - Parameter step: Distance between two ticks in nanoseconds.
    package static func clock(nanoseconds: Int64, step: Int64) -> String {
        let time = Parts(nanoseconds)
        if step >= 60_000_000_000 { return String(time.clock.prefix(5)) }
        return step >= 1_000_000_000 ? time.clock : "\(time.clock).\(padded(time.fraction / 1_000_000, 3))"
    }

    /// Days since 1970 of a date like `2024-05-01`; `nil` for any other text.
    package static func day(ofDate text: String) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (0...9_999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return CivilDate.days(year: year, month: month, day: day)
    }

    private struct Parts {
        let date: String
        let clock: String
        /// Nanoseconds of the second.
        let fraction: Int64

        init(_ nanoseconds: Int64) {
            let (seconds, fraction) = floorDivide(nanoseconds, 1_000_000_000)
            self.init(seconds: seconds, fraction: fraction)
        }

        init(seconds: Int64, fraction: Int64 = 0) {
            let (days, second) = floorDivide(seconds, 86_400)
            let (year, month, day) = CivilDate.date(days: days)
            date = "\(padded(Int64(year), 4))-\(padded(Int64(month), 2))-\(padded(Int64(day), 2))"
            clock = "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
            self.fraction = fraction
        }
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
        return remainder < 0 ? (quotient - 1, remainder + b) : (quotient, remainder)
    }

    private static func padded(_ value: Int64, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

/// Times of a clock. A date that no log has is left out: lines without a date are counted from 1970, and those without a
/// year from 1972.
package enum ClockText {
    /// The first time that has a date, in nanoseconds since 1970: no log of an app is older than this century.
    package static let dated: Int64 = 946_684_800_000_000_000

    /// `2026-05-12`, `05-12` without a year; without a date nothing for the first day, then `+1 d`.
    package static func date(_ nanoseconds: Int64) -> String {
        let date = CivilTime.date(nanoseconds: nanoseconds)
        guard nanoseconds >= 0, nanoseconds < dated else { return date }
        if date >= "1972" { return String(date.dropFirst(5)) }
        let days = nanoseconds / 86_400_000_000_000
        return days == 0 ? "" : "+\(days) d"
    }

    /// `2026-05-12 05:05:16`.
    package static func readable(_ nanoseconds: Int64) -> String { text(nanoseconds, step: 1_000_000_000) }

    /// `2026-05-12 05:05:16 UTC`; without a date, no zone either.
    package static func zoned(_ nanoseconds: Int64) -> String { readable(nanoseconds) + zone(nanoseconds) }

    /// `2026-05-12 05:05:16.120 UTC`; without a date, no zone either.
    package static func exact(_ nanoseconds: Int64) -> String {
        text(nanoseconds, step: 1) + zone(nanoseconds)
    }

    private static func zone(_ nanoseconds: Int64) -> String { 0..<dated ~= nanoseconds ? "" : " UTC" }

    private static func text(_ nanoseconds: Int64, step: Int64) -> String {
        [date(nanoseconds), CivilTime.clock(nanoseconds: nanoseconds, step: step)].filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}
