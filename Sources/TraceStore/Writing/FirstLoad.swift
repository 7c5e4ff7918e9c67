import GRDB

/// The large tables of a database that is made at once: their rows are written as pages, which become part of the file at
/// the end. The other tables are written by SQL, without a journal, in one transaction.
///
/// Rows that replace others are few. They wait in a temporary table, and are written by SQL when the pages are in place.
final class FirstLoad {
    /// What the name of the file has in addition to that of the database.
    static let suffix = "-loading"
    static let pageSize = 16_384
    /// The columns of `raw_steps`.
    static let stepColumns = ["step_id", "kind", "dwell", "time", "instance", "to_opener", "line"]
    /// Steps that replace others, and the visits that are still open.
    static let lateSteps = "temp.late_steps"

    let steps: LeafSpool
    let scenarios: LeafSpool
    let silences: LeafSpool
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
                    step_id INTEGER PRIMARY KEY, kind, dwell, time, instance, to_opener, line);
                BEGIN;
                """)
    }

    init(file: String, _ queue: DatabaseQueue) throws {
        self.file = file
        func spool(_ name: String, columns: Int) throws -> LeafSpool {
            try LeafSpool(path: "\(file)-\(name)", pageSize: Self.pageSize, columns: columns)
        }
        steps = try spool("steps", columns: Self.stepColumns.count)
        scenarios = try spool("scenarios", columns: 4)
        silences = try spool("silences", columns: 2)
    }

    /// Puts the pages into the database.
    func settle(_ db: Database) throws {
        // Others may only change the file while the connection is not using it. It notices that the file has changed.
        try db.execute(sql: "COMMIT")
        let pages = try PageFile(path: file)
        for (table, spool) in [("raw_steps", steps), ("raw_scenarios", scenarios), ("raw_silences", silences)] {
            let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
            guard let root = try Int64.fetchOne(db, sql: sql, arguments: [table]) else { continue }
            try TableTree.attach(spool, root: UInt32(root), to: pages)
        }
        try pages.commit()
        try db.execute(
            sql: """
                BEGIN;
                REPLACE INTO raw_steps SELECT * FROM \(Self.lateSteps) ORDER BY step_id;
                DELETE FROM \(Self.lateSteps);
                """)
    }
}
