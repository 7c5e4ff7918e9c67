import LifecycleModel
import NamedQueries
import Reports
import StateDiagrams
import TraceRecords
import TraceStore

/// Which report to write.
public struct ReportRequest: Sendable {
    public var database: String
    /// The logs, when the database lasts only as long as the report is made: the page names them in its place.
    public var logs: [String] = []
    public var filter: Filter?
    public var limit = ReadingLimit()
    /// Language of state names in pictures.
    public var language = "en"
    /// Files of models besides the built-in ones.
    public var models: [String] = []
    /// Two cohorts to compare in a section of its own.
    public var comparison: CompareRequest?

    public init(database: String) { self.database = database }
}

/// Writes a self-contained page that answers the usual questions.
public struct ReportBuilder {
    /// The number of events up to which the report runs queries that read every visit more than once.
    static let mostEventsForDetails = 250_000
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
            let source = try PictureSource(
                request.filter, models: models, withDays: request.filter?.isEmpty ?? true, reader)
            return try ReportBuilder(request: request, models: models, source: source).html()
        }
    }

    private func html() throws -> String {
        let layers = try Rows.all(
            reader, ReportQueries.layers(isWhole: source.isWhole),
            source.isWhole ? [:] : DiagramQueries.values(source.filter)
        ).compactMap { $0.text("layer") }
        let drawn = layers.compactMap { layer in models.first { $0.layer == layer } }
        let totals = try PictureSource.totals(source.filter, source.reader)
        let isSmall = totals.events <= Self.mostEventsForDetails
        let runs = try ReportRuns(source: source, models: models, language: request.language)
        let found = ReportFindings(
            source: source, models: models, files: request.models, language: request.language, isSmall: isSmall)
        var findings = try found.report(runs: totals.runs, events: totals.events)
        findings.listedRuns = runs.listed
        findings.origin = ReportQuestion.origin(request)
        let tables = ReportTables(source: source, models: models, files: request.models, isSmall: isSmall)
        let charts = drawn.map {
            ReportCharts(source: source, model: $0, language: request.language, isSmall: isSmall)
        }
        let states = stateNames(of: drawn)
        var overview = try overview(
            mainLayer: layers.first ?? "app", isSmall: isSmall, totals: totals, findings: findings, runs: runs,
            titles: Dictionary(uniqueKeysWithValues: states.map { ($0.id, $0.title) }))
        let titles = Dictionary(charts.map { ($0.model.layer, $0.titles) }, uniquingKeysWith: { first, _ in first })
        let compared = try request.comparison.map { try ComparedPictures(CohortComparer.compared($0), titles: titles) }
        overview.observations = Array(
            ((compared.map { [$0.report.observation] } ?? []) + overview.observations).prefix(3))
        var sections = [
            compared?.section(), try lifecycle(of: drawn, charts, compared),
            try tables.dwellTimes(charts),
            try tables.transitions(charts),
            totals.events > 0 ? self.findings(findings) : nil, try tables.launches(), try tables.ends(),
            try tables.worstRuns(runs, charts, named: overview.observations.flatMap(\.links)), try tables.conformance(),
            try tables.dataQuality(),
        ].compactMap(\.self)
        if let scope, let dwell = sections.firstIndex(where: { $0.id == "dwell" }) {
            overview.scope = "All sections below are about \(scope), except where they compare A and B."
            sections[dwell].introduction =
                "Complete visits of \(scope), in full length: the means of the comparison are those up to a limit (≤)."
        }
        for place in sections.indices {
            sections[place].questions = sections[place].questions.map { $0.asked(request) }
        }
        return try HTMLReport(
            title: title(of: totals.apps),
            database: request.logs.isEmpty ? request.database : request.logs.joined(separator: " "),
            version: LifeStatsVersion.current, restrictions: request.filter?.words ?? [],
            overview: overview, states: states, sections: sections, pictureStyle: PictureStyle.page
        ).html()
    }

    private func title(of apps: [String]) -> String {
        let names = apps.isEmpty ? nil : Self.names(apps)
        guard let pair = request.comparison else { return names.map { "Lifecycle of \($0)" } ?? "Lifecycle report" }
        return (names.map { $0 + ": " } ?? "") + "A (\(pair.a)) against B (\(pair.b))"
    }

    /// What a report with a comparison is about where it does not compare; `nil` for other reports.
    private var scope: String? {
        guard let pair = request.comparison else { return nil }
        return request.database == pair.b
            ? "B (\(pair.b))"
            : request.database == pair.a
                ? "A (\(pair.a))"
                : "all runs of \(request.logs.isEmpty ? request.database : request.logs.joined(separator: " "))"
    }

    /// `Outbox, Harbour and 2 more`.
    private static func names(_ apps: [String]) -> String {
        let shown = NameList.shown(of: apps.count)
        var names = apps.prefix(shown) + (apps.count > shown ? ["\(apps.count - shown) more"] : [])
        let last = names.popLast() ?? ""
        return names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
    }

    // MARK: - Parts

    private func overview(
        mainLayer: String, isSmall: Bool, totals: PictureSource.Totals, findings: FindingReport,
        runs: ReportRuns, titles: [String: String]
    ) throws -> ReportOverview {
        let values = DiagramQueries.values(request.filter)
        let span = try Rows.all(reader, ReportQueries.span, values).first
        let row = try Rows.all(reader, ReportQueries.overview).first
        let isWhole = source.isWhole
        let read = isWhole ? row : span
        var overview = ReportOverview(runs: Int64(totals.runs), events: Int64(totals.events))
        overview.devices = Int(span?.integer("devices") ?? 0)
        overview.runsOfDevices = span?.integer("of_devices") ?? 0
        overview.files = read?.integer("files") ?? 0
        overview.lines = read?.integer("lines") ?? 0
        if isWhole {
            (overview.entries, overview.puzzle) = (row?.integer("entries") ?? 0, row?.text("puzzle"))
            overview.silentFiles = row?.integer("silent") ?? 0
        }
        overview.hasUndatedLogs = (read?.integer("undated") ?? 0) > 0
        (overview.firstTime, overview.lastTime) = (read?.integer("first_ns"), read?.integer("last_ns"))
        for total in findings.totals { overview.findings[total.severity, default: 0] += Int64(total.count) }
        for row in try Rows.all(reader, ReportQueries.endReasons, values) {
            guard let reason = row.text("end_reason").flatMap(EndReason.init) else { continue }
            overview.endReasons[reason] = row.integer("runs")
        }
        for row in try Rows.all(reader, ReportQueries.homes, values) {
            let (app, version, count) = (row.text("app"), row.text("app_version"), row.integer("runs") ?? 0)
            overview.homes.add(app: app, version: version, count)
            let reason = row.text("end_reason").flatMap(EndReason.init)
            if reason?.isBad ?? false { overview.homesOfBadEnds.add(app: app, version: version, count) }
        }
        let changes = try Rows.all(
            reader, try QueryCatalog.query("transition_counts").sql, request.filter?.values ?? [:])
        overview.changingLayers = Set(changes.compactMap { $0.text("layer") })
        var undocumented: [(change: Deviations.Change, count: Int64)] = []
        for row in changes {
            let count = row.integer("count") ?? 0
            overview.transitions += count
            guard let (change, steps) = source.survey.deviations.change(in: row.text, count: count) else { continue }
            overview.transitionsInSteps += steps
            overview.undocumentedTransitions += count - steps
            if count > steps { undocumented.append((change, count - steps)) }
        }
        let frequent = undocumented.enumerated().min { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        let most = frequent.map { words(of: $0.element, findings) }
        let visits = try source.observation(of: mainLayer).visits
        if let longest = visits.max(by: { ($0.value.total ?? 0, $1.key) < ($1.value.total ?? 0, $0.key) }),
            let total = longest.value.total, total > 0
        {
            overview.mainState = ReportOverview.MainState(
                title: titles[longest.key] ?? longest.key, total: total, share: longest.value.share ?? 0,
                incomplete: isSmall
                    ? try Rows.all(
                        reader, DiagramQueries.incomplete, DiagramQueries.values(request.filter, layer: mainLayer)
                    ).first?.integer("ns") ?? 0 : 0)
        }
        overview.observations = observations(
            of: overview, findings: findings, runs: runs, undocumented: most)
        return overview
    }

    /// A kind of undocumented change in words, how often it came, and what shows it.
    private func words(
        of kind: (change: Deviations.Change, count: Int64), _ findings: FindingReport
    ) -> (count: Int64, text: String, shown: [ReportLink]) {
        let change = kind.change
        let model = models.first { $0.layer == change.layer }
        let names = [change.from, change.to].map { model?.words(for: $0, request.language) ?? $0 }
        let callback = change.callback.map { " by \($0)" } ?? ""
        return (
            kind.count, "from \(names[0]) to \(names[1])\(callback)",
            findings.links(from: change.from, to: change.to, layer: change.layer)
        )
    }

    /// The three most important: what went wrong first, then what is worth knowing.
    private func observations(
        of overview: ReportOverview, findings: FindingReport, runs: ReportRuns,
        undocumented: (count: Int64, text: String, shown: [ReportLink])?
    ) -> [ReportObservation] {
        var ends = overview.ends
        ends?.links += runs.endedBadly.prefix(2).map { ReportLink(text: "run \($0)", target: "#run-\($0)") }
        // One sentence about the same runs, or about the same changes, is enough.
        let rules = ends?.severity == .error ? models.rulesAboutEnds : []
        ends?.add(findings.links(toOneOf: rules))
        var serious = findings.observation(without: rules, homes: overview.homes)
        var transitions = overview.transitionsObservation(
            most: undocumented.map { ($0.text, $0.count) }, shown: undocumented?.shown ?? [])
        if let other = transitions, let shown = undocumented?.shown.first, serious?.links.contains(shown) ?? false {
            serious?.text += " " + other.text
            serious?.add(other.links)
            transitions = nil
        }
        let recognition = overview.recognition
        let bad = rules.isEmpty ? [serious, ends] : [ends, serious]
        let all = ([recognition] + bad + [transitions, overview.time]).compactMap(\.self)
        func weight(_ one: ReportObservation) -> Int {
            one == recognition ? 3 : one.severity == .error ? 2 : one.severity == .warning ? 1 : 0
        }
        // Where hardly anything is known, nothing is fine.
        return all.filter { recognition == nil || $0.severity != nil }.enumerated().sorted { a, b in
            (-weight(a.element), a.offset) < (-weight(b.element), b.offset)
        }.prefix(3).map(\.element)
    }

    /// The picture of each layer, what was observed over what is documented and the documentation alone, beside the
    /// durations of its visits; first what differs between two cohorts, if there are any.
    private func lifecycle(
        of drawn: [LifecycleModel], _ charts: [ReportCharts], _ compared: ComparedPictures?
    ) throws -> ReportSection? {
        let language = request.language
        let layers = try zip(drawn, charts).map { model, chart -> ReportTabs.Tab in
            let name = Self.anchor(model.layer)
            let pictures = [
                ("From A to B", try compared?.map(of: model, language: language)),
                (
                    "Observed over documented",
                    ReportPicture(
                        try source.graph(of: model, language: language), view: .overlay,
                        id: "diagram-\(name)-observed", language: language)
                ),
                (
                    "Documented",
                    ReportPicture(
                        ObservedGraph.documented(model, language: language), view: .documented,
                        id: "diagram-\(name)-documented", language: language)
                ),
            ]
            let picture = ReportTabs(
                id: "view-\(name)", label: "What to draw",
                tabs: pictures.compactMap { title, picture in
                    picture.map { .init(title: title, blocks: [.picture($0)]) }
                }
            ).blocks
            let durations = try chart.durations()
            let isDrawn = if case .pictures = durations.first { true } else { false }
            let curves = compared?.curves(of: model, language: language) ?? []
            let aside =
                curves.isEmpty || durations.isEmpty
                ? curves + durations : curves + [.more("Durations of all visits", durations)]
            return ReportTabs.Tab(
                title: model.title["en"],
                blocks: !isDrawn && curves.isEmpty ? picture + aside : [.columns([picture, aside])])
        }
        guard !layers.isEmpty else { return nil }
        return ReportSection(
            id: "lifecycle", title: "Lifecycle",
            blocks: ReportTabs(id: "layer", label: ReportTables.layerLabel, tabs: layers).blocks,
            questions: drawn.map {
                ReportQuestion("lifestats diagram --layer \($0.layer) -o \(Self.anchor($0.layer)).svg")
            })
    }

    /// A name as part of an anchor: layers of users' models may have any name.
    static func anchor(_ name: String) -> String {
        String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(40))
    }

    private func findings(_ report: FindingReport) -> ReportSection {
        var blocks: [ReportBlock] = [.findings(report)]
        if report.otherRules > 0 {
            blocks.append(.more(Plural.text(report.otherRules, "more rule"), [.otherFindings(report)]))
        }
        return ReportSection(
            id: "findings", title: "Findings",
            blocks: report.findings.isEmpty
                ? [.text("No deviation from the documented models in \(Plural.text(report.events, "event")).")]
                : blocks,
            questions: [ReportQuestion("lifestats check", sql: "SELECT * FROM findings")])
    }

    private func stateNames(of drawn: [LifecycleModel]) -> [HTMLReport.StateName] {
        var names: [HTMLReport.StateName] = []
        for state in drawn.flatMap({ $0.states.filter(\.isDrawn) }) where !names.contains(where: { $0.id == state.id })
        {
            names.append(.init(id: state.id, title: state.title[request.language]))
        }
        return names
    }
}

