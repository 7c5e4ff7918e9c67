import EventRecognition
import Foundation
import LogReading
import TraceRecords
import TraceStore

/// What reading hands to the derivation, in the order of the log.
enum ReadItem: Sendable {
    /// Facts of a source that are final, with the lines that could not be read.
    case facts(SourceFacts)
    /// A pipe pauses: what was read so far can be stored, and the last entry may go on.
    case pause(SourceEnd)
    /// Everything that there is of a source was read; its last entry may go on.
    case end(SourceEnd)
}

/// Facts of one source, ready to be stored.
struct SourceFacts: Sendable {
    var source: Int32
    var facts = FactBatch()
    var rejects: [Reject] = []
    var totals: [DailyTotal] = []
    /// Whether the store has them already, so that they are only replayed.
    var isStored = false

    var isEmpty: Bool { facts.isEmpty && rejects.isEmpty && totals.isEmpty }
}

/// The state of a source where its reading ends or pauses.
struct SourceEnd: Sendable {
    /// The source as the database is to know it.
    var record: SourceRecord
    var memory: SourceMemory
    /// What its last entry says. It is read again when the source has grown.
    var lastEntry: SourceFacts
}

/// Reads the sources of a log and recognises what their lines say.
struct LogReader: Sendable {
    /// How long the lines of a pipe that never pauses wait.
    private static let longestWait = Duration.milliseconds(300)

    let layouts: LayoutCatalog
    let lexicon: Lexicon
    let options: ReadingOptions
    let keepsMessages: Bool
    /// Replaces private text; `nil` keeps everything.
    let redaction: Redaction?
    let progress: IngestProgress

    /// Reads one source, as far as it goes or until the ingest is interrupted. What was readable before an error is kept.
    func read(_ plan: SourcePlan, hand: (ReadItem) -> Void) {
        guard let description = plan.description else { return }
        var session: SourceSession
        do throws(ReadingError) {
            var options = try options.assuming(plan.memory.reading ?? ReadingAssumptions())
            options.isStopped = { progress.isInterrupted }
            let state = plan.isReadOn ? plan.memory.state : nil
            let reader = try SourceReader(description, catalog: layouts, options: options, resuming: state?.reading)
            session = SourceSession(
                plan: plan, reader: reader,
                recognizer: Recognizer(
                    lexicon: lexicon, keepsMessages: keepsMessages || plan.memory.keepsMessages,
                    disguise: redaction?.disguise,
                    context: state?.recognition ?? RecognitionContext()),
                redactor: redaction.map { FactRedactor($0, lexicon) })
        } catch {
            if error.code.tellsOfChange, !description.isOnce {
                progress.noteChange(plan.record.path, error.message)
            } else {
                progress.report(error, path: plan.record.path)
            }
            // What comes through a pipe cannot be read again: there is nothing to remember of it.
            if !description.isOnce { hand(.end(SourceEnd(unread: plan))) }
            return
        }
        var isWhole = true
        do throws(ReadingError) {
            try read(&session, hand: hand)
        } catch {
            isWhole = false
            progress.report(error, path: plan.record.path, isInPart: error.code == .damaged)
        }
        for facts in session.takeFacts() { hand(.facts(facts)) }
        var end = session.end(isComplete: isWhole && !progress.isInterrupted)
        if !description.isOnce, !session.reader.isStillThere {
            progress.noteCut(plan.record.path)
            end.memory = SourceMemory(beginning: end.memory.beginning, firstTime: end.memory.firstTime)
        }
        progress.end(plan.record.path)
        hand(.end(end))
    }

    private func read(_ session: inout SourceSession, hand: (ReadItem) -> Void) throws(ReadingError) {
        var batch = EntryBatch()
        progress.begin(session.plan.record.path, at: session.reader.position.byteOffset)
        var lastPause = ContinuousClock.now
        while !progress.isInterrupted {
            let isSilent = !(try session.reader.next(into: &batch))
            if !isSilent {
                session.take(batch)
                progress.advance(to: batch.position.byteOffset, of: session.plan.record.path)
                // A file that has grown meanwhile would give its last entry once more.
                if session.reader.isAtEnd { return }
            } else if session.reader.hasEnded {
                return
            }
            for facts in session.takeFullBatches() { hand(.facts(facts)) }
            guard session.reader.isLive, session.hasNews else { continue }
            if isSilent || ContinuousClock.now - lastPause >= Self.longestWait {
                for facts in session.takeFacts() { hand(.facts(facts)) }
                hand(.pause(session.end(isComplete: false)))
                session.hasNews = false
                lastPause = .now
            }
        }
    }
}

