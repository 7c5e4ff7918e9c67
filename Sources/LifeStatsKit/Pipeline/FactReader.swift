import EventRecognition
import Foundation
import LogReading
import TraceRecords
import TraceStore

/// The first thread: reads the sources of each log in order, and recognises what they say.
struct FactReader: Sendable {
    /// A checkpoint follows after this many facts or bytes, so that memory stays flat, and a crash loses little of a pipe.
    private static let factsBetweenCheckpoints = 32_768
    private static let bytesBetweenCheckpoints: Int64 = 64 << 20
    /// How long the lines of a pipe wait for a checkpoint.
    private static let longestWait = Duration.milliseconds(300)

    let catalog: LayoutCatalog
    let options: ReadingOptions
    let lexicon: Lexicon
    let keepsMessages: Bool
    /// What the person says of the logs.
    let wishes: ReadingWishes
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
            var change: ReadingDiagnostic?
            for source in plan.sources where !progress.isInterrupted && change == nil {
                let stored = plan.storedFacts(from: handedOver, upTo: source.record.id)
                for batch in stored { queue.put(.facts(batch.facts, source: batch.source)) }
                handedOver += stored.count
                queue.put(.endOfStoredFacts(source: source.record.id))
                let legacy = source.predecessor.flatMap { legacies[$0] } ?? source.legacy
                do {
                    legacies[source.record.id] = try read(source, after: legacy, isAtomic: plan.isOutOfOrder)
                } catch {
                    change = ReadingDiagnostic(.error, path: source.record.path, message: error.message)
                }
            }
            // What is stored of the log stays as it is.
            if let change {
                queue.put(.abandonedLog)
                progress.report(change, of: plan)
                continue
            }
            // All or nothing.
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
    ///   - predecessor: what the source before it left.
    ///   - isAtomic: whether nothing of the log may be stored before all of it is.
    /// - Throws: ``ReadingError`` when the source is not what it was when the reading was planned.
    private func read(
        _ source: LogPlan.Source, after predecessor: SourceLegacy?, isAtomic: Bool
    ) throws(ReadingError) -> SourceLegacy? {
        var record = source.record
        var start = source.point?.position
        if start == nil, let predecessor {
            start = SourcePosition()
            start?.clock = predecessor.clock
        }
        var options = source.reading ?? options
        options.isStopped = { progress.isInterrupted }
        let reader: SourceReader
        do throws(ReadingError) {
            reader = try SourceReader(source.description, catalog: catalog, options: options, resumeAt: start)
            if let point = source.point { try reader.expect(point.beginning ?? .plain) }
            if let known = source.point?.clockStart { reader.clockStart = known }
        } catch {
            if error.code.tellsOfChange, !source.description.isOnce { throw error }
            progress.report(error, path: record.path)
            // What came through a pipe cannot be read again: there is nothing to remember of it.
            if !source.description.isOnce { queue.put(.endOfSource(record)) }
            return nil
        }
        var recognizer = Recognizer(
            lexicon: lexicon, keepsMessages: source.wishes?.keepsMessages ?? keepsMessages,
            disguise: redaction?.disguise,
            context: source.point?.context ?? predecessor?.context ?? RecognitionContext())
        let wishes = wishes.of(source)
        var leaning = Leaning(source.point, isDeviceGiven: wishes.namesDevice)
        var redactor = redaction.map { FactRedactor($0, lexicon) }
        var hasFailed = false
        do throws(ReadingError) {
            try read(reader, &recognizer, &record, &leaning, wishes, &redactor, isAtomic: isAtomic)
        } catch {
            if error.code == .changed { throw error }
            // What was readable before the damage is kept; the next ingest tries the rest again.
            hasFailed = true
            progress.report(error, path: record.path)
        }
        try identify(&record, by: reader)
        hand(over: recognizer.finish(isLast: true), of: record, &redactor)
        let isComplete = !hasFailed && !progress.isInterrupted
        let legacy = update(&record, from: reader, recognizer, leaning, wishes, isComplete: isComplete)
        queue.put(.endOfSource(record))
        return legacy
    }

    /// Makes sure that what was read is what was planned, before any of it is stored, and says how much that was.
    private func identify(_ record: inout SourceRecord, by reader: SourceReader) throws(ReadingError) {
        guard let planned = SourceFingerprint(text: record.fingerprint) else { return }
        do throws(ReadingError) {
            record.fingerprint = try reader.fingerprint(insteadOf: planned).text
        } catch {
            if error.code == .changed {
                progress.report(
                    ReadingDiagnostic(
                        .notice, path: record.path,
                        message: "was cut or written anew while it was read: what was stored of it before is kept"))
            }
            throw error
        }
    }

    private func read(
        _ reader: SourceReader, _ recognizer: inout Recognizer, _ record: inout SourceRecord,
        _ leaning: inout Leaning, _ wishes: ReadingWishes, _ redactor: inout FactRedactor?, isAtomic: Bool
    ) throws(ReadingError) {
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
                // A file that has grown meanwhile would give its last entry and rejects once more, and those that were
                // handed over are not taken back before the reading begins anew.
                if reader.isAtEnd { return }
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
                try identify(&record, by: reader)
                hand(over: recognizer.finish(isLast: false), of: record, &redactor)
                recognizer.forgetSymbols()
                update(&record, from: reader, recognizer, leaning, wishes, isComplete: false)
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
        guard let redaction else { return context }
        context.device = context.deviceName.map(redaction.device)
        context.firstDevice = context.firstDevice.map { NamedDevice(line: $0.line, name: redaction.device($0.name)) }
        return context
    }

    /// Says in the record how far the reading is. Returns what the source leaves to the next one.
    @discardableResult
    private func update(
        _ record: inout SourceRecord, from reader: SourceReader, _ recognizer: Recognizer, _ leaning: Leaning,
        _ wishes: ReadingWishes, isComplete: Bool
    ) -> SourceLegacy {
        let present = redacted(recognizer.present)
        let legacy = SourceLegacy(context: present, clock: reader.endPosition.clock)
        if !wishes.namesDevice { record.device = present.firstDevice?.name ?? present.deviceName }
        record.format = reader.formats.isEmpty ? record.format : reader.formats.joined(separator: ", ")
        record.timezone = reader.timezone ?? record.timezone
        let assumptions = reader.assumptions + recognizer.assumptions
        if !assumptions.isEmpty { record.assumptions = assumptions.joined(separator: "; ") }
        record.position = reader.endPosition
        record.resume =
            ResumePoint(
                position: reader.position, isComplete: isComplete,
                beginning: reader.beginning == .plain ? nil : reader.beginning, context: redacted(recognizer.context),
                legacy: legacy,
                leansOnPredecessor: leaning.isFound || reader.endPosition.clock != ClockMemory(),
                namesProcessAt: leaning.namesProcessAt, namesPidAt: leaning.namesPidAt,
                firstDevice: present.firstDevice, isStale: leaning.isStale, clockStart: reader.clockStart,
                wishes: wishes == ReadingWishes() ? nil : wishes
            ).text
        record.bytes = max(record.bytes, record.position.byteOffset)
        record.ingestedAt = Int64(Date().timeIntervalSince1970 * 1e9)
        return legacy
    }
}

extension FactBatch {
    /// Whether there is anything in it that the replay or the store must see.
    fileprivate var hasNews: Bool {
        !facts.isEmpty || !newSymbols.isEmpty || restartsSymbols || !rejects.isEmpty || !dailyTotals.isEmpty
    }
}
