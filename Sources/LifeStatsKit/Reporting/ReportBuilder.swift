import LifecycleModel
import NamedQueries
import Reports
import StateDiagrams
import TraceRecords
import TraceStore

/// Writes the answers to the usual questions on one self-contained page.
public struct ReportBuilder {
    private let request: ReportRequest
    private let reader: TraceReader
    private let models: ModelCatalog

    /// - Throws: ``LifeStatsError`` when the database is not there.
    public init(_ request: ReportRequest) throws {
        self.request = request
        (reader, models) = try LifeStatsError.translated {
            (try TraceReader(path: request.database), try ModelCatalog.builtIn())
        }
    }

    /// The page as HTML: equal databases give equal bytes.
    public func html() throws -> String {
        try LifeStatsError.translated {
            let layers = try Rows.all(reader, ReportQueries.layers).compactMap { $0.text("layer") }
            let overview = try overview(mainLayer: layers.first ?? "app")
            let title =
                overview.apps.isEmpty
                ? "Lifecycle report" : "Lifecycle of \(overview.apps.prefix(3).joined(separator: ", "))"
            var sections = try layers.prefix(4).compactMap(diagram)
            sections += [
                try table(
                    "dwell", "How long it stays", query: "dwell_times", caption: "One row a state of a layer.",
                    introduction: "Completed visits; those that the log cuts are counted beside them."),
                try table(
                    "transitions", "How it moves", query: "transition_counts", caption: "One row a change of state."),
                try charts(layer: layers.first ?? "app"),
                try findings(),
                try timelines(),
                try sql(
                    "ends", "How runs end", ReportQueries.endReasons, caption: "One row a reason.",
                    command: "lifestats query end_reasons"),
                try sql(
                    "scenarios", "What people did", ReportQueries.scenarios, caption: "One row a documented scenario.",
                    command: "lifestats query scenario_times"),
                try sql(
                    "sources", "What was read", ReportQueries.sources, caption: "One row a log.",
                    command: "lifestats query source_accounting"),
                try sql(
                    "rejects", "What was not understood", ReportQueries.rejects, caption: "One row a reason.",
                    command: "lifestats query \"select * from rejects\""),
            ].compactMap(\.self)
            return try HTMLReport(
                title: title, database: request.database, version: LifeStatsVersion.current,
                restrictions: request.restrictions, overview: overview, states: stateNames(layers), sections: sections
            ).html()
        }
    }

    // MARK: - Parts

    private func overview(mainLayer: String) throws -> ReportOverview {
        let row = try Rows.all(reader, ReportQueries.overview).first
        var overview = ReportOverview(
            apps: try Rows.all(reader, ReportQueries.apps).compactMap { $0.text("app") },
            devices: Int(row?.integer("devices") ?? 0), runs: row?.integer("runs") ?? 0,
            events: row?.integer("events") ?? 0, files: row?.integer("files") ?? 0, lines: row?.integer("lines") ?? 0,
            firstTime: row?.integer("first_ns"), lastTime: row?.integer("last_ns"))
        for row in try Rows.all(reader, ReportQueries.findingsBySeverity) {
            guard let severity = row.text("severity").flatMap(Severity.init) else { continue }
            overview.findings[severity] = row.integer("count")
        }
        for row in try Rows.all(reader, ReportQueries.endReasons) {
            guard let reason = row.text("end_reason").flatMap(EndReason.init) else { continue }
            overview.endReasons[reason] = row.integer("runs")
        }
        for row in try named("transition_counts") {
            let count = row.integer("count") ?? 0
            overview.transitions += count
            if row.text("verdict") == "undocumented" { overview.undocumentedTransitions += count }
        }
        let stays = try named("dwell_times").filter { $0.text("layer") == mainLayer }
        if let longest = stays.max(by: { ($0.real("total_s") ?? 0) < ($1.real("total_s") ?? 0) }),
            let state = longest.text("state"), let total = longest.real("total_s"), total > 0
        {
            overview.mainState = ReportOverview.MainState(
                state: state, total: Int64(total * 1e9), share: longest.real("share") ?? 0)
        }
        return overview
    }

