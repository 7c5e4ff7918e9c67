import LifecycleModel
import NamedQueries
import Reports
import StateDiagrams
import TraceRecords
import TraceStore

/// Which report to write.
public struct ReportRequest: Sendable {
    public var database: String
    public var filter: Filter?
    public var limit = ReadingLimit()
    /// Language of state names in pictures.
    public var language = "en"
    /// Files of models besides the built-in ones.
    public var models: [String] = []
    public init(database: String) { self.database = database }
}

/// Writes a self-contained page that answers the usual questions.
public struct ReportBuilder {
    /// The number of events up to which the report runs queries that read every visit more than once.
    static let mostEventsForDetails = 1_000_000
    /// Runs drawn as swim lanes.
    static let mostTimelines = 8

    private let request: ReportRequest
    private let models: [LifecycleModel]
    private let source: PictureSource
    private var reader: DatabaseReading { source.reader }

    /// The page as HTML: equal databases give equal bytes.
    ///
    /// - Throws: ``LifeStatsError`` when there is no database, or a model cannot be read.
    public static func html(_ request: ReportRequest) throws -> String {
        _ = try PictureLanguage(named: request.language)
        return try DatabaseReading.run(request.database, limit: request.limit) { reader in
            try request.filter?.requireMatch(in: reader)
            let models = try KnownModels(files: request.models, reader).models
            let source = PictureSource(
                filter: request.filter, book: try reader.scan("the times of all visits") { try DwellBook($0) },
                restrictions: request.filter?.wordsBesideApp ?? [], reader: reader)
            return try ReportBuilder(request: request, models: models, source: source).html()
        }
    }

    private func html() throws -> String {
        let layers = try Rows.all(reader, ReportQueries.layers).compactMap { $0.text("layer") }
        let drawn = layers.compactMap { layer in models.first { $0.layer == layer } }
        let survey = try PictureSurvey(
            of: models, filter: request.filter, book: source.book, withDays: request.filter?.isEmpty ?? true, reader)
        let totals = try PictureSource.totals(source.filter, source.reader)
        let findings = try ReportFindings(source: source, models: models).report(
            runs: totals.runs, events: totals.events)
        let overview = try overview(mainLayer: layers.first ?? "app", totals: totals, findings: findings)
        let title =
            totals.apps.isEmpty
            ? "Lifecycle report" : "Lifecycle of \(totals.apps.prefix(3).joined(separator: ", "))"
        let own = ReportTables(source: source, models: models, files: request.models)
        var sections = try drawn.map { try diagram(of: $0, survey: survey) }
        sections += [
            try own.named(
                "dwell", "Dwell times", query: "dwell_times", caption: "One row for each state of a layer.",
                introduction: "Durations include only completed visits; censored ones are counted separately."),
            try own.survival(isSmall: totals.events <= Self.mostEventsForDetails),
            try own.named(
                "transitions", "Transitions", query: "transition_counts", caption: "One row for each transition."),
        ].compactMap(\.self)
        for model in drawn {
            let charts = ReportCharts(
                source: source, survey: survey, model: model, language: request.language,
                isSmall: totals.events <= Self.mostEventsForDetails)
            if let section = try charts.section() { sections.append(section) }
        }
        sections += [
            self.findings(findings),
            try own.measures(isSmall: totals.events <= Self.mostEventsForDetails), try timelines(runs: totals.runs),
            try own.endReasons(), try own.scenarios(),
            try own.sources(), try own.assumptions(survey),
        ].compactMap(\.self)
        return try HTMLReport(
            title: title, database: request.database, version: LifeStatsVersion.current,
            restrictions: request.filter?.words ?? [], overview: overview,
            states: stateNames(of: drawn), sections: sections
        ).html()
    }

    // MARK: - Parts

    private func overview(
        mainLayer: String, totals: PictureSource.Totals, findings: FindingReport
    ) throws -> ReportOverview {
        let values = DiagramQueries.values(request.filter)
        let span = try Rows.all(reader, ReportQueries.span, values).first
        let row = try Rows.all(reader, ReportQueries.overview).first
        let isWhole = request.filter?.isEmpty ?? true
        var overview = ReportOverview(
            apps: totals.apps, devices: Int(span?.integer("devices") ?? 0), runs: Int64(totals.runs),
            events: Int64(totals.events), files: (isWhole ? row : span)?.integer("files") ?? 0,
            lines: (isWhole ? row : span)?.integer("lines") ?? 0,
            firstTime: (isWhole ? row : span)?.integer("first_ns"),
            lastTime: (isWhole ? row : span)?.integer("last_ns"))
        for total in findings.totals { overview.findings[total.severity, default: 0] += Int64(total.count) }
        for row in try Rows.all(reader, ReportQueries.endReasons, values) {
            guard let reason = row.text("end_reason").flatMap(EndReason.init) else { continue }
            overview.endReasons[reason] = row.integer("runs")
        }
        let named = request.filter?.values ?? [:]
        for row in try Rows.all(reader, try QueryCatalog.query("transition_counts").sql, named) {
            let count = row.integer("count") ?? 0
            overview.transitions &+= count
            if row.text("verdict") == "undocumented" { overview.undocumentedTransitions &+= count }
        }
        let visits = try LayerObservation(layer: mainLayer, filter: request.filter, book: source.book, reader).visits
        if let longest = visits.max(by: { ($0.value.total ?? 0, $1.key) < ($1.value.total ?? 0, $0.key) }),
            let total = longest.value.total, total > 0
        {
            overview.mainState = ReportOverview.MainState(
                state: longest.key, total: total, share: longest.value.share ?? 0)
        }
        return overview
    }

