import LogReading
import TraceRecords

/// The value of `--date`.
enum DateOption {
    /// The day of `yyyy-mm-dd`.
    ///
    /// - Throws: ``LifeStatsError`` when it is none.
    static func day(_ text: String?) throws -> ReadingOptions.Day? {
        guard let text else { return nil }
        guard let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)/), let year = Int(match.1),
            let month = Int(match.2), let day = Int(match.3),
            TimeLimits.years.contains(year), CivilDate.isValid(year: year, month: month, day: day)
        else { throw LifeStatsError("--date \(text): this is no date", remedy: "write it as 2026-03-01") }
        return ReadingOptions.Day(year: year, month: month, day: day)
    }
}
