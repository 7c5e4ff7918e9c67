/// A point in time as people write it: ISO 8601 in UTC, without Foundation and without a time zone of the machine.
package enum CivilTime {
    /// `2024-05-01T12:34:56.789Z` from nanoseconds since 1970; the fraction has as many digits as it needs (0, 3, 6, 9).
    package static func iso(nanoseconds: Int64) -> String {
        let (date, clock, fraction) = parts(nanoseconds)
        return "\(date)T\(clock)\(fraction)Z"
    }

    /// `2024-05-01 12:34:56`, for sentences.
    package static func readable(nanoseconds: Int64) -> String {
        let (date, clock, _) = parts(nanoseconds)
        return "\(date) \(clock)"
    }

    private static func parts(_ nanoseconds: Int64) -> (date: String, clock: String, fraction: String) {
        let (seconds, rest) = floorDivide(nanoseconds, 1_000_000_000)
        let (days, second) = floorDivide(seconds, 86_400)
        let clock = "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        var fraction = ""
        if rest % 1_000 != 0 {
            fraction = "." + padded(rest, 9)
        } else if rest % 1_000_000 != 0 {
            fraction = "." + padded(rest / 1_000, 6)
        } else if rest != 0 {
            fraction = "." + padded(rest / 1_000_000, 3)
        }
        return (date(daysSince1970: days), clock, fraction)
    }

    /// The civil calendar from days, counted in eras of 400 years that begin on 1 March, so that leap days come last.
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
