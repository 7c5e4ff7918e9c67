import NamedQueries
import Reports
import TraceRecords
import TraceStore

/// Runs queries, read-only, and writes their results.
public enum QueryRunner {
    /// Limits the memory of all queries, in a program that does nothing else with SQLite.
    public static func limitMemory() { TraceReader.limitMemory(toBytes: 256 << 20) }

    /// Checks what can be checked before there is a database: the name of a query, and its parameters.
    ///
    /// - Throws: ``LifeStatsError`` when there is no such query or parameter.
    public static func check(_ question: QueryRequest.Question, parameters: [(name: String, value: String)]) throws {
        if case .sql(let sql) = question {
            let words = sql.split { $0.isWhitespace || $0 == ";" }.map(String.init)
            guard let name = words.first, words.count > 1, NamedQueries.query(named: name) != nil,
                words.dropFirst().allSatisfy({ $0.contains("=") })
            else { return }
            let options = words.dropFirst().map { " --param \(ShellText.quoted($0))" }.joined()
            throw LifeStatsError(
                "\(sql): neither SQL nor the name of a query", remedy: "`lifestats query \(name)\(options)`")
        }
        guard case .named(let name) = question else { return }
        _ = try values(parameters, of: try QueryCatalog.query(name), named: name)
    }

    /// Runs a query.
    ///
    /// - Parameters:
    ///   - output: receives the result in pieces. Its own time does not count.
    /// - Returns: notes for the user (the result was cut short …).
    /// - Throws: ``LifeStatsError`` when the database, the query or a parameter is invalid, or the time is up.
    public static func run(_ request: QueryRequest, output: @escaping ([UInt8]) -> Void) throws -> [String] {
        let limit = ReadingLimit(seconds: request.timeout, giveUp: request.giveUp)
        return try DatabaseReading.run(request.database, limit: limit) { reader in
            let interrupter = reader.store.interrupter
            let interruption = Interruption { interrupter.interrupt() }
            defer { interruption.cancel() }
            var (hasSilentEnds, hasUndocumented) = (false, false)
            let outcome = try answer(request, reader, output) { row in
                // It has no event whose id it could have.
                if case .integer(..<0) = row.first { hasSilentEnds = true }
                if case .named = request.question, row.contains(.text("undocumented")) { hasUndocumented = true }
            }
            var notes = hasUndocumented ? try unlogged(by: request, reader) : []
            if outcome.isCutShort { notes.append("stopped after \(Plural.text(outcome.rows, "row")) (--max-rows)") }
            if outcome.rows > 0, request.format == .table, let kind = try RowsBehind.kind(of: request) {
                let silent = "; one with a negative id is a silent end, which no line shows: show run:ID instead"
                let way = request.wayBack
                notes.append(
                    "\(way.condition)`lifestats show \(kind):ID\(way.options)` shows "
                        + (way.condition.isEmpty ? "one with its log lines" : "what is known of one")
                        + (hasSilentEnds ? silent : ""))
            }
            return outcome.rows == 0 && notes.isEmpty ? [try emptiness(of: request, reader)] : notes
        }
    }

    /// What the word "undocumented" says of apps that log some callbacks only.
    private static func unlogged(by request: QueryRequest, _ reader: DatabaseReading) throws -> [String] {
        let app = request.parameters.first { $0.name == "app" }?.value
        let remarks = try Rows.all(
            reader, "SELECT DISTINCT message FROM findings WHERE rule = 'not-logged' AND ($app IS NULL OR app = $app)",
            ["app": app.map(SQLValue.text) ?? .null]
        ).compactMap { $0.text("message")?.components(separatedBy: ", so ").first }
        guard !remarks.isEmpty else { return [] }
        let named = remarks.prefix(3).joined(separator: "; ") + (remarks.count > 3 ? " …" : "")
        return [
            "\(named): a transition that only lacks these is undocumented here, but no deviation for `lifestats check`"
        ]
    }

    /// Why an answer has no rows.
    private static func emptiness(of request: QueryRequest, _ reader: DatabaseReading) throws -> String {
        let given = request.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
        let text = given.isEmpty ? "no rows" : "no rows with \(given)"
        guard try Rows.all(reader, "SELECT 1 FROM runs LIMIT 1").first != nil else {
            return "\(text): nothing in the logs was recognised as a lifecycle event"
        }
        guard case .named(let name) = request.question else { return text }
        let query = try QueryCatalog.query(name)
        // Of rows that a parameter left out it would be untrue.
        guard query.emptiness.contains("$") || request.parameters.allSatisfy({ $0.name == "by" }) else { return text }
        let reason = query.emptiness.replacing(/\$(\w+)/) { match in
            request.parameters.first { $0.name == match.output.1 }?.value
                ?? query.parameters.first { $0.name == match.output.1 }?.standard ?? String(match.output.0)
        }
        return reason.isEmpty ? text : "\(text): \(reason)"
    }

