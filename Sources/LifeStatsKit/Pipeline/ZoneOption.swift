import LogReading

/// The value of `--timezone`.
enum ZoneOption {
    /// The zone of `UTC`, `+02:00` or `Europe/Zurich`.
    ///
    /// - Throws: ``LifeStatsError`` when there is no such zone.
    static func zone(_ text: String) throws -> any ZoneRule {
        do {
            return try ZoneFile.zone(named: text)
        } catch {
            throw LifeStatsError(
                "--timezone \(text): \(error.message)",
                remedy: "write UTC, an offset such as +02:00, or a name such as Europe/Zurich")
        }
    }
}
