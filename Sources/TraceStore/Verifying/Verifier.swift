import Synchronization
import TraceRecords

/// What checking a database found.
package struct Verification: Sendable {
    /// A problem.
    package struct Problem: Sendable, Hashable {
        /// Which check: `integrity`, `schema`, or the name of an assertion (`references`, `lines`, `tiling` …).
        package var check: String
        /// What is wrong, and where.
        package var message: String
    }

    /// Digest of the content.
    package var digest = ContentDigest()
    /// Problems, at most ``most`` of each check.
    package internal(set) var problems: [Problem] = []
    /// How many problems each check found.
    package internal(set) var counts: [String: Int] = [:]

    /// Most problems of one check that are listed one by one.
    package static let most = 20

    /// Whether nothing was found.
    package var isSound: Bool { counts.isEmpty }

    mutating func report(_ check: String, _ message: @autoclosure () -> String) {
        counts[check, default: 0] += 1
        if counts[check, default: 0] <= Self.most { problems.append(Problem(check: check, message: message())) }
    }

    /// Adds what other checks found.
    mutating func add(_ other: Verification) {
        for (check, count) in other.counts {
            let listed = other.problems.filter { $0.check == check }
            problems += listed.prefix(max(0, Self.most - counts[check, default: 0]))
            counts[check, default: 0] += count
        }
    }
}

/// One of the assertions of `assertions.sql`: a query that returns no rows in a sound database.
struct Assertion: Sendable {
    /// Name of the check.
    var name: String
    /// What it proves.
    var purpose: String
    /// Returns one message for each problem.
    var sql: String

    /// The assertions, in order.
    static let all: [Assertion] = parse(String(decoding: PackageResources.assertions_sql, as: UTF8.self))

    /// An assertion is a comment `name: purpose` and the statement after it.
    static func parse(_ text: String) -> [Assertion] {
        text.split(separator: "\n\n").compactMap { block in
            let comment = block.split(separator: "\n").prefix { $0.hasPrefix("--") }
            let words = comment.map { $0.dropFirst(3) }.joined(separator: " ").split(separator: ":", maxSplits: 1)
            let sql = block.split(separator: "\n").dropFirst(comment.count).joined(separator: "\n")
            guard words.count == 2, !sql.isEmpty else { return nil }
            return Assertion(name: String(words[0]), purpose: String(words[1].dropFirst()), sql: sql)
        }
    }
}

