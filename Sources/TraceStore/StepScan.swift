/// A step as a scan hands it over: what one narrow row says.
package struct ScannedStep {
    package var kind: Int64
    /// Dwell of the ended visit, in nanoseconds.
    package var stay: Int64?
    /// Nanoseconds since 1970 UTC.
    package var time: Int64?
    package var instance: Int64
    package var line: Int64?
}

extension TraceReader {
    /// Goes once over all steps that end a visit or change a state; the fastest way to a figure that no summary has.
    package func scanSteps(_ body: (ScannedStep) -> Void) throws {
        let sql = "SELECT kind, stay, time, instance, line FROM raw_steps"
        try query(sql, limits: QueryLimits(timeout: nil)) { row in
            body(
                ScannedStep(
                    kind: row.integer(0) ?? 0, stay: row.integer(1), time: row.integer(2),
                    instance: row.integer(3) ?? 0, line: row.integer(4)))
        }
    }

    /// How the instances of a layer ended, by their last state and the end reason of their run. A run that ended by a
    /// line stands at the state that the line ended.
    ///
    /// - Parameter runs: condition on the columns of the view `runs`, named `r`; parameters as in named queries.
    package func endings(
        layer: String, runs: String, parameters: [String: SQLValue]
    ) throws -> [(state: String, reason: String, count: Int64)] {
        let sql = """
            SELECT k.state_before, r.end_reason, count(*)
            FROM raw_instances AS i JOIN runs AS r ON r.run_id = i.run
            JOIN raw_steps AS s ON s.step_id = coalesce(
                (SELECT t.step_id FROM raw_steps AS t WHERE t.step_id = -i.instance_id),
                CASE WHEN i.layer = 'app' THEN i.last_step END)
            JOIN raw_kinds AS k ON k.kind_id = s.kind
            WHERE i.layer = $layer AND k.is_visit AND (\(runs))
            GROUP BY k.state_before, r.end_reason
            ORDER BY k.state_before, r.end_reason
            """
        var values = parameters
        values["layer"] = .text(layer)
        var result: [(state: String, reason: String, count: Int64)] = []
        try query(sql, parameters: values, limits: QueryLimits(timeout: nil)) { row in
            result.append((row.text(0) ?? "", row.text(1) ?? "", row.integer(2) ?? 0))
        }
        return result
    }
}
