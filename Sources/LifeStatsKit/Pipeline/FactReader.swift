import EventRecognition
import Foundation
import LogReading
import TraceRecords
import TraceStore

/// The first thread: reads the sources of each log in order, and recognises what they say.
struct FactReader: Sendable {
    /// A checkpoint follows after this many facts or bytes, so that memory stays flat and little is lost in a crash.
    private static let factsBetweenCheckpoints = 65_536
    private static let bytesBetweenCheckpoints: Int64 = 64 << 20

    let catalog: LayoutCatalog
    let options: ReadingOptions
    let lexicon: Lexicon
    let keepsMessages: Bool
    let queue: BoundedQueue<FactItem>
    let progress: IngestProgress

    /// Reads everything that the plans name, and hands it over. A source that cannot be read to its end is reported
    /// and left where it stands; the others are read.
    func read(_ plans: [LogPlan]) {
        for plan in plans {
            queue.put(.log(plan))
            for batch in plan.storedFacts { queue.put(.facts(batch.facts, source: batch.source)) }
            for source in plan.sources { read(source) }
            queue.put(.endOfLog)
        }
        queue.close()
    }

    private func read(_ source: LogPlan.Source) {
        var record = source.record
        do {
            let reader = try SourceReader(
                source.description, catalog: catalog, options: options, resumeAt: source.resumeAt)
            var recognizer = Recognizer(lexicon: lexicon, keepsMessages: keepsMessages)
            var factsSince = 0
            var bytesSince = reader.position.byteOffset
            while !progress.isInterrupted, let batch = try reader.next() {
                let facts = recognizer.recognize(batch)
                factsSince += facts.facts.count
                progress.advance(to: batch.position, of: record.path)
                if !facts.facts.isEmpty || !facts.newSymbols.isEmpty || !facts.rejects.isEmpty
                    || !facts.dailyTotals.isEmpty
                {
                    queue.put(.facts(facts, source: record.id))
                }
                if factsSince >= Self.factsBetweenCheckpoints
                    || reader.position.byteOffset - bytesSince >= Self.bytesBetweenCheckpoints
                {
                    queue.put(.facts(recognizer.finish(), source: record.id))
                    update(&record, from: reader, isComplete: false)
                    queue.put(.checkpoint(record))
                    factsSince = 0
                    bytesSince = reader.position.byteOffset
                }
            }
            queue.put(.facts(recognizer.finish(), source: record.id))
            update(&record, from: reader, isComplete: true)
        } catch {
            progress.report(error, path: record.path)
        }
        queue.put(.endOfSource(record))
    }

    private func update(_ record: inout SourceRecord, from reader: SourceReader, isComplete: Bool) {
        record.format = reader.formats.isEmpty ? record.format : reader.formats.joined(separator: ", ")
        record.timezone = reader.timezone ?? record.timezone
        record.assumptions =
            reader.assumptions.isEmpty ? record.assumptions : reader.assumptions.joined(separator: "; ")
        record.position = isComplete ? reader.endPosition : reader.position
        record.resume = ResumePoint(position: reader.position).text
        record.bytes = max(record.bytes, record.position.byteOffset)
        record.ingestedAt = Int64(Date().timeIntervalSince1970 * 1e9)
    }
}
