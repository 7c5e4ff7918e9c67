extension Verifier {
    /// Sums up the other tables, and checks what they say of visits and runs.
    mutating func readDetails() throws {
        let tables: [(name: StaticString, sql: String)] = [
            (
                "run",
                """
                SELECT run_key, device, app, pid, profile, os_version, coalesce(app_version, reported_version),
                    started_ns, ended_ns, end_reason, end_evidence, first_seen_ns, last_seen_ns, next_seen_ns
                FROM raw_runs
                """
            ),
            (
                "suspension",
                """
                SELECT r.run_key, i.layer, i.label, p.from_ns, p.until_ns, k.evidence, k.basis
                FROM raw_suspensions AS p JOIN raw_suspension_kinds AS k ON k.kind_id = p.kind
                JOIN raw_instances AS i ON i.instance_id = p.instance JOIN raw_runs AS r ON r.run_id = i.run
                """
            ),
            (
                "finding",
                """
                SELECT r.run_key, i.label, f.layer, f.rule, f.deviation, f.severity, f.time_ns
                FROM raw_findings AS f JOIN raw_runs AS r ON r.run_id = f.run
                LEFT JOIN raw_instances AS i ON i.instance_id = f.instance
                """
            ),
            (
                "scenario",
                """
                SELECT r.run_key, c.scenario, c.class, c.started_ns, c.ended_ns
                FROM scenarios AS c JOIN raw_runs AS r ON r.run_id = c.run_id
                """
            ),
            ("reject", "SELECT text FROM raw_rejects"),
            ("total", "SELECT app, app_version, from_ns, until_ns, metric, value, unit FROM raw_daily_totals"),
        ]
        for table in tables {
            try each(table.sql) { result, row in
                var hash = RowHash(table.name)
                for column in 0..<row.count { hash.add(row.text(column)) }
                result.digest.add(hash)
            }
        }
        try checkDetails()
    }

    private mutating func checkDetails() throws {
        try each("SELECT run_id FROM raw_runs WHERE end_evidence = 'inferred' AND ended_ns IS NOT NULL") {
            $0.report("marking", "run \($1.integer(0) ?? 0) has a time of its end, although that is only inferred")
        }
        // Where the clock went back before the visit ended, the line that ended the suspension has a later time. It may
        // be one of another log of the device, of which no run of its own need tell.
        let outside = """
            SELECT v.visit_id FROM visits AS v CROSS JOIN raw_suspensions AS p ON p.visit = v.visit_id
            WHERE p.from_ns < v.entered_ns OR p.until_ns < p.from_ns OR p.instance <> v.instance_id
                OR (p.until_ns > v.left_ns
                    AND NOT EXISTS (SELECT 1 FROM raw_life AS l WHERE l.run = v.run_id AND l.from_ns = p.until_ns)
                    AND NOT EXISTS (
                        SELECT 1 FROM raw_instances AS i CROSS JOIN raw_steps AS s
                            ON s.step_id BETWEEN i.first_step AND i.last_step AND s.instance = i.instance_id
                        WHERE i.run = v.run_id AND s.time = p.until_ns)
                    AND NOT EXISTS (
                        SELECT 1 FROM raw_life AS l JOIN raw_runs AS r ON r.run_id = l.run
                        WHERE p.until_ns BETWEEN l.from_ns AND l.until_ns AND r.device = v.device)
                    AND NOT EXISTS (
                        SELECT 1 FROM raw_early_life AS l
                        WHERE p.until_ns BETWEEN l.from_ns AND l.until_ns AND l.device = v.device))
            """
        try each(outside) {
            $0.report("suspensions", "a suspension of visit \($1.integer(0) ?? 0) lies outside of it")
        }
        let orphans = """
            SELECT p.visit FROM raw_suspensions AS p LEFT JOIN raw_steps AS s ON s.step_id = p.visit
            WHERE p.visit > 0 AND s.step_id IS NULL
            """
        try each(orphans) {
            $0.report("suspensions", "a suspension belongs to visit \($1.integer(0) ?? 0), which does not exist")
        }
    }
}