/// Checks what must hold in every database, and sums up its content. Prints nothing.
///
/// Several threads, each with a reader of its own, can share the work.
package final class Verifier: Sendable {
    private enum Check {
        case digest, integrity, schema
        case assertion(Assertion)
    }

    /// The digest takes longest, and so comes first.
    private static let checks: [Check] = [.digest, .integrity, .schema] + Assertion.all.map(Check.assertion)

    /// How many checks were taken, and what they found.
    private let state = Mutex((taken: 0, found: [Verification](repeating: Verification(), count: checks.count)))

    package init() {}

    /// Checks a database in one thread.
    ///
    /// - Throws: ``StoreError`` when it cannot be read.
    package static func verify(path: String) throws -> Verification {
        let verifier = Verifier()
        try verifier.work(on: try TraceReader(path: path, isLenient: true))
        return verifier.result
    }

    /// What all threads found.
    package var result: Verification {
        state.withLock { state in state.found.dropFirst().reduce(into: state.found[0]) { $0.add($1) } }
    }

    /// Takes one check after the other, until none is left.
    ///
    /// - Parameter reader: should be lenient.
    /// - Throws: ``StoreError`` when the database cannot be read.
    package func work(on reader: TraceReader) throws {
        while let next = state.withLock({ state in
            defer { state.taken += 1 }
            return state.taken < Self.checks.count ? state.taken : nil
        }) {
            do {
                let found = try Self.run(Self.checks[next], reader)
                state.withLock { $0.found[next] = found }
            } catch StoreError.sql(let message, let sql, let offset) {
                // Without a table there is nothing to check, and no content.
                guard let difference = try Self.differences(reader).first(where: \.disturbsReading) else {
                    throw StoreError.sql(message: message, sql: sql, offset: offset)
                }
                throw StoreError.foreignSchema(path: reader.path, difference: difference.description)
            }
        }
    }

    private static func run(_ check: Check, _ reader: TraceReader) throws -> Verification {
        var found = Verification()
        switch check {
        case .digest:
            found.digest = try digest(reader)
        case .integrity:
            try reader.query("PRAGMA integrity_check") { row in
                let message = row.text(0) ?? ""
                if message != "ok" { found.report("integrity", message) }
            }
        case .schema:
            for difference in try differences(reader) { found.report("schema", difference.description) }
        case .assertion(let assertion):
            try reader.query(assertion.sql) { found.report(assertion.name, $0.text(0) ?? "") }
        }
        return found
    }

    /// The digest alone, without the checks.
    package static func digest(path: String) throws -> ContentDigest {
        try digest(try TraceReader(path: path))
    }

    private static func differences(_ reader: TraceReader) throws -> [Schema.Difference] {
        var found: [(name: String, type: String, sql: String)] = []
        try reader.query(Schema.definitions) { found.append(($0.text(0) ?? "", $0.text(1) ?? "", $0.text(2) ?? "")) }
        return Schema.differences(found)
    }

    private static func digest(_ reader: TraceReader) throws -> ContentDigest {
        var digest = try StepDigest(reader).digest
        for table in tables {
            try reader.query(table.sql) { row in
                var hash = RowHash(table.name)
                for column in 0..<row.count { hash.add(row.text(column)) }
                digest.add(hash)
            }
        }
        return digest
    }

    /// The content apart from steps, scenarios and suspensions, without ids, paths and lines.
    private static let tables: [(name: StaticString, sql: String)] = [
        (
            "run",
            """
            SELECT r.run_key, r.device, r.app, r.pid, r.profile, r.os_version,
                coalesce(r.app_version, r.reported_version), r.started_ns, r.ended_ns, r.end_reason, r.end_evidence,
                r.first_seen_ns, r.last_seen_ns, r.next_seen_ns, r.end_detail, r.launch_cause, a.run_key, w.run_key
            FROM raw_runs AS r LEFT JOIN raw_runs AS a ON a.run_id = r.attached_run
            LEFT JOIN raw_runs AS w ON w.run_id = r.witness
            """
        ),
        (
            "finding",
            """
            SELECT r.run_key, i.label, k.layer, k.rule, k.deviation, k.severity, f.time_ns
            FROM raw_findings AS f JOIN raw_finding_kinds AS k ON k.kind_id = f.kind JOIN raw_runs AS r ON r.run_id = f.run
            LEFT JOIN raw_instances AS i ON i.instance_id = f.instance
            """
        ),
        ("reject", "SELECT text FROM raw_rejects"),
        ("total", "SELECT app, app_version, from_ns, until_ns, metric, value, unit FROM raw_daily_totals"),
    ]
}

/// Sums up the steps of a database, and the scenarios and suspensions that most of them hold, in one pass, knowing only the
/// instances that live at the time.
private struct StepDigest {
    /// What is known of an instance while its steps are read.
    private struct Track {
        /// Hashes of what the instance and its run are, independent of ids.
        var hash = RowHash("instance")
        var run = RowHash("run")
        var isAttached: Bool
        /// Number of steps so far.
        var ordinal: Int64 = 0
        var lastStep: Int64

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

    private let reader: TraceReader
    private(set) var digest = ContentDigest()
    private var kinds: [Int64: (hash: RowHash, unit: Int64)] = [:]
    private var scenarioKinds: [Int64: RowHash] = [:]
    private var silences: [Int64: (hash: RowHash, after: Int64?)] = [:]
    private var tracks: [Int64: Track] = [:]
    /// The own instances of attached steps.
    private var attached: [Int64: Int64] = [:]
    /// The blocks that are still to come, and the scenarios that are not in the rows of their first steps: the next one last.
    private var blocks: [Int64] = []
    private var scenarios: [(first: Int64, last: Int64, kind: Int64, ended: Int64?)] = []
    /// The scenarios whose last step is still to come, in the same order.
    private var waiting: [(last: Int64, hash: RowHash)] = []

    init(_ reader: TraceReader) throws {
        self.reader = reader
        let columns = """
            unit_ns, role, model, layer, kind, callback, proves, state_before, state_after, verdict, evidence,
            closed_evidence, closed_censoring
            """
        kinds = try hashes("kind", "SELECT kind_id, \(columns) FROM raw_kinds") { $0.integer(1) ?? 1 }
            .mapValues { ($0.hash, $0.value) }
        scenarioKinds = try hashes("scenario", "SELECT kind_id, NULL, scenario, class FROM raw_scenario_kinds") { _ in }
            .mapValues(\.hash)
        let shown = "FROM raw_suspension_kinds WHERE role <> 'hidden'"
        silences = try hashes(
            "suspension", "SELECT kind_id, CASE role WHEN 'own' THEN after_ns END, evidence, basis \(shown)"
        ) { $0.integer(1) }.mapValues { ($0.hash, $0.value) }
        try reader.query("SELECT block_id FROM raw_blocks ORDER BY block_id DESC") { blocks.append($0.integer(0) ?? 0) }
        try reader.query("SELECT step_id, instance FROM raw_attached_steps") {
            attached[$0.integer(0) ?? 0] = $0.integer(1)
        }
        let late = "SELECT first_step, to_last, kind, ended_ns FROM raw_scenarios ORDER BY first_step DESC"
        try reader.query(late) { row in
            let first = row.integer(0) ?? 0
            scenarios.append((first, first &+ (row.integer(1) ?? 0), row.integer(2) ?? 0, row.integer(3)))
        }
        try readSteps()
        try readTails()
        try readSuspensions()
    }

