import LifecycleModel
import LifecycleReplay
import TraceRecords
import TraceStore

/// Derives the runs of a stream again from the facts that the store keeps, without the logs.
struct Rederivation {
    private let writer: TraceWriter
    private let options: ReplayOptions
    private let vocabulary: Vocabulary
    private let plan: ReplayPlan

    init(writer: TraceWriter, catalog: ModelCatalog, options: ReplayOptions) {
        self.writer = writer
        self.options = options
        vocabulary = Vocabulary(models: catalog.models)
        plan = ReplayPlan(catalog, options)
    }

    /// Replaces everything that was derived from a stream, in one transaction.
    ///
    /// - Parameter forgotten: a source that is left out, and removed; `nil` keeps all.
    func run(stream: String, without forgotten: Int32? = nil) throws {
        let known = try writer.runs(inStream: stream)
        let runs = known.map(\.id)
        var stored: [StoredFact] = []
        try writer.facts(ofRuns: runs, earlyLifeOf: stream) { stored.append($0) }
        var options = options
        options.forgottenRuns = runs
        options.remember(known)
        // Messages that were kept are facts.
        options.keepsMessages = true
        var replayer = LogReplayer(plan: plan, options: options, first: writer.firstIDs)
        stored.removeAll { $0.source == forgotten }
        for batch in try StoredFactBatch.batches(stored, vocabulary: vocabulary, lastLine: { _ in nil }) {
            replayer.replay(batch.facts, source: batch.source)
        }
        // How far the log goes decides open ends, also where its last lines state no fact.
        for source in try writer.sources() where source.stream == stream && source.id != forgotten {
            replayer.replay(FactBatch(position: source.position), source: source.id)
        }
        var kinds = KindNumbers()
        try writer.write(replayer.takeBatch(final: true), kinds: &kinds, stream: stream)
        if let forgotten { try writer.forget(source: forgotten) }
    }
}
