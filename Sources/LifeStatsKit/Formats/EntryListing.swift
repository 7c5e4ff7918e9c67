import EventRecognition
import LifecycleModel
import LogReading
import Reports
import TraceRecords

/// The entries of files as they are read, with what is recognised in each: shows why a line counts or does not.
public enum EntryListing {
    /// Writes one JSON object a line for every entry.
    ///
    /// - Parameters:
    ///   - options: the files, and how to read them; the database is not used.
    ///   - output: receives the text in pieces.
    ///   - notice: receives what was left out or rejected.
    /// - Returns: whether every path that was named could be read.
    /// - Throws: ``LifeStatsError`` when a file cannot be read further, or none at all.
    public static func write(
        _ options: IngestOptions, output: ([UInt8]) -> Void, notice: (String) -> Void
    ) throws -> Bool {
        try LifeStatsError.translated {
            let parts = try IngestMaterial(options).load()
            let reading = try options.readingOptions()
            let found = InputFinder.find(options.paths, options: reading)
            guard !found.sources.isEmpty else {
                let why = found.diagnostics.map(\.description).joined(separator: "\n")
                throw LifeStatsError(why.isEmpty ? "nothing to read" : why)
            }
            for diagnostic in found.diagnostics { notice(diagnostic.description) }
            for source in found.sources {
                var buffer: [UInt8] = []
                let rejected = try RecognisedEntries.each(of: source, parts, reading) { entry in
                    entry.json.appendCompact(to: &buffer)
                    buffer.append(0x0A)
                    if buffer.count >= 1 << 16 {
                        output(buffer)
                        buffer.removeAll(keepingCapacity: true)
                    }
                    return true
                }
                output(buffer)
                if rejected > 0 {
                    notice(
                        "\(source.path): \(Plural.text(rejected, "line")) rejected; lifestats formats explain says why")
                }
            }
            return found.isComplete
        }
    }
}

/// An entry, and what is recognised in its lines.
struct RecognisedEntry {
    var entry: Entry
    var details: EntryDetails
    var batch: EntryBatch
    var events: [(event: Event, facts: FactBatch)]
    var vocabulary: Vocabulary

    var message: String { batch.text(entry.message) }

    fileprivate var json: JSONValue {
        func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
        func text(_ range: ByteRange) -> JSONValue? { range.isEmpty ? nil : .string(batch.text(range)) }
        return .members([
            "line": .integer(entry.line), "lines": .integer(Int64(entry.lineCount)),
            "time_ns": entry.time.map { .integer($0) }, "time": text(entry.time.map(CivilTime.shortISO)),
            "device": text(entry.device), "process": text(entry.process), "pid": entry.pid.map { .integer(Int64($0)) },
            "thread": text(details.thread), "subsystem": text(entry.subsystem), "category": text(details.category),
            "level": text(details.level), "message": .string(message), "activity": text(details.activity),
            "library": text(details.library), "format": .string(details.layout),
            "recognised": .array(events.map { recognised($0.event, $0.facts) }),
        ])
    }

    /// What a line was recognised as: a callback of a layer, or evidence and what it proves, and whom it is about.
    private func recognised(_ event: Event, _ facts: FactBatch) -> JSONValue {
        let callback = event.callback.map { vocabulary[$0] }
        let speaker = facts.speakers[Int(event.speaker)]
        func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
        return .members([
            "line": .integer(event.line), "kind": text(callback == nil ? facts.text(event.origin) : "callback"),
            "layer": text(callback?.layer), "callback": text(callback?.callback.id),
            "end": event.isReturn ? .bool(true) : nil, "proves": text(event.proof?.rawValue),
            "instance": text(speaker.label), "process": text(speaker.process),
            "pid": speaker.pid.map { .integer(Int64($0)) },
        ])
    }
}

/// Reads entries one by one, as an ingest does.
enum RecognisedEntries {
    /// - Parameter body: gets each entry; returns whether to go on.
    /// - Returns: how many lines were rejected.
    /// - Throws: `ReadingError` when the source cannot be read further.
    @discardableResult
    static func each(
        of source: SourceDescription, _ parts: IngestMaterial.Parts, _ options: ReadingOptions,
        _ body: (RecognisedEntry) -> Bool
    ) throws -> Int64 {
        let reader = try SourceReader(source, catalog: parts.layouts, options: options)
        var recognizer = Recognizer(lexicon: parts.lexicon)
        reader.recordMatches()
        while true {
            guard var batch = try reader.next() else {
                if reader.isLive && !reader.hasEnded { continue }
                return reader.endPosition.counts.rejected
            }
            // Nothing is read again: every entry is final.
            batch.position.counts.lines = .max
            recognizer.recognize(batch)
            var events: [(event: Event, facts: FactBatch)] = []
            for facts in recognizer.takeFacts() {
                for case .event(let event) in facts.facts where event.proof?.isDetail != true {
                    events.append((event, facts))
                }
            }
            var next = 0
            for entry in batch.entries {
                let last = entry.line + Int64(entry.lineCount) - 1
                let first = next
                while next < events.count, events[next].event.line <= last { next += 1 }
                let details = reader.details(of: entry, in: batch) ?? EntryDetails(layout: SourceReader.bareFormat)
                let found = RecognisedEntry(
                    entry: entry, details: details, batch: batch, events: Array(events[first..<next]),
                    vocabulary: parts.vocabulary)
                guard body(found) else { return reader.endPosition.counts.rejected }
            }
            if reader.isAtEnd { return reader.endPosition.counts.rejected }
            reader.recordMatches()
        }
    }
}
