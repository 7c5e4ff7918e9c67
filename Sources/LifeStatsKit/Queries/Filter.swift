import LifecycleModel
import TraceRecords

/// Which part of a database a question is about. `nil` means no restriction.
public struct Filter: Sendable, Hashable {
    public var app: String?
    public var appVersion: String?
    public var device: String?
    /// `runs.run_id`.
    public var run: Int64?
    /// Only runs in which this documented scenario, or one of this class, occurs. For pictures; named queries ignore it.
    public var scenario: String?
    /// Half-open time span, in nanoseconds since 1970 UTC.
    public var since: Int64?
    public var until: Int64?

    /// - Parameters since, until: ISO 8601 times, UTC unless they carry a zone.
    /// - Throws: ``LifeStatsError`` when a time cannot be read.
    public init(
        app: String? = nil, appVersion: String? = nil, device: String? = nil, run: Int64? = nil,
        scenario: String? = nil, since: String? = nil, until: String? = nil
    ) throws {
        self.app = app
        self.appVersion = appVersion
        self.device = device
        self.run = run
        self.scenario = scenario
        self.since = try since.map { try ISOTime.nanoseconds($0, option: "--since ") }
        self.until = try until.map { try ISOTime.nanoseconds($0, option: "--until ") }
    }

    /// Whether it restricts nothing.
    var isEmpty: Bool { self == Self.none }

    static let none = Filter()

    private init() {}

    /// The restrictions in words.
    var words: [String] { (app.map { ["app \($0)"] } ?? []) + wordsBesideApp }

    /// The restrictions in words, without the app: pictures name their apps anyway.
    var wordsBesideApp: [String] {
        [
            appVersion.map { "version \($0)" }, device.map { "device \($0)" }, run.map { "run \($0)" },
            scenario.map { "with \($0)" },
            // A bound beyond the range of times leaves nothing out.
            since.flatMap { $0 == .min ? nil : "since \(CivilTime.readable(nanoseconds: $0))" },
            until.flatMap { $0 == .max ? nil : "until \(CivilTime.readable(nanoseconds: $0))" },
        ].compactMap(\.self)
    }

    /// The filter as the parameters that named queries share.
    var values: [String: SQLValue] {
        var all = namedValues
        all["since"] = since.map(ParameterText.time)
        all["until"] = until.map(ParameterText.time)
        return all
    }

    /// The parameters that name something: all but the times.
    var namedValues: [String: SQLValue] {
        var all: [String: SQLValue] = [:]
        all["app"] = app.map(SQLValue.text)
        all["app_version"] = appVersion.map(SQLValue.text)
        all["device"] = device.map(SQLValue.text)
        all["run"] = run.map(SQLValue.integer)
        return all
    }

    /// The instances of the runs that fulfil a condition with parameters of the filter; `nil` for all, where it has none of
    /// them.
    func instances(of condition: String, _ reader: DatabaseReading) throws -> Set<Int64>? {
        let values = DiagramQueries.values(self).filter { condition.contains("$" + $0.key) }
        guard !values.isEmpty else { return nil }
        let sql = "SELECT i.instance_id FROM instances AS i JOIN runs AS r ON r.run_id = i.run_id WHERE \(condition)"
        return Set(try Rows.all(reader, sql, values).compactMap { $0.integer("instance_id") })
    }

    /// Whether a time is within the span.
    func includes(_ time: Int64?) -> Bool {
        guard since != nil || until != nil else { return true }
        return time.map { $0 >= since ?? .min && $0 < until ?? .max } ?? false
    }

    // MARK: - Values that match nothing

    /// Requires that the filter names only what the database has, and leaves a run.
    ///
    /// - Throws: ``LifeStatsError`` with the nearest known values.
    func requireMatch(in reader: DatabaseReading) throws {
        guard !isEmpty else { return }
        var named = namedValues
        named["scenario"] = scenario.map(SQLValue.text)
        try Self.requireKnown(named, in: reader)
        let count = try Rows.all(reader, TimelineQueries.count, DiagramQueries.values(self))
        guard count.first?.integer("runs") == 0 else { return }
        throw LifeStatsError(
            "no run of \(reader.path) matches \(words.joined(separator: ", "))",
            remedy: "widen the filter; `lifestats query run_summary` lists the runs with their times")
    }

