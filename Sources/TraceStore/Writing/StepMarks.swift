import GRDB
import TraceRecords

/// What begins or ends with a step: the last columns of its row, which most steps lack.
struct StepMark {
    /// Row id of the kind of the scenario that begins with it, 0 for none, and how many steps later that ends.
    var scenario: Int32 = 0
    var toLast: Int32 = 0
    /// Whether a scenario begins with it, be it one that has a row of its own.
    var beginsScenario = false
    /// Row id of the kind of the usual suspension, which lasts until the end of the visit that the step ends; 0 for none.
    var silence: Int32 = 0

    /// The last columns of the row.
    var columns: (scenario: Int64?, toLast: Int64?, silence: Int64?) {
        (
            scenario == 0 ? nil : Int64(scenario), scenario == 0 ? nil : Int64(toLast),
            silence == 0 ? nil : Int64(silence)
        )
    }
}

extension TraceWriter {
    /// Marks the steps with which scenarios begin. Scenarios that begin before the batch, or last until the silent end of
    /// their run, have rows of their own.
    func write(
        scenarios: [ScenarioMatch], of batch: StoredBatch, _ marks: inout [StepMark], in db: Database
    ) throws {
        let first = batch.rows.steps.first?.id ?? 0
        var others: [(match: ScenarioMatch, kind: Int64)] = []
        // Of those that begin with one step the last one counts.
        for match in scenarios.reversed() {
            let kind = try known.scenarioKinds.id(
                ScenarioKind(
                    scenario: match.scenario, equivalenceClass: match.equivalenceClass, members: match.members), in: db)
            let place = Int(clamping: match.firstStep - first)
            guard batch.rows.steps.indices.contains(place), batch.rows.steps[place].id == match.firstStep else {
                others.append((match, kind))
                continue
            }
            guard !marks[place].beginsScenario else { continue }
            marks[place].beginsScenario = true
            if match.ended == nil, let kind = Int32(exactly: kind),
                let toLast = Int32(exactly: match.lastStep - match.firstStep)
            {
                marks[place].scenario = kind
                marks[place].toLast = toLast
            } else {
                others.append((match, kind))
            }
        }
        others.reverse()
        try Tables.scenarios.insert(others, in: db) { other, row in
            row.integer(other.match.firstStep)
            row.integer(other.match.lastStep - other.match.firstStep)
            row.integer(other.kind)
            row.integer(other.match.ended)
        }
        guard batch.isProvisional else { return }
        let own = Set(batch.rows.blocks)
        let open = others.filter { !own.contains(Block.of($0.match.firstStep)) }
        try Tables.openScenarios.insert(open, in: db) { other, row in
            row.integer(other.match.firstStep)
            row.integer(Int64(batch.log))
        }
    }

    /// Marks the steps that end the usual suspensions, since they have all else that is to be known; the other ones have
    /// rows of their own.
    func write(
        suspensions: [Suspension], closedBy steps: [Step], _ marks: inout [StepMark], in db: Database
    ) throws {
        guard !suspensions.isEmpty else { return }
        let closing = ClosingSteps(steps, suspensions)
        var others: [(suspension: Suspension, kind: Int64)] = []
        for suspension in suspensions {
            var kind = SuspensionKind(
                evidence: suspension.evidence.rawValue, basis: suspension.basis, leadsTo: suspension.leadsTo)
            // A visit has a silence or other suspensions. All of them are in this batch when its begin is.
            if let (place, after) = closing.silence(suspension) {
                kind.after = after
                // Of unusual grace times there may be as many as suspensions.
                if known.suspensionKinds.ids.count < Self.mostKinds || known.suspensionKinds.ids[kind] != nil {
                    marks[place].silence = Int32(truncatingIfNeeded: try known.suspensionKinds.id(kind, in: db))
                    continue
                }
                kind.after = nil
            }
            others.append((suspension, try known.suspensionKinds.id(kind, in: db)))
        }
        try Tables.suspensions.insert(others, in: db) { other, row in
            row.integer(other.suspension.id)
            row.integer(other.suspension.opener ?? -other.suspension.instance)
            row.integer(other.suspension.instance)
            row.integer(other.suspension.from)
            row.integer(other.suspension.until)
            row.integer(other.kind)
        }
    }

    private static let mostKinds = 256
}

/// The steps of a batch by the step that began the visit which they end, where that is in the batch as well.
private struct ClosingSteps {
    private let steps: [Step]
    private let base: Int64
    /// Places among the steps, from 1, by the number of the opener in the first block of the batch.
    private var near: [Int32]
    /// How many suspensions the visits have that begin with those openers: one, or more.
    private var counts: [UInt8]

