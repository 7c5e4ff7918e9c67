import GRDB

/// The highest row ids that are taken.
struct KnownRows {
    var step: Int64 = 0
    var run: Int64 = 0
    var instance: Int64 = 0
    var source: Int64 = 0

    init() {}

    init(_ db: Database) throws {
        step = try Int64.fetchOne(db, sql: "SELECT max(step_id) FROM raw_steps") ?? 0
        run = try Int64.fetchOne(db, sql: "SELECT max(run_id) FROM raw_runs") ?? 0
        instance = try Int64.fetchOne(db, sql: "SELECT max(instance_id) FROM raw_instances") ?? 0
        source = try Int64.fetchOne(db, sql: "SELECT max(source_id) FROM raw_sources") ?? 0
        // The rows of open visits have negative ids.
        step = max(step, 0)
    }
}
