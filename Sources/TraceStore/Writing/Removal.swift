import GRDB
import TraceRecords

/// What is deleted: the derived rows of a log by their blocks, and facts by their source.
extension TraceWriter {
    /// Deletes the rows that follow from a log ending where it does, before reading continues.
    ///
    /// - Parameter sources: those that are read on; see ``settleLastEntries(log:rereading:except:)``.
    @discardableResult
    package func deleteProvisional(log: Int32, rereading sources: [Int32]) throws -> RemovedRows {
        var removed = RemovedRows()
        try transaction { db in
            removed = try deleteRows(ofLog: log, "AND is_provisional", in: db)
            try db.execute(sql: "DELETE FROM raw_follows WHERE log = ? AND is_provisional", arguments: [log])
            try settleLastEntries(log: log, rereading: sources)
        }
        return removed
    }

    /// Decides on the facts of last entries, with rejects and totals: of sources that are read on they are deleted, because
    /// they are read again; those of the others are stable from now on, because another source follows.
    ///
    /// - Parameter last: the source that is still the last one and is not read on: its facts stay as they are.
    package func settleLastEntries(log: Int32, rereading sources: [Int32], except last: Int32? = nil) throws {
        try transaction { db in
            for table in ["raw_facts", "raw_rejects", "raw_daily_totals"] {
                for source in sources {
                    try db.execute(sql: "DELETE FROM \(table) WHERE source = ? AND is_provisional", arguments: [source])
                }
                try db.execute(
                    sql: """
                        UPDATE \(table) SET is_provisional = 0
                        WHERE is_provisional AND source IS NOT ?
                            AND source IN (SELECT source_id FROM raw_sources WHERE log = ?)
                        """, arguments: [last, log])
            }
        }
    }

    /// Deletes all derived rows of a log and the state of its replay. Facts, rejects and totals stay.
    @discardableResult
    package func deleteDerived(log: Int32) throws -> RemovedRows {
        var removed = RemovedRows()
        try transaction { db in
            removed = try deleteRows(ofLog: log, "", in: db)
            try db.execute(
                sql: """
                    DELETE FROM raw_follows WHERE log = :log;
                    UPDATE raw_logs SET state = NULL WHERE log_id = :log;
                    """, arguments: ["log": log])
        }
        return removed
    }

    /// Deletes the facts of a source, with rejects and totals, provisional ones included.
    package func deleteFacts(ofSource source: Int32) throws {
        try transaction { db in
            for table in ["raw_facts", "raw_rejects", "raw_daily_totals"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE source = ?", arguments: [source])
            }
        }
    }

    /// Deletes sources. The derived rows of their logs must have been deleted. A log without sources goes too.
    package func remove(sources: [Int32]) throws {
        try transaction { db in
            for source in sources {
                try deleteFacts(ofSource: source)
                try db.execute(sql: "DELETE FROM raw_sources WHERE source_id = ?", arguments: [source])
            }
            try db.execute(sql: "DELETE FROM raw_logs WHERE log_id NOT IN (SELECT log FROM raw_sources)")
        }
    }

    /// Tables whose rows are in the blocks of a log, and their ids.
    private static let blockTables = [
        ("raw_steps", "step_id"), ("raw_suspensions", "suspension_id"), ("raw_findings", "finding_id"),
        ("raw_scenarios", "first_step"), ("raw_messages", "step"),
        ("raw_instances", "instance_id"), ("raw_runs", "run_id"), ("raw_attached_steps", "step_id"),
    ]

    /// More blocks than any batch has.
    private static let mostEventsOfBlock: Int64 = 1 << 32

