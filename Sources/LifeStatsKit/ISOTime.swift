/// ISO 8601 times as people type them: `2026-03-01`, `2026-03-01 08:30`, `2026-03-01T08:30:00.25+01:00`.
enum ISOTime {
    /// Nanoseconds since 1970 UTC; before 1677-09-21 and after 2262-04-11 the first and the last that a number of 64 bits
    /// can hold. No log is as old or as late, so `9999-12-31` leaves nothing out.
    ///
    /// - Parameter option: what the text stands behind, as typed: `--since ` or `--param since=`.
    /// - Throws: ``LifeStatsError`` naming the option when the text is no time.
    static func nanoseconds(_ text: String, option: String) throws -> Int64 {
        guard let value = parse(text) else {
            throw LifeStatsError(
                "\(option)\(text): this is no time",
                remedy: "write it as 2026-03-01, 2026-03-01T08:30 or 2026-03-01T08:30:00.250+01:00")
        }
        return value
    }

    private static func parse(_ text: String) -> Int64? {
        let pattern =
            /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?)?/
        guard let match = text.wholeMatch(of: pattern), let year = Int64(match.1), let month = Int64(match.2),
            let day = Int64(match.3), (1...12).contains(month), day >= 1, day <= days(ofMonth: month, year: year)
        else { return nil }
        let hour = match.4.flatMap { Int64($0) } ?? 0
        let minute = match.5.flatMap { Int64($0) } ?? 0
        let second = match.6.flatMap { Int64($0) } ?? 0
        guard hour < 24, minute < 60, second < 61 else { return nil }
        let fraction = match.7.map { $0 + String(repeating: "0", count: 9 - $0.count) }.flatMap { Int64($0) } ?? 0
        var seconds = daysSince1970(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
        if let zone = match.8, zone != "Z" {
            let digits = zone.filter(\.isNumber)
            guard let value = Int64(digits), value / 100 < 24, value % 100 < 60 else { return nil }
            let offset = (value / 100) * 3600 + (value % 100) * 60
            seconds -= zone.hasPrefix("-") ? -offset : offset
        }
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (time, passes) = whole.addingReportingOverflow(fraction)
        guard overflows || passes else { return time }
        return seconds < 0 ? .min : .max
    }

    private static func days(ofMonth month: Int64, year: Int64) -> Int64 {
        let following = month == 12 ? (year: year + 1, month: 1) : (year: year, month: month + 1)
        return daysSince1970(year: following.year, month: following.month, day: 1)
            - daysSince1970(year: year, month: month, day: 1)
    }

    /// Days of the proleptic Gregorian calendar (Howard Hinnant's algorithm `days_from_civil`).
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
