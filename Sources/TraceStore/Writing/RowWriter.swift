import GRDB
import TraceRecords

extension TraceWriter {
    /// Stores a batch, all or nothing.
    ///
    /// - Returns: how many of its steps are events.
    /// - Throws: ``StoreError``; the database then is as it was before.
    @discardableResult
    package func write(_ batch: StoredBatch) throws -> Int64 {
        var events: Int64 = 0
        try transaction { db in
            if let record = batch.record { try register([record], in: db) }
            if let facts = batch.facts { try write(facts, of: batch, in: db) }
            events = try writeRows(of: batch, in: db)
            try writeRejects(of: batch, in: db)
        }
        return events
    }

    /// A log is complete for the present: whatever replay goes on with it numbers its kinds from 0.
    package func forgetKinds(ofLog log: Int32) { known.kindsOfLogs[log] = nil }

    private func write(_ facts: EncodedFacts, of batch: StoredBatch, in db: Database) throws {
        try Tables.facts.insert([facts], in: db) { facts, row in
            row.integer(Int64(batch.source))
            row.integer(facts.firstLine)
            row.integer(batch.isProvisional ? 1 : 0)
            row.integer(Int64(facts.count))
            row.blob(facts.bytes)
        }
    }

    private func writeRows(of batch: StoredBatch, in db: Database) throws -> Int64 {
        let rows = batch.rows
        if !rows.kinds.isEmpty {
            var numbers = known.kindsOfLogs[batch.log] ?? KindRows()
            numbers.append(rows.kinds)
            known.kindsOfLogs[batch.log] = numbers
        }
        guard !rows.isEmpty || !rows.blocks.isEmpty else { return 0 }
        if !known.hasNewSteps { try db.execute(sql: "UPDATE raw_answers_state SET is_current = 0") }
        known.hasNewSteps = true
        try write(runs: rows.runs, in: db)
        var marks = [StepMark](repeating: StepMark(), count: rows.steps.count)
        try write(suspensions: rows.suspensions, closedBy: rows.steps, &marks, in: db)
        try write(scenarios: rows.scenarios, of: batch, &marks, in: db)
        let events = try write(steps: rows.steps, marks, of: batch, in: db)
        try write(revised: rows.revisedSteps, of: batch, in: db)
        try writeTails(rows.instances, in: db)
        try write(findings: rows.findings, in: db)
        try Tables.messages.insert(rows.messages, in: db) { message, row in
            row.integer(message.step)
            row.text(message.text)
        }
        try write(blocks: rows.blocks, events: events, of: batch, in: db)
        return events
    }

    private func write(blocks: [Int64], events: Int64, of batch: StoredBatch, in db: Database) throws {
        try Tables.blocks.insert(Array(blocks.enumerated()), in: db) { block, row in
            row.integer(block.element)
            row.integer(Int64(batch.log))
            row.integer(Int64(batch.source))
            row.integer(batch.isProvisional ? 1 : 0)
            row.integer(block.offset == 0 ? events : 0)
        }
        known.lastBlock = max(known.lastBlock, blocks.max() ?? 0)
    }

    private func write(runs: [RunRecord], in db: Database) throws {
        var device: String?
        try Tables.runs.insert(runs, in: db) { run, row in
            // Only the report of a crash can be evidence where no log names a device.
            let own = run.device ?? ""
            if own != device, run.device != nil || run.pid != nil {
                device = own
                known.devices.insert(own)
            }
            row.integer(run.id)
            row.text(run.device)
            row.text(run.app)
            row.integer(run.pid.map(Int64.init))
            row.text(run.profile)
            row.text(run.osVersion)
            row.text(run.appVersion)
            row.integer(run.started)
            row.integer(run.ended)
            row.text(run.endReason.rawValue)
            row.text(run.endEvidence.rawValue)
            row.integer(run.firstSeen)
            row.integer(run.lastSeen)
            row.integer(run.nextSeen)
            row.text(run.key)
            row.integer(Int64(run.source))
            row.integer(run.hasCallbacks ? 1 : 0)
            row.text(run.bundle)
            row.text(run.reportedVersion)
            row.text(run.endDetail)
            row.text(run.silentReason?.rawValue)
            row.text(run.launchCause)
        }
    }

