import Foundation
import LogReading
import Reports
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
    /// What tells the person's own layouts and spellings, and models, from others; `nil` where there were none. Their
    /// files are not remembered.
    var ownFiles: String?
    var ownModels: String?

    init() {}

    init(_ options: IngestOptions) {
        format = options.format
        timezone = options.timezone == FixedZone.utc.name ? nil : options.timezone
        year = options.year
        date = options.date
        namesDevice = options.device != nil
        keepsMessages = options.keepMessages
        ownFiles = Self.mark(of: options.formats + [options.aliases].compactMap(\.self))
        ownModels = Self.mark(of: options.models)
    }

    /// Whether what was read with these wishes loses nothing when it is read with the files of an ingest.
    func isCovered(by now: ReadingWishes) -> Bool {
        (ownFiles == nil || ownFiles == now.ownFiles) && (ownModels == nil || ownModels == now.ownModels)
    }

    private static func mark(of files: [String]) -> String? {
        guard !files.isEmpty else { return nil }
        let contents = files.map { FileManager.default.contents(atPath: $0).map(Array.init) ?? Array($0.utf8) }
        return SHA256.digest(contents.flatMap { SHA256.digest($0) }).prefix(8).map { String($0, radix: 16) }.joined()
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
