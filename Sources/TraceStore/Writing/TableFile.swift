import GRDB
import GRDBSQLite
package import TraceRecords

/// The tables that batches are written to, with their columns in the order in which the writers bind them.
enum Tables {
    static let facts = BulkInsert(into: "raw_facts", ["source", "first_line", "is_provisional", "count", "facts"])
    static let blocks = BulkInsert(into: "raw_blocks", ["block_id", "log", "source", "is_provisional", "events"])
    static let messages = BulkInsert("REPLACE", into: "raw_messages", ["step", "text"])

    private static let columnsOfSources = [
        "log", "path", "ordinal", "format", "device", "app_version", "bytes", "byte_offset", "lines", "entry_lines",
        "continuation_lines", "other_lines", "rejected_lines", "first_ns", "last_ns", "timezone", "assumptions",
        "fingerprint", "ingested_at", "resume",
    ]
    static let sources = BulkInsert(
        into: "raw_sources", ["source_id"] + columnsOfSources, conflict: update(columnsOfSources, of: "source_id"))

    /// The clause that gives a row of a known id its new values.
    private static func update(_ columns: [String], of id: String) -> String {
        "ON CONFLICT (\(id)) DO UPDATE SET " + columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    }

    private static let columnsOfRuns = [
        "device", "app", "pid", "profile", "os_version", "app_version", "started_ns", "ended_ns", "end_reason",
        "end_evidence", "first_seen_ns", "last_seen_ns", "next_seen_ns", "run_key", "source", "has_callbacks", "bundle",
        "reported_version", "end_detail", "silent_reason", "launch_cause",
    ]
    static let runs = BulkInsert(
        into: "raw_runs", ["run_id"] + columnsOfRuns, conflict: update(columnsOfRuns, of: "run_id"))
    static let instances = BulkInsert(
        into: "raw_instances",
        ["instance_id", "run", "layer", "model", "label", "first_step", "last_step", "printed_label"],
        conflict: """
            ON CONFLICT (instance_id) DO UPDATE SET run = excluded.run, layer = excluded.layer,
            model = excluded.model, label = excluded.label, printed_label = excluded.printed_label,
            first_step = coalesce(min(first_step, excluded.first_step), first_step, excluded.first_step),
            last_step = coalesce(max(last_step, excluded.last_step), last_step, excluded.last_step)
            """)

    static let steps = BulkInsert(into: "raw_steps", FirstLoad.stepColumns)
    /// What begins or ends with a step stays when it is revised.
    static let replacedSteps = BulkInsert(
        into: "raw_steps", FirstLoad.ownColumns,
        conflict: update(Array(FirstLoad.ownColumns.dropFirst()), of: "step_id"))
    static let lateSteps = BulkInsert("REPLACE", into: FirstLoad.lateSteps, FirstLoad.ownColumns)
    static let follows = BulkInsert(
        into: "raw_follows", ["log", "is_provisional", "previous", "next", "count"],
        conflict: "ON CONFLICT DO UPDATE SET count = count + excluded.count")

    static let suspensions = BulkInsert(
        "REPLACE", into: "raw_suspensions", ["suspension_id", "visit", "instance", "from_ns", "until_ns", "kind"])
    static let columnsOfFindings = [
        "finding_id", "kind", "run", "instance", "time_ns", "message", "repair", "source", "line", "step", "limit_ns",
        "taken_ns",
    ]
    static let findings = BulkInsert("REPLACE", into: "raw_findings", columnsOfFindings)
    static let scenarios = BulkInsert(
        "REPLACE", into: "raw_scenarios", ["first_step", "to_last", "kind", "ended_ns"])
    static let openScenarios = BulkInsert("REPLACE", into: "raw_open_scenarios", ["first_step", "log"])

    static let rejects = BulkInsert(
        "REPLACE", into: "raw_rejects", ["source", "byte_offset", "line", "is_provisional", "reason", "text"])
    static let dailyTotals = BulkInsert(
        into: "raw_daily_totals",
        ["source", "line", "is_provisional", "app", "app_version", "from_ns", "until_ns", "metric", "value", "unit"])
    static let documentedStates = BulkInsert(
        into: "raw_documented_states", ["model", "ordinal", "layer", "state", "title", "initial", "final"])
    static let documentedTransitions = BulkInsert(
        into: "raw_documented_transitions",
        ["model", "ordinal", "layer", "from_state", "to_state", "callbacks", "silent", "citation"])
}

