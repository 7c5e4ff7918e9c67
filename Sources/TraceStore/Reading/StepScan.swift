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
            """
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
        try query("SELECT block_id, source FROM raw_blocks") {
            sources[$0.integer(0) ?? 0] = $0.integer(1)
        }
        let units = try units()
        var (block, source) = (Int64.min, Int64?.none)
        try forEachStep(columns: 7) { step, row in
            guard let kind = row[1], let instance = row[4] else { return }
            if Block.of(step) != block { (block, source) = (Block.of(step), sources[Block.of(step)]) }
            let unit = units.of(kind)
            try body(
                ScannedStep(
                    instance: instance, kind: kind, time: row[3].map { $0 &* unit }, dwell: row[2].map { $0 &* unit },
                    source: source, line: row[6], isTail: step < 0))
        }
    }

    /// The units of the times of steps.
    private func units() throws -> StepUnits {
        var units = StepUnits()
        try query("SELECT kind_id, unit_ns FROM raw_kinds") {
            units.note($0.integer(0) ?? 0, $0.integer(1) ?? 1)
        }
        return units
    }

    /// Hands over the steps in the order of their ids, with the first columns of their table: see
    /// ``FirstLoad/stepColumns``. That of the id itself says nothing.
    func forEachStep(columns: Int, _ body: (_ id: Int64, _ columns: TableWalk.Columns) throws -> Void) throws {
        if let walk = TableWalk("raw_steps", of: connection) {
            return try withoutStatement("all steps") { mayGoOn in
                try walk.forEachRow(columns: columns, page: mayGoOn, body)
            }
        }
        let values = TableWalk.Columns.allocate(capacity: columns)
        values.initialize(repeating: nil)
        defer { values.deallocate() }
        let names = FirstLoad.stepColumns.prefix(columns).joined(separator: ", ")
        try query("SELECT \(names) FROM raw_steps ORDER BY step_id") { row in
            for column in values.indices { values[column] = row.integer(column) }
            try body(row.integer(0) ?? 0, values)
        }
    }

    /// Hands over row id of the kind, dwell and end (both in nanoseconds) of every visit that has them: one pass over one
    /// table.
    package func scanStays(_ body: (_ kind: Int64, _ dwell: Int64, _ left: Int64) -> Void) throws {
        let units = try units()
        try forEachStep(columns: 4) { _, row in
            guard let kind = row[1], let dwell = row[2], let left = row[3] else { return }
            body(kind, dwell &* units.of(kind), left &* units.of(kind))
        }
    }

    /// How often each documented scenario, or class of them, occurs: one pass over the steps, as a count by SQL sorts them.
    ///
    /// - Parameter isWanted: decides by its instance and its start which ones count.
    package func scenarioCounts(
        where isWanted: (_ instance: Int64, _ started: Int64?) -> Bool
    ) throws -> [String: Int64] {
        // Those that are not in the rows of their first steps, the last one first.
        var others: [(step: Int64, kind: Int64)] = []
        try query("SELECT first_step, kind FROM raw_scenarios ORDER BY first_step DESC") {
            others.append(($0.integer(0) ?? 0, $0.integer(1) ?? 0))
        }
        let units = try units()
        var counts: [Int64: Int64] = [:]
        try forEachStep(columns: 8) { step, row in
            let other = others.last?.step == step ? others.popLast()?.kind : nil
            guard row[7] != nil || other != nil, isWanted(row[4] ?? 0, row[3].map { $0 &* units.of(row[1] ?? 0) })
            else {
                return
            }
            if let kind = row[7] { counts[kind, default: 0] += 1 }
            if let other { counts[other, default: 0] += 1 }
        }
        var named: [String: Int64] = [:]
        try query("SELECT kind_id, coalesce(class, scenario) FROM raw_scenario_kinds") { row in
            guard let name = row.text(1), let count = counts[row.integer(0) ?? 0] else { return }
            named[name, default: 0] += count
        }
        return named
    }

    /// Hands over every suspension that is inferred from silence, as in `suspensions`: one pass over the steps.
    ///
    /// - Parameter body: gets its instance, start, length and the state after it.
    package func scanEstimates(
        _ body: (_ instance: Int64, _ from: Int64?, _ length: Int64?, _ next: String?) -> Void
    ) throws {
        var attached: Set<Int64> = []
        try query("SELECT instance_id FROM raw_instances WHERE own_run IS NOT NULL") {
            attached.insert($0.integer(0) ?? 0)
        }
        var silences: [Int64: (after: Int64, next: String?)] = [:]
        let kinds =
            "SELECT kind_id, after_ns, leads_to FROM raw_suspension_kinds WHERE evidence = 'inferred' AND role = 'own'"
        try query(kinds) { silences[$0.integer(0) ?? 0] = ($0.integer(1) ?? 0, $0.text(2)) }
        let units = try units()
        try forEachStep(columns: 10) { _, row in
            guard let silence = row[9], let kind = silences[silence], let instance = row[4],
                !attached.contains(instance)
            else { return }
            let unit = units.of(row[1] ?? 0)
            let length = row[2].map { $0 &* unit &- kind.after }
            body(instance, row[3].flatMap { time in length.map { time &* unit &- $0 } }, length, kind.next)
        }
        let others = """
            SELECT p.instance, p.from_ns, p.until_ns - p.from_ns, b.leads_to
            FROM raw_suspensions AS p JOIN raw_suspension_kinds AS b ON b.kind_id = +p.kind
            WHERE b.role <> 'hidden' AND b.evidence = 'inferred'
            """
        try query(others) { row in
            guard let instance = row.integer(0), !attached.contains(instance) else { return }
            body(instance, row.integer(1), row.integer(2), row.text(3))
        }
    }

    /// How the instances of a layer ended, by their last state and the end reason of their run. A run that a line
    /// ended counts at the state that the line ended, whatever reports say of it later.
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
                CASE WHEN i.layer = 'app' THEN (
                    SELECT t.step_id FROM raw_steps AS t JOIN raw_kinds AS q ON q.kind_id = t.kind
                    WHERE t.step_id BETWEEN i.first_step AND i.last_step AND t.instance = i.instance_id AND q.is_visit
                    ORDER BY t.step_id DESC LIMIT 1
                ) ELSE (
                    -- What showed the end of the process ended the visit.
                    SELECT t.step_id FROM raw_steps AS t JOIN raw_kinds AS q ON q.kind_id = t.kind
                    WHERE t.step_id = i.last_step AND q.is_visit AND q.role = 'derived' AND q.kind <> 'callback'
                ) END)
            JOIN raw_kinds AS k ON k.kind_id = s.kind
            WHERE i.layer = $layer AND i.own_run IS NULL AND k.is_visit AND (\(runs))
            GROUP BY k.state_before, r.end_reason
            ORDER BY k.state_before, r.end_reason
            """
        var values = parameters
        values["layer"] = .text(layer)
        var result: [(state: String, reason: String, count: Int64)] = []
        try query(sql, parameters: values) { row in
            result.append((row.text(0) ?? "", row.text(1) ?? "", row.integer(2) ?? 0))
        }
        return result
    }
}

