import CohortComparison
import Foundation
import LifecycleModel
import Reports
import TraceRecords
import TraceStore

/// What to compare, and when the comparison fails a build.
public struct CompareRequest: Sendable {
    /// The cohorts: paths of databases, or conditions on the columns of `runs` (`app_version=4.*,device=iPad*`).
    public var a: String
    public var b: String
    /// The database that conditions are about.
    public var database: String
    /// Only runs of this app.
    public var app: String?
    public var limit = ReadingLimit()
    public var format = CompareFormat.table
    public var failOn = CompareFailOn.worse
    /// Probability of a false alarm, over all looks.
    public var alpha = 0.05
    /// Planned number of looks at growing data.
    public var looks = 1
    /// Differences up to this part of A are too small to matter.
    public var leastEffect = 0.0
    public var seed: UInt64 = 1
    /// Rows of which an increase is worse, or a decrease: `dwell:background`, `share:active:less`.
    public var worse: [String] = []
    /// Where to draw how long visits last, if anywhere: the end of the name chooses the format.
    public var curves: String?
    public var colors = false
    /// Columns of the terminal; `nil` for no limit.
    public var width: Int?

    public init(a: String, b: String, database: String) {
        self.a = a
        self.b = b
        self.database = database
    }
}

/// Output formats of a comparison: the values of `compare --format`.
public enum CompareFormat: String, Sendable, CaseIterable {
    case table, json, markdown, junit
}

/// What fails a build: the values of `compare --fail-on`.
public enum CompareFailOn: String, Sendable, CaseIterable {
    /// Any difference beyond chance.
    case any
    case worse
    case never
}

/// Compares two cohorts of runs.
public enum CohortComparer {
    /// What a comparison found.
    public struct Result: Sendable {
        /// The comparison in the requested format.
        public var text: String
        /// Whether it fails the build.
        public var fails: Bool
        /// How long visits last in both cohorts, if that was asked for.
        public var curves: RenderedPicture?
    }

    /// - Throws: ``LifeStatsError`` when a cohort is empty or too small, the cohorts overlap, a database cannot be read,
    ///   or all planned looks are taken.
    public static func run(_ request: CompareRequest) throws -> Result {
        let format = try request.curves.map { try DiagramFormat(forFile: $0, among: [.svg, .png, .pdf]) }
        let compared = try compared(request)
        return Result(
            text: compared.report.text, fails: compared.report.fails,
            curves: try format.map { try ComparedPictures(compared).curves($0) })
    }

    /// A comparison as values, and what it was made from.
    struct Compared {
        var report: ComparisonReport
        var names: (a: Cohort, b: Cohort)
        var cohorts: Cohorts
    }

    static func compared(_ request: CompareRequest) throws -> Compared {
        let names = (
            a: try Cohort(request.a, database: request.database), b: try Cohort(request.b, database: request.database)
        )
        let (units, cohorts) = try ComparedData.read(request, names)
        var options = ComparisonOptions()
        (options.alpha, options.looks, options.seed) = (request.alpha, request.looks, request.seed)
        options.leastEffect = request.leastEffect
        var ledger: LookLedger?
        if request.looks > 1 {
            let name = [request.a, request.b, request.app].compactMap(\.self).joined(separator: " | ")
            ledger = try DatabaseReading.run(names.a.database, limit: request.limit) {
                try LookLedger(name, alpha: request.alpha, planned: request.looks, $0)
            }
            options.look = try ledger?.number(of: units.fingerprint, planned: request.looks) ?? 1
        }
        let comparison = Comparison(cohorts, options: options)
        try ledger?.add(
            .init(number: options.look, content: units.fingerprint, p: comparison.p, isFired: comparison.isFired),
            to: names.a.database)
        var report = ComparisonReport(
            comparison: comparison, units: units, request: request, looks: ledger?.looks ?? [])
        for model in try ModelLoading.catalog(with: []).models {
            report.titles[model.layer] = model.states.reduce(into: [:]) { $0[$1.id] = $1.title["en"] }
            report.layerTitles[model.layer] = model.title["en"]
        }
        return Compared(report: report, names: names, cohorts: cohorts)
    }
}

