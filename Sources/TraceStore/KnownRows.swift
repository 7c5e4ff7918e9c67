import GRDB

/// The highest row ids that are taken.
struct KnownRows {
    var step: Int64 = 0
    var run: Int64 = 0
    var instance: Int64 = 0
    var source: Int64 = 0

    /// More rows than any database has; beyond it ids could not be counted on.
    private static let most: Int64 = 1 << 62

    init() {}

    init(_ db: Database) throws {
        step = try Int64.fetchOne(db, sql: "SELECT max(step_id) FROM raw_steps") ?? 0
        run = try Int64.fetchOne(db, sql: "SELECT max(run_id) FROM raw_runs") ?? 0
        instance = try Int64.fetchOne(db, sql: "SELECT max(instance_id) FROM raw_instances") ?? 0
        source = try Int64.fetchOne(db, sql: "SELECT max(source_id) FROM raw_sources") ?? 0
        // The rows of open visits have negative ids.
        step = max(step, 0)
        try Self.check(step, below: Self.most, "raw_steps")
        try Self.check(run, below: Self.most, "raw_runs")
        try Self.check(instance, below: Self.most, "raw_instances")
        try Self.check(source, below: Int64(Int32.max), "raw_sources")
        for (table, id) in [("raw_runs", "run_id"), ("raw_instances", "instance_id"), ("raw_sources", "source_id")] {
            try Self.check(Int64.fetchOne(db, sql: "SELECT min(\(id)) FROM \(table)") ?? 1, below: .max, table)
        }
    }

    private static func check(_ id: Int64, below most: Int64, _ table: String) throws {
        guard id >= 0, id < most else { throw DamagedRow(description: "a row of \(table) has the id \(id)") }
    }
}