/// The reading of one source.
private struct SourceSession {
    let plan: SourcePlan
    let reader: SourceReader
    var recognizer: Recognizer
    var redactor: FactRedactor?
    /// Whether anything was read since the source paused.
    var hasNews = false

    private var rejects: [Reject] = []
    private var firstTime: Int64?

    /// Rejects are handed over with the next facts, or when there are so many.
    private static let mostRejects = 4_096

    init(plan: SourcePlan, reader: SourceReader, recognizer: Recognizer, redactor: FactRedactor?) {
        self.plan = plan
        self.reader = reader
        self.recognizer = recognizer
        self.redactor = redactor
        firstTime = plan.isReadOn ? plan.memory.firstTime : nil
    }

    mutating func take(_ batch: EntryBatch) {
        if firstTime == nil { firstTime = batch.entries.first { $0.time != nil }?.time }
        rejects += batch.rejects
        hasNews = true
        var batch = batch
        // A pipe gives no line twice.
        if reader.isLive { batch.position = reader.endPosition }
        recognizer.recognize(batch)
    }

    /// What is final and fills a batch.
    mutating func takeFullBatches() -> [SourceFacts] {
        let full = recognizer.takeFullBatches()
        return full.isEmpty && rejects.count < Self.mostRejects ? [] : stable(full)
    }

    /// Everything that is final since the last time.
    mutating func takeFacts() -> [SourceFacts] { stable(recognizer.takeFacts()) }

    private mutating func stable(_ batches: [FactBatch]) -> [SourceFacts] {
        let lines = reader.isLive ? .max : reader.position.counts.lines
        let totals = recognizer.takeDailyTotals()
        var found = batches.map { SourceFacts(source: plan.record.id, facts: $0) }
        let finalRejects = rejects.filter { $0.line <= lines }
        if found.isEmpty, !finalRejects.isEmpty || !totals.isEmpty {
            found.append(SourceFacts(source: plan.record.id))
        }
        guard !found.isEmpty else { return [] }
        found[0].rejects = finalRejects
        found[0].totals = totals
        rejects.removeAll { $0.line <= lines }
        if let redactor { for index in found.indices { redactor.redact(&found[index]) } }
        return found
    }

    /// Where the source is now, and what its last entry says.
    mutating func end(isComplete: Bool) -> SourceEnd {
        var last = SourceFacts(source: plan.record.id)
        last.facts = recognizer.takeProvisionalFacts().first ?? FactBatch()
        last.totals = recognizer.remainingDailyTotals
        last.rejects = rejects
        redactor?.redact(&last)

        var context = recognizer.context
        redactor?.redact(&context)
        var memory = plan.memory
        memory.isComplete = isComplete
        memory.firstTime = firstTime
        memory.state = SourceMemory.State(reading: reader.state, recognition: context)

        var record = plan.record
        record.format = reader.formats.isEmpty ? record.format : reader.formats.joined(separator: ", ")
        record.timezone = reader.timezone ?? record.timezone
        var assumptions = reader.assumptions + recognizer.assumptions
        if let redaction = redactor?.redaction {
            for name in reader.namesInAssumptions {
                assumptions = assumptions.map { $0.replacing(name, with: redaction.freeText(name)) }
            }
        }
        if !assumptions.isEmpty { record.assumptions = assumptions.joined(separator: "; ") }
        if !memory.namesDevice {
            record.device = recognizer.device.map { redactor?.redaction.device($0) ?? $0 } ?? record.device
        }
        record.position = reader.endPosition
        record.bytes = reader.endPosition.byteOffset
        record.fingerprint = reader.fingerprint.text
        record.ingestedAt = Int64(Date().timeIntervalSince1970 * 1e9)
        return SourceEnd(record: record, memory: memory, lastEntry: last)
    }
}

extension SourceEnd {
    /// A source of which nothing could be read.
    fileprivate init(unread plan: SourcePlan) {
        // Where it cannot be gone on with, it is read from its beginning next time.
        var memory = plan.memory
        memory.isComplete = false
        memory.state = nil
        self.init(record: plan.record, memory: memory, lastEntry: SourceFacts(source: plan.record.id))
    }
}