    private func diagram(of model: LifecycleModel, survey: PictureSurvey) throws -> ReportSection {
        let graph = try source.graph(of: model, language: request.language, survey: survey)
        var options = DiagramOptions()
        options.language = PictureLanguage(rawValue: request.language) ?? .english
        options.idPrefix = "diagram-\(Self.anchor(model.layer))"
        return ReportSection(
            id: options.idPrefix, title: "\(model.title["en"]): documented and observed",
            blocks: [
                .picture(
                    ReportPicture(
                        svg: try StateDiagram(graph, options: options).svg(),
                        caption: "Each state is at the same place on both sides."))
            ],
            questions: [
                ReportQuestion(
                    title: "The picture of the \(model.layer) layer alone",
                    command: "lifestats diagram --layer \(model.layer) -o \(Self.anchor(model.layer)).svg",
                    sql: try QueryCatalog.query("transition_counts").sql)
            ])
    }

    /// A name as part of an anchor: layers of users' models may have any name.
    static func anchor(_ name: String) -> String {
        String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(40))
    }

    private func findings(_ report: FindingReport) -> ReportSection {
        ReportSection(
            id: "findings", title: "Findings",
            blocks: report.findings.isEmpty
                ? [.text("No deviation from the documented models.")] : [.findings(report)],
            questions: [
                ReportQuestion(title: "The findings alone", command: "lifestats check", sql: "SELECT * FROM findings")
            ])
    }

    /// The worst runs, as swim lanes.
    private func timelines(runs: Int) throws -> ReportSection? {
        var timeline = TimelineRequest(database: request.database)
        timeline.filter = request.filter
        timeline.language = request.language
        timeline.models = request.models
        timeline.mostRuns = Self.mostTimelines
        timeline.mostInterestingFirst = true
        let drawing = try TimelineRenderer.timeline(timeline, reader)
        guard !drawing.lanes.isEmpty else { return nil }
        let language = PictureLanguage(rawValue: request.language) ?? .english
        let which =
            runs > Self.mostTimelines
            ? "The worst \(Self.mostTimelines) of \(NumberText.grouped(runs)) runs: errors first, then abnormal ends, then "
                + "other findings."
            : "All runs, the worst first."
        return ReportSection(
            id: "timelines", title: "The most interesting runs", introduction: which,
            blocks: [
                .picture(
                    ReportPicture(
                        svg: TimelineDrawing(drawing, language: language, idPrefix: "timeline").svg(),
                        caption: "Visits as swim lanes; triangles are findings, hatched visits are inferred."))
            ],
            questions: [
                ReportQuestion(
                    title: "The timeline alone", command: "lifestats timeline --worst -o timeline.svg",
                    sql: "SELECT * FROM visits_estimated WHERE run_id = 1")
            ])
    }

    private func stateNames(of drawn: [LifecycleModel]) -> [String] {
        var names: [String] = []
        for state in drawn.flatMap({ $0.states.filter(\.isDrawn) }) where !names.contains(state.id) {
            names.append(state.id)
        }
        return names
    }
}

/// The findings of a report: all are counted, and the first of each rule are listed.
struct ReportFindings {
    /// The number of findings listed for each rule.
    static let mostPlaces = 50

    let source: PictureSource
    let models: [LifecycleModel]

    private static let chosen = """
        ($since IS NULL OR f.time_ns >= $since) AND ($until IS NULL OR f.time_ns < $until)
            AND (coalesce($app, $app_version, $device, $run, $scenario) IS NULL OR f.run_id IN
                (SELECT r.run_id FROM runs AS r WHERE \(DiagramQueries.chosen)))
        """

    private static let counts = """
        SELECT f.rule, f.severity, count(*) AS count FROM findings AS f WHERE \(chosen)
        GROUP BY f.rule, f.severity ORDER BY f.rule, f.severity
        """

    private static let places = """
        SELECT \(CheckQueries.columns) FROM findings AS f WHERE f.rule = $rule AND f.severity = $severity AND \(chosen)
        ORDER BY f.finding_id LIMIT $most
        """

    /// - Parameters runs, events: the size of what was checked.
    func report(runs: Int, events: Int) throws -> FindingReport {
        let values = DiagramQueries.values(source.filter)
        var totals: [FindingReport.Total] = []
        var findings: [LocatedFinding] = []
        var pool = TextPool()
        for row in try Rows.all(source.reader, Self.counts, values) {
            guard let rule = row.text("rule"), let word = row.text("severity"), let severity = Severity(rawValue: word)
            else {
                continue
            }
            totals.append(.init(rule: rule, severity: severity, count: Int(row.integer("count") ?? 0)))
            var chosen = values
            chosen["rule"] = .text(rule)
            chosen["severity"] = .text(word)
            chosen["most"] = .integer(Int64(Self.mostPlaces))
            try Rows.each(source.reader, Self.places, chosen) { findings.append(CheckRunner.finding($0, &pool)) }
        }
        findings.sort { ($0.file, $0.line, $0.id) < ($1.file, $1.line, $1.id) }
        return FindingReport(
            findings: findings, rules: CheckRunner.rules(of: models), runs: Int64(runs), events: Int64(events),
            version: LifeStatsVersion.current, totals: totals)
    }
}
