import LifecycleModel
import Reports
import TraceRecords
import TraceStore

/// Lists the deviations of a database, and says whether they fail a build.
public enum CheckRunner {
    /// What a check found.
    public struct Result: Sendable {
        /// The findings in the format that was asked for.
        public var text: String
        /// Whether one of them is at or over `--fail-on`.
        public var fails: Bool
        /// What a reader who gave models should know; `nil` when there is nothing.
        public var notice: String?
    }

    /// - Throws: ``LifeStatsError`` when the database or the baseline cannot be read.
    public static func run(_ request: CheckRequest) throws -> Result {
        try LifeStatsError.translated {
            let reader = try TraceReader(path: request.database)
            let models = try ModelLoading.catalog(with: request.models)
            var report = try report(on: reader, filter: request.filter, models: models)
            if request.measures {
                guard [.text, .json, .markdown].contains(request.format) else {
                    throw LifeStatsError(
                        "the format \(request.format.rawValue) has no place for measures",
                        remedy: "use --measures with --format text, json or markdown")
                }
                report.measures = try Measures.layers(of: reader, filter: request.filter, models: models)
            }
            report.failOn = request.failOn.severity
            if let path = request.baseline {
                try Baseline(text: TextFile.read(path)).accept(&report.findings)
            }
            if let path = request.newBaseline {
                try TextFile.write(Baseline(findings: report.findings).text.utf8, to: path)
                for index in report.findings.indices { report.findings[index].isAccepted = true }
            }
            let format = FindingFormat(rawValue: request.format.rawValue) ?? .text
            return Result(
                text: report.text(format, examples: request.examples, style: TextStyle(isOn: request.colors)),
                fails: report.fails, notice: try notice(request, models))
        }
    }

    /// Findings are made at the ingest: what a user changes about the built-in rules later has no effect by itself.
    private static func notice(_ request: CheckRequest, _ models: ModelCatalog) throws -> String? {
        let builtIn = try ModelCatalog.builtIn()
        let isTuned =
            models.options != builtIn.options || models.profiles != builtIn.profiles
            || builtIn.models.contains { models.model($0.id) != $0 }
        guard isTuned else { return nil }
        let files = request.models.map { "--model \($0)" }.joined(separator: " ")
        return "these findings were made at the last ingest or replay; "
            + "`lifestats replay \(files) --db \(request.database)` makes them anew"
    }

    /// All findings of a database, or of the part that a filter names.
    static func report(on reader: TraceReader, filter: Filter?, models: ModelCatalog) throws -> FindingReport {
        let totals = try PictureSource.totals(filter, reader)
        if let filter, !filter.isEmpty, totals.runs == 0 {
            let wanted = ([filter.app.map { "app \($0)" }].compactMap(\.self) + filter.words).joined(separator: ", ")
            throw LifeStatsError(
                "no run of \(reader.path) matches \(wanted), so there is nothing to check",
                remedy: "`lifestats query run_summary` lists the runs")
        }
        var findings: [LocatedFinding] = []
        var pool = TextPool()
        try Rows.each(reader, CheckQueries.findings, filter?.values ?? [:]) { row in
            findings.append(finding(row, &pool))
        }
        return FindingReport(
            findings: findings, rules: rules(of: models.models), failOn: .error,
            runs: Int64(totals.runs), events: Int64(totals.events),
            version: LifeStatsVersion.current)
    }

    static func finding(_ row: Rows.Row, _ pool: inout TextPool) -> LocatedFinding {
        LocatedFinding(
            id: row.integer("finding_id") ?? 0, rule: pool.once(row.text("rule") ?? ""),
            deviation: pool.once(row.text("deviation") ?? ""),
            severity: row.text("severity").flatMap(Severity.init) ?? .info,
            message: pool.once(row.text("message") ?? ""), repair: pool.once(row.text("repair")),
            file: pool.once(row.text("source") ?? ""), line: row.integer("line") ?? 0, time: row.integer("time_ns"),
            app: pool.once(row.text("app")), run: row.integer("run_id"), layer: pool.once(row.text("layer") ?? ""),
            instance: pool.once(row.text("instance")), isAccepted: false)
    }

    static func rules(of models: [LifecycleModel]) -> [RuleText] {
        models.flatMap { model in
            model.rules.map { RuleText(id: $0.id, title: $0.says, citation: $0.citation) }
                + model.limits.map { RuleText(id: $0.id, title: $0.says, citation: $0.citation) }
        }
    }
}
