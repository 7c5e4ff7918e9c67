import GRDB

extension TraceWriter {
    /// Removes sources: their rows, rejects and totals. Runs with lines of them are the caller's to forget or to derive
    /// again, which is why this throws while there are any.
    ///
    /// - Throws: ``StoreError/database(path:reason:)`` while steps or signs of life of the sources are stored.
    package func forget(sources: Set<Int32>) throws {
        // Numbers need no quotes, and may be more than a statement takes arguments.
        let these = "(\(sources.map(String.init).joined(separator: ", ")))"
        try transaction { db in
            let runs = try Self.runs(ofSources: these, in: db)
            guard runs.isEmpty else {
                throw StoreError.database(path: path, reason: "\(runs.count) runs still have lines of sources \(these)")
            }
            for table in ["raw_rejects", "raw_daily_totals", "raw_early_life", "raw_witnesses", "raw_copy_keys"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE source IN \(these)")
            }
            try db.execute(sql: "DELETE FROM raw_sources WHERE source_id IN \(these)")
        }
    }

    /// The runs that have an event or a sign of life in a source.
    package func runs(ofSource source: Int32) throws -> [Int64] {
        try read { try Self.runs(ofSources: "(\(source))", in: $0) }
    }

    private static func runs(ofSources these: String, in db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db,
            sql: """
                SELECT i.run FROM raw_steps AS s JOIN raw_instances AS i ON i.instance_id = s.instance
                WHERE s.source IN \(these)
                UNION SELECT run FROM raw_life WHERE source IN \(these)
                UNION SELECT run_id FROM raw_runs WHERE source IN \(these)
                ORDER BY 1
                """)
    }

    /// Removes runs with everything that came from them.
    func forget(runs: [Int64], in db: Database) throws {
        try select(runs: runs, in: db)
        let mine = "instance IN (SELECT instance_id FROM temp.chosen_instances)"
        for span in try spansOfChosen(in: db) {
            let range = "BETWEEN \(span.first) AND \(span.last) AND \(mine)"
            var gone = DwellLedger.Rows(sign: -1)
            let rows = try Row.fetchCursor(
                db, sql: "SELECT kind, stay, instance FROM raw_steps WHERE step_id \(range)")
            while let row = try rows.next() {
                try gone.add(
                    row.value(1), kind: row.value(0), instance: row.value(2), isVisit: kinds.areVisits(row.value(0)),
                    in: db)
            }
            try gone.store(in: db)
            try FollowLedger.takeBack(steps: range, in: db)
            try db.execute(
                sql: """
                    UPDATE raw_sources SET events = raw_sources.events - gone.events FROM (
                        SELECT s.source, count(*) AS events FROM raw_steps AS s JOIN raw_kinds AS k ON k.kind_id = s.kind
                        WHERE k.is_event AND s.step_id \(range) GROUP BY s.source
                    ) AS gone WHERE gone.source = source_id;
                    DELETE FROM raw_messages WHERE step IN (SELECT step_id FROM raw_steps WHERE step_id \(range));
                    DELETE FROM raw_other_names WHERE step IN (SELECT step_id FROM raw_steps WHERE step_id \(range)
                        UNION ALL SELECT -step_id FROM raw_steps WHERE step_id \(range));
                    DELETE FROM raw_suspensions WHERE visit \(range);
                    DELETE FROM raw_scenarios WHERE first_step BETWEEN \(span.first) AND \(span.last)
                        AND run IN (SELECT run_id FROM temp.chosen_runs);
                    DELETE FROM raw_steps WHERE step_id \(range);
                    """)
        }
        try db.execute(
            sql: """
                DELETE FROM raw_suspensions WHERE visit IN (SELECT -instance_id FROM temp.chosen_instances);
                DELETE FROM raw_steps WHERE step_id IN (SELECT -instance_id FROM temp.chosen_instances);
                DELETE FROM raw_instances WHERE instance_id IN (SELECT instance_id FROM temp.chosen_instances);
                """)
        for table in ["raw_life", "raw_findings"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE run IN (SELECT run_id FROM temp.chosen_runs)")
        }
        try db.execute(sql: "DELETE FROM raw_runs WHERE run_id IN (SELECT run_id FROM temp.chosen_runs)")
    }

    /// Fills the temporary tables `chosen_runs` and `chosen_instances`.
    func select(runs: [Int64], in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TEMP TABLE IF NOT EXISTS chosen_runs (run_id INTEGER PRIMARY KEY);
                CREATE TEMP TABLE IF NOT EXISTS chosen_instances (instance_id INTEGER PRIMARY KEY);
                DELETE FROM temp.chosen_runs;
                DELETE FROM temp.chosen_instances;
                """)
        try BulkInsert("REPLACE", into: "temp.chosen_runs", ["run_id"]).insert(runs, in: db) { $1.integer($0) }
        try db.execute(
            sql: """
                INSERT INTO temp.chosen_instances SELECT instance_id FROM raw_instances
                WHERE run IN (SELECT run_id FROM temp.chosen_runs)
                """)
    }

    /// The ranges of step ids in which the chosen instances have their steps, merged where they overlap.
    func spansOfChosen(in db: Database) throws -> [StepSpans.Span] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT first_step, last_step FROM raw_instances
                WHERE instance_id IN (SELECT instance_id FROM temp.chosen_instances) AND first_step IS NOT NULL
                ORDER BY first_step
                """)
        var spans: [StepSpans.Span] = []
        while let row = try rows.next() {
            let span = try StepSpans.Span(first: row.value("first_step"), last: row.value("last_step"))
            if let previous = spans.last, span.first - 1 <= previous.last {
                spans[spans.count - 1].last = max(previous.last, span.last)
            } else {
                spans.append(span)
            }
        }
        return spans
    }
}
