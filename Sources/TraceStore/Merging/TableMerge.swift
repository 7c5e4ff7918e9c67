import GRDB
import GRDBSQLite

/// Copies the rows of one table of a shard, one at a time.
struct TableMerge {
    private let table: MergedTable
    private let shard: TraceReader
    private let numbers: ShardNumbers
    private let selection: ShardSelection
    private let names: [String]
    /// What becomes of each column; `nil` where the value stays.
    private let rules: [MergedTable.Rule?]
    /// The column that says whose a row is, and what is in it.
    private let owner: (column: Int, rule: MergedTable.Rule)

    init(_ table: MergedTable, _ shard: TraceReader, _ numbers: ShardNumbers, _ selection: ShardSelection) throws {
        self.table = table
        self.shard = shard
        self.numbers = numbers
        self.selection = selection
        var names: [String] = []
        try shard.query("SELECT * FROM \(table.name) LIMIT 0", columns: { names = $0 }, row: { _ in })
        self.names = names
        rules = names.map { table.rules[$0] }
        let column = names.firstIndex(of: table.owner) ?? 0
        owner = (column, rules[column] ?? .log)
    }

    /// - Parameters:
    ///   - load: where the steps are written as pages.
    ///   - checkpoint: called now and then.
    func run(into load: FirstLoad?, _ db: Database, checkpoint: () throws -> Void) throws {
        try checkpoint()
        guard table.name == "raw_steps", let spool = load?.steps else {
            return try insert(into: table.name, "", db, checkpoint)
        }
        // Open visits have negative ids, far from the others.
        try insert(into: FirstLoad.lateSteps, "WHERE step_id < 0", db, checkpoint)
        let width = names.count
        try forEach("WHERE \(names[0]) > 0", checkpoint) { row in
            guard let id = row.integer(0) else { return }
            var failure: (any Error)?
            try spool.add(numbers.number(id, .row)) { record in
                for column in 1..<width {
                    do {
                        record.integer(try value(row, column))
                    } catch {
                        failure = error
                    }
                }
            }
            if let failure { throw failure }
        }
    }

    private func insert(into name: String, _ condition: String, _ db: Database, _ checkpoint: () throws -> Void) throws
    {
        let places = names.map { _ in "?" }.joined(separator: ", ")
        let handle = try db.cachedStatement(sql: "INSERT INTO \(name) VALUES (\(places))").sqliteStatement
        try forEach(condition, checkpoint) { row in
            for (column, rule) in rules.enumerated() {
                let index = Int32(column + 1)
                switch rule {
                case nil: sqlite3_bind_value(handle, index, sqlite3_column_value(row.statement, Int32(column)))
                case .fresh, .null: sqlite3_bind_null(handle, index)
                default:
                    if let number = try value(row, column) {
                        sqlite3_bind_int64(handle, index, number)
                    } else {
                        sqlite3_bind_null(handle, index)
                    }
                }
            }
            let code = sqlite3_step(handle)
            sqlite3_reset(handle)
            guard code == SQLITE_DONE else {
                throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
            }
        }
    }

    /// The number that a column has in the end.
    @inline(__always)
    private func value(_ row: ResultRow, _ column: Int) throws -> Int64? {
        guard let number = row.integer(column) else { return nil }
        guard let rule = rules[column] else { return number }
        return try numbers.number(number, rule, isOpenVisit: row.integer(owner.column) ?? 0 < 0)
    }

    private func forEach(
        _ condition: String, _ checkpoint: () throws -> Void, _ body: (ResultRow) throws -> Void
    ) throws {
        let isWhole = selection.droppedLogs.isEmpty
        var count = 0
        try shard.query("SELECT * FROM \(table.name) \(condition)") { row in
            count += 1
            if count & Self.mask == 0 { try checkpoint() }
            if !isWhole, let number = row.integer(owner.column), selection.drops(number, owner.rule) { return }
            try body(row)
        }
    }

    /// Rows between two checkpoints, less one.
    private static let mask = 1 << 16 - 1
}

/// A table whose rows move from a shard into the database that shards are merged into, and what becomes of its numbers.
struct MergedTable {
    /// What becomes of the numbers in a column. All others stay as they are.
    enum Rule {
        /// A row id, `block << 16 | number`; the open visit of an instance has the negative id.
        case row
        /// The distance to the step that began a visit; of an open one, whose id is negative, both ends move.
        case opener
        case block, log, source
        /// Numbers of kinds.
        case kind, callback, suspensionKind, findingKind, scenarioKind
        /// The database gives a new number.
        case fresh
        /// Not taken over.
        case null
    }

    var name: String
    /// The column that says which log a row belongs to: a row id, a block, a source or a log.
    var owner: String
    var rules: [String: Rule]

    /// The tables, in the order in which they are filled. The rows of the others are made anew: what is interned or
    /// documented, and the kept answers.
    static let all = [
        // Without the state of the replay, which has ids in it: a log that continues is derived again.
        MergedTable(name: "raw_logs", owner: "log_id", rules: ["log_id": .log, "state": .null]),
        MergedTable(name: "raw_sources", owner: "source_id", rules: ["source_id": .source, "log": .log]),
        MergedTable(name: "raw_facts", owner: "source", rules: ["facts_id": .fresh, "source": .source]),
        MergedTable(
            name: "raw_blocks", owner: "block_id", rules: ["block_id": .block, "log": .log, "source": .source]),
        MergedTable(name: "raw_rejects", owner: "source", rules: ["source": .source]),
        MergedTable(
            name: "raw_runs", owner: "run_id",
            rules: ["run_id": .row, "source": .source, "attached_run": .row, "witness": .row]),
        MergedTable(
            name: "raw_instances", owner: "instance_id",
            rules: ["instance_id": .row, "run": .row, "first_step": .row, "last_step": .row, "own_run": .row]),
        MergedTable(
            name: "raw_steps", owner: "step_id",
            rules: [
                "step_id": .row, "kind": .kind, "instance": .row, "to_opener": .opener, "scenario": .scenarioKind,
                "silence": .suspensionKind,
            ]),
        MergedTable(
            name: "raw_attached_steps", owner: "step_id", rules: ["step_id": .row, "kind": .kind, "instance": .row]),
        MergedTable(
            name: "raw_suspensions", owner: "suspension_id",
            rules: ["suspension_id": .row, "visit": .row, "instance": .row, "kind": .suspensionKind]),
        MergedTable(
            name: "raw_findings", owner: "finding_id",
            rules: [
                "finding_id": .row, "kind": .findingKind, "run": .row, "instance": .row, "source": .source,
                "step": .row,
            ]),
        MergedTable(name: "raw_scenarios", owner: "first_step", rules: ["first_step": .row, "kind": .scenarioKind]),
        MergedTable(name: "raw_open_scenarios", owner: "first_step", rules: ["first_step": .row, "log": .log]),
        MergedTable(name: "raw_messages", owner: "step", rules: ["step": .row]),
        MergedTable(name: "raw_daily_totals", owner: "source", rules: ["source": .source]),
        MergedTable(name: "raw_follows", owner: "log", rules: ["log": .log, "previous": .callback, "next": .callback]),
    ]

    /// Tables that are filled in other ways.
    static let others = [
        "raw_settings", "raw_kinds", "raw_suspension_kinds", "raw_finding_kinds", "raw_scenario_kinds",
        "raw_documented_states", "raw_documented_transitions", "raw_answers_state", "raw_dwell_answers",
        "raw_transition_answers",
    ]
}
