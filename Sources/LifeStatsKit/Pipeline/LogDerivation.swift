import LifecycleReplay
import TraceRecords
import TraceStore

/// What reading and derivation hand to the store, in order.
enum StoreItem: Sendable {
    /// A log begins: what is replaced of it goes.
    case begin(LogPlan)
    indirect case batch(StoredBatch)
    /// Where the replay of a log goes on. A small one has no state: it is derived again when it has grown.
    case state([UInt8], log: Int32)
    /// A pipe goes on after a pause: what its last entry said goes.
    case reopen(log: Int32, source: Int32)
    /// Everything handed over so far belongs together, and readers may see it; of a pipe that pauses they are to see it now.
    case consistent(log: Int32, isPause: Bool)
}

/// What all derivations of an ingest share.
struct DerivationParts: Sendable {
    let plan: ReplayPlan
    let options: ReplayOptions
    /// Turns facts into the bytes that are stored.
    let codec: FactCodec
    /// See ``IngestOptions/mostFactsOfSmallLog``.
    let mostFactsOfSmallLog: Int
}

/// Derives the rows of one log from its facts, in order, whether they come from the files or from the store.
///
/// The end of the log is provisional: what follows from the last entry, and from there being nothing more, is stored apart,
/// so that it can be replaced when the log goes on.
struct LogDerivation {
    private let log: Int32
    private let parts: DerivationParts
    private let contexts: [Int32: SourceContext]
    private let hand: (StoreItem) -> Void
    private var replayer: LogReplayer
    private var factCount = 0
    private var isLarge: Bool
    /// Facts of a small log that wait for their rows.
    private var waiting: SourceFacts?
    /// The source that ended last: where the log ends, if no other one follows.
    private var ended: SourceEnd?
    /// The pipe that paused.
    private var paused: Int32?
    /// The last batch of a large log: most scenarios that begin in it are found while the next one is made.
    private var held: StoredBatch?

    /// - Parameters:
    ///   - state: where an earlier replay of the log ended; `nil` begins with its first fact.
    ///   - keepsState: whether the state at the end is stored, however small the log is.
    ///   - hand: takes what is to be stored.
    /// - Throws: when the state is of another version: the log must then be derived again.
    init(
        _ plan: LogPlan, _ parts: DerivationParts, blocks: BlockSequence, resuming state: [UInt8]? = nil,
        keepsState: Bool = false, hand: @escaping (StoreItem) -> Void
    ) throws {
        log = plan.log
        self.parts = parts
        self.hand = hand
        contexts = Dictionary(
            plan.sources.map { source in
                let device = source.memory.namesDevice ? source.record.device : nil
                let context = SourceContext(
                    id: source.record.id, device: device, appVersion: source.record.appVersion,
                    systemVersion: source.memory.systemVersion)
                return (source.record.id, context)
            }, uniquingKeysWith: { first, _ in first })
        isLarge = state != nil || keepsState
        replayer =
            if let state {
                try LogReplayer(plan: parts.plan, options: parts.options, blocks: blocks, resuming: state)
            } else {
                LogReplayer(plan: parts.plan, options: parts.options, blocks: blocks)
            }
    }

    /// Where the ids of the next log go on.
    var blocks: BlockSequence { replayer.blocks }

    /// Takes what was read: it is stored and replayed.
    mutating func take(_ item: ReadItem) {
        if let source = paused {
            paused = nil
            hand(.reopen(log: log, source: source))
        }
        switch item {
        case .facts(let facts):
            settleEnd()
            replay(facts.facts, of: facts.source)
            store(facts)
        case .pause(let end):
            settleEnd()
            // It goes on from its state from now on.
            isLarge = true
            close(end, isPause: true)
            paused = end.record.id
        case .end(let end):
            settleEnd()
            ended = end
        }
    }

    /// Takes facts that are stored already: they are only replayed.
    mutating func takeStored(_ facts: FactBatch, of source: Int32) {
        settleEnd()
        replay(facts, of: source)
        if factCount > parts.mostFactsOfSmallLog { isLarge = true }
        if isLarge { hold(batch(SourceFacts(source: source, isStored: true), rows: replayer.takeBatch())) }
    }

