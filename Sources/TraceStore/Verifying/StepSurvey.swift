import TraceRecords

/// Reads the steps of a database in one pass, knowing only the instances that live at the time: sums them up with the
/// scenarios and suspensions that most of them hold, counts them, and finds those that are not plainly sound.
///
/// Most steps can be checked against what was read just before. The few others are looked at by the assertions.
struct StepSurvey {
    /// What is known of an instance while its steps are read.
    private struct Track {
        /// Hashes of what the instance and its run are, independent of ids.
        var hash = RowHash("instance")
        var run = RowHash("run")
        var isAttached: Bool
        /// Number of steps so far.
        var ordinal: Int64 = 0
        var lastStep: Int64
        /// The last step that led to another state.
        var opener: (step: Int64, state: Int, time: Int64?)?
        /// The visit that it was left in: kind, dwell, distance to the step that began it.
        var tail: (kind: Int64?, dwell: Int64?, toOpener: Int64?)?

        /// - Parameter row: of ``instances``.
        init(_ row: ResultRow) {
            for column in 0...3 { hash.add(row.text(column)) }
            run.add(row.text(0))
            isAttached = row.integer(4) == 1
            lastStep = row.integer(5) ?? 0
        }
    }

    private static let instances = """
        SELECT r.run_key, i.layer, i.label, i.model, i.own_run IS NOT NULL, i.last_step, i.instance_id
        FROM raw_instances AS i JOIN raw_runs AS r ON r.run_id = coalesce(i.own_run, i.run)
        """

    /// A kind of steps, and what is counted of it.
    private struct Kind {
        var hash: RowHash
        var unit: Int64
        /// Numbers of the states; 0 for none.
        var before: Int
        var after: Int
        var isEvent: Bool
        var isVisit: Bool
        var isTimed: Bool
        /// Whether the visits may have begun before the log.
        var isCut: Bool
        var steps: Int64 = 0
        var dwells: Int64 = 0
        var total: Int128 = 0
        var least = Int64.max
        var most = Int64.min

        mutating func count(_ dwell: Int64?) {
            steps += 1
            guard let dwell else { return }
            dwells += 1
            total += Int128(dwell)
            (least, most) = (min(least, dwell), max(most, dwell))
        }
    }

    private let reader: TraceReader
    private(set) var digest = ContentDigest()
    /// The steps for the assertions.
    private var doubtful: [Int64] = []
    private var events: [Int64: Int] = [:]
    private var kinds: [Kind?] = []
    private var states: [String: Int] = [:]
    private var scenarioKinds: [Int64: RowHash] = [:]
    private var silences: [Int64: (hash: RowHash, after: Int64?)] = [:]
    private var tracks: [Int64: Track] = [:]
    /// The own instances of attached steps, and those to which they are attached as far as they were looked up.
    private var attached: [Int64: Int64] = [:]
    private var targets: Set<Int64> = []
    /// The blocks that are still to come, and the scenarios that are not in the rows of their first steps: the next one last.
    private var blocks: [(id: Int64, lines: Int64)] = []
    private var scenarios: [(first: Int64, last: Int64, kind: Int64, ended: Int64?)] = []
    /// The scenarios whose last step is still to come, in the same order.
    private var waiting: [(last: Int64, first: Int64, hash: RowHash)] = []
    private var block = (id: Int64.min, lines: Int64(0))

    init(_ reader: TraceReader) throws {
        self.reader = reader
        try readKinds()
        let blocksDown = """
            SELECT b.block_id, s.lines FROM raw_blocks AS b LEFT JOIN raw_sources AS s ON s.source_id = b.source
            ORDER BY b.block_id DESC
            """
        try reader.query(blocksDown) { blocks.append(($0.integer(0) ?? 0, $0.integer(1) ?? 0)) }
        try reader.query("SELECT step_id, instance FROM raw_attached_steps") {
            attached[$0.integer(0) ?? 0] = $0.integer(1)
        }
        let late = "SELECT first_step, to_last, kind, ended_ns FROM raw_scenarios ORDER BY first_step DESC"
        try reader.query(late) { row in
            let first = row.integer(0) ?? 0
            scenarios.append((first, first &+ (row.integer(1) ?? 0), row.integer(2) ?? 0, row.integer(3)))
        }
        try readSteps()
        try readSuspensions()
    }

    /// Runs an assertion with what it asks for: the doubtful steps, the events of each block, what there is of each kind.
    func check(_ assertion: Assertion, _ report: (ResultRow) -> Void) throws {
        func list(_ items: some Sequence<String>) -> SQLValue { .text("[" + items.joined(separator: ",") + "]") }
        let most = 100_000
        for first in stride(from: 0, to: assertion.sql.contains("$steps") ? max(1, doubtful.count) : 1, by: most) {
            let values = [
                "steps": list(doubtful.dropFirst(first).prefix(most).map(String.init)),
                "events": list(events.map { "[\($0),\($1)]" }),
                "kinds": list(
                    kinds.enumerated().compactMap { id, kind in
                        guard let kind, kind.steps > 0 else { return nil }
                        let lengths = "\(Double(kind.total)),\(kind.least),\(kind.most)"
                        return "[\(id),\(kind.steps),\(kind.dwells),\(kind.dwells > 0 ? lengths : "null,null,null")]"
                    }),
            ]
            let used = values.filter { assertion.sql.contains("$" + $0.key) }
            try reader.query(assertion.sql, parameters: used, row: report)
        }
    }

