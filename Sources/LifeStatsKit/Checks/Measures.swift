import Dispatch
import LifecycleModel
import LifecycleReplay
import Reports
import Synchronization
import TraceRecords
import TraceStore

/// How well logs and models agree, layer by layer: the standard measures of process mining, from one scan of the steps.
enum Measures {
    /// The layers that occur, in the order of the models.
    ///
    /// Traces are the callbacks of the instances. In a run with scenes, the app's activation is derived and its own
    /// callbacks are notifications, so that only launch and end count. Two lines with the same time that the replay
    /// found to be swapped are swapped back: their order in the file carries no information.
    static func layers(of reader: DatabaseReading, filter: Filter?, models: ModelCatalog) throws -> [MeasuredLayer] {
        var scan = try MeasureScan(reader, filter: filter, models: models)
        try reader.store.scanSteps { scan.add($0) }
        let classes = models.models.flatMap(\.classes)
        let scenarios = Set(try reader.store.scenarioCounts(where: scan.isChosen).keys)
        let rules = try Rows.all(reader, CheckQueries.rules, DiagramQueries.values(filter))
        let findings = Set(rules.compactMap { $0.text("rule") })
        return models.models.compactMap { model in
            guard let log = scan.log(of: model.id), log.callbacks > 0 else { return nil }
            var seen = scan.coverage.seen(of: model.id) ?? ModelCoverage.Seen()
            seen.scenarios = scenarios
            seen.findings = findings
            return layer(model, log, ModelCoverage(of: model, seen: seen, classes: classes))
        }
    }

    private static func layer(_ model: LifecycleModel, _ log: TraceLog, _ coverage: ModelCoverage) -> MeasuredLayer {
        let variants = log.variants
        let ((tokens, alignment, edges), (footprints, times)) = inParallel(
            {
                (
                    TokenReplay(variants, on: model), AlignmentFitness(variants, on: model),
                    EscapingEdges(variants, on: model)
                )
            }, { (Footprints(variants, on: model), usualTimes(of: log)) })
        var layer = MeasuredLayer(
            layer: model.layer, model: model.id, traces: log.traces, variants: variants.count, callbacks: log.callbacks)
        layer.measures = measures(tokens, alignment, edges, footprints, coverage)
        layer.repairs = alignment.repairs.map { repair, count in
            (text(repair), count)
        }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        layer.usualTimesFormula = "|t - median| > 6 * 1.4826 MAD; where that is 0, |t - mean| > 6 standard deviations"
        layer.usualTimes = times
        return layer
    }

    private static func measures(
        _ tokens: TokenReplay, _ alignment: AlignmentFitness, _ edges: EscapingEdges, _ footprints: Footprints,
        _ coverage: ModelCoverage
    ) -> [MeasuredLayer.Measure] {
        [
            (
                "token_replay_fitness", "token-replay fitness", tokens.fitness,
                "1/2 (1 - missing/consumed) + 1/2 (1 - remaining/produced)",
                [
                    ("missing", tokens.missing), ("consumed", tokens.consumed), ("remaining", tokens.remaining),
                    ("produced", tokens.produced),
                ]
            ),
            (
                "alignment_fitness", "alignment fitness", alignment.fitness,
                "1 - cost / (callbacks + shortest model paths)",
                [("cost", alignment.cost), ("callbacks", alignment.worst), ("shortest model paths", 0)]
            ),
            (
                "etc_precision", "ETC precision", edges.precision,
                "1 - escaping / enabled, over the replayable beginnings of traces",
                [("escaping", edges.escaping), ("enabled", edges.enabled)]
            ),
            (
                "footprint_fitness", "footprint fitness", footprints.fitness,
                "documented successions / successions in the log",
                [
                    ("documented successions", footprints.documentedSuccessions),
                    ("successions in the log", footprints.successions),
                ]
            ),
            (
                "footprint_precision", "footprint precision", footprints.precision,
                "pairs of the model that the log shows / pairs of the model",
                [
                    ("pairs of the model that the log shows", footprints.shownPairs),
                    ("pairs of the model", footprints.documented.count),
                ]
            ),
            (
                "model_coverage", "model coverage", coverage.fraction,
                "parts of the model that the log shows / parts of the model",
                coverage.shares.flatMap { share in
                    let name = share.category.rawValue
                    return [("\(name) shown", share.seen.count), (name, share.seen.count + share.missing.count)]
                }
            ),
        ]
    }

    /// Computes two things at the same time.
    private static func inParallel<A: Sendable, B: Sendable>(
        _ first: @Sendable () -> A, _ second: @Sendable () -> B
    ) -> (A, B) {
        let results = Mutex<(A?, B?)>((nil, nil))
        DispatchQueue.concurrentPerform(iterations: 2) { place in
            if place == 0 {
                let result = first()
                results.withLock { $0.0 = result }
            } else {
                let result = second()
                results.withLock { $0.1 = result }
            }
        }
        return results.withLock { ($0.0 ?? first(), $0.1 ?? second()) }
    }

    /// The pairs of callbacks, those with the most unusual times first.
    private static func usualTimes(of log: TraceLog) -> [MeasuredLayer.UsualTime] {
        var profile = log.profile()
        return profile.pairs.compactMap { pair in
            guard let usual = profile.usual(pair) else { return nil }
            return (
                pair.first, pair.second, usual.count, usual.median, usual.robustDeviation, usual.mean, usual.deviation,
                profile.outliers(pair)
            )
        }.sorted { ($1.outliers, $0.first, $0.second) < ($0.outliers, $1.first, $1.second) }
    }

