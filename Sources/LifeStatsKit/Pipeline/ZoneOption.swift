import LogReading

/// The value of `--timezone`.
enum ZoneOption {
    /// The zone of `UTC`, `+02:00` or `Europe/Zurich`.
    ///
    /// - Throws: ``LifeStatsError`` when there is no such zone.
    static func zone(_ text: String) throws -> any ZoneRule {
        if text == "UTC" || text == "Z" { return FixedZone.utc }
        if let match = text.wholeMatch(of: /([+-])(\d\d):?(\d\d)/), let hours = Int64(match.2),
            let minutes = Int64(match.3), hours <= 14, minutes < 60
        {
            let seconds = hours * 3600 + minutes * 60
            return FixedZone(name: text, seconds: match.1 == "-" ? -seconds : seconds)
        }
        throw LifeStatsError(
            "--timezone \(text): there is no such zone",
            remedy: "write UTC, an offset such as +02:00, or a name such as Europe/Zurich")
    }
}
