import LifecycleModel
import LifecycleReplay
import LogReading
import TraceRecords
import TraceStore

/// Stores what is read, and brings the rows of logs about in one of two ways: a log that was only appended to goes on from
/// the state in which its replay ended; everything else is derived again from all facts of the log.
struct Derivation {
    /// Large files are read on a thread of their own, beside the one that replays.
    private static let largeFile: Int64 = 8 << 20

    let writer: TraceWriter
    let parts: DerivationParts
    let progress: IngestProgress

    init(
        writer: TraceWriter, models: ModelCatalog, settings: DerivationSettings, progress: IngestProgress,
        mostFactsOfSmallLog: Int = IngestOptions.usualSmallLog
    ) {
        self.writer = writer
        self.progress = progress
        var options = ReplayOptions(suspendGrace: settings.suspendGrace.nanoseconds, profile: settings.profile)
        // Recognition decides which messages there are.
        options.keepsMessages = true
        parts = DerivationParts(
            plan: ReplayPlan(models, options), options: options,
            codec: writer.codec, mostFactsOfSmallLog: mostFactsOfSmallLog)
    }

    // MARK: - Going on

    /// Where a log goes on.
    struct Continuation: Sendable {
        var state: [UInt8]?
        /// The last entry of the file that was read last, where that one is not read on; it is stored already.
        var lastEntry: SourceFacts?
    }

    /// Where a log goes on whose new facts all come after the known ones; `nil` where it has to be derived again.
    func continuation(of log: LogPlan) throws -> Continuation? {
        guard log.way == .goOn else { return nil }
        guard let last = log.sources.last(where: \.isKnown) else { return Continuation() }
        guard last.description == nil || last.isReadOn,
            let state = try writer.state(ofLog: log.log), LogReplayer.isWhole(state, parts.plan)
        else { return nil }
        return Continuation(state: state, lastEntry: last.isReadOn ? nil : try lastEntry(of: last))
    }

    /// Reads the new part of logs, side by side.
    ///
    /// - Parameter write: gets a function that returns what is to be stored next.
    func goOn(
        with logs: [(plan: LogPlan, from: Continuation)], reader: LogReader, lanes: Int,
        write: (_ next: () -> [StoreItem]?) throws -> Void
    ) throws {
        let lanes = Lanes(count: lanes, firstBlock: writer.nextBlock, progress: progress)
        let continuations = Dictionary(logs.map { ($0.plan.log, $0.from) }) { first, _ in first }
        let (parts, progress) = (parts, progress)
        let work: Lanes.Work = { log, blocks, hand in
            hand(.begin(log))
            let from = continuations[log.log] ?? Continuation()
            guard var derivation = try? LogDerivation(log, parts, blocks: blocks, resuming: from.state, hand: hand)
            else { return }
            if let entry = from.lastEntry, let last = log.sources.last(where: \.isKnown) {
                derivation.take(.end(SourceEnd(record: last.record, memory: last.memory, lastEntry: entry)))
            }
            for source in log.sources where source.description != nil {
                if progress.isInterrupted, !source.isKnown { break }
                try? Self.items(of: source, with: reader) { derivation.take($0) }
            }
            derivation.finish()
            blocks = derivation.blocks
        }
        try lanes.run(logs.map(\.plan), work, write: write)
    }

    /// Reads a source: a large one on a thread of its own.
    private static func items(
        of source: SourcePlan, with reader: LogReader, take: (ReadItem) throws -> Void
    ) throws {
        guard source.description?.size ?? .max > largeFile else {
            var failure: (any Error)?
            reader.read(source) { item in
                do { if failure == nil { try take(item) } } catch { failure = error }
            }
            if let failure { throw failure }
            return
        }
        let queue = BoundedQueue<ReadItem>(capacity: 2)
        queue.fill { reader.read(source) { queue.put($0) } }
        defer { queue.stop() }
        while let item = queue.take() { try take(item) }
    }