/// A new SQLite file with tables of any schema, for other programs to read.
package final class TableFile {
    private let path: String
    private let connection: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// Makes the file and its tables, in one transaction until ``close()``. Nothing of it survives a crash.
    ///
    /// - Throws: ``StoreError``.
    package init(path: String, schema: String) throws {
        self.path = path
        var connection: OpaquePointer?
        let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard code == SQLITE_OK, let connection else {
            defer { sqlite3_close_v2(connection) }
            throw StoreError.database(path: path, reason: String(cString: sqlite3_errstr(code)))
        }
        self.connection = connection
        try run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; \(schema)")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(connection)
    }

    /// Adds a row to a table.
    package func insert(into table: String, _ values: [SQLValue]) throws {
        let statement = try statement(table, width: values.count)
        for (index, value) in values.enumerated() {
            var binder = RowBinder(statement: statement, index: Int32(index + 1))
            binder.value(value)
        }
        defer { sqlite3_reset(statement) }
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
    }

    /// Completes the file.
    package func close() throws { try run("COMMIT") }

    private func statement(_ table: String, width: Int) throws -> OpaquePointer {
        if let known = statements[table] { return known }
        var statement: OpaquePointer?
        let places = Array(repeating: "?", count: width).joined(separator: ",")
        let sql = "INSERT INTO \"\(table.replacing("\"", with: "\"\""))\" VALUES (\(places))"
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw failure
        }
        statements[table] = statement
        return statement
    }

    private func run(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private var failure: StoreError {
        StoreError.database(path: path, reason: String(cString: sqlite3_errmsg(connection)))
    }
}

/// The large tables of a database that is made at once: their rows are written as pages, which become part of the file at
/// the end. The other tables are written by SQL, without a journal, in one transaction.
///
/// Rows that replace others are few. They wait in a temporary table, and are written by SQL when the pages are in place.
final class FirstLoad {
    /// What the name of the file has in addition to that of the database.
    static let suffix = "-loading"
    static let pageSize = 16_384
    /// The columns of `raw_steps`: those that say what a step is, then what begins or ends with it.
    static let stepColumns = ownColumns + ["scenario", "to_last", "silence"]
    static let ownColumns = ["step_id", "kind", "dwell", "time", "instance", "to_opener", "line"]
    /// Steps that replace others, and the visits that are still open.
    static let lateSteps = "temp.late_steps"
    /// Indexes that nothing uses before all rows are there: made then, their pages are full.
    private static let lateIndexes = ["raw_instances_by_run", "raw_suspensions_by_visit", "raw_findings_by_run"]

    let steps: LeafSpool
    /// Written by SQL, the findings of logs that are read side by side would leave gaps on each other's pages.
    let findings: LeafSpool
    private let file: String

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "lifestats.load"
        configuration.foreignKeysEnabled = false
        // One from the beginning to the end.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA page_size = \(pageSize);
                    PRAGMA cache_size = -4096;
                    PRAGMA journal_mode = OFF;
                    PRAGMA synchronous = OFF;
                    PRAGMA temp_store = FILE;
                    """)
        }
        return configuration
    }

    static func begin(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TEMP TABLE late_steps (
                    step_id INTEGER PRIMARY KEY, kind, dwell, time, instance, to_opener, line, scenario, to_last, silence);
                BEGIN;
                """ + lateIndexes.map { "DROP INDEX \($0);" }.joined())
    }

    init(file: String, _ queue: DatabaseQueue) throws {
        self.file = file
        steps = try LeafSpool(path: "\(file)-steps", pageSize: Self.pageSize, columns: Self.stepColumns.count)
        findings = try LeafSpool(
            path: "\(file)-findings", pageSize: Self.pageSize, columns: Tables.columnsOfFindings.count)
    }

    /// Puts the pages into the database.
    func settle(_ db: Database) throws {
        // Others may only change the file while the connection is not using it. It notices that the file has changed.
        try db.execute(sql: "COMMIT")
        let pages = try PageFile(path: file)
        for (spool, table) in [(steps, "raw_steps"), (findings, "raw_findings")] {
            let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
            if let root = try Int64.fetchOne(db, sql: sql, arguments: [table]) {
                try TableTree.attach(spool, root: UInt32(root), to: pages)
            }
        }
        try pages.commit()
        let columns = Self.ownColumns.joined(separator: ", ")
        let revised = Self.ownColumns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        try db.execute(
            sql: """
                BEGIN;
                INSERT INTO raw_steps (\(columns)) SELECT \(columns) FROM \(Self.lateSteps) WHERE true ORDER BY step_id
                    ON CONFLICT (step_id) DO UPDATE SET \(revised);
                DELETE FROM \(Self.lateSteps);
                """ + Self.lateIndexes.compactMap(Schema.definition).joined(separator: ";"))
    }
}