/// The cohorts of a comparison, read from their databases.
enum ComparedData {
    static func read(
        _ request: CompareRequest, _ names: (a: Cohort, b: Cohort)
    ) throws -> (units: CohortUnits, cohorts: Cohorts) {
        let worse = try request.worse.map(WorseRow.init)
        if names.a.database == names.b.database {
            return try DatabaseReading.run(names.a.database, limit: request.limit) { reader in
                let units = try units(request, names, (reader, reader))
                var measurements = CohortMeasurements(units: units.isInB.count)
                // One scan serves both: no run is in both cohorts.
                let all = units.unitOfRun.a.merging(units.unitOfRun.b) { a, _ in a }
                try measurements.add(units.runs.a + units.runs.b, units: all, from: reader)
                return (units, try cohorts(measurements, units, worse, [reader]))
            }
        }
        return try DatabaseReading.run(names.a.database, limit: request.limit) { first in
            try DatabaseReading.run(names.b.database, limit: request.limit) { second in
                let units = try units(request, names, (first, second))
                var measurements = CohortMeasurements(units: units.isInB.count)
                try measurements.add(units.runs.a, units: units.unitOfRun.a, from: first)
                try measurements.add(units.runs.b, units: units.unitOfRun.b, from: second)
                return (units, try cohorts(measurements, units, worse, [first, second]))
            }
        }
    }

    private static func units(
        _ request: CompareRequest, _ names: (a: Cohort, b: Cohort), _ readers: (DatabaseReading, DatabaseReading)
    ) throws -> CohortUnits {
        let a = try names.a.runs(in: readers.0, app: request.app)
        let b = try names.b.runs(in: readers.1, app: request.app)
        for (runs, cohort, reader) in [(a, names.a, readers.0), (b, names.b, readers.1)] where runs.isEmpty {
            let known = try cohort.values(in: reader, app: request.app).joined(separator: "; ")
            throw LifeStatsError(
                "cohort A (\(request.a)) has \(a.count) runs, cohort B (\(request.b)) has \(b.count)",
                why: "no run of \(reader.path) matches \(cohort.text)"
                    + (request.app.map { " and the app \($0)" } ?? ""),
                remedy: known.isEmpty ? "`lifestats query run_summary` lists the runs" : known)
        }
        var units = try CohortUnits(a: a, b: b, names: (request.a, request.b))
        units.unassigned =
            try names.a.unassigned(in: readers.0, app: request.app)
            .merging(names.b.unassigned(in: readers.1, app: request.app)) { max($0, $1) }
        return units
    }

    private static func cohorts(
        _ measurements: CohortMeasurements, _ units: CohortUnits, _ worse: [WorseRow], _ readers: [DatabaseReading]
    ) throws -> Cohorts {
        var rows = measurements.rows
        if !worse.isEmpty {
            let models = try ModelLoading.catalog(with: []).models
            let states = try readers.flatMap { reader in
                try Rows.all(reader, "SELECT DISTINCT state FROM documented_states", [:]).compactMap {
                    $0.text("state")
                }
            }
            for row in worse { try row.requirePossible(among: rows, models, states) }
        }
        for index in rows.indices {
            if let sense = worse.last(where: { $0.matches(rows[index]) })?.sense { rows[index].worse = sense }
        }
        return Cohorts(isInB: units.isInB, measurements: rows)
    }
}

/// What the user calls worse: a value of `--worse`.
private struct WorseRow {
    private let kind: MeasuredRow.Kind
    private let name: String
    let sense: MeasuredRow.Sense