    // MARK: - Steps and instances

    private func write(
        steps: [Step], _ marks: [StepMark], of batch: StoredBatch, in db: Database
    ) throws -> Int64 {
        var rows = known.kindsOfLogs[batch.log] ?? KindRows()
        try rows.prepare(for: batch.rows, &known.kinds, in: db)
        known.kindsOfLogs[batch.log] = rows
        let traits = rows.traits
        var spans = StepSpans()
        var follows = FollowCounts(traits)
        var events: Int64 = 0
        for step in steps {
            spans.add(step)
            if traits[Int(step.kind)].isEvent { events += 1 }
            follows.add(step)
        }
        if let load {
            for (place, step) in steps.enumerated() {
                try load.steps.add(step.id) { row in Self.bind(step, rows, marks[place], to: &row) }
            }
        } else {
            try Tables.steps.insert(Array(zip(steps, marks)), in: db) { one, row in
                row.integer(one.0.id)
                Self.bind(one.0, rows, one.1, to: &row)
            }
        }
        try follows.store(log: batch.log, isProvisional: batch.isProvisional, in: db)
        try write(instances: batch.rows.instances, &spans, in: db)
        return events
    }

    private func write(instances: [InstanceRecord], _ spans: inout StepSpans, in db: Database) throws {
        try Tables.instances.insert(instances, in: db) { instance, row in
            let span = spans.take(instance.id)
            row.integer(instance.id)
            row.integer(instance.run)
            row.text(instance.layer)
            row.text(instance.model)
            row.text(instance.label)
            row.integer(span?.first)
            row.integer(span?.last)
            row.text(instance.printedLabel == instance.label ? nil : instance.printedLabel)
        }
        let extend = try db.cachedStatement(
            sql: """
                UPDATE raw_instances SET first_step = coalesce(min(first_step, ?1), ?1),
                last_step = coalesce(max(last_step, ?2), ?2) WHERE instance_id = ?3
                """)
        for (instance, span) in spans.rest {
            try extend.execute(arguments: [span.first, span.last, instance])
        }
    }

    /// Where rows of `raw_steps` are written that replace others.
    private var lateSteps: BulkInsert { load == nil ? Tables.replacedSteps : Tables.lateSteps }

    private func write(revised steps: [Step], of batch: StoredBatch, in db: Database) throws {
        guard !steps.isEmpty else { return }
        let rows = known.kindsOfLogs[batch.log] ?? KindRows()
        try lateSteps.insert(steps, in: db) { step, row in
            row.integer(step.id)
            Self.bind(step, rows, to: &row)
        }
    }

    /// The visits that are still open: rows of the steps' table, so that visits are found in one place.
    private func writeTails(_ instances: [InstanceRecord], in db: Database) throws {
        let gone = try db.cachedStatement(
            sql: "DELETE FROM \(load == nil ? "raw_steps" : FirstLoad.lateSteps) WHERE step_id = ?")
        var tails: [(instance: Int64, kind: Int64, opener: Int64?, atLeast: Int64?)] = []
        for instance in instances {
            if let tail = instance.tail {
                let kind = try known.kinds.id(KindTable.tail(tail, of: instance), in: db)
                tails.append((instance.id, kind, tail.opener, tail.atLeast))
            } else {
                try gone.execute(arguments: [-instance.id])
            }
        }
        try lateSteps.insert(tails, in: db) { tail, row in
            row.integer(-tail.instance)
            row.integer(tail.kind)
            row.integer(tail.atLeast)
            row.integer(nil)
            row.integer(tail.instance)
            row.integer(tail.opener.map { -tail.instance - $0 })
            row.integer(nil)
        }
    }

    @inline(__always)
    private static func bind<Row: RowColumns & ~Copyable>(
        _ step: Step, _ kinds: KindRows, _ mark: StepMark, to row: inout Row
    ) {
        bind(step, kinds, to: &row)
        let mark = mark.columns
        row.integer(mark.scenario)
        row.integer(mark.toLast)
        row.integer(mark.silence)
    }