    private static func text(_ repair: AlignmentFitness.Repair) -> String {
        if repair.isInsertion {
            return "with \(repair.callback) " + (repair.neighbour.map { "before \($0)" } ?? "at the end")
        }
        return "without \(repair.callback) " + (repair.neighbour.map { "after \($0)" } ?? "at the beginning")
    }
}

/// Collects the traces of each model, and what they show of it, step by step.
struct MeasureScan {
    /// A kind of steps.
    private struct Kind {
        /// Place of the model's log.
        var log: Int
        /// Number of the callback in the model's log; `nil` where the step is not a callback of a trace.
        var callback: Int32?
        /// Whether it is only a notification in a run with scenes.
        var isNotification: Bool
        /// Whether an instance begins with it if it is the first callback.
        var begins: Bool
        /// Number of the callback in the log of the app model, where it may occur although it belongs to another model.
        var callbackOfApp: Int32?
    }

    /// The place of a line that belongs before the previous one.
    private struct Place: Hashable {
        var source: Int64
        var line: Int64
    }

    /// The traces of each model, and their indices by the model's id.
    private var logs: [TraceLog] = []
    private var placesOfLogs: [String: Int] = [:]
    private(set) var coverage: CoverageScan

    /// The kinds that belong to a model.
    private var kinds = ByKind<Kind>([:])
    /// The filter, where it has times.
    private let filter: Filter?
    /// Instances of the runs within the filter; `nil` for all.
    private var chosen: Set<Int64>?
    /// App instances of runs with scenes.
    private var withScenes: Set<Int64> = []
    /// App instances that may have callbacks of other models, and the app model.
    private var withForeignCallbacks: Set<Int64> = []
    private let appModel: String?
    private var exchanged: Set<Place> = []

    init(_ reader: DatabaseReading, filter: Filter?, models: ModelCatalog) throws {
        self.filter = filter?.since == nil && filter?.until == nil ? nil : filter
        let steps = try reader.store.kinds()
        coverage = CoverageScan(steps)
        appModel = models.models.first { $0.layer == "app" && $0.scope == .run }?.id
        var kinds: [Int64: Kind] = [:]
        for (id, kind) in steps {
            guard let model = models.models.first(where: { $0.id == kind.model }) else { continue }
            let log = placeOfLog(model.id)
            let callback = kind.callback.flatMap(model.callback)
            var known = Kind(
                log: log,
                isNotification: model.scope == .run && callback.map { !$0.beginsRun && !$0.endsRun } ?? false,
                begins: kind.stateBefore == model.initial)
            if kind.role == .event, let name = kind.callback {
                known.callback = logs[log].number(of: name)
                if kind.stateAfter == nil, model.scope == .scene, callback?.isUnknown == true, let appModel {
                    known.callbackOfApp = logs[placeOfLog(appModel)].number(of: name)
                }
            }
            kinds[id] = known
        }
        self.kinds = ByKind(kinds)
        if kinds.values.contains(where: { $0.callbackOfApp != nil }) {
            withForeignCallbacks = Set(try Rows.all(reader, CheckQueries.apps).compactMap { $0.integer("instance_id") })
        }
        chosen = try filter?.instances(of: DiagramQueries.chosen, reader)
        withScenes = Set(
            try Rows.all(reader, CheckQueries.appsWithScenes).compactMap { $0.integer("instance_id") })
        for row in try Rows.all(reader, CheckQueries.exchangedLines) {
            if let source = row.integer("source"), let line = row.integer("line") {
                exchanged.insert(Place(source: source, line: line))
            }
        }
    }

    /// The traces of a model; `nil` when there are none.
    func log(of model: String) -> TraceLog? { placesOfLogs[model].map { logs[$0] } }

    private mutating func placeOfLog(_ model: String) -> Int {
        if let known = placesOfLogs[model] { return known }
        placesOfLogs[model] = logs.count
        logs.append(TraceLog())
        return logs.count - 1
    }

    /// Whether something of an instance at a time is within the filter.
    func isChosen(_ instance: Int64, _ time: Int64?) -> Bool {
        filter?.includes(time) ?? true && chosen?.contains(instance) ?? true
    }

    mutating func add(_ step: ScannedStep) {
        guard let kind = kinds[step.kind], isChosen(step.instance, step.time) else { return }
        coverage.add(step)
        guard !step.isTail else { return }
        guard let callback = kind.callback,
            !(kind.isNotification && withScenes.contains(step.instance))
        else { return }
        if let appModel, let callback = kind.callbackOfApp, withForeignCallbacks.contains(step.instance) {
            logs[placeOfLog(appModel)].add(
                callback, of: step.instance, at: step.time, beginsInLog: false, comesBefore: false)
            return
        }
        let comesBefore =
            !exchanged.isEmpty
            && exchanged.contains(Place(source: step.source ?? 0, line: step.line ?? 0))
        logs[kind.log].add(
            callback, of: step.instance, at: step.time, beginsInLog: kind.begins, comesBefore: comesBefore)
    }
}