    /// Answers a query from an open database.
    ///
    /// - Parameter seeing: gets the values of each row.
    static func answer(
        _ request: QueryRequest, _ reader: DatabaseReading, _ output: @escaping ([UInt8]) -> Void,
        seeing: ([Cell]) -> Void = { _ in }
    ) throws -> QueryOutcome {
        var (sql, parameters) = try resolve(request, reader.store)
        if case .named(let name) = request.question {
            try Filter.requireKnown(parameters, in: reader) { "--param \($0)=" }
            if let row = request.rowsBehind {
                (sql, parameters) = try RowsBehind.query(
                    try QueryCatalog.query(name), row: row, parameters: parameters, reader)
            }
        } else if request.rowsBehind != nil {
            throw LifeStatsError("--rows works for named queries", remedy: "`lifestats query --list` lists them")
        }
        var writer: ResultWriter?
        var options = TableOptions(
            raw: request.raw, colour: request.colors, width: request.width, isTerminal: request.isTerminal)
        options.endsLinesWithCRLF = request.crlf
        let outcome = try reader.store.query(
            sql, parameters: parameters, requiresValues: true, most: request.maxRows
        ) { columns in
            writer = ResultWriter(
                format: request.format, columns: columns.map { Column($0) }, options: options
            ) { bytes in reader.whileWriting { output(bytes) } }
        } row: { row in
            let values = row.values
            seeing(values)
            try writer?.write(values)
        }
        try writer?.finish()
        return outcome
    }

    /// The SQL of a request and the values of all its parameters.
    static func resolve(
        _ request: QueryRequest, _ reader: TraceReader
    ) throws -> (sql: String, parameters: [String: SQLValue]) {
        let names = request.parameters.map { $0.name.prefix { $0 != ":" } }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw LifeStatsError("--param \(twice): given more than once", remedy: "a parameter has one value")
        }
        switch request.question {
        case .named(let name):
            let query = try QueryCatalog.query(name)
            return (query.sql, try values(request.parameters, of: query, named: query.name))
        case .file(let path, let sql): return (sql, try values(request, ofSQL: sql, named: path, reader))
        case .sql(let sql): return (sql, try values(request, ofSQL: sql, named: "the SQL", reader))
        }
    }

    /// The values of all parameters of a query: the given ones, else the defaults, else NULL.
    static func values(
        _ parameters: [(name: String, value: String)], of query: NamedQuery, named name: String
    ) throws -> [String: SQLValue] {
        var values: [String: SQLValue] = [:]
        for parameter in query.parameters {
            values[parameter.name] =
                try parameter.standard.map { try ParameterText.value($0, of: parameter) } ?? .null
        }
        for (given, text) in parameters {
            guard let parameter = query.parameters.first(where: { $0.name == given }) else {
                let known = query.parameters.map(\.name)
                throw LifeStatsError(
                    "--param \(given): \(name) has no such parameter",
                    remedy: Suggestion.remedy(
                        given, among: known,
                        or: known.isEmpty ? "it has no parameters" : "it has \(known.joined(separator: ", "))"))
            }
            values[given] = try ParameterText.value(text, of: parameter)
        }
        return values
    }

    /// The parameters of SQL, with or without a header like those of `queries/`.
    private static func values(
        _ request: QueryRequest, ofSQL sql: String, named name: String, _ reader: TraceReader
    ) throws -> [String: SQLValue] {
        let query = NamedQuery(name: name, sql: sql)
        guard !query.parameters.isEmpty || !query.columns.isEmpty else {
            let guesses = try request.parameters.map { try ParameterText.guess($0.name, $0.value) }
            return Dictionary(guesses.map { ($0.name, $0.value) }) { $1 }
        }
        // A header may declare parameters that the SQL does not use.
        let asked = Set(try reader.parameterNames(of: sql))
        return try values(request.parameters, of: query, named: name).filter { asked.contains($0.key) }
    }
}

/// The rows of a view that an answer of a named query counts: from a figure to its lines.
///
/// The header of the query names the view. A row of the view belongs to a row of the answer when it has the same texts in
/// the columns that both have, and passes the parameters.
enum RowsBehind {
    /// How rows of a view are shown.
    private struct View {
        var columns: String
        /// When a row happened, as the queries compare it with `$since` and `$until`.
        var time: String
        /// When it ended, where it lasts: it happened since a time up to which it lasted.
        var last: String?
    }

