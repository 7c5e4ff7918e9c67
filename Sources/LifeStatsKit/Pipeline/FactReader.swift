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
    /// How long the lines of a pipe wait for a checkpoint.
    private static let longestWait = Duration.milliseconds(300)

    let catalog: LayoutCatalog
    let options: ReadingOptions
    let lexicon: Lexicon
    let keepsMessages: Bool
    /// What nobody else may see is replaced here; `nil` keeps everything.
    let redaction: Redaction?
    let queue: BoundedQueue<FactItem>
    let progress: IngestProgress

    /// Reads everything that the plans name, and hands it over. A source that cannot be read to its end is reported
    /// and left where it stands; the others are read.
    func read(_ plans: [LogPlan]) {
        for plan in plans where !progress.isInterrupted {
            queue.put(.log(plan))
            for source in plan.sources {
                if let taken = plan.takenBack(of: source) { queue.put(.takenBack(taken, source: source.record.id)) }
            }
            var legacies: [Int32: SourceLegacy] = [:]
            var handedOver = 0
            for source in plan.sources where !progress.isInterrupted {
                let stored = plan.storedFacts(from: handedOver, upTo: source.record.id)
                for batch in stored { queue.put(.facts(batch.facts, source: batch.source)) }
                handedOver += stored.count
                queue.put(.endOfStoredFacts(source: source.record.id))
                let legacy = source.predecessor.flatMap { legacies[$0] } ?? source.legacy
                legacies[source.record.id] = read(source, after: legacy, isAtomic: plan.isOutOfOrder)
            }
            // All or nothing: what is stored of the log stays as it is.
            if plan.isOutOfOrder, progress.isInterrupted || plan.isReadAgain.contains(where: { legacies[$0] == nil }) {
                queue.put(.abandonedLog)
                continue
            }
            for batch in plan.storedFacts[handedOver...] { queue.put(.facts(batch.facts, source: batch.source)) }
            queue.put(.endOfLog)
        }
        queue.close()
    }

    /// Reads one source. Returns what it leaves to the next one of its log.
    ///
    /// - Parameters:
    ///   - legacy: what the source before it left.
    ///   - isAtomic: whether nothing of the log may be stored before all of it is.
    private func read(_ source: LogPlan.Source, after legacy: SourceLegacy?, isAtomic: Bool) -> SourceLegacy? {
        var record = source.record
        var left: SourceLegacy?
        do {
            var start = source.point?.position
            if start == nil, let legacy {
                start = SourcePosition()
                start?.clock = legacy.clock
            }
            var options = options
            options.isStopped = { progress.isInterrupted }
            let reader = try SourceReader(
                source.description, catalog: catalog, options: options, resumeAt: start)
            var recognizer = Recognizer(
                lexicon: lexicon, keepsMessages: keepsMessages,
                context: source.point?.context ?? legacy?.context ?? RecognitionContext())
            var leaning = Leaning(source.point)
            var redactor = redaction.map(FactRedactor.init)
            var hasFailed = false
            do {
                try read(reader, &recognizer, &record, &leaning, &redactor, isAtomic: isAtomic)
            } catch {
                // What was readable before the damage is kept; the next ingest tries the rest again.
                hasFailed = true
                progress.report(error, path: record.path)
            }
            hand(over: recognizer.finish(isLast: true), of: record, &redactor)
            let context = redacted(recognizer.context)
            note(recognizer.namedDevice, in: &record)
            update(&record, from: reader, context, leaning, isComplete: !hasFailed && !progress.isInterrupted)
            left = SourceLegacy(context: context, clock: reader.endPosition.clock)
        } catch {
            progress.report(error, path: record.path)
        }
        queue.put(.endOfSource(record))
        return left
    }

    private func read(
        _ reader: SourceReader, _ recognizer: inout Recognizer, _ record: inout SourceRecord,
        _ leaning: inout Leaning, _ redactor: inout FactRedactor?, isAtomic: Bool
    ) throws {
        var batch = EntryBatch()
        var factsSince = 0
        var bytesSince = reader.position.byteOffset
        var lastCheckpoint = ContinuousClock.now
        while !progress.isInterrupted {
            let isSilent = !(try reader.next(into: &batch))
            if !isSilent {
                leaning.note(batch)
                let facts = recognizer.recognize(batch)
                factsSince += facts.facts.count
                progress.advance(to: batch.position, of: record.path)
                if facts.hasNews { hand(over: facts, of: record, &redactor) }
            } else if reader.hasEnded {
                return
            }
            let isDue =
                factsSince >= Self.factsBetweenCheckpoints
                || reader.position.byteOffset - bytesSince >= Self.bytesBetweenCheckpoints
            // A device that never falls silent is to be seen in time as well.
            let isLate =
                reader.isLive && factsSince > 0 && ContinuousClock.now - lastCheckpoint >= Self.longestWait
            if !isAtomic, isDue || isLate || (isSilent && factsSince > 0) {
                hand(over: recognizer.finish(isLast: false), of: record, &redactor)
                recognizer.forgetSymbols()
                note(recognizer.namedDevice, in: &record)
                update(&record, from: reader, redacted(recognizer.context), leaning, isComplete: false)
                queue.put(.checkpoint(record))
                factsSince = 0
                bytesSince = reader.position.byteOffset
                lastCheckpoint = .now
            }
        }
    }

    private func hand(over facts: FactBatch, of record: SourceRecord, _ redactor: inout FactRedactor?) {
        queue.put(.facts(redactor?.redact(facts) ?? facts, source: record.id))
    }

    private func redacted(_ context: RecognitionContext) -> RecognitionContext {
        var context = context
        if let redaction { context.device = context.device.map(redaction.device) }
        return context
    }

    /// Keeps the device that the lines of a source name, where the user names none.
    private func note(_ device: String?, in record: inout SourceRecord) {
        if record.device == nil { record.device = device.map { redaction?.device($0) ?? $0 } }
    }

    private func update(
        _ record: inout SourceRecord, from reader: SourceReader, _ context: RecognitionContext, _ leaning: Leaning,
        isComplete: Bool
    ) {
        record.format = reader.formats.isEmpty ? record.format : reader.formats.joined(separator: ", ")
        record.timezone = reader.timezone ?? record.timezone
        record.assumptions =
            reader.assumptions.isEmpty ? record.assumptions : reader.assumptions.joined(separator: "; ")
        record.position = reader.endPosition
        record.resume =
            ResumePoint(
                position: reader.position, isComplete: isComplete, context: context,
                legacy: SourceLegacy(context: context, clock: reader.endPosition.clock),
                leansOnPredecessor: leaning.isFound || reader.endPosition.clock != ClockMemory()
            ).text
        record.bytes = max(record.bytes, record.position.byteOffset)
        record.ingestedAt = Int64(Date().timeIntervalSince1970 * 1e9)
    }
}

extension FactBatch {
    /// Whether there is anything in it that the replay or the store must see.
    fileprivate var hasNews: Bool {
        !facts.isEmpty || !newSymbols.isEmpty || restartsSymbols || !rejects.isEmpty || !dailyTotals.isEmpty
    }
}