/// A visit of a run, as timelines and dotted charts need it.
package struct RunVisit: Sendable, Hashable {
    package var id: Int64
    package var instance: Int64
    package var layer: String
    package var label: String
    package var state: String
    package var entered: Int64?
    package var left: Int64?
    /// How long a censored visit lasted at least.
    package var atLeast: Int64?
    package var isInferred: Bool
    /// `left`, `right`, `both`, or empty.
    package var censoring: String
    /// Whether nothing tells how long it lasted: its two times are of different clocks, or it was interrupted.
    package var hasNoLength: Bool
    /// The events that begin and end it; `nil` where no line shows it.
    package var beginEvent: Int64?
    package var endEvent: Int64?
    /// `app.log:12`.
    package var place: String?
}

extension TraceReader {
    /// The visits of one run, instance by instance in the order of a life, found by the ids of their steps: the time
    /// it takes depends on the run and not on the database.
    ///
    /// - Parameters:
    ///   - layer: the only layer wanted; `nil` for all.
    ///   - most: visits handed over at most.
    package func visits(ofRun run: Int64, layer: String? = nil, most: Int = 200_000) throws -> [RunVisit] {
        let columns = """
            coalesce(s.step_id - s.to_opener, -i.instance_id), i.instance_id, i.layer, i.label, k.state_before, entered_of(s), s.time * k.unit_ns,
            k.closed_evidence, k.closed_censoring,
            path_of(coalesce(s.step_id - s.to_opener, s.step_id)) || ':' || begin_line_of(s),
            CASE WHEN k.closed_censoring <> '' THEN s.dwell * k.unit_ns END
            """
        let sql = """
            SELECT \(Schema.expand(columns)), s.step_id < 0, s.step_id, s.dwell IS NULL
            FROM raw_instances AS i CROSS JOIN raw_steps AS s JOIN raw_kinds AS k ON k.kind_id = s.kind
            WHERE i.run = $run AND ($layer IS NULL OR i.layer = $layer) AND s.instance = i.instance_id
                AND s.step_id BETWEEN i.first_step AND i.last_step AND k.is_visit
            UNION ALL
            SELECT \(Schema.expand(columns)), s.step_id < 0, s.step_id, s.dwell IS NULL
            FROM raw_instances AS i CROSS JOIN raw_steps AS s ON s.step_id = -i.instance_id
            JOIN raw_kinds AS k ON k.kind_id = s.kind
            WHERE i.run = $run AND ($layer IS NULL OR i.layer = $layer) AND k.is_visit
            ORDER BY 2, 12, 13
            LIMIT $most
            """
        var values: [String: SQLValue] = ["run": .integer(run), "most": .integer(Int64(most))]
        values["layer"] = layer.map(SQLValue.text)
        var visits: [RunVisit] = []
        try query(sql, parameters: values) { row in
            visits.append(
                RunVisit(
                    id: row.integer(0) ?? 0, instance: row.integer(1) ?? 0, layer: row.text(2) ?? "",
                    label: row.text(3) ?? "", state: row.text(4) ?? "", entered: row.integer(5).map(DrawnTime.bounded),
                    left: row.integer(6).map(DrawnTime.bounded), atLeast: row.integer(10).map(DrawnTime.bounded),
                    isInferred: row.text(7) == "inferred", censoring: row.text(8) ?? "",
                    hasNoLength: row.integer(13) == 1, beginEvent: row.integer(0).flatMap { $0 > 0 ? $0 : nil },
                    endEvent: row.integer(12).flatMap { $0 > 0 ? $0 : nil }, place: row.text(9)))
        }
        return visits
    }