    private func deleteRows(ofLog log: Int32, _ condition: String, in db: Database) throws -> RemovedRows {
        try settle()
        var removed = RemovedRows()
        let blocks = try Row.fetchAll(
            db, sql: "SELECT block_id, events FROM raw_blocks WHERE log = ? \(condition)", arguments: [log])
        // The replay that continues from here numbers its kinds from 0.
        known.kindsOfLogs[log] = nil
        if !blocks.isEmpty {
            known.hasNewSteps = true
            try db.execute(sql: "UPDATE raw_answers_state SET is_current = 0")
        }
        for block in blocks {
            let ids = Block.ids(try block.value(0))
            let events: Int64 = try block.value(1)
            guard (0...Self.mostEventsOfBlock).contains(events) else {
                throw DamagedRow(description: "a block has \(events) events")
            }
            removed.events += events
            try count(ids, in: db, &removed)
            for (table, id) in Self.blockTables {
                try db.cachedStatement(sql: "DELETE FROM \(table) WHERE \(id) >= ? AND \(id) < ?")
                    .execute(arguments: [ids.lowerBound, ids.upperBound])
            }
            // The visits that were still open.
            for table in ["raw_steps", "raw_attached_steps"] {
                try db.cachedStatement(sql: "DELETE FROM \(table) WHERE step_id <= ? AND step_id > ?")
                    .execute(arguments: [-ids.lowerBound, -ids.upperBound])
            }
        }
        try db.execute(sql: "DELETE FROM raw_blocks WHERE log = ? \(condition)", arguments: [log])
        try db.execute(
            sql: """
                DELETE FROM raw_scenarios WHERE first_step IN
                    (SELECT first_step FROM raw_open_scenarios WHERE log = :log);
                DELETE FROM raw_open_scenarios WHERE log = :log;
                """, arguments: ["log": log])
        return removed
    }

    /// Counts what an ingest counts in a block, and notes the devices. Runs that are evidence about others do not count.
    private func count(_ ids: Range<Int64>, in db: Database, _ removed: inout RemovedRows) throws {
        let runs = try db.cachedStatement(
            sql: """
                SELECT device, sum(attached_run IS NULL) FROM raw_runs WHERE run_id >= ? AND run_id < ? GROUP BY device
                """)
        for row in try Row.fetchAll(runs, arguments: [ids.lowerBound, ids.upperBound]) {
            known.devices.insert(try row.value(0) as String? ?? "")
            removed.runs += try row.value(1) as Int64
        }
        // Those of evidence and of runs that it is about may differ.
        let others = try db.cachedStatement(
            sql: """
                SELECT DISTINCT coalesce(w.device, '') FROM raw_runs AS r
                JOIN raw_runs AS w ON w.run_id IN (r.attached_run, r.witness) WHERE r.run_id >= ? AND r.run_id < ?
                """)
        try known.devices.formUnion(String.fetchAll(others, arguments: [ids.lowerBound, ids.upperBound]))
        try countFindings(
            "f.finding_id >= ? AND f.finding_id < ? AND r.attached_run IS NULL AND (NOT k.awaits_end OR ends_by(w))",
            [ids.lowerBound, ids.upperBound], in: db, &removed)
    }

    /// Counts findings by their severity.
    ///
    /// - Parameters:
    ///   - condition: which, by the row `f`, its kind `k`, its run `r` and the run `w` that shows the end of that.
    ///   - sign: -1 for those that are shown from now on.
    func countFindings(
        _ condition: String, _ arguments: StatementArguments, sign: Int64 = 1, in db: Database,
        _ removed: inout RemovedRows
    ) throws {
        let findings = try db.cachedStatement(
            sql: Schema.expand(
                """
                SELECT k.severity, count(*) FROM raw_findings AS f JOIN raw_finding_kinds AS k ON k.kind_id = f.kind
                LEFT JOIN raw_runs AS r ON r.run_id = f.run LEFT JOIN raw_runs AS w ON w.run_id = r.witness
                WHERE \(condition) GROUP BY k.severity
                """))
        for row in try Row.fetchAll(findings, arguments: arguments) {
            guard let severity = Severity(rawValue: try row.value(0)) else { continue }
            removed.findings[severity, default: 0] += sign * (try row.value(1) as Int64)
        }
    }
}