    init(_ steps: [Step], _ suspensions: [Suspension]) {
        self.steps = steps
        base = steps.first?.id ?? 0
        near = [Int32](repeating: 0, count: steps.count)
        counts = [UInt8](repeating: 0, count: steps.count)
        for (place, step) in steps.enumerated() {
            guard let opener = step.opener, step.dwell != nil else { continue }
            let number = opener - base
            if number >= 0, number < Int64(near.count) { near[Int(number)] = Int32(place + 1) }
        }
        for case let opener? in suspensions.lazy.map(\.opener) {
            let number = opener - base
            if number >= 0, number < Int64(counts.count) { counts[Int(number)] = min(2, counts[Int(number)] + 1) }
        }
    }

    /// Where a suspension is the only one of its visit, and lasts from some time after the begin of its visit until the
    /// visit's end: the place of the step that ended the visit, and that time.
    func silence(_ suspension: Suspension) -> (place: Int, after: Int64)? {
        guard let opener = suspension.opener, let until = suspension.until, suspension.evidence == .inferred else {
            return nil
        }
        let number = opener - base
        guard number >= 0, number < Int64(near.count), near[Int(number)] > 0, counts[Int(number)] == 1
        else { return nil }
        let place = Int(near[Int(number)]) - 1
        let step = steps[place]
        guard step.opener == opener, step.instance == suspension.instance, step.time == until, let dwell = step.dwell
        else { return nil }
        let after = suspension.from - (until - dwell)
        return after >= 0 ? (place, after) : nil
    }
}

/// A suspension that follows from silence.
struct EstimatedSuspension {
    /// Begin and end; an end of `nil` is after the log.
    struct Span: Equatable {
        var from: Int64
        var until: Int64?
    }

    /// Where its kind is: a table and, after `SET`, the column.
    var column: String
    var idColumn: String
    var id: Int64
    var visit: Int64
    var instance: Int64
    var span: Span
    var kindID: Int64
    var kind: SuspensionKind

    static func all(ofRun run: Int64, in db: Database) throws -> [EstimatedSuspension] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT 'raw_steps SET silence', 'step_id', s.step_id, s.step_id - s.to_opener, i.instance_id,
                    (s.time - s.dwell) * k.unit_ns + b.after_ns, s.time * k.unit_ns, b.*
                FROM raw_instances AS i CROSS JOIN raw_steps AS s
                    ON s.step_id BETWEEN i.first_step AND i.last_step AND s.instance = i.instance_id
                JOIN raw_suspension_kinds AS b ON b.kind_id = s.silence JOIN raw_kinds AS k ON k.kind_id = s.kind
                WHERE i.run = :run AND i.own_run IS NULL AND b.evidence = 'inferred' AND b.role = 'own'
                UNION ALL
                SELECT 'raw_suspensions SET kind', 'suspension_id', p.suspension_id, p.visit, p.instance, p.from_ns, p.until_ns,
                    b.*
                FROM raw_instances AS i JOIN raw_suspensions AS p ON p.instance = i.instance_id
                JOIN raw_suspension_kinds AS b ON b.kind_id = p.kind
                WHERE i.run = :run AND i.own_run IS NULL AND b.evidence = 'inferred' AND b.role = 'own'
                """, arguments: ["run": run])
        return try rows.map { row in
            try EstimatedSuspension(
                column: row.value(0), idColumn: row.value(1), id: row.value(2), visit: row.value(3),
                instance: row.value(4), span: Span(from: row.value(5), until: row.value(6)), kindID: row.value(7),
                kind: SuspensionKind(
                    evidence: row.value(8), basis: row.value(9), leadsTo: row.value(10), after: row.value(11)))
        }
    }

    /// What is left when the process is known to have run at times: silences in between that are longer than the grace
    /// time, from when it is over.
    ///
    /// - Parameter signs: in order.
    func rests(after signs: [SignOfLife], grace: Int64) -> [Span] {
        var rests: [Span] = []
        var last = span.from - grace
        for sign in signs where sign.until > span.from - grace && sign.from < span.until ?? .max {
            // Until it was suspended it ran.
            if !sign.isSuspension, sign.from > last + grace { rests.append(Span(from: last + grace, until: sign.from)) }
            if sign.until == .max { return rests }
            last = max(last, sign.until)
        }
        if span.until ?? .max > last + grace { rests.append(Span(from: last + grace, until: span.until)) }
        return rests
    }
}

/// A span in which a process ran, or in which it was observed to be suspended after it had run.
struct SignOfLife: Comparable {
    var from: Int64
    var until: Int64
    var isSuspension = false

    static func < (one: SignOfLife, other: SignOfLife) -> Bool {
        (one.from, one.isSuspension ? 0 : 1, one.until) < (other.from, other.isSuspension ? 0 : 1, other.until)
    }
}