    /// - Throws: ``LifeStatsError`` when the text is not `KIND:NAME`, `KIND:NAME:more` or `KIND:NAME:less`.
    init(_ text: String) throws {
        let parts = text.split(separator: ":").map(String.init)
        let senses: [String: MeasuredRow.Sense] = ["more": .more, "less": .less]
        guard parts.count == 2 || parts.count == 3, let kind = MeasuredRow.Kind(rawValue: parts[0]),
            let sense = senses[parts.count == 3 ? parts[2] : "more"]
        else {
            throw LifeStatsError(
                "--worse \(text): not a row and a direction",
                remedy: "write KIND:NAME or KIND:NAME:less, such as dwell:background or share:active:less; kinds are "
                    + MeasuredRow.Kind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        (self.kind, name, self.sense) = (kind, parts[1], sense)
    }

    func matches(_ row: MeasuredRow) -> Bool { row.kind == kind && isNamed(row.name) }

    /// Tables print `Not running` for `not_running`.
    private func isNamed(_ other: String) -> Bool {
        let (a, b) = (name.lowercased(), other.lowercased())
        return a == b || a.replacing(" ", with: "_") == b
    }

    /// What did not happen in either cohort has no row, but could have one.
    ///
    /// - Parameter states: those of all models of the databases.
    /// - Throws: ``LifeStatsError`` when there cannot be such a row: a gate with a misspelled name would always pass.
    func requirePossible(among rows: [MeasuredRow], _ models: [LifecycleModel], _ states: [String]) throws {
        let found = rows.filter { $0.kind == kind }.map(\.name)
        let possible: [String] =
            switch kind {
            case .dwell, .share: states
            case .transition: states.flatMap { from in states.map { "\(from)>\($0)" } }
            case .launch: CohortMeasurements.launches
            case .visit: []
            case .finding:
                (RuleExplanation.ids(of: models) + Severity.allCases.map(\.rawValue))
                    .flatMap { ["\($0) per run", "\($0) per hour"] }
            case .end: EndReason.allCases.map(\.rawValue)
            }
        let known = (found + possible).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        guard !known.contains(where: isNamed) else { return }
        let names = known.prefix(12).joined(separator: ", ") + (known.count > 12 ? " …" : "")
        throw LifeStatsError(
            "--worse \(kind.rawValue):\(name): there is no such row",
            remedy: Suggestion.remedy(name, among: known, or: "rows of \(kind.rawValue) are \(names)"))
    }
}

/// The looks at one planned comparison, kept in the settings of the database: each may spend its part of alpha once.
struct LookLedger {
    /// One look that was taken.
    struct Look {
        var number: Int
        /// What the cohorts contained; see ``CohortUnits/fingerprint``.
        var content: String
        var p: Double
        var isFired: Bool
    }

    private let name: String
    private let plan: String
    private(set) var looks: [Look] = []

    /// Reads the ledger.
    ///
    /// - Parameter name: the comparison: its cohorts as typed.
    /// - Throws: ``LifeStatsError`` when the comparison was begun with another plan.
    init(_ name: String, alpha: Double, planned: Int, _ reader: DatabaseReading) throws {
        self.name = "looks: \(name)"
        plan = "alpha \(alpha) looks \(planned)"
        let sql = "SELECT value FROM raw_settings WHERE name = $name"
        guard let text = try Rows.all(reader, sql, ["name": .text(self.name)]).first?.text("value") else { return }
        let lines = text.split(separator: "\n")
        guard lines.first.map(String.init) == plan else {
            throw LifeStatsError(
                "this comparison was planned with \(lines.first ?? "another plan"), not with \(plan)",
                why: "a plan that changes after a look would spend more than alpha",
                remedy: "continue with the same --alpha and --looks")
        }
        looks = lines.dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 4, let number = Int(words[0]), let p = Double(words[2]) else { return nil }
            return Look(number: number, content: String(words[1]), p: p, isFired: words[3] == "fired")
        }
    }

    /// The number of a look at this content: that of an earlier one when nothing is new, else the next.
    func number(of content: String, planned: Int) throws -> Int {
        if let known = looks.first(where: { $0.content == content }) { return known.number }
        guard looks.count < planned else {
            throw LifeStatsError(
                "all \(planned) planned looks at this comparison have been taken",
                why: "another look would spend more than alpha",
                remedy: "compare other cohorts, or see the numbers without a gate: use --fail-on never without --looks")
        }
        return looks.count + 1
    }

    /// Stores a look; one that is known stays as it is.
    mutating func add(_ look: Look, to database: String) throws {
        guard !looks.contains(where: { $0.content == look.content }) else { return }
        looks.append(look)
        let lines = looks.map { "\($0.number) \($0.content) \($0.p) \($0.isFired ? "fired" : "quiet")" }
        do {
            let writer = try TraceWriter(path: database, callbacks: [])
            try writer.set(name, to: ([plan] + lines).joined(separator: "\n"))
            try writer.close()
        } catch {
            throw LifeStatsError(
                "--looks: the look cannot be recorded in \(database)", why: "\(error)",
                remedy: "make the file and its folder writable, or compare without --looks")
        }
    }
}

/// The runs of one side of a comparison, as typed: the path of a database, or conditions on the columns of `runs`.
struct Cohort: Sendable {
    let text: String
    let database: String
    private let conditions: [(column: String, pattern: String)]

