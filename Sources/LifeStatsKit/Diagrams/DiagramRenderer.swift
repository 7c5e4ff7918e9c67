import LifecycleModel
import NamedQueries
import StateDiagrams
import TraceStore

/// Draws what a database saw beside what a model documents.
public enum DiagramRenderer {
    /// - Throws: ``LifeStatsError`` when the database or the layer is not there, or the picture cannot be written.
    public static func render(_ request: DiagramRequest) throws -> RenderedPicture {
        try LifeStatsError.translated {
            let reader = try TraceReader(path: request.database)
            let models = try ModelLoading.catalog(with: request.models)
            let known = models.models.first { $0.layer == request.layer || $0.id == request.layer }
            guard let model = try known ?? StoredModel.read(layer: request.layer, from: reader) else {
                throw LifeStatsError(
                    "there is no layer \(request.layer)",
                    remedy:
                        "layers are \(models.models.map(\.id).joined(separator: ", ")); a model of your own is named with --model"
                )
            }
            guard let language = PictureLanguage(rawValue: request.language) else {
                throw LifeStatsError(
                    "--lang \(request.language): this language is not known",
                    remedy: "use \(PictureLanguage.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            let graph = try graph(of: model, language: request.language, filter: request.filter, reader)
            var options = DiagramOptions()
            options.view = DiagramOptions.View(rawValue: request.view.rawValue) ?? .sideBySide
            options.language = language
            options.stateMetrics = request.stateMetrics.compactMap { Metric(rawValue: $0.rawValue) }
            options.edgeMetrics = request.edgeMetrics.compactMap { Metric(rawValue: $0.rawValue) }
            options.colouring = DiagramOptions.Colouring(rawValue: request.colouring.rawValue) ?? .plain
            options.foldBelow = request.foldBelow
            let format = PictureFormat(rawValue: request.format.rawValue) ?? .svg
            return RenderedPicture(
                bytes: try StateDiagram(graph, options: options).bytes(format), summary: graph.subtitle)
        }
    }

    /// What is documented and what was observed of a model, joined.
    static func graph(
        of model: LifecycleModel, language: String, filter: Filter?, _ reader: TraceReader
    ) throws -> StateGraph {
        var observed = ObservedGraph(model: model, language: language)
        // The layer is chosen here, not by a parameter: without restriction the queries have their answers at hand.
        let parameters = filter?.values ?? [:]
        for row in try Rows.all(reader, try QueryCatalog.query("dwell_times").sql, parameters) {
            guard row.text("layer") == model.layer, let state = row.text("state") else { continue }
            observed.addStay(
                state: state,
                StateGraph.Stay(
                    count: Int(row.integer("visits") ?? 0), median: nanoseconds(row.real("p50_s")),
                    p90: nanoseconds(row.real("p90_s")), total: nanoseconds(row.real("total_s")),
                    share: row.real("share")))
        }
        for row in try Rows.all(reader, try QueryCatalog.query("transition_counts").sql, parameters) {
            guard row.text("layer") == model.layer, let from = row.text("from_state"), let to = row.text("to_state")
            else { continue }
            observed.addTransition(
                from: from, to: to, callback: row.text("callback"),
                isDocumented: row.text("verdict") != "undocumented",
                stay: StateGraph.Stay(
                    count: Int(row.integer("count") ?? 0), median: nanoseconds(row.real("p50_dwell_s"))),
                probability: row.real("probability"))
        }
        for row in try Rows.all(reader, DiagramQueries.findingsOnTransitions, ["layer": .text(model.layer)]) {
            guard let from = row.text("from_state"), let to = row.text("to_state"), let rule = row.text("rule") else {
                continue
            }
            observed.addFinding(
                from: from, to: to,
                mark: StateGraph.Mark(
                    rule: rule, severity: row.text("severity") ?? "", count: Int(row.integer("count") ?? 0),
                    message: row.text("message") ?? ""),
                example: row.text("example"))
        }
        let totals = try Rows.all(reader, DiagramQueries.totals, ["layer": .text(model.layer)]).first
        for row in try Rows.all(reader, DiagramQueries.endings, ["layer": .text(model.layer)]) {
            guard let state = row.text("state"), let reason = row.text("end_reason") else { continue }
            observed.addEnding(state: state, reason: reason, count: Int(row.integer("count") ?? 0))
        }
        let runs = totals?.integer("runs") ?? 0
        let events = totals?.integer("events") ?? 0
        let apps = totals?.text("apps") ?? ""
        let subtitle =
            "\(apps.isEmpty ? "" : "\(apps) · ")\(runs) \(runs == 1 ? "run" : "runs") · "
            + "\(events) \(events == 1 ? "event" : "events")"
        return observed.graph(
            title: "\(model.title[language]) lifecycle", subtitle: subtitle, runs: Int(runs),
            events: Int(events))
    }

    private static func nanoseconds(_ seconds: Double?) -> Int64? {
        seconds.flatMap { Int64(exactly: ($0 * 1e9).rounded()) }
    }
}
