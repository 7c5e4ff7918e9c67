import Foundation
import LifecycleModel
public import Reports
import TraceRecords
import TraceStore

/// What to check, and when a check fails.
public struct CheckRequest: Sendable {
    public var database: String
    /// Whether the findings may be older than the models: whether the database was there before the command.
    public var mayBeOld = true
    /// What could not be read of the logs, for the verdict: see ``OneStep/Database/leftOut``.
    public var leftOut: [String] = []
    public var filter: Filter?
    public var limit = ReadingLimit()
    /// Files of models besides the built-in ones.
    public var models: [String] = []
    public var format = CheckFormat.text
    public var failOn = FailOn.error
    /// A file of known findings to accept.
    public var baseline: String?
    /// Where to write all current findings as a baseline; `nil` writes none.
    public var newBaseline: String?
    /// Whether a check passes that has no runs or no events to look at.
    public var allowsEmpty = false
    /// Locations listed for each rule in text; `nil` lists all.
    public var examples: Int? = 5
    /// Whether to measure how well each layer agrees with its model: fitness, precision, coverage, usual times. For
    /// `text`, `json` and `markdown`.
    public var measures = false
    public var colors = false
    /// Columns of the terminal, to wrap text; `nil` wraps nothing.
    public var width: Int?

    public init(database: String) { self.database = database }
}

/// Output formats of findings: the values of `check --format`.
public typealias CheckFormat = FindingFormat

/// The lowest severity that fails a check: the values of `--fail-on`.
public enum FailOn: String, Sendable, CaseIterable {
    case error, warning, info, never

    var severity: Severity? { Severity(rawValue: rawValue) }
}

/// Lists the deviations of a database, and decides whether they fail a build.
public enum CheckRunner {
    /// What a check found.
    public struct Result: Sendable {
        /// Whether one of them is at or above `--fail-on`.
        public var fails: Bool
        /// Id of the worst finding that no baseline accepts; `nil` when there is none.
        public var firstFinding: Int64?
    }

    /// Checks a file of known findings before logs are read; a pipe can be read only once.
    ///
    /// - Throws: ``LifeStatsError`` when it cannot be read.
    public static func requireBaseline(_ path: String?) throws {
        if let path, !SystemFile.isSpecial(path) { _ = try Baseline(text: TextFile.read(path)) }
    }

    /// Writes the findings in the requested format, piece by piece.
    ///
    /// - Throws: ``LifeStatsError`` when the database or the baseline cannot be read, or there is nothing to check.
    public static func run(
        _ request: CheckRequest, notice: @escaping @Sendable (String) -> Void, write: ([UInt8]) -> Void
    ) throws -> Result {
        let newBaseline = try request.newBaseline.map { try OutputFile($0, database: request.database) }
        guard !request.measures || [.text, .json, .markdown].contains(request.format) else {
            throw LifeStatsError(
                "--measures: the format \(request.format.rawValue) cannot show measures",
                remedy: "use --format text, json or markdown")
        }
        return try DatabaseReading.run(request.database, limit: request.limit) { reader in
            let models = try ModelLoading.catalog(with: request.models)
            if request.mayBeOld, let hint = try hint(request, models) { notice(hint) }
            let known = try request.baseline.map { try Baseline(text: TextFile.read($0)) } ?? Baseline()
            let all: AllFindings = { body in
                var baseline = known
                try reader.query(CheckQueries.findings(), request.filter?.values ?? [:]) { row in
                    var finding = CheckRunner.finding(row)
                    finding.isAccepted = newBaseline != nil || baseline.accepts(finding)
                    try body(finding)
                }
            }
            var written = Baseline()
            // A baseline looks at all of a finding.
            let isBrief = request.baseline == nil && newBaseline == nil
            let report = try report(on: reader, request, models: models, isBrief: isBrief) { body in
                try all { finding in
                    if newBaseline != nil { written.add(finding) }
                    try body(finding)
                }
            }
            try newBaseline?.write(written.text.utf8)
            let measures =
                request.measures
                ? try Measures.layers(of: reader, filter: request.filter, models: models) : nil
            if let measures, measures.isEmpty {
                notice("nothing to measure: measures compare callbacks with the models, and there are none")
            }
            try report.write(
                request.format, examples: request.examples,
                style: TextStyle(isOn: request.colors, width: request.width), measures: measures,
                all: [.github, .junit].contains(request.format) ? titled(all, models.models) : all
            ) { bytes in reader.whileWriting { write(bytes) } }
            if report.fails, request.filter?.isEmpty ?? true, let hint = try strangers(reader) { notice(hint) }
            return Result(fails: report.fails, firstFinding: report.worst?.id)
        }
    }

