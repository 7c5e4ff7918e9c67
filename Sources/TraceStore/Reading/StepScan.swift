package import TraceRecords

/// A step as a scan of all of them gives it.
package struct ScannedStep: Sendable {
    package var instance: Int64
    /// Row id of its kind.
    package var kind: Int64
    /// Nanoseconds since 1970 UTC.
    package var time: Int64?
    /// Dwell of the visit that it ends, in nanoseconds; its lower bound when that is censored.
    package var dwell: Int64?
    package var source: Int64?
    package var line: Int64?
    /// Whether it is the visit that an instance was left in, and not a step.
    package var isTail: Bool
}

extension TraceReader {
    /// The kinds of steps, by row id.
    package func kinds() throws -> [Int64: StepKind] {
        var kinds: [Int64: StepKind] = [:]
        try query(
            """
            SELECT kind_id, role, model, layer, kind, callback, proves, state_before, state_after, verdict
            FROM raw_kinds
            """, limits: .scan
        ) { row in
            guard let id = row.integer(0), let model = row.text(2), let layer = row.text(3), let kind = row.text(4)
            else {
                return
            }
            kinds[id] = StepKind(
                role: row.text(1).flatMap(StepKind.Role.init) ?? .derived, model: model, layer: layer, kind: kind,
                callback: row.text(5), proves: row.text(6).flatMap(Proof.init), stateBefore: row.text(7),
                stateAfter: row.text(8), verdict: row.text(9).flatMap(Verdict.init))
        }
        return kinds
    }

    /// Hands over every step in the order of the log: one pass over one table, without a join.
    package func scanSteps(_ body: (ScannedStep) throws -> Void) throws {
        var sources: [Int64: Int64] = [:]
        try query("SELECT block_id, source FROM raw_blocks", limits: .scan) {
            sources[$0.integer(0) ?? 0] = $0.integer(1)
        }
        var (block, source) = (Int64.min, Int64?.none)
        try forEachStep(columns: 7) { step, row in
            guard let kind = row[1], let instance = row[4] else { return }
            if Block.of(step) != block { (block, source) = (Block.of(step), sources[Block.of(step)]) }
            try body(
                ScannedStep(
                    instance: instance, kind: kind, time: row[3], dwell: row[2], source: source, line: row[6],
                    isTail: step < 0))
        }
    }

    /// Hands over the steps in the order of their ids, with the first columns of their table: see
    /// ``FirstLoad/stepColumns``. That of the id itself says nothing.
    func forEachStep(columns: Int, _ body: (_ id: Int64, _ columns: TableWalk.Columns) throws -> Void) throws {
        if let walk = TableWalk("raw_steps", of: connection) {
            return try withoutStatement { mayGoOn in
                try walk.forEachRow(columns: columns, page: mayGoOn, body)
            }
        }
        let values = TableWalk.Columns.allocate(capacity: columns)
        values.initialize(repeating: nil)
        defer { values.deallocate() }
        let names = FirstLoad.stepColumns.prefix(columns).joined(separator: ", ")
        try query("SELECT \(names) FROM raw_steps ORDER BY step_id", limits: .scan) { row in
            for column in values.indices { values[column] = row.integer(column) }
            try body(row.integer(0) ?? 0, values)
        }
    }

    /// Hands over row id of the kind, dwell and end (both in nanoseconds) of every visit that has them: one pass over one
    /// table.
    package func scanStays(_ body: (_ kind: Int64, _ dwell: Int64, _ left: Int64) -> Void) throws {
        try forEachStep(columns: 4) { _, row in
            if let kind = row[1], let dwell = row[2], let left = row[3] { body(kind, dwell, left) }
        }
    }

    /// How the instances of a layer ended, by their last state and the end reason of their run. A run that a line
    /// ended counts at the state that the line ended.
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
            WHERE i.layer = $layer AND i.own_run IS NULL AND k.is_visit AND (\(runs))
            GROUP BY k.state_before, r.end_reason
            ORDER BY k.state_before, r.end_reason
            """
        var values = parameters
        values["layer"] = .text(layer)
        var result: [(state: String, reason: String, count: Int64)] = []
        try query(sql, parameters: values, limits: .scan) { row in
            result.append((row.text(0) ?? "", row.text(1) ?? "", row.integer(2) ?? 0))
        }
        return result
    }
}