    /// Ends the log.
    mutating func finish() {
        if let end = ended { close(end, isPause: false) }
        ended = nil
    }

    private mutating func replay(_ facts: FactBatch, of source: Int32) {
        factCount += facts.facts.count
        guard !facts.isEmpty else { return }
        replayer.replay(facts, of: contexts[source] ?? SourceContext(id: source, device: nil, appVersion: nil))
    }

    /// Stores facts with the rows that follow from them; of a small log the rows of a source come together.
    private mutating func store(_ facts: SourceFacts) {
        storeWaiting()
        if factCount > parts.mostFactsOfSmallLog { isLarge = true }
        if isLarge {
            hold(batch(facts, rows: replayer.takeBatch()))
        } else {
            waiting = facts
        }
    }

    private mutating func storeWaiting() {
        guard let facts = waiting else { return }
        waiting = nil
        hold(batch(facts))
    }

    /// Stores the batch before, with the scenarios that begin in it.
    private mutating func hold(_ batch: StoredBatch) {
        var batch = batch
        held?.rows.takeScenarios(from: &batch.rows)
        releaseHeld()
        held = batch
    }

    private mutating func releaseHeld() {
        if let batch = held { hand(.batch(batch)) }
        held = nil
    }

    /// Another source follows the one that ended: what its last entry says is final.
    private mutating func settleEnd() {
        guard let end = ended else { return }
        ended = nil
        storeWaiting()
        replay(end.lastEntry.facts, of: end.record.id)
        hold(batch(end.lastEntry, rows: replayer.takeBatch(endsSource: true), record: end.stored(keepingState: false)))
    }

    /// Stores the end of the log, as long as nothing follows.
    private mutating func close(_ end: SourceEnd, isPause: Bool) {
        let facts = waiting ?? SourceFacts(source: end.record.id)
        waiting = nil
        guard isLarge else {
            replay(end.lastEntry.facts, of: end.record.id)
            hold(batch(facts, rows: replayer.finish(), record: end.stored(keepingState: false)))
            releaseHeld()
            if !end.lastEntry.isEmpty, !end.lastEntry.isStored {
                hand(.batch(batch(end.lastEntry, isProvisional: true)))
            }
            return hand(.consistent(log: log, isPause: false))
        }
        hold(batch(facts, rows: replayer.takeBatch(), record: end.stored(keepingState: true)))
        releaseHeld()
        let state = replayer.savedState()
        hand(.state(state, log: log))
        replay(end.lastEntry.facts, of: end.record.id)
        hand(.batch(batch(end.lastEntry, rows: replayer.finish(), isProvisional: true)))
        hand(.consistent(log: log, isPause: isPause))
        // What follows is replayed from here, as another ingest would do it.
        if isPause,
            let resumed = try? LogReplayer(
                plan: parts.plan, options: parts.options, blocks: replayer.blocks, resuming: state)
        {
            replayer = resumed
        }
    }

    private func batch(
        _ facts: SourceFacts, rows: ReplayBatch? = nil, record: SourceRecord? = nil, isProvisional: Bool = false
    ) -> StoredBatch {
        var rows = rows ?? ReplayBatch()
        rows.source = facts.source
        let isNew = !facts.facts.isEmpty && !facts.isStored
        return StoredBatch(
            log: log, source: facts.source, record: record, facts: isNew ? parts.codec.encode(facts.facts) : nil,
            rows: rows, rejects: facts.rejects, dailyTotals: facts.totals, isProvisional: isProvisional)
    }
}

extension ReplayBatch {
    /// Takes over the scenarios of the next batch that begin in this one: the rows of steps have them.
    fileprivate mutating func takeScenarios(from next: inout ReplayBatch) {
        guard let first = steps.first?.id, let last = steps.last?.id, !next.scenarios.isEmpty else { return }
        let own = first...last
        next.scenarios.removeAll { match in
            guard own.contains(match.firstStep) else { return false }
            scenarios.append(match)
            return true
        }
    }
}

extension SourceEnd {
    /// The record of the source with what the next ingest needs to know.
    fileprivate func stored(keepingState: Bool) -> SourceRecord {
        var (record, memory) = (record, memory)
        if !keepingState { memory.state = nil }
        record.resume = memory.text
        return record
    }
}