extension ReportPicture {
    /// A diagram as wide as a page, and as wide as a phone.
    ///
    /// - Parameter caption: what it shows; what it is based on when missing.
    init(_ graph: StateGraph, view: PictureView, id: String, language: String, caption: String? = nil) {
        var options = DiagramOptions()
        (options.view, options.hasHeading, options.idPrefix) = (view, false, id)
        options.language = PictureLanguage(checked: language)
        let wide = StateDiagram(graph, options: options)
        (options.width, options.idPrefix) = (414, id + "-narrow")
        self.init(
            svg: wide.svg(isPart: true), narrow: StateDiagram(graph, options: options).svg(isPart: true),
            caption: caption ?? wide.summary + ".",
            hint: "Select a state or an edge to see only the rows and runs with it.")
    }
}

extension ReportQuestion {
    /// What a query has to name to be about the same data: ` --db old.db`, or the logs.
    fileprivate static func origin(_ request: ReportRequest) -> String {
        guard request.logs.isEmpty else {
            return " --from \(request.logs.map(ShellText.quoted).joined(separator: " "))"
        }
        return request.database == "lifestats.db" ? "" : " --db \(ShellText.quoted(request.database))"
    }

    /// The same question, about the logs or the database of a request.
    fileprivate func asked(_ request: ReportRequest) -> ReportQuestion {
        let words = command.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 1,
            words[1] != "compare" || request.logs.isEmpty && request.database != request.comparison?.b
        else { return self }
        guard !request.logs.isEmpty, words[1] != "query" else {
            return ReportQuestion(command + Self.origin(request), sql: sql)
        }
        let paths = request.logs.map(ShellText.quoted)
        return ReportQuestion((words.prefix(2) + paths + words.dropFirst(2)).joined(separator: " "), sql: sql)
    }
}
