import LifecycleModel
import LifecycleReplay
import TraceRecords
import TraceStore

/// The second thread: replays the facts of each log, and hands complete rows to the writer.
struct ReplayWorker: Sendable {

    let catalog: ModelCatalog
    let options: ReplayOptions
    let facts: BoundedQueue<FactItem>
    let writes: BoundedQueue<WriteItem>

    /// Replays until there are no more facts.
    ///
    /// - Parameter first: the row ids to begin with.
    func run(first: FirstIDs) {
        var next = first
        var log = -1
        var replayer: LogReplayer?
        let plan = ReplayPlan(catalog, options)
        var pending = Pending()
        var stream = ""
        while let item = facts.take() {
            switch item {
            case .log(let known):
                log += 1
                var options = options
                options.forgottenRuns = known.reopenedRuns
                options.remember(known.knownRuns, derivedAgain: Set(known.reopenedRuns))
                options.appVersionsOfSources = known.appVersions
                options.devicesOfSources = known.devices
                options.copyKeys = known.copyKeys
                next.untimedRuns = known.earlierUntimedRuns
                replayer = LogReplayer(plan: plan, options: options, first: next)
                stream = known.stream
            case .endOfStoredFacts(let source):
                replayer?.endSource(source)
            case .takenBack(let lines, let source): pending.takenBack[source] = lines
            case .facts(let batch, let source):
                if !batch.rejects.isEmpty { pending.rejects.append((source, batch.rejects)) }
                if !batch.dailyTotals.isEmpty { pending.dailyTotals.append((source, batch.dailyTotals)) }
                replayer?.replay(batch, source: source)
            case .checkpoint(let record):
                pending.note(record, copyKeys: replayer?.copyKeys(of: record.id))
                if let batch = replayer?.takeBatch(final: false) { hand(batch, log, stream, &pending) }
            case .endOfSource(let record):
                pending.note(record, copyKeys: replayer?.copyKeys(of: record.id))
                replayer?.endSource(record.id)
            case .abandonedLog:
                pending = Pending()
                // What was written of it before keeps its ids.
                next = replayer?.nextIDs ?? next
                replayer = nil
            case .endOfLog:
                if let batch = replayer?.takeBatch(final: true) { hand(batch, log, stream, &pending) }
                next = replayer?.nextIDs ?? next
                replayer = nil
            }
        }
        writes.close()
    }

    /// What belongs to the next transaction beside the rows of the replay.
    private struct Pending {
        var sources: [SourceRecord] = []
        var takenBack: [Int32: TakenBack] = [:]
        var rejects: [(source: Int32, rejects: [Reject])] = []
        var dailyTotals: [(source: Int32, totals: [DailyTotal])] = []
        var copyKeys: [Int32: [CopyKey]] = [:]

        /// Notes how far the reading of a source is.
        mutating func note(_ record: SourceRecord, copyKeys keys: [CopyKey]?) {
            sources = sources.filter { $0.id != record.id } + [record]
            copyKeys[record.id] = keys
        }
    }

    private func hand(_ batch: ReplayBatch, _ log: Int, _ stream: String, _ pending: inout Pending) {
        writes.put(
            WriteItem(
                log: log, stream: stream, batch: batch, sources: pending.sources, takenBack: pending.takenBack,
                rejects: pending.rejects, dailyTotals: pending.dailyTotals, copyKeys: pending.copyKeys))
        pending = Pending()
    }
}
