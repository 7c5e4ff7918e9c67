import LogReading
import TraceRecords

/// What a person said of a source when it was read, so that it can be read again in the same way.
struct ReadingWishes: Codable, Sendable, Equatable {
    /// The one format to read with; zone, year and date of times that carry none; each as the option says it.
    var format: String?
    var timezone: String?
    var year: Int?
    var date: String?
    /// Whether the device of the source is what the person said.
    var namesDevice = false
    /// Whether the texts of lines are kept.
    var keepsMessages = false
    /// Whether layouts or spellings of the person's own were used. Their files are not remembered.
    var usesOwnFiles = false

    init() {}

    init(_ options: IngestOptions) {
        format = options.format
        timezone = options.timezone == FixedZone.utc.name ? nil : options.timezone
        year = options.year
        date = options.date
        namesDevice = options.device != nil
        keepsMessages = options.keepMessages
        usesOwnFiles = options.usesOwnFiles
    }

    /// What holds for a source that is read on or again: the device that it was given stays, and so does what was said
    /// of its beginning.
    func of(_ source: LogPlan.Source) -> ReadingWishes {
        if let wishes = source.wishes { return wishes }
        if let point = source.point { return point.wishes ?? ReadingWishes() }
        guard ResumePoint(text: source.record.resume)?.wishes?.namesDevice == true else { return self }
        var wishes = self
        wishes.namesDevice = true
        return wishes
    }

    /// The options of an ingest, with what was said of the source in place of what is said now.
    func applied(to options: ReadingOptions) throws -> ReadingOptions {
        let own = try self.options(database: "", models: []).readingOptions()
        var options = options
        (options.format, options.timezone, options.year, options.date) =
            (own.format, own.timezone, own.year, own.date)
        return options
    }

    /// The options of an ingest that reads so.
    func options(database: String, models: [String]) -> IngestOptions {
        var options = IngestOptions(paths: [], database: database)
        options.format = format
        options.timezone = timezone ?? options.timezone
        options.year = year
        options.date = date
        options.keepMessages = keepsMessages
        options.models = models
        return options
    }
}