    /// The changes of state of one run, each once, found as its visits are.
    package func moves(ofRun run: Int64) throws -> [(from: String, to: String)] {
        let sql = """
            SELECT DISTINCT k.state_before, k.state_after
            FROM raw_instances AS i CROSS JOIN raw_steps AS s JOIN raw_kinds AS k ON k.kind_id = s.kind
            WHERE i.run = $run AND s.instance = i.instance_id AND k.is_transition AND k.state_before <> k.state_after
                AND (s.step_id BETWEEN i.first_step AND i.last_step OR s.step_id = -i.instance_id)
            """
        var moves: [(from: String, to: String)] = []
        try query(sql, parameters: ["run": .integer(run)]) { moves.append(($0.text(0) ?? "", $0.text(1) ?? "")) }
        return moves
    }

    /// The suspensions of one run: visit, begin, end, state after it, and whether silence is their only basis.
    package func suspensions(
        ofRun run: Int64
    ) throws -> [(visit: Int64, from: Int64, until: Int64?, next: String?, isInferred: Bool)] {
        let sql = """
            SELECT coalesce(s.step_id - s.to_opener, -i.instance_id) AS visit,
                (s.time - s.dwell) * k.unit_ns + b.after_ns AS from_ns, s.time * k.unit_ns, b.evidence = 'inferred',
                b.leads_to
            FROM raw_instances AS i CROSS JOIN raw_steps AS s
                ON s.step_id BETWEEN i.first_step AND i.last_step AND s.instance = i.instance_id
            JOIN raw_suspension_kinds AS b ON b.kind_id = s.silence JOIN raw_kinds AS k ON k.kind_id = s.kind
            WHERE i.run = $run AND i.own_run IS NULL AND b.role = 'own'
            UNION ALL
            SELECT p.visit, p.from_ns, p.until_ns, b.evidence = 'inferred', b.leads_to
            FROM raw_instances AS i JOIN raw_suspensions AS p
                ON p.visit = -i.instance_id OR p.visit BETWEEN i.first_step AND i.last_step
            JOIN raw_suspension_kinds AS b ON b.kind_id = p.kind
            WHERE i.run = $run AND i.own_run IS NULL AND p.instance = i.instance_id AND b.role <> 'hidden'
            ORDER BY visit, from_ns
            """
        var found: [(visit: Int64, from: Int64, until: Int64?, next: String?, isInferred: Bool)] = []
        try query(sql, parameters: ["run": .integer(run)]) { row in
            found.append(
                (
                    row.integer(0) ?? 0, DrawnTime.bounded(row.integer(1) ?? 0),
                    row.integer(2).map(DrawnTime.bounded), row.text(4), row.integer(3) == 1
                ))
        }
        return found
    }
}

/// Times of pictures, in nanoseconds since 1970 UTC.
package enum DrawnTime {
    /// A time from 1823 to 2116: the difference of any two fits 64 bits, whatever a damaged database contains.
    package static func bounded(_ time: Int64) -> Int64 {
        let most: Int64 = 1 << 62 - 1
        return min(max(time, -most), most)
    }
}
