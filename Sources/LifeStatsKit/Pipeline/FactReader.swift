import EventRecognition
import Foundation
import LogReading
import TraceRecords
import TraceStore

/// The first thread: reads the sources of each log in order, and recognises what they say.
struct FactReader: Sendable {
    /// A checkpoint follows after this many facts or bytes, so that memory stays flat and little is lost in a crash.
    private static let factsBetweenCheckpoints = 32_768
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
        for plan in plans where !progress.isInterrupted {
            queue.put(.log(plan))
            for source in plan.sources {
                if let taken = source.takenBack { queue.put(.takenBack(taken, source: source.record.id)) }
            }
            for batch in plan.storedFacts { queue.put(.facts(batch.facts, source: batch.source)) }
            queue.put(.endOfStoredFacts)
            for source in plan.sources where !progress.isInterrupted { read(source) }
            queue.put(.endOfLog)
        }
        queue.close()
    }

    private func read(_ source: LogPlan.Source) {
        var record = source.record
        do {
            let reader = try SourceReader(
                source.description, catalog: catalog, options: options, resumeAt: source.resumeAt)
            var recognizer = Recognizer(
                lexicon: lexicon, keepsMessages: keepsMessages,
                context: source.context ?? RecognitionContext())
            do {
                try read(reader, &recognizer, &record)
            } catch {
                // What was readable before the damage is kept.
                progress.report(error, path: record.path)
            }
            queue.put(.facts(recognizer.finish(isLast: true), source: record.id))
            update(&record, from: reader, context: recognizer.context, isComplete: !progress.isInterrupted)
        } catch {
            progress.report(error, path: record.path)
        }
        queue.put(.endOfSource(record))
    }

    private func read(_ reader: SourceReader, _ recognizer: inout Recognizer, _ record: inout SourceRecord) throws {
        var batch = EntryBatch()
        var factsSince = 0
        var bytesSince = reader.position.byteOffset
        while !progress.isInterrupted {
            let isSilent = !(try reader.next(into: &batch))
            if !isSilent {
                let facts = recognizer.recognize(batch)
                factsSince += facts.facts.count
                progress.advance(to: batch.position, of: record.path)
                if facts.hasNews { queue.put(.facts(facts, source: record.id)) }
            } else if reader.hasEnded {
                return
            }
            let isDue =
                factsSince >= Self.factsBetweenCheckpoints
                || reader.position.byteOffset - bytesSince >= Self.bytesBetweenCheckpoints
            if isDue || (isSilent && factsSince > 0) {
                queue.put(.facts(recognizer.finish(isLast: false), source: record.id))
                update(&record, from: reader, context: recognizer.context, isComplete: false)
                queue.put(.checkpoint(record))
                factsSince = 0
                bytesSince = reader.position.byteOffset
            }
        }
    }

    private func update(
        _ record: inout SourceRecord, from reader: SourceReader, context: RecognitionContext, isComplete: Bool
    ) {
        record.format = reader.formats.isEmpty ? record.format : reader.formats.joined(separator: ", ")
        record.timezone = reader.timezone ?? record.timezone
        record.assumptions =
            reader.assumptions.isEmpty ? record.assumptions : reader.assumptions.joined(separator: "; ")
        record.position = isComplete ? reader.endPosition : reader.position
        record.resume = ResumePoint(position: reader.position, isComplete: isComplete, context: context).text
        record.bytes = max(record.bytes, record.position.byteOffset)
        record.ingestedAt = Int64(Date().timeIntervalSince1970 * 1e9)
    }
}

extension FactBatch {
    /// Whether there is anything in it that the replay or the store must see.
    fileprivate var hasNews: Bool {
        !facts.isEmpty || !newSymbols.isEmpty || !rejects.isEmpty || !dailyTotals.isEmpty
    }
}