    /// Advice where processes have errors of which no callback is in the logs, beside apps that have some: the log of a
    /// device shows crashes of whatever runs there.
    private static func strangers(_ reader: DatabaseReading) throws -> String? {
        let apps = try Rows.all(reader, CheckQueries.appsWithErrors)
        let others = apps.filter { $0.integer("has_callbacks") == 0 }.compactMap { $0.text("app") }
        guard !others.isEmpty, let own = apps.first(where: { $0.integer("has_callbacks") == 1 })?.text("app") else {
            return nil
        }
        let names = VisibleText.neutralised(others.prefix(3).joined(separator: ", ") + (others.count > 3 ? " …" : ""))
        let app = ShellText.quoted(own)
        return "no callback of \(names) is in the logs, only an end; `--app \(app)` checks \(app) alone"
    }

    /// Findings are made by the ingest. A change of the built-in rules has no effect on them by itself.
    private static func hint(_ request: CheckRequest, _ models: ModelCatalog) throws -> String? {
        let builtIn = try ModelCatalog.builtIn()
        let isTuned =
            models.options != builtIn.options || models.profiles != builtIn.profiles
            || builtIn.models.contains { models.model($0.id) != $0 }
        guard isTuned else { return nil }
        let files = request.models.map { "--model \($0)" }.joined(separator: " ")
        return "these findings are from the last ingest or replay; "
            + "`lifestats replay \(files) --db \(request.database)` updates them"
    }

    /// The findings of a database, or of the part that a filter leaves: the first of each rule, and how many there are.
    ///
    /// A check without runs or events must not pass: an empty log would keep a build green forever.
    ///
    /// - Parameter isBrief: whether it is enough to read in full the findings that the report keeps.
    private static func report(
        on reader: DatabaseReading, _ request: CheckRequest, models: ModelCatalog, isBrief: Bool, _ all: AllFindings
    ) throws -> FindingReport {
        try request.filter?.requireMatch(in: reader)
        let totals = try PictureSource.totals(request.filter, reader)
        if totals.runs == 0 || totals.events == 0, !request.allowsEmpty {
            throw LifeStatsError.nothing(
                to: "check", totals, in: reader.path, request.filter, besides: "; --allow-empty lets such a check pass")
        }
        // The worst finding is named even if none is listed.
        let listsAll = request.examples == nil && [.text, .markdown].contains(request.format)
        var report = FindingReport(
            rules: rules(of: models.models, models.settings), failOn: request.failOn.severity, runs: Int64(totals.runs),
            events: Int64(totals.events), version: LifeStatsVersion.current)
        if request.filter?.isEmpty ?? true { report.gaps = try gaps(request, reader) }
        let most = listsAll ? nil : max(1, request.examples ?? 1)
        if isBrief, most != nil {
            try reader.query(CheckQueries.findings(CheckQueries.brief), request.filter?.values ?? [:]) {
                report.add(finding($0), most: most)
            }
            try report.complete { brief in
                var full = brief
                try reader.query(CheckQueries.finding, ["finding": .integer(brief.id)]) { full = finding($0) }
                return full
            }
        } else {
            try all { report.add($0, most: most) }
        }
        if [.text, .markdown].contains(request.format) {
            var titles = TitledMessages(models: models.models)
            report.complete { titles.titled($0) }
        }
        if !request.allowsEmpty, report.totals.allSatisfy({ $0.rule == "unknown-callback" }),
            try Rows.all(reader, CheckQueries.states).first?.integer("found") != 1
        {
            throw LifeStatsError(
                "nothing to check: no line of \(reader.path) shows a state, \(report.summarySentence)",
                remedy:
                    "`lifestats formats entries FILE` shows what is recognised; --aliases adds spellings of your own, and "
                    + "--allow-empty lets such a check pass")
        }
        return report
    }

    /// Findings in the words of a text, for the formats in which people read them one by one.
    private static func titled(_ all: @escaping AllFindings, _ models: [LifecycleModel]) -> AllFindings {
        { body in
            var titles = TitledMessages(models: models)
            try all { try body(titles.titled($0)) }
        }
    }

    /// Messages with the titles of states; many findings share one.
    private struct TitledMessages {
        let models: [LifecycleModel]
        private var known: [String: String] = [:]

        init(models: [LifecycleModel]) { self.models = models }

        mutating func titled(_ finding: LocatedFinding) -> LocatedFinding {
            var titled = finding
            let key = "\(finding.layer) \(finding.message)"
            titled.message = known[key] ?? models.titled(finding.message, layer: finding.layer)
            known[key] = titled.message
            return titled
        }
    }