    // MARK: - Deriving again

    /// Derives all rows of a log again from its facts, with what is new of it read at its place.
    ///
    /// - Parameters:
    ///   - reader: reads what is new; `nil` where nothing is.
    ///   - keepsState: whether the log can then be gone on with, however small it is.
    func deriveAgain(
        _ log: LogPlan, reader: LogReader? = nil, keepsState: Bool = false, _ report: inout IngestReport
    ) throws {
        let last = log.sources.last(where: \.isKnown)
        // Where another file follows now, it is final, and among the stored facts.
        let isStillLast = last?.description == nil && log.sources.last?.record.id == last?.record.id
        let lastEntry = try last.flatMap { isStillLast ? try self.lastEntry(of: $0) : nil }
        try begin(log, isDerivedAgain: true, &report)
        let pending = PendingItems()
        var derivation = try LogDerivation(
            log, parts, blocks: BlockSequence(first: writer.nextBlock), keepsState: keepsState
        ) { pending.items.append($0) }
        func storePending() throws {
            for item in pending.take() { try store(item, &report) }
        }
        for source in log.sources where source.isKnown || !progress.isInterrupted {
            if source.hasStoredFacts {
                var stored = writer.facts(ofSource: source.record.id)
                while let facts = try stored.next() {
                    derivation.takeStored(facts, of: source.record.id)
                    try storePending()
                }
            }
            if source.description != nil, let reader {
                try Self.items(of: source, with: reader) {
                    derivation.take($0)
                    try storePending()
                }
            } else {
                let entry = source.record.id == last?.record.id ? lastEntry : nil
                let end = SourceEnd(
                    record: source.record, memory: source.memory,
                    lastEntry: entry ?? SourceFacts(source: source.record.id, isStored: true))
                derivation.take(.end(end))
            }
            try storePending()
        }
        derivation.finish()
        try storePending()
    }

    /// What a derivation has handed over.
    private final class PendingItems {
        var items: [StoreItem] = []

        func take() -> [StoreItem] {
            defer { items = [] }
            return items
        }
    }

    private func lastEntry(of source: SourcePlan) throws -> SourceFacts? {
        guard let facts = try writer.lastEntry(ofSource: source.record.id) else {
            return nil
        }
        return SourceFacts(source: source.record.id, facts: facts, isStored: true)
    }

    // MARK: - Storing

    /// Stores one item, and adds it to the report.
    func store(_ item: StoreItem, _ report: inout IngestReport) throws {
        switch item {
        case .begin(let log): try begin(log, isDerivedAgain: false, &report)
        case .batch(let batch): report.add(batch, events: try writer.write(batch))
        case .state(let state, let log): try writer.setState(state, ofLog: log)
        case .reopen(let log, let source):
            report.add(removed: try writer.deleteProvisional(log: log, rereading: [source]))
        case .consistent(let log, _): writer.forgetKinds(ofLog: log)
        }
    }

    /// Removes what is replaced of a log.
    private func begin(_ log: LogPlan, isDerivedAgain: Bool, _ report: inout IngestReport) throws {
        let known = log.sources.filter(\.isKnown)
        guard !known.isEmpty || !log.removed.isEmpty else { return }
        let rereading = known.filter { $0.description != nil }.map(\.record.id)
        if isDerivedAgain {
            report.add(removed: try writer.deleteDerived(log: log.log))
            let last = log.sources.last.flatMap { $0.isKnown && $0.description == nil ? $0.record.id : nil }
            try writer.settleLastEntries(log: log.log, rereading: rereading, except: last)
        } else {
            report.add(removed: try writer.deleteProvisional(log: log.log, rereading: rereading))
        }
        for source in known where !source.hasStoredFacts { try writer.deleteFacts(ofSource: source.record.id) }
        try writer.remove(sources: log.removed)
        try writer.update(sources: known.map(\.record))
    }
}
