import LifecycleReplay
import LogReading
import TraceRecords

extension IngestOptions {
    /// What of the options is for the reading.
    ///
    /// - Throws: ``LifeStatsError`` when a zone or date cannot be read.
    func readingOptions() throws -> ReadingOptions {
        if let year, !TimeLimits.years.contains(year) {
            let years = TimeLimits.years
            throw LifeStatsError(
                "--year \(year): no log is of that year",
                remedy: "give one from \(years.lowerBound) to \(years.upperBound)")
        }
        var reading = ReadingOptions(
            format: format, timezone: try ZoneOption.zone(timezone), year: year, date: try DateOption.day(date))
        // A pipe that is silent for so long hands over what it has.
        reading.patience = 200
        return reading
    }

    /// Whether they name files of the user's: models, layouts, aliases.
    var namesMaterial: Bool { !models.isEmpty || !formats.isEmpty || aliases != nil || format != nil }

    /// What of the options is for the replay.
    func replayOptions(_ settings: DerivationSettings) -> ReplayOptions {
        var replay = settings.replayOptions
        // Recognition decides which messages there are; those that were kept before stay.
        replay.keepsMessages = true
        return replay
    }
}