    private mutating func readKinds() throws {
        let sql = """
            SELECT kind_id, unit_ns, is_event, is_visit, is_timed, role, model, layer, kind, callback, proves, state_before,
                state_after, verdict, evidence, closed_evidence, closed_censoring
            FROM raw_kinds
            """
        try reader.query(sql) { row in
            guard let id = row.integer(0), (0..<1 << 20).contains(id) else { return }
            let (before, after, censoring) = (row.text(11), row.text(12), row.text(16))
            while kinds.count <= id { kinds.append(nil) }
            kinds[Int(id)] = Kind(
                hash: Self.hash("kind", row, from: 5), unit: row.integer(1) ?? 1, before: number(of: before),
                after: number(of: after), isEvent: row.integer(2) == 1, isVisit: row.integer(3) == 1,
                isTimed: row.integer(4) == 1, isCut: censoring == "left" || censoring == "both")
        }
        try reader.query("SELECT kind_id, scenario, class FROM raw_scenario_kinds") {
            scenarioKinds[$0.integer(0) ?? 0] = Self.hash("scenario", $0, from: 1)
        }
        let shown = """
            SELECT kind_id, CASE role WHEN 'own' THEN after_ns END, evidence, basis FROM raw_suspension_kinds
            WHERE role <> 'hidden'
            """
        try reader.query(shown) {
            silences[$0.integer(0) ?? 0] = (Self.hash("suspension", $0, from: 2), $0.integer(1))
        }
    }

    private static func hash(_ table: StaticString, _ row: ResultRow, from first: Int) -> RowHash {
        var hash = RowHash(table)
        for column in first..<row.count { hash.add(row.text(column)) }
        return hash
    }

    private mutating func number(of state: String?) -> Int {
        guard let state else { return 0 }
        if let known = states[state] { return known }
        states[state] = states.count + 1
        return states.count
    }

    // MARK: - Steps

    private mutating func readSteps() throws {
        try reader.forEachStep(columns: 10) { id, row in
            let place = row[1].flatMap { kinds.indices.contains(Int(truncatingIfNeeded: $0)) ? Int($0) : nil }
            guard let place, let kind = kinds[place], let instance = row[4] else { return doubt(id) }
            let (dwell, time) = (row[2].map { $0 &* kind.unit }, row[3].map { $0 &* kind.unit })
            kinds[place]?.count(dwell)
            // A visit that nothing ended is looked at with its instance.
            guard id > 0 else { return }
            while let next = blocks.last, next.id <= Block.of(id) { try enter(next) }
            if kind.isEvent { events[Block.of(id), default: 0] += 1 }
            let own = attached.isEmpty ? nil : attached[id]
            if own != nil, !targets.contains(instance), try track(of: instance) != nil { targets.insert(instance) }
            let isKnown = own == nil || targets.contains(instance)
            if !isKnown || !isSound(id, of: own ?? instance, kind, row, dwell, time) { doubt(id) }
            addStep(id, of: own ?? instance, kind, dwell, time)
            while let scenario = waiting.last, scenario.last <= id {
                waiting.removeLast()
                if scenario.last < id { doubt(scenario.first) }
                finish(scenario.hash, at: scenario.last == id ? time : nil)
            }
            while let scenario = scenarios.last, scenario.first <= id {
                scenarios.removeLast()
                guard scenario.first == id else { continue }
                try addScenario(scenario.kind, id, of: instance, time, last: scenario.last, scenario.ended)
            }
            if let scenario = row[7] {
                try addScenario(scenario, id, of: instance, time, last: id &+ (row[8] ?? 0), nil)
            }
            if let silence = row[9].flatMap({ silences[$0] }), let after = silence.after {
                let from = time.flatMap { time in dwell.map { time &- $0 &+ after } }
                if let track = try track(of: instance) { addSuspension(silence.hash, track, from, time) }
            }
        }
        while let next = blocks.last { try enter(next) }
        for track in tracks { leave(track.key, track.value) }
        for scenario in waiting {
            doubt(scenario.first)
            finish(scenario.hash, at: nil)
        }
    }

    private mutating func doubt(_ step: Int64) { doubtful.append(step) }

    /// Whether it is plain that all assertions hold for a step.
    private func isSound(
        _ id: Int64, of instance: Int64, _ kind: Kind, _ row: TableWalk.Columns, _ dwell: Int64?, _ time: Int64?
    ) -> Bool {
        guard Block.of(id) == block.id, let line = row[6], line >= 1, line <= block.lines, let track = tracks[instance]
        else { return false }
        if let silence = row[9] {
            guard let after = silences[silence]?.after, kind.isVisit, row[5] != nil, let dwell, after <= dwell else {
                return false
            }
        }
        if let scenario = row[7], scenarioKinds[scenario] == nil || row[8] ?? -1 < 0 { return false }
        return begins(track, kind, row[5].map { id &- $0 }, dwell, time)
    }

