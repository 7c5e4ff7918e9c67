import LogReading
import TraceRecords
import TraceStore

/// Reads again what went on from a source that is forgotten, where the stored facts do not tell what it says without
/// that one: lines whose date or year the forgotten source told, and the rest of a report that began in it.
struct HeirReading {
    let writer: TraceWriter
    let database: String
    /// Files of models beside the built-in ones.
    let models: [String]
    let settings: DerivationSettings
    /// Where the sources of a redacted database may lie.
    let files: [SourceDescription]

    /// Reads them, the source being gone.
    ///
    /// - Parameters:
    ///   - forgotten: the source that is gone.
    ///   - sources: all sources of its log, as they were with it.
    /// - Returns: whether anything was read.
    /// - Throws: ``LifeStatsError`` where a source has to be read and cannot be.
    func run(without forgotten: SourceRecord, among sources: [SourceRecord]) throws -> Bool {
        let order = sources.inOrderOfLog
        guard let place = order.firstIndex(where: { $0.id == forgotten.id }) else { return false }
        var hasRead = false
        var old = legacy(of: forgotten)
        var new = place > 0 ? legacy(of: order[place - 1]) : SourceLegacy()
        for stale in order[(place + 1)...] {
            guard old.clock != new.clock || old.context.report != new.context.report,
                var now = try current(stale), let point = ResumePoint(text: now.resume)
            else { break }
            if let what = try dependence(of: now, point, on: old, ratherThan: new) {
                try readAgain(now, point, for: what, insteadOf: forgotten)
                hasRead = true
                now = try current(stale) ?? now
            } else if let adjusted = Self.adjusted(now, point, after: new) {
                try writer.move([adjusted])
                now = adjusted
            }
            (old, new) = (legacy(of: stale), legacy(of: now))
        }
        return hasRead
    }

    private func legacy(of source: SourceRecord) -> SourceLegacy {
        ResumePoint(text: source.resume)?.legacy ?? SourceLegacy()
    }

    private func current(_ source: SourceRecord) throws -> SourceRecord? {
        try writer.sources().first { $0.id == source.id }
    }

    /// What the lines of a source would say otherwise after another source, in words; `nil` where nothing.
    private func dependence(
        of source: SourceRecord, _ point: ResumePoint, on old: SourceLegacy, ratherThan new: SourceLegacy
    ) throws -> String? {
        let reading = try (point.wishes ?? ReadingWishes()).options(database: database, models: models).readingOptions()
        if point.clockStart?.tells(old.clock, from: new.clock, options: reading) ?? false {
            return "the clock of its times"
        }
        let beginsUnnamed = source.position.counts.entry > 0 && point.namesProcessAt.map { $0 > 1 } ?? false
        return old.context.report != new.context.report && beginsUnnamed ? "the beginning of a report" : nil
    }

    /// A source that its lines leave as it is, with what it hands on; `nil` where that stays as it is.
    private static func adjusted(_ record: SourceRecord, _ point: ResumePoint, after new: SourceLegacy) -> SourceRecord?
    {
        guard let start = point.clockStart else { return nil }
        var point = point
        point.position.clock = start.passedOn(point.position.clock, after: new.clock)
        point.legacy.clock = start.passedOn(point.legacy.clock, after: new.clock)
        if point.namesProcessAt == .max {
            point.context.report = new.context.report
            point.legacy.context.report = new.context.report
        }
        var record = record
        record.resume = point.text
        return record
    }

    private func readAgain(
        _ source: SourceRecord, _ point: ResumePoint, for what: String, insteadOf forgotten: SourceRecord
    ) throws {
        let wishes = point.wishes ?? ReadingWishes()
        func refusal(_ why: String, _ remedy: String) -> LifeStatsError {
            LifeStatsError(
                "cannot forget \(forgotten.path)",
                why: "\(source.path) goes on with what it left (\(what)), and \(why)",
                remedy: remedy)
        }
        let options = wishes.options(database: database, models: models)
        guard wishes.ownFiles == nil else {
            throw refusal(
                "was read with formats or spellings of your own, whose files nobody remembers",
                "forget \(source.path) first, and ingest it again")
        }
        guard wishes.isCovered(by: ReadingWishes(options)) else {
            throw refusal("was read with models of your own", "name their files with --model")
        }
        let redaction = try Redaction.begin(wanted: false, writer: writer, path: database)
        let pipeline = IngestPipeline(options: options)
        let isRead = try pipeline.readAgain(
            source.id, among: files, into: writer, settings: settings, redaction: redaction)
        if isRead { return }
        guard source.path != "-" else {
            throw refusal("standard input cannot be read again", "forget source \(source.id) first")
        }
        let place = redaction != nil && files.isEmpty ? "name the source by its path" : "put its file back"
        throw refusal(
            "its file is gone or holds something else now", "forget \(source.path) first, or \(place)")
    }
}
