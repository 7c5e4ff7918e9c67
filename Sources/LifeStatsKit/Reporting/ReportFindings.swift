import LifecycleModel
import Reports
import TraceRecords
import TraceStore

/// The findings of a report: all are counted, and of each rule the first are listed.
struct ReportFindings {
    /// Findings of each rule that are listed.
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

    /// - Parameters runs, events: What was checked.
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