    /// Columns of `runs`, whose values are compared with a pattern (`17.*`).
    private static let columns = ["app", "app_version", "os_version", "device"]
    /// Bounds of the time at which a run begins: from the first on, before the second.
    private static let bounds = ["from", "until"]

    /// - Parameter database: the one that conditions are about.
    /// - Throws: ``LifeStatsError`` when the text is neither a database nor conditions.
    init(_ text: String, database: String) throws {
        self.text = text
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        let isFile = FileManager.default.fileExists(atPath: text)
        guard parts.allSatisfy({ $0.count == 2 }), !isFile else {
            let kinds = "a cohort is a database, or conditions on the runs of one"
            if isFile, !OutputFile.isSQLite(text) {
                throw LifeStatsError(
                    "\(text): this is not a database", why: kinds,
                    remedy: "read each side into a database of its own (`lifestats ingest \(ShellText.quoted(text)) "
                        + "--db a.db`) and compare a.db b.db, or both into one with --app-version A and "
                        + "--app-version B, and compare app_version=A app_version=B")
            }
            if !isFile, !text.contains("/"), !text.hasSuffix(".db") {
                throw LifeStatsError(
                    "\(text): there is no such database", why: kinds,
                    remedy: "for runs of that version, write app_version=\(text)")
            }
            (self.database, conditions) = (text, [])
            return
        }
        self.database = database
        let known = Self.columns + Self.bounds
        conditions = try parts.map { part in
            guard known.contains(part[0]) else {
                throw LifeStatsError(
                    "\(text): runs have no column \(part[0])",
                    remedy: Suggestion.remedy(
                        part[0], among: known, or: "a cohort is chosen by \(known.joined(separator: ", "))"))
            }
            if Self.bounds.contains(part[0]) { _ = try ISOTime.nanoseconds(part[1], option: "\(part[0])=") }
            return (part[0], part[1])
        }
    }

    /// Condition on the columns of `runs`, named `r`, and its parameters. Several patterns for one column are
    /// alternatives.
    ///
    /// - Parameter name: begins the names of the parameters.
    func condition(_ name: String) throws -> (sql: String, values: [String: SQLValue]) {
        var values: [String: SQLValue] = [:]
        var terms: [String: [String]] = [:]
        for (number, (column, pattern)) in conditions.enumerated() {
            let parameter = "\(name)\(number)"
            if Self.bounds.contains(column) {
                values[parameter] = .integer(try ISOTime.nanoseconds(pattern, option: "\(column)="))
                let sign = column == "from" ? ">=" : "<"
                terms[column, default: []].append("coalesce(r.started_ns, r.first_seen_ns) \(sign) $\(parameter)")
            } else {
                values[parameter] = .text(pattern)
                terms[column, default: []].append("r.\(column) GLOB $\(parameter)")
            }
        }
        let all = terms.sorted { $0.key < $1.key }.map { "(\($0.value.joined(separator: " OR ")))" }
        return (all.isEmpty ? "1 = 1" : all.joined(separator: " AND "), values)
    }