    private func diagram(layer: String) throws -> ReportSection? {
        guard let model = models.models.first(where: { $0.layer == layer }) else { return nil }
        let graph = try DiagramRenderer.graph(
            of: model, language: request.language, filter: request.filter, reader)
        var options = DiagramOptions()
        options.language = PictureLanguage(rawValue: request.language) ?? .english
        options.idPrefix = "diagram-\(layer)"
        return ReportSection(
            id: "diagram-\(layer)", title: "The \(layer) layer, documented and observed",
            blocks: [
                .picture(
                    ReportPicture(
                        svg: try StateDiagram(graph, options: options).svg(),
                        caption: "Every state stands at the same place on both sides."))
            ],
            questions: [
                ReportQuestion(
                    title: "The picture alone", command: "lifestats diagram --layer \(layer) -o \(layer).svg",
                    sql: try QueryCatalog.query("transition_counts").sql)
            ])
    }

    private func charts(layer: String) throws -> ReportSection? {
        guard let model = models.models.first(where: { $0.layer == layer }) else { return nil }
        return try ReportCharts(reader: reader, model: model, filter: request.filter, language: request.language)
            .section()
    }

    /// The first runs as swim lanes.
    private func timelines() throws -> ReportSection? {
        var timeline = TimelineRequest(database: request.database)
        timeline.filter = request.filter
        timeline.language = request.language
        let drawing = try TimelineRenderer.timeline(timeline, reader)
        guard !drawing.lanes.isEmpty else { return nil }
        let language = PictureLanguage(rawValue: request.language) ?? .english
        return ReportSection(
            id: "timelines", title: "Runs over time",
            blocks: [
                .picture(
                    ReportPicture(
                        svg: TimelineDrawing(drawing, language: language, idPrefix: "timeline").svg(),
                        caption: "Stays of the first runs as swim lanes; marks are findings."))
            ],
            questions: [
                ReportQuestion(
                    title: "The timeline alone", command: "lifestats timeline --run 1 -o timeline.svg",
                    sql: "SELECT * FROM visits_estimated WHERE run_id = 1")
            ])
    }

    private func findings() throws -> ReportSection {
        let report = try CheckRunner.report(on: reader, filter: request.filter, models: models)
        return ReportSection(
            id: "findings", title: "What deviates",
            blocks: report.findings.isEmpty
                ? [.text("Nothing deviates from the documented model.")] : [.findings(report)],
            questions: [
                ReportQuestion(title: "The findings alone", command: "lifestats check", sql: "SELECT * FROM findings")
            ])
    }

    private func table(
        _ id: String, _ title: String, query name: String, caption: String, introduction: String = ""
    ) throws -> ReportSection? {
        let sql = try QueryCatalog.query(name).sql
        let table = try table(sql, filterValues, caption: caption)
        guard !table.rows.isEmpty else { return nil }
        return ReportSection(
            id: id, title: title, introduction: introduction, blocks: [.table(table)],
            questions: [ReportQuestion(title: "The same figures", command: "lifestats query \(name)", sql: sql)])
    }

    private func sql(
        _ id: String, _ title: String, _ sql: String, caption: String, command: String
    ) throws -> ReportSection? {
        let table = try table(sql, [:], caption: caption)
        guard !table.rows.isEmpty else { return nil }
        return ReportSection(
            id: id, title: title, blocks: [.table(table)],
            questions: [ReportQuestion(title: "The same figures", command: command, sql: sql)])
    }

    private func table(_ sql: String, _ parameters: [String: SQLValue], caption: String) throws -> ReportTable {
        var columns: [ReportColumn] = []
        var rows: [[Cell]] = []
        var count = 0
        try reader.query(sql, parameters: parameters, limits: QueryLimits(timeout: nil)) { names in
            columns = names.map { ReportColumn($0.name) }
        } row: { row in
            count += 1
            if count <= ReportTable.rowLimit { rows.append((0..<row.count).map { Cell(row[$0]) }) }
        }
        return ReportTable(caption: caption, columns: columns, rows: rows, totalRows: count)
    }

    private func named(_ name: String) throws -> [Rows.Row] {
        try Rows.all(reader, try QueryCatalog.query(name).sql, filterValues)
    }

    private var filterValues: [String: SQLValue] { request.filter?.values ?? [:] }

    private func stateNames(_ layers: [String]) -> [String] {
        models.models.filter { layers.contains($0.layer) }.flatMap { $0.states.filter(\.isDrawn).map(\.id) }
    }
}
