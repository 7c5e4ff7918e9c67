/// Points in time as text, in UTC and without Foundation: the same on every machine.
package enum CivilTime {
    /// `2024-05-01T12:34:56.789Z` from nanoseconds since 1970; the fraction has 0, 3, 6 or 9 digits, as needed.
    package static func iso(nanoseconds: Int64) -> String {
        let time = Parts(nanoseconds)
        let fraction = time.fraction
        let digits = fraction == 0 ? 0 : fraction % 1_000_000 == 0 ? 3 : fraction % 1_000 == 0 ? 6 : 9
        return "\(time.date)T\(time.clock)\(digits > 0 ? "." + padded(fraction, 9).prefix(digits) : "")Z"
    }

    /// `2024-05-01 12:34:56`, for sentences.
    package static func readable(nanoseconds: Int64) -> String {
        let time = Parts(nanoseconds)
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

    /// Days since 1970 of a date like `2024-05-01`; `nil` for any other text. After Howard Hinnant's `days_from_civil`.
    package static func day(ofDate text: String) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (0...9_999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivide(shifted, 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private struct Parts {
        let date: String
        let clock: String
        /// Nanoseconds of the second.
        let fraction: Int64

        init(_ nanoseconds: Int64) {
            let (seconds, fraction) = floorDivide(nanoseconds, 1_000_000_000)
            let (days, second) = floorDivide(seconds, 86_400)
            date = CivilTime.date(daysSince1970: days)
            clock = "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
            self.fraction = fraction
        }
    }

    /// Proleptic Gregorian date of a day, after Howard Hinnant's `civil_from_days`: eras of 400 years that begin on
    /// 1 March, so that a leap day comes last.
    private static func date(daysSince1970: Int64) -> String {
        let (era, day) = floorDivide(daysSince1970 + 719_468, 146_097)
        let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
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