    /// Requires that each value occurs in the database, whatever the others are.
    ///
    /// - Parameters:
    ///   - values: values of parameters, of which those that name something are checked.
    ///   - option: how such a value is given on the command line, for the error.
    static func requireKnown(
        _ values: [String: SQLValue], in reader: DatabaseReading,
        option: (String) -> String = { "--\($0.replacing("_", with: "-")) " }
    ) throws {
        for name in ["app", "app_version", "device", "run", "scenario", "layer", "state", "rule"] {
            guard let value = values[name], value != .null, let known = sources[name] else { continue }
            let isKnown = try Rows.all(reader, known.test, ["value": value]).first?.integer("found") == 1
            let documented = name == "rule" ? try ModelCatalog.builtIn().models.flatMap(\.limits).map(\.id) : []
            guard !isKnown, !documented.contains(where: { value == .text($0) }) else { continue }
            throw try unknown(name, option(name), value, known.list, reader, documented)
        }
    }

    private static func unknown(
        _ name: String, _ option: String, _ value: SQLValue, _ list: String, _ reader: DatabaseReading,
        _ documented: [String]
    ) throws -> LifeStatsError {
        let text =
            switch value {
            case .text(let text): text
            case .integer(let number): String(number)
            default: ""
            }
        if name == "run" {
            let near = try Int64(text).flatMap { try nearest("run", to: $0, in: reader) }
            return LifeStatsError(
                "\(option)\(text): there is no such run in \(reader.path)",
                remedy: near.map { "the nearest is \($0); `lifestats query run_summary` lists the runs" })
        }
        let noun = name == "rule" ? "limit" : name.replacing("_", with: " ")
        let known = Set(try Rows.all(reader, list).compactMap { $0.text("value") } + documented).sorted()
        let some = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        return LifeStatsError(
            "\(option)\(text): there is no such \(noun) in \(reader.path)",
            remedy: Suggestion.remedy(
                text, among: known, or: known.isEmpty ? "no run names its \(noun)" : "choose one of \(some)"))
    }

    /// The id nearest to one that does not occur.
    ///
    /// - Parameter kind: `run`, `visit`, `event` or `finding`.
    static func nearest(_ kind: String, to id: Int64, in reader: DatabaseReading) throws -> Int64? {
        let sql = """
            SELECT max(\(kind)_id) FILTER (WHERE \(kind)_id < $id) AS below,
                min(\(kind)_id) FILTER (WHERE \(kind)_id > $id) AS above
            FROM \(kind)s
            """
        guard let row = try Rows.all(reader, sql, ["id": .integer(id)]).first else { return nil }
        return [row.integer("below"), row.integer("above")].compactMap(\.self)
            .min { $0.distance(to: id).magnitude < $1.distance(to: id).magnitude }
    }

    /// How to ask whether a value occurs, and which values occur. MetricKit payloads name apps without runs.
    private static let sources: [String: (test: String, list: String)] = [
        "app": occurrences(of: "app", alsoInTotals: true),
        "app_version": occurrences(of: "app_version", alsoInTotals: true),
        "device": occurrences(of: "device", alsoInTotals: false),
        "run": ("SELECT EXISTS (SELECT 1 FROM runs WHERE run_id = $value) AS found", ""),
        "scenario": (
            "SELECT EXISTS (SELECT 1 FROM scenarios WHERE scenario = $value OR class = $value) AS found",
            "SELECT scenario AS value FROM scenarios UNION SELECT class FROM scenarios WHERE class IS NOT NULL"
        ),
        "layer": documented("layer"),
        "state": documented("state"),
        // The parameter of a query about limits.
        "rule": (
            "SELECT EXISTS (SELECT 1 FROM findings WHERE rule = $value AND deviation = 'limit-overrun') AS found",
            "SELECT DISTINCT rule AS value FROM findings WHERE deviation = 'limit-overrun'"
        ),
    ]

    /// Those of the models, whether they occur or not.
    private static func documented(_ column: String) -> (test: String, list: String) {
        (
            "SELECT EXISTS (SELECT 1 FROM documented_states WHERE \(column) = $value) AS found",
            "SELECT DISTINCT \(column) AS value FROM documented_states"
        )
    }

    private static func occurrences(of column: String, alsoInTotals: Bool) -> (test: String, list: String) {
        let tables = ["runs"] + (alsoInTotals ? ["daily_totals"] : [])
        let tests = tables.map { "EXISTS (SELECT 1 FROM \($0) WHERE \(column) = $value)" }
        let lists = tables.map { "SELECT DISTINCT \(column) AS value FROM \($0) WHERE \(column) IS NOT NULL" }
        return (
            "SELECT \(tests.joined(separator: " OR ")) AS found",
            "\(lists.joined(separator: " UNION ")) ORDER BY 1 LIMIT 10000"
        )
    }
}
