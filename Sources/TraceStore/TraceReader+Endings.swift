extension TraceReader {
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