    /// Whether the visit that a step ends began with the last step of its instance that led to another state, to its own.
    private func begins(_ track: Track, _ kind: Kind, _ opener: Int64?, _ dwell: Int64?, _ time: Int64?) -> Bool {
        guard let opener else { return !kind.isVisit || kind.isCut }
        guard let known = track.opener, known.step == opener else { return false }
        guard kind.isVisit else { return true }
        guard known.state == kind.before else { return false }
        guard kind.isTimed, let dwell else { return true }
        return time != nil && time == known.time.map { $0 &+ dwell }
    }

    private mutating func addStep(_ id: Int64, of instance: Int64, _ kind: Kind, _ dwell: Int64?, _ time: Int64?) {
        guard let place = tracks.index(forKey: instance) else { return }
        var hash = RowHash("step")
        hash.add(tracks.values[place].hash)
        hash.add(kind.hash)
        hash.add(tracks.values[place].ordinal)
        hash.add(time)
        hash.add(dwell)
        digest.add(hash)
        tracks.values[place].ordinal += 1
        if kind.after != 0, kind.after != kind.before { tracks.values[place].opener = (id, kind.after, time) }
    }

    // MARK: - Instances

    /// An instance is in the block of its first step, or an earlier one.
    private mutating func enter(_ next: (id: Int64, lines: Int64)) throws {
        blocks.removeLast()
        block = next
        let ids = Block.ids(next.id)
        for (instance, track) in tracks where track.lastStep < ids.lowerBound {
            leave(instance, track)
            tracks[instance] = nil
        }
        let range: [String: SQLValue] = ["first": .integer(ids.lowerBound), "last": .integer(ids.upperBound - 1)]
        try reader.query(Self.instances + " WHERE i.instance_id BETWEEN $first AND $last", parameters: range) { row in
            let track = Track(row)
            digest.add(track.hash)
            tracks[row.integer(6) ?? 0] = track
        }
        let tails = "SELECT -step_id, kind, dwell, to_opener FROM raw_steps WHERE step_id BETWEEN -$last AND -$first"
        try reader.query(tails, parameters: range) { row in
            let instance = row.integer(0) ?? 0
            guard tracks[instance] != nil, row.integer(1) != nil else { return doubt(-instance) }
            tracks[instance]?.tail = (row.integer(1), row.integer(2), row.integer(3))
        }
    }

    /// Adds the visit that an instance was left in.
    private mutating func leave(_ instance: Int64, _ track: Track) {
        guard let tail = track.tail, let id = tail.kind, kinds.indices.contains(Int(id)), let kind = kinds[Int(id)]
        else {
            return
        }
        let opener = tail.toOpener.map { -instance &- $0 }
        if kind.isTimed || track.isAttached || !begins(track, kind, opener, nil, nil) { doubt(-instance) }
        var hash = RowHash("tail")
        hash.add(track.hash)
        hash.add(kind.hash)
        hash.add(tail.dwell.map { $0 &* kind.unit })
        digest.add(hash)
    }

    /// An instance that lives, or one of another log.
    private func track(of instance: Int64) throws -> Track? {
        if let track = tracks[instance] { return track }
        var found: Track?
        try reader.query(Self.instances + " WHERE i.instance_id = $id", parameters: ["id": .integer(instance)]) {
            found = Track($0)
        }
        return found
    }

    // MARK: - Scenarios and suspensions

    private mutating func addScenario(
        _ kind: Int64, _ first: Int64, of instance: Int64, _ started: Int64?, last: Int64, _ ended: Int64?
    ) throws {
        guard var hash = scenarioKinds[kind], let run = try track(of: instance)?.run else { return }
        hash.add(run)
        hash.add(started)
        // One that ends with its first step needs no other.
        if ended != nil || last == first { return finish(hash, at: ended ?? started) }
        let place = waiting.lastIndex { $0.last >= last }.map { $0 + 1 } ?? 0
        waiting.insert((last, first, hash), at: place)
    }

    private mutating func finish(_ scenario: RowHash, at ended: Int64?) {
        var hash = scenario
        hash.add(ended)
        digest.add(hash)
    }

    private mutating func addSuspension(_ kind: RowHash, _ track: Track, _ from: Int64?, _ until: Int64?) {
        guard !track.isAttached else { return }
        var hash = kind
        hash.add(track.hash)
        hash.add(from)
        hash.add(until)
        digest.add(hash)
    }

    /// Those that are not in the rows of steps.
    private mutating func readSuspensions() throws {
        let suspensions = """
            SELECT i.*, p.kind, p.from_ns, p.until_ns
            FROM raw_suspensions AS p JOIN (\(Self.instances)) AS i ON i.instance_id = p.instance
            """
        try reader.query(suspensions) { row in
            guard let kind = row.integer(7).flatMap({ silences[$0] }) else { return }
            addSuspension(kind.hash, Track(row), row.integer(8), row.integer(9))
        }
    }
}