    /// The columns of a step after its id.
    @inline(__always)
    private static func bind<Row: RowColumns & ~Copyable>(_ step: Step, _ kinds: KindRows, to row: inout Row) {
        let (kind, dwell, time) = kinds.timed(step)
        row.integer(kind)
        row.integer(dwell)
        row.integer(time)
        row.integer(step.instance)
        row.integer(step.opener.map { step.id - $0 })
        row.integer(step.line)
    }

    // MARK: - What is found in runs

    private func write(findings: [Finding], in db: Database) throws {
        // Kinds are stored before the statement begins that refers to them.
        let kinds = try findings.map { try kind(of: $0, in: db) }
        let rows = Array(zip(findings, kinds))
        if let load {
            for (finding, kind) in rows {
                try load.findings.add(finding.id) { row in Self.bind(finding, kind, to: &row) }
            }
        } else {
            try Tables.findings.insert(rows, in: db) { one, row in
                row.integer(one.0.id)
                Self.bind(one.0, one.1, to: &row)
            }
        }
    }

    private static func bind<Row: RowColumns & ~Copyable>(
        _ finding: Finding, _ kind: (id: Int64, isWorded: Bool), to row: inout Row
    ) {
        row.integer(kind.id)
        row.integer(finding.run)
        row.integer(finding.instance)
        row.integer(finding.time)
        row.text(kind.isWorded ? nil : finding.message)
        row.text(finding.repair)
        row.integer(Int64(finding.source))
        row.integer(finding.line)
        row.integer(finding.step)
        row.integer(finding.limit)
        row.integer(finding.taken)
    }

    /// The kind of a finding, and whether that has its message.
    private func kind(of finding: Finding, in db: Database) throws -> (id: Int64, isWorded: Bool) {
        var kind = FindingKind(
            layer: finding.layer, rule: finding.rule, deviation: finding.deviation.rawValue,
            severity: finding.severity.rawValue, guess: finding.guess, awaitsEnd: finding.awaitsEnd)
        kind.message = FindingKind.message(of: finding)
        let kinds = known.findingKinds.ids
        if kinds.count >= FindingKind.mostWorded, kinds[kind] == nil { kind.message = nil }
        return (try known.findingKinds.id(kind, in: db), kind.message != nil)
    }

    private func writeRejects(of batch: StoredBatch, in db: Database) throws {
        try Tables.rejects.insert(batch.rejects, in: db) { line, row in
            row.integer(Int64(batch.source))
            row.integer(line.byteOffset)
            row.integer(line.line)
            row.integer(batch.isProvisional ? 1 : 0)
            row.text(line.reason)
            row.text(line.text)
        }
        try Tables.dailyTotals.insert(batch.dailyTotals, in: db) { figure, row in
            row.integer(Int64(batch.source))
            row.integer(figure.line)
            row.integer(batch.isProvisional ? 1 : 0)
            row.text(figure.app)
            row.text(figure.appVersion)
            row.integer(figure.from)
            row.integer(figure.until)
            row.text(figure.metric)
            row.real(figure.value)
            row.text(figure.unit)
        }
    }
}

/// The first and last step of every instance in a batch.
private struct StepSpans {
    struct Span {
        var first: Int64
        var last: Int64
    }

    /// Steps of one instance mostly follow each other.
    private var current: Int64 = .min
    private var span = Span(first: 0, last: 0)
    private(set) var rest: [Int64: Span] = [:]

    @inline(__always)
    mutating func add(_ step: Step) {
        if step.instance == current {
            if step.id > span.last { span.last = step.id }
            if step.id < span.first { span.first = step.id }
        } else {
            close()
            current = step.instance
            span = rest[current] ?? Span(first: step.id, last: step.id)
            span.last = max(span.last, step.id)
            span.first = min(span.first, step.id)
        }
    }

    private mutating func close() {
        if current != .min { rest[current] = span }
    }

    /// The span of an instance, which is then done with; `nil` when the batch has no step of it.
    mutating func take(_ instance: Int64) -> Span? {
        close()
        current = .min
        return rest.removeValue(forKey: instance)
    }
}

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