    private static let views = [
        "visits": View(
            columns: """
                visit_id, run_id, app, instance, entered, left, dwell_s, entered_by, left_by, censored, source, line
                """, time: "coalesce(v.entered, v.left)"),
        "transitions": View(
            columns: "transition_id, run_id, app, instance, time, dwell_s, source, line",
            time: "coalesce(v.time, (SELECT r.last_seen FROM runs AS r WHERE r.run_id = v.run_id))"),
        "events": View(columns: "event_id, run_id, app, instance, time, state_after, source, line", time: "v.time"),
        "findings": View(columns: "finding_id, run_id, app, time, message, source, line", time: "v.time"),
        "runs": View(
            columns: "run_id, app, app_version, pid, started, last_seen, end_reason, end_detail",
            time: "coalesce(v.started, v.first_seen, v.ended)", last: "coalesce(v.ended, v.last_seen, v.started)"),
    ]

    /// What `show` calls the rows that are listed; `nil` where none are.
    static func kind(of request: QueryRequest) throws -> String? {
        guard request.rowsBehind != nil, case .named(let name) = request.question else { return nil }
        // A change of state has the id of its event.
        return try QueryCatalog.query(name).rows.map { $0.view == "transitions" ? "event" : String($0.view.dropLast()) }
    }

    /// SQL and values for the rows behind one row of an answer.
    ///
    /// - Parameters:
    ///   - row: number of the row of the answer, counted from 1.
    ///   - parameters: the values that the query was asked with.
    /// - Throws: ``LifeStatsError`` when the query has no rows behind it, or no such row.
    static func query(
        _ query: NamedQuery, row: Int, parameters: [String: SQLValue], _ reader: DatabaseReading
    ) throws -> (sql: String, parameters: [String: SQLValue]) {
        guard let source = query.rows, let view = views[source.view] else {
            let known = NamedQueries.all.filter { $0.rows != nil }.map(\.name).joined(separator: ", ")
            throw LifeStatsError(
                "--rows: the answers of \(query.name) do not lead to rows of one view", remedy: "it works for \(known)")
        }
        var names: [String] = []
        var values: [SQLValue]?
        var count = 0
        try reader.query(query.sql, parameters) { columns in
            names = columns
        } row: { found in
            count += 1
            if count == row { values = found.values }
        }
        guard let values else {
            throw LifeStatsError(
                "--rows \(row): the answer has \(count == 0 ? "no rows" : "rows 1 to \(count)")",
                remedy: "count the rows of `lifestats query \(query.name)` from 1")
        }
        var conditions = source.constants.keys.map { "instr('|' || $always_\($0) || '|', '|' || v.\($0) || '|') > 0" }
        var bound = Dictionary(uniqueKeysWithValues: source.constants.map { ("always_\($0)", SQLValue.text($1)) })
        for (name, value) in zip(names, values) {
            guard let column = source.columns[name] else { continue }
            conditions.append("v.\(column) IS $row_\(name)")
            bound["row_\(name)"] = value
        }
        for (name, condition) in filters(view) where parameters[name].map({ $0 != .null }) ?? false {
            conditions.append(condition)
            bound[name] = parameters[name]
        }
        if let part = names.firstIndex(of: "part"), case .text(let by) = parameters["by"] ?? .null,
            let condition = partitions(view)[by]
        {
            conditions.append(condition)
            bound["row_part"] = values[part]
        }
        let sql = """
            SELECT \(view.columns) FROM \(source.view) AS v
            \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")) ORDER BY 1
            """
        return (sql, bound)
    }

    /// The parameters that named queries share.
    private static func filters(_ view: View) -> [(name: String, condition: String)] {
        [
            ("app", "v.app = $app"), ("device", "v.device = $device"), ("run", "v.run_id = $run"),
            ("app_version", "v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version)"),
            ("layer", "v.layer = $layer"), ("since", "\(view.last ?? view.time) >= rtrim($since, 'Z')"),
            ("until", "\(view.time) < rtrim($until, 'Z')"),
        ]
    }

    /// What `$by` divides by.
    private static func partitions(_ view: View) -> [String: String] {
        func ofRun(_ column: String) -> String {
            "v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.\(column) IS $row_part)"
        }
        return [
            "app": "v.app IS $row_part", "run": "v.run_id = $row_part", "device": ofRun("device"),
            "app_version": ofRun("app_version"), "os_version": ofRun("os_version"),
            "day": "substr(\(view.time), 1, 10) = $row_part",
        ]
    }
}