    /// What the kinds of a table are: all columns from the third on; and a value of the second.
    private func hashes<Value>(
        _ table: StaticString, _ sql: String, _ value: (ResultRow) -> Value
    ) throws -> [Int64: (hash: RowHash, value: Value)] {
        var found: [Int64: (hash: RowHash, value: Value)] = [:]
        try reader.query(sql) { row in
            var hash = RowHash(table)
            for column in 2..<row.count { hash.add(row.text(column)) }
            found[row.integer(0) ?? 0] = (hash, value(row))
        }
        return found
    }

    private mutating func readSteps() throws {
        try reader.forEachStep(columns: 10) { id, row in
            guard id > 0, let kind = row[1].flatMap({ kinds[$0] }), let instance = row[4] else { return }
            while let block = blocks.last, block <= Block.of(id) { try enter(block) }
            let (dwell, time) = (row[2].map { $0 &* kind.unit }, row[3].map { $0 &* kind.unit })
            addStep(of: attached.isEmpty ? instance : attached[id] ?? instance, kind.hash, dwell, time)
            while let scenario = waiting.last, scenario.last <= id {
                waiting.removeLast()
                finish(scenario.hash, at: scenario.last == id ? time : nil)
            }
            while let scenario = scenarios.last, scenario.first <= id {
                scenarios.removeLast()
                guard scenario.first == id else { continue }
                try addScenario(scenario.kind, of: instance, time, last: scenario.last, scenario.ended)
            }
            if let scenario = row[7] { try addScenario(scenario, of: instance, time, last: id &+ (row[8] ?? 0), nil) }
            if let silence = row[9].flatMap({ silences[$0] }), let after = silence.after {
                let from = time.flatMap { time in dwell.map { time &- $0 &+ after } }
                if let track = try track(of: instance) { addSuspension(silence.hash, track, from, time) }
            }
        }
        while let block = blocks.last { try enter(block) }
        for scenario in waiting { finish(scenario.hash, at: nil) }
    }

    /// An instance is in the block of its first step, or an earlier one.
    private mutating func enter(_ block: Int64) throws {
        blocks.removeLast()
        let ids = Block.ids(block)
        tracks = tracks.filter { $0.value.lastStep >= ids.lowerBound }
        try reader.query(
            Self.instances + " WHERE i.instance_id BETWEEN $first AND $last",
            parameters: ["first": .integer(ids.lowerBound), "last": .integer(ids.upperBound - 1)]
        ) { row in
            let track = Track(row)
            digest.add(track.hash)
            tracks[row.integer(6) ?? 0] = track
        }
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

    private mutating func addStep(of instance: Int64, _ kind: RowHash, _ dwell: Int64?, _ time: Int64?) {
        guard let track = tracks[instance] else { return }
        var hash = RowHash("step")
        hash.add(track.hash)
        hash.add(kind)
        hash.add(track.ordinal)
        hash.add(time)
        hash.add(dwell)
        digest.add(hash)
        tracks[instance]?.ordinal += 1
    }

    private mutating func addScenario(
        _ kind: Int64, of instance: Int64, _ started: Int64?, last: Int64, _ ended: Int64?
    ) throws {
        guard var hash = scenarioKinds[kind], let run = try track(of: instance)?.run else { return }
        hash.add(run)
        hash.add(started)
        if let ended { return finish(hash, at: ended) }
        let place = waiting.lastIndex { $0.last >= last }.map { $0 + 1 } ?? 0
        waiting.insert((last, hash), at: place)
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

    private mutating func readTails() throws {
        let tails = """
            SELECT i.*, s.kind, s.dwell FROM raw_steps AS s JOIN (\(Self.instances)) AS i ON i.instance_id = -s.step_id
            WHERE s.step_id <= 0
            """
        try reader.query(tails) { row in
            guard let kind = row.integer(7).flatMap({ kinds[$0] }) else { return }
            var hash = RowHash("tail")
            hash.add(Track(row).hash)
            hash.add(kind.hash)
            hash.add(row.integer(8).map { $0 &* kind.unit })
            digest.add(hash)
        }
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
