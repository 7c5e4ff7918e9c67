import GRDB
import GRDBSQLite
import TraceRecords

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
        try shard.query("SELECT name FROM pragma_table_info('\(table.name)') ORDER BY cid") {
            names.append($0.text(0) ?? "")
        }
        self.names = names
        rules = names.map { table.rules[$0] }
        let column = names.firstIndex(of: table.owner) ?? 0
        owner = (column, rules[column] ?? .log)
    }

    /// - Parameters:
    ///   - load: where the large tables are written as pages.
    ///   - checkpoint: called now and then.
    func run(into load: FirstLoad?, _ db: Database, checkpoint: () throws -> Void) throws {
        try checkpoint()
        let spool: LeafSpool? =
            switch table.name {
            case "raw_steps": load?.steps
            case "raw_scenarios": load?.scenarios
            case "raw_silences": load?.silences
            default: nil
            }
        guard let spool else { return try insert(into: table.name, "", db, checkpoint) }
        // Open visits have negative ids, far from the others.
        if table.name == "raw_steps" { try insert(into: FirstLoad.lateSteps, "WHERE step_id < 0", db, checkpoint) }
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
        try shard.query("SELECT * FROM \(table.name) \(condition)", limits: .scan) { row in
            count += 1
            if count & Self.mask == 0 { try checkpoint() }
            if !isWhole, let number = row.integer(owner.column), selection.drops(number, owner.rule) { return }
            try body(row)
        }
    }

    /// Rows between two checkpoints, less one.
    private static let mask = 1 << 16 - 1
}