    /// What a check that passes has not looked at.
    private static func gaps(_ request: CheckRequest, _ reader: DatabaseReading) throws -> [String] {
        let silent = try Rows.all(reader, CheckQueries.silent).compactMap { $0.text("path") }
        let cut = try Rows.all(reader, CheckQueries.cut).compactMap { $0.text("path") }
        let unread = request.leftOut.filter { !cut.contains($0) }
        return [
            ("file", "that could not be read", unread), ("file", "not read to the end", cut),
            ("log", "without a lifecycle event", silent),
        ]
        .compactMap { unit, what, paths in
            paths.min().map { first in
                "\(Plural.text(paths.count, unit)) \(what), \(paths.count > 1 ? "first " : "")\(first)"
            }
        }
    }

    /// A finding of the columns of ``CheckQueries``.
    static func finding(_ row: ResultRow) -> LocatedFinding {
        LocatedFinding(
            id: row.integer(0) ?? 0, rule: row.text(1) ?? "", deviation: row.text(5) ?? "",
            severity: row.text(2).flatMap(Severity.init) ?? .info, message: row.text(3) ?? "", repair: row.text(4),
            file: row.text(6) ?? "", line: row.integer(7) ?? 0, time: row.integer(8), app: row.text(9),
            run: row.integer(10), layer: row.text(11) ?? "", instance: row.text(12))
    }

    /// The rules and limits of models, with the titles and addresses of the documents that they cite.
    ///
    /// - Parameter withOwn: whether to add what the replay finds without a rule.
    static func rules(of models: [LifecycleModel], _ settings: ModelSettings, withOwn: Bool = false) -> [RuleText] {
        func rule(_ id: String, _ says: String, _ title: String, _ citation: String, _ message: String) -> RuleText {
            let sources = settings.documents(of: citation).map { document in
                ReportLink(
                    text: document.shortTitle, target: document.address.isEmpty ? "" : "https://\(document.address)")
            }
            return RuleText(id: id, says: says, title: title.isEmpty ? nil : title, sources: sources, message: message)
        }
        let own = DeviationText.all.filter { !$0.value.explanation.isEmpty }.sorted { $0.key < $1.key }
        return models.flatMap { model in
            model.rules.map { rule($0.id, $0.says, $0.title, $0.citation, $0.message) }
                + model.limits.map { rule($0.id, $0.says, $0.title, $0.citation, "") }
        } + (withOwn ? own.map { rule($0.key, $0.value.explanation, $0.value.title, $0.value.citation, "") } : [])
    }
}

/// The queries of a check.
enum CheckQueries {
    /// The columns of a finding that decide how it is counted, and all of them, in the order of ``CheckRunner/finding(_:)``.
    /// Unused ones would be expensive: there may be hundreds of thousands of rows.
    static let brief = "f.finding_id, f.rule, f.severity, f.message, f.repair" + String(repeating: ", NULL", count: 8)
    static let columns = """
        f.finding_id, f.rule, f.severity, f.message, f.repair, f.deviation, f.source, f.line, f.time_ns, f.app, f.run_id,
        f.layer, f.instance
        """

    /// Apps with callbacks, and processes without any that have errors.
    static let appsWithErrors = """
        WITH apps AS MATERIALIZED (
            SELECT app, max(has_callbacks) AS has_callbacks, count(*) AS runs FROM raw_runs
            WHERE app IS NOT NULL AND attached_run IS NULL GROUP BY app
        )
        SELECT app, has_callbacks FROM apps
        WHERE has_callbacks OR app IN (
            SELECT r.app FROM raw_findings AS f JOIN raw_finding_kinds AS k ON k.kind_id = f.kind
            JOIN raw_runs AS r ON r.run_id = f.run WHERE k.severity = 'error' AND NOT k.awaits_end)
        ORDER BY runs DESC, app
        """

    static func findings(_ columns: String = columns) -> String {
        """
        SELECT \(columns) FROM findings AS f
        WHERE \(DiagramQueries.within("f", time: "f.time"))
        ORDER BY f.source, f.line, f.finding_id
        """
    }

    static let finding = "SELECT \(columns) FROM findings AS f WHERE f.finding_id = $finding"

    /// App instances whose state is derived from scenes.
    static let appsWithScenes = """
        SELECT i.instance_id FROM instances AS i
        WHERE i.layer = 'app' AND i.run_id IN (SELECT s.run_id FROM instances AS s WHERE s.layer = 'scene')
        """

