extension ReadingOptions {
    /// How assumptions about the year and the date are worded, before the year and the date.
    static let wordings = (
        placeholderYear: "no year in the log: counted from ", year: "year ",
        placeholderDate: "no date in the log: counted from ", date: "date "
    )

    /// Whether the user says otherwise what was assumed when a log was read.
    ///
    /// - Parameters:
    ///   - assumptions: what was assumed, in plain words, one after another.
    ///   - timezone: the zone that was assumed for times without one.
    ///   - formats: the layouts that the log was read with.
    package func contradict(_ assumptions: String?, timezone: String?, formats: String?) -> Bool {
        if let timezone, self.timezone.name != FixedZone.utc.name, self.timezone.name != timezone { return true }
        if let format, let formats {
            let read = formats.split(separator: ", ").map(String.init).filter { $0 != SourceReader.bareFormat }
            if read != [format] { return true }
        }
        let words = Self.wordings
        for text in assumptions?.split(separator: "; ") ?? [] {
            if let year {
                if text.hasPrefix(words.placeholderYear) { return true }
                if text.hasPrefix(words.year), text != "\(words.year)\(year)" { return true }
            }
            if let date {
                if text.hasPrefix(words.placeholderDate) { return true }
                let day = TimeText.date((date.year, date.month, date.day))
                if text.hasPrefix(words.date), text != "\(words.date)\(day)" { return true }
            }
        }
        return false
    }
}
