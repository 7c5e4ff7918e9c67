import LifecycleModel
import LifecycleReplay
import Reports
import TraceRecords
import TraceStore

/// How well logs and models agree, layer by layer: the standard measures of process mining, from one scan of the steps.
enum Measures {
    /// The layers that occur, in the order of the models.
    ///
    /// Traces are the callbacks of the instances. In a run with scenes the app's activation is derived and its own
    /// callbacks are notifications: there only launch and end count. Two lines of one time whose order the replay
    /// found to be exchanged are taken the other way round: their order in the file says nothing.
    static func layers(of reader: TraceReader, filter: Filter?, models: ModelCatalog) throws -> [MeasuredLayer] {
        var scan = try MeasureScan(reader, filter: filter, models: models)
        try reader.scanSteps { scan.add($0) }
        let classes = models.models.flatMap(\.classes)
        var values = filter?.values ?? [:]
        for (name, bound) in [("since", filter?.since), ("until", filter?.until)] {
            values[name] = nil
            values[name + "_ns"] = bound.map(SQLValue.integer)
        }
        let scenarios = Set(try Rows.all(reader, CheckQueries.scenarios, values).compactMap { $0.text("scenario") })
        let findings = Set(try Rows.all(reader, CheckQueries.rules, values).compactMap { $0.text("rule") })
        return models.models.compactMap { model in
            guard let log = scan.log(of: model.id), log.callbacks > 0 else { return nil }
            var seen = scan.seen[model.id] ?? ModelCoverage.Seen()
            seen.scenarios = scenarios
            seen.findings = findings
            return layer(model, log, ModelCoverage(of: model, seen: seen, classes: classes))
        }
    }

    private static func layer(_ model: LifecycleModel, _ log: TraceLog, _ coverage: ModelCoverage) -> MeasuredLayer {
        let variants = log.variants
        let tokens = TokenReplay(variants, on: model)
        let alignment = AlignmentFitness(variants, on: model)
        let edges = EscapingEdges(variants, on: model)
        let footprints = Footprints(variants, on: model)
        var layer = MeasuredLayer(
            layer: model.layer, model: model.id, traces: log.traces, variants: variants.count, callbacks: log.callbacks)
        layer.measures = [
            .init(
                id: "token_replay_fitness", title: "token-replay fitness", value: tokens.fitness,
                formula: "1/2 (1 - missing/consumed) + 1/2 (1 - remaining/produced)",
                terms: [
                    .init("missing", tokens.missing), .init("consumed", tokens.consumed),
                    .init("remaining", tokens.remaining), .init("produced", tokens.produced),
                ]),
            .init(
                id: "alignment_fitness", title: "alignment fitness", value: alignment.fitness,
                formula: "1 - cost / (callbacks + shortest model paths)",
                terms: [
                    .init("cost", alignment.cost), .init("callbacks", alignment.worst),
                    .init("shortest model paths", 0),
                ]),
            .init(
                id: "etc_precision", title: "ETC precision", value: edges.precision,
                formula: "1 - escaping / enabled, over the replayable beginnings of traces",
                terms: [.init("escaping", edges.escaping), .init("enabled", edges.enabled)]),
            .init(
                id: "footprint_fitness", title: "footprint fitness", value: footprints.fitness,
                formula: "documented successions / successions in the log",
                terms: [
                    .init("documented successions", footprints.documentedSuccessions),
                    .init("successions in the log", footprints.successions),
                ]),
            .init(
                id: "footprint_precision", title: "footprint precision", value: footprints.precision,
                formula: "pairs of the model that the log shows / pairs of the model",
                terms: [
                    .init("pairs of the model that the log shows", footprints.shownPairs),
                    .init("pairs of the model", footprints.documented.count),
                ]),
            .init(
                id: "model_coverage", title: "model coverage", value: coverage.fraction,
                formula: "parts of the model that the log shows / parts of the model",
                terms: coverage.shares.flatMap { share in
                    [
                        MeasuredLayer.Measure.Term("\(share.category.rawValue) shown", share.seen.count),
                        .init(share.category.rawValue, share.seen.count + share.missing.count),
                    ]
                }),
        ]
        layer.repairs = alignment.repairs.map { repair, count in
            MeasuredLayer.Repair(text: text(repair), count: count)
        }.sorted { ($1.count, $0.text) < ($0.count, $1.text) }
        var profile = log.profile()
        layer.usualTimesFormula = "|t - median| > 6 * 1.4826 MAD; where that is 0, |t - mean| > 6 standard deviations"
        layer.usualTimes = profile.pairs.compactMap { pair in
            guard let usual = profile.usual(pair) else { return nil }
            return MeasuredLayer.UsualTime(
                first: pair.first, second: pair.second, count: usual.count, median: usual.median,
                robustDeviation: usual.robustDeviation, mean: usual.mean, deviation: usual.deviation,
                outliers: profile.outliers(pair))
        }.sorted { ($1.outliers, $0.first, $0.second) < ($0.outliers, $1.first, $1.second) }
        return layer
    }

    private static func text(_ repair: AlignmentFitness.Repair) -> String {
        if repair.isInsertion {
            return "with \(repair.callback) " + (repair.neighbour.map { "before \($0)" } ?? "at the end")
        }
        return "without \(repair.callback) " + (repair.neighbour.map { "after \($0)" } ?? "at the beginning")
    }
}