    /// What the database has in the columns that the cohort and the option `--app` name, for an error: the nearest values
    /// first.
    func values(in reader: DatabaseReading, app: String?) throws -> [String] {
        let named = conditions.filter { Self.columns.contains($0.column) } + (app.map { [("app", $0)] } ?? [])
        return try named.map { column, pattern in
            let rows = try Rows.all(
                reader, "SELECT DISTINCT \(column) AS value FROM runs WHERE \(column) IS NOT NULL ORDER BY 1 LIMIT 999")
            let known = rows.compactMap { $0.text("value") }
            guard !known.isEmpty else { return "no run has a value of \(column)" }
            let some = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
            return Suggestion.remedy(
                pattern, among: known.filter { $0 != pattern }, or: "values of \(column) are \(some)")
        }
    }
}

extension Cohort {
    /// The columns by which the cohort is chosen, each with the number of runs that have no value in it.
    ///
    /// - Parameter app: only runs of this app.
    func unassigned(in reader: DatabaseReading, app: String?) throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for column in Set(conditions.map(\.column)).intersection(Self.columns) {
            let sql = "SELECT count(*) AS n FROM runs WHERE \(column) IS NULL AND ($app IS NULL OR app = $app)"
            let values = app.map { ["app": SQLValue.text($0)] } ?? [:]
            if let runs = try Rows.all(reader, sql, values).first?.integer("n"), runs > 0 { counts[column] = runs }
        }
        return counts
    }
}

/// A run of a cohort.
struct CohortRun: Sendable {
    var id: Int64
    var device: String?
    var key: String
    var endReason: String
    /// Hours from its first to its last sign of life.
    var hours: Double
}

extension Cohort {
    /// The runs of the cohort.
    ///
    /// - Parameter app: only runs of this app.
    func runs(in reader: DatabaseReading, app: String?) throws -> [CohortRun] {
        var (condition, values) = try condition("c")
        values["app"] = app.map(SQLValue.text)
        var runs: [CohortRun] = []
        let sql = """
            SELECT r.run_id, r.device, r.run_key, r.end_reason, (r.last_seen_ns - r.first_seen_ns) / 3.6e12 FROM runs AS r
            WHERE ($app IS NULL OR r.app = $app) AND \(condition) ORDER BY r.run_id
            """
        try reader.query(sql, values) { row in
            runs.append(
                CohortRun(
                    id: row.integer(0) ?? 0, device: row.text(1), key: row.text(2) ?? "", endReason: row.text(3) ?? "",
                    hours: max(0, row.real(4) ?? 0)))
        }
        return runs
    }
}

/// A comparison as JUnit test results: each row is a test, which fails when it fails the build.
struct ComparisonJUnit {
    let report: ComparisonReport

    var text: String {
        JUnitText.begin("compare", tests: report.rows.count, failures: report.rows.count(where: isFailure))
            + report.rows.map(test).joined() + JUnitText.end
    }

    private func test(_ row: ComparedRow) -> String {
        let relative = row.relative.map { " (\(NumberText.percent($0)) of A)" } ?? ""
        let message =
            "\(row.direction.rawValue): \(NumberText.readable(row.a.value ?? .nan)) in A, "
            + "\(NumberText.readable(row.b.value ?? .nan)) in B\(relative), p = \(NumberText.readable(row.adjusted))"
        return JUnitText.test(
            "lifestats.compare.\(row.kind.rawValue)", row.layer + " " + row.name,
            isFailure(row) ? JUnitText.failure(row.direction.rawValue, JUnitText.name(message)) : nil)
    }

    private func isFailure(_ row: ComparedRow) -> Bool {
        row.isSignificant && report.fails && (report.request.failOn == .any || row.direction == .worse)
    }
}
