package import TraceRecords

/// A step as a scan of all of them gives it.
package struct ScannedStep: Sendable {
    package var instance: Int64
    /// Row id of its kind.
    package var kind: Int64
    /// Nanoseconds since 1970 UTC.
    package var time: Int64?
    /// Dwell of the visit that it ends, in nanoseconds; its lower bound when that is censored.
    package var stay: Int64?
    package var source: Int64?
    package var line: Int64?
    /// Whether it is the visit that an instance was left in, and no step.
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
            """, limits: QueryLimits(timeout: nil)
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
        try query(
            "SELECT step_id, instance, kind, time, source, line, stay FROM raw_steps ORDER BY step_id",
            limits: QueryLimits(timeout: nil)
        ) { row in
            guard let step = row.integer(0), let instance = row.integer(1), let kind = row.integer(2) else { return }
            try body(
                ScannedStep(
                    instance: instance, kind: kind, time: row.integer(3), stay: row.integer(6), source: row.integer(4),
                    line: row.integer(5),
                    isTail: step < 0))
        }
    }

    /// Hands over row id of the kind, dwell and end (both in nanoseconds) of every stay that has them: one pass over one
    /// table.
    package func scanStays(_ body: (_ kind: Int64, _ dwell: Int64, _ left: Int64) -> Void) throws {
        try query(
            "SELECT kind, stay, time FROM raw_steps WHERE stay IS NOT NULL AND time IS NOT NULL",
            limits: QueryLimits(timeout: nil)
        ) { row in
            guard let kind = row.integer(0), let dwell = row.integer(1), let left = row.integer(2) else { return }
            body(kind, dwell, left)
        }
    }
}