    /// Logs in which nothing was recognised.
    static let silent = """
        SELECT min(path) AS path FROM sources AS s
        WHERE NOT EXISTS (SELECT 1 FROM raw_daily_totals AS t WHERE t.source = s.source_id)
        GROUP BY stream HAVING sum(events) = 0 AND sum(lines) > 0
        """

    /// Files that were not read to their end: the rest is damaged, or the reading was interrupted.
    static let cut = "SELECT path FROM raw_sources WHERE resume LIKE '-%'"

    static let states = "SELECT EXISTS (SELECT 1 FROM step_kinds WHERE to_state IS NOT NULL) AS found"

    static let apps = "SELECT instance_id FROM instances WHERE layer = 'app'"

    /// Lines that belong before the previous line.
    static let exchangedLines = """
        SELECT f.source, f.line FROM raw_findings AS f JOIN raw_finding_kinds AS k ON k.kind_id = f.kind
        WHERE k.deviation = 'reordered-tie' AND f.repair = 'before the previous line'
        """

    static let rules = """
        SELECT DISTINCT f.rule FROM findings AS f WHERE \(DiagramQueries.within("f", time: "f.time_ns"))
        """
}

/// Known findings that a check accepts, as a text file with one line each: rule, app, layer and message. Numbers in
/// messages are ignored, so that the same deviation is recognised in another log. Each line accepts one finding, so that
/// a deviation that becomes more frequent is reported.
struct Baseline {
    private var counts: [String: Int] = [:]

    init() {}

    init(text: String) throws {
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            guard line.count(where: { $0 == "\t" }) == 3 else {
                throw LifeStatsError(
                    "line \(number + 1) of the baseline is not a finding (rule, app, layer and message, separated by tabs)",
                    remedy: "write the file again with --write-baseline")
            }
            counts[String(line), default: 0] += 1
        }
    }

    mutating func add(_ finding: LocatedFinding) { counts[Self.key(finding), default: 0] += 1 }

    /// Whether a finding is accepted: of equal ones, as many as the file lists.
    mutating func accepts(_ finding: LocatedFinding) -> Bool {
        guard !counts.isEmpty else { return false }
        let key = Self.key(finding)
        guard let count = counts[key], count > 0 else { return false }
        counts[key] = count - 1
        return true
    }

    /// The text of the file, sorted, so that its changes are easy to review.
    var text: String {
        "# Findings that `lifestats check --baseline` accepts: rule, app, layer, message; one line each.\n"
            + counts.sorted { $0.key < $1.key }.map { String(repeating: $0.key + "\n", count: $0.value) }.joined()
    }

    private static func key(_ finding: LocatedFinding) -> String {
        let message = finding.message.replacing(/[0-9]+/, with: "#").replacing(/[\t\r\n]+/, with: " ")
        return [finding.rule, finding.app ?? "", finding.layer, message].joined(separator: "\t")
    }
}

/// Checks the invariants of a database.
public enum DatabaseCheck {
    /// The result of a verification.
    public struct Result: Sendable {
        /// 64 hexadecimal digits: equal for equal content.
        public var digest: String
        /// Broken invariants, one sentence each; of many alike, the rest is counted.
        public var problems: [String]
    }

    /// Checks a database without changing it, on two processors.
    ///
    /// - Throws: ``LifeStatsError`` when there is no database at the path.
    public static func verify(_ path: String, limit: ReadingLimit = ReadingLimit()) throws -> Result {
        let verifier = Verifier()
        try DatabaseReading.runInTwoThreads(path, limit: limit, isLenient: true) { try verifier.work(on: $0.store) }
        let found = verifier.result
        var problems = found.problems.map { "\($0.check): \($0.message)" }
        for (check, count) in found.counts.sorted(by: { $0.key < $1.key }) where count > Verification.most {
            problems.append("\(check): \(count - Verification.most) more of these")
        }
        return Result(digest: found.digest.description, problems: problems)
    }
}

extension LifeStatsError {
    /// There are no runs or no events to check or draw.
    static func nothing(
        to act: String, _ totals: PictureSource.Totals, in database: String, _ filter: Filter?,
        besides other: String = ""
    ) -> LifeStatsError {
        LifeStatsError(
            "nothing to \(act): no \(totals.runs == 0 ? "runs" : "lifecycle events") in \(database)"
                + (filter?.isEmpty ?? true ? "" : " that match the filter"),
            why: "no line of the ingested logs was recognised as a lifecycle event",
            remedy: "`lifestats formats explain FILE` shows how a log is read\(other)")
    }
}
