import GRDB
import TraceRecords

/// The kinds of steps that the database has, and their row ids.
struct KindTable {
    /// A kind of step. That of an open visit is separate, because no step has it; so is that of evidence about a run
    /// of another log, and of steps that such evidence shows in another light.
    struct Key: Hashable {
        var kind: StepKind
        var isTail = false
        var attachedOf: Int64?
        /// In which the steps have their times, in nanoseconds.
        var unit: Int64 = 1
    }

    static let millisecond: Int64 = 1_000_000

    private var rows: [Key: Int64] = [:]
    private var traits: [Int64: KindTraits] = [:]
    /// The first kind with a layer and a callback, by both.
    private var callbacks: [[String]: Int64] = [:]
    /// The first kind with a layer and a state before, by both.
    private var groups: [[String?]: Int64] = [:]

    init() {}

    /// Reads the kinds that the database has.
    init(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM raw_kinds ORDER BY kind_id") {
            guard let key = try Key(row) else { continue }
            note(key, try row.value("kind_id"))
        }
    }

    /// What follows from a kind; `nil` when there is no such row.
    func traits(of id: Int64) -> KindTraits? { traits[id] }

    /// What follows from a kind that has no row yet.
    func traits(of key: Key) -> KindTraits {
        var own = KindTraits(key)
        if own.isEvent, let callback = key.kind.callback { own.callback = callbacks[[key.kind.layer, callback]] }
        return own
    }

    /// Adds a kind. Kinds come in the order of their ids.
    mutating func note(_ key: Key, _ id: Int64) {
        rows[key] = id
        let kind = key.kind
        var own = KindTraits(key)
        own.group = groups[[kind.layer, kind.stateBefore], default: id]
        groups[[kind.layer, kind.stateBefore]] = own.group
        if own.isEvent, let callback = kind.callback {
            let names = [kind.layer, callback]
            own.callback = callbacks[names] ?? id
            callbacks[names] = own.callback
        }
        traits[id] = own
    }

    /// The row id of a kind, which is stored when it is new.
    mutating func id(_ key: Key, in db: Database) throws -> Int64 {
        if let id = rows[key] { return id }
        let id = try (Int64.fetchOne(db, sql: "SELECT max(kind_id) FROM raw_kinds") ?? 0) + 1
        note(key, id)
        let kind = key.kind
        let traits = traits[id] ?? KindTraits()
        try db.execute(
            sql: "INSERT INTO raw_kinds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                id, key.isTail ? "tail" : kind.role.rawValue, kind.model, kind.layer, kind.kind, kind.callback,
                kind.proves?.rawValue, kind.stateBefore, kind.stateAfter, kind.verdict?.rawValue,
                kind.evidence.rawValue, kind.closedEvidence.rawValue, kind.closedCensoring.rawValue,
                traits.isEvent, traits.isVisit, traits.isTransition, traits.isTimed, traits.isObserved, traits.group,
                traits.callback, key.attachedOf, key.unit,
            ])
        return id
    }

    /// The kind of the visit that an instance is left in.
    static func tail(_ tail: InstanceRecord.Tail, of instance: InstanceRecord) -> Key {
        Key(
            kind: StepKind(
                role: .derived, model: instance.model, layer: instance.layer, kind: "tail", stateBefore: tail.state,
                stateAfter: tail.silentlyTo, verdict: tail.verdict, evidence: .inferred,
                closedEvidence: tail.evidence, closedCensoring: tail.censoring),
            isTail: true)
    }

    /// The kind that steps of a kind have while they are evidence about a run of another log: events and nothing else.
    mutating func attached(_ id: Int64, in db: Database) throws -> Int64 {
        try changed(id, in: db) { ($0.kind.stateBefore, $0.kind.stateAfter, $0.kind.verdict) = (nil, nil, nil) }
    }

    /// The kind that steps of a kind have while evidence shows that a launch never led into the background.
    mutating func launching(_ id: Int64, in db: Database) throws -> Int64 {
        try changed(id, in: db) { key in
            if key.kind.stateBefore == "background" { key.kind.stateBefore = "inactive" }
            if key.kind.stateAfter == "background" { key.kind.stateAfter = "inactive" }
            if !key.isTail { key.kind.evidence = .observed }
        }
    }

    private mutating func changed(_ id: Int64, in db: Database, _ change: (inout Key) -> Void) throws -> Int64 {
        guard var key = rows.first(where: { $0.value == id })?.key else {
            throw DamagedRow(description: "there is no kind \(id)")
        }
        guard key.attachedOf == nil else { return id }
        key.attachedOf = id
        change(&key)
        return try self.id(key, in: db)
    }
}

extension KindTable.Key {
    /// Reads a row of `raw_kinds`; `nil` when it has words that no kind has.
    init?(_ row: some NamedColumns) throws {
        func text(_ column: String) throws -> String? { try row.text(column) }
        func word(_ column: String) throws -> String { try row.word(column) }
        let role = try word("role")
        isTail = role == "tail"
        attachedOf = try row.number("attached_of")
        unit = try row.number("unit_ns") ?? 1
        guard let known = isTail ? .derived : StepKind.Role(rawValue: role),
            let evidence = EvidenceKind(rawValue: try word("evidence")),
            let closedEvidence = EvidenceKind(rawValue: try word("closed_evidence")),
            let censoring = Censoring(rawValue: try word("closed_censoring"))
        else { return nil }
        kind = try StepKind(
            role: known, model: word("model"), layer: word("layer"), kind: word("kind"), callback: text("callback"),
            proves: text("proves").flatMap(Proof.init), stateBefore: text("state_before"),
            stateAfter: text("state_after"), verdict: text("verdict").flatMap(Verdict.init), evidence: evidence,
            closedEvidence: closedEvidence, closedCensoring: censoring)
    }
}

/// The kinds that the replay of a log numbers 0, 1, 2 …, with the row ids of each: one for steps whose times are whole
/// milliseconds, one for others. They are stored when a step needs them.
struct KindRows {
    /// By number.
    private(set) var traits: [KindTraits] = []
    private var kinds: [StepKind] = []
    /// Two for each number; 0 for those that are not stored.
    private var rows: [Int64] = []

    mutating func append(_ new: [StepKind]) {
        kinds += new
        rows += repeatElement(0, count: 2 * new.count)
        traits += repeatElement(KindTraits(), count: new.count)
    }

    /// Stores the rows that steps need.
    mutating func prepare(for batch: ReplayBatch, _ table: inout KindTable, in db: Database) throws {
        for step in batch.steps where rows[place(of: step)] == 0 { try add(step, &table, in: db) }
        for step in batch.revisedSteps where rows[place(of: step)] == 0 { try add(step, &table, in: db) }
        // A replay that goes on also names kinds of steps before.
        for number in kinds.indices where rows[2 * number] == 0 && rows[2 * number + 1] == 0 {
            traits[number] = table.traits(of: KindTable.Key(kind: kinds[number]))
        }
    }

    @inline(__always)
    private func place(of step: Step) -> Int { 2 * Int(step.kind) + (step.unit == 1 ? 1 : 0) }

    private mutating func add(_ step: Step, _ table: inout KindTable, in db: Database) throws {
        let number = Int(step.kind)
        let row = try table.id(KindTable.Key(kind: kinds[number], unit: step.unit), in: db)
        rows[place(of: step)] = row
        traits[number] = table.traits(of: row) ?? KindTraits()
    }

    /// The row of a step's kind, with dwell and time in its unit.
    @inline(__always)
    func timed(_ step: Step) -> (kind: Int64, dwell: Int64?, time: Int64?) {
        guard step.unit != 1 else { return (rows[2 * Int(step.kind) + 1], step.dwell, step.time) }
        let unit = KindTable.millisecond
        return (rows[2 * Int(step.kind)], step.dwell.map { $0 / unit }, step.time.map { $0 / unit })
    }
}

extension Step {
    /// The unit in which its times are stored.
    @inline(__always)
    fileprivate var unit: Int64 {
        let unit = KindTable.millisecond
        return (time ?? 0) % unit == 0 && (dwell ?? 0) % unit == 0 ? unit : 1
    }
}

/// What follows from a kind of step, and is stored beside it, because queries and kept answers need it.
struct KindTraits: Equatable {
    var isEvent = false
    /// Whether such a step ends a visit.
    var isVisit = false
    /// Whether it changes the state.
    var isTransition = false
    /// Whether the log shows both ends of the visit, and whether both are observed.
    var isTimed = false
    var isObserved = false
    /// Row id of the first kind with this layer and state before.
    var group: Int64 = 0
    /// Row id of the first kind with this layer and callback; `nil` for kinds that are not callbacks.
    var callback: Int64?
}

extension KindTraits {
    /// All but what depends on other kinds.
    init(_ key: KindTable.Key) {
        let kind = key.kind
        isEvent = !key.isTail && kind.role == .event
        isTimed = kind.closedCensoring == .neither
        isObserved = isTimed && kind.closedEvidence == .observed
        isVisit = key.isTail ? kind.stateBefore != nil : kind.endsVisit
        isTransition =
            key.isTail
            ? kind.stateAfter != nil
            : kind.stateAfter != nil
                && (kind.endsVisit || kind.stateBefore == "not_running" && kind.stateAfter != kind.stateBefore)
    }
}

/// A row of a table of kinds, the first column of which is its number.
protocol InternedKind: Hashable {
    static var table: String { get }
    /// All columns but the number.
    var columns: [(any DatabaseValueConvertible)?] { get }

    /// - Parameter number: what the number of another kind of the table has become.
    init(_ row: some NamedColumns, number: (Int64) throws -> Int64) throws
}

/// Rows that are stored once and referred to by number: one table of `raw_…_kinds`.
struct InternedRows<Key: InternedKind> {
    private(set) var ids: [Key: Int64] = [:]
    /// The rows asked for lately, and where the next one goes.
    private var recent: [(key: Key, id: Int64)] = []
    private var oldest = 0

    /// Reads the rows that the database has.
    init(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM \(Key.table)") {
            ids[try Key(row) { $0 }] = try row.value("kind_id")
        }
    }

    private static var mostRecent: Int { 8 }

    /// The number of a row, which is stored when it is new. A few alternate: comparing them is cheaper than hashing.
    @inline(__always)
    mutating func id(_ key: Key, in db: Database) throws -> Int64 {
        for one in recent where one.key == key { return one.id }
        let id = try ids[key] ?? add(key, in: db)
        if recent.count < Self.mostRecent {
            recent.append((key, id))
        } else {
            recent[oldest] = (key, id)
            oldest = (oldest + 1) % Self.mostRecent
        }
        return id
    }

    private mutating func add(_ key: Key, in db: Database) throws -> Int64 {
        let id = (ids.values.max() ?? 0) + 1
        let values = [id] + key.columns
        let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
        try db.execute(sql: "INSERT INTO \(Key.table) VALUES (\(places))", arguments: StatementArguments(values))
        ids[key] = id
        return id
    }
}

/// The part of a suspension that repeats: a row of `raw_suspension_kinds`.
struct SuspensionKind: Hashable {
    enum Role: String, Sendable { case own, hidden, rest }

    var evidence: String
    var basis: String
    var leadsTo: String?
    var after: Int64?
    var role = Role.own
    var hiddenOf: Int64?
}

extension SuspensionKind: InternedKind {
    static let table = "raw_suspension_kinds"
    var columns: [(any DatabaseValueConvertible)?] { [evidence, basis, leadsTo, after, role.rawValue, hiddenOf] }

    init(_ row: some NamedColumns, number: (Int64) throws -> Int64) throws {
        try self.init(
            evidence: row.word("evidence"), basis: row.word("basis"), leadsTo: row.text("leads_to"),
            after: row.number("after_ns"), role: Role(rawValue: row.word("role")) ?? .own,
            hiddenOf: row.number("hidden_of").map(number))
    }
}

/// The part of a scenario that repeats: a row of `raw_scenario_kinds`.
struct ScenarioKind: Hashable {
    var scenario: String
    var equivalenceClass: String?
    var members: String?
}

extension ScenarioKind: InternedKind {
    static let table = "raw_scenario_kinds"
    var columns: [(any DatabaseValueConvertible)?] { [scenario, equivalenceClass, members] }

    init(_ row: some NamedColumns, number: (Int64) throws -> Int64) throws {
        try self.init(scenario: row.word("scenario"), equivalenceClass: row.text("class"), members: row.text("members"))
    }
}

/// The part of a finding that repeats: a row of `raw_finding_kinds`.
struct FindingKind: Hashable {
    var layer: String
    var rule: String
    var deviation: String
    var severity: String
    /// What happened, in words that do not change but for the time that was taken; `nil` where each finding has its own.
    var message: String?
    /// See ``Finding/guess`` and ``Finding/awaitsEnd``.
    var guess: String?
    var awaitsEnd = false

    /// How many kinds may have their words: a few say all that is usual.
    static let mostWorded = 256
    /// Stands for the time that was taken: the view of findings puts it back.
    private static let taken = Array("{taken}".utf8)
    /// The durations that the view can write, in nanoseconds: from 10 ms to 999 days.
    private static let shared: Range<Int64> = 10_000_000..<86_313_600_000_000_000

    /// The words that a finding has in common with others; `nil` where its limit has other words.
    static func message(of finding: Finding) -> String? {
        guard finding.limit != nil || finding.taken != nil else { return finding.message }
        guard let taken = finding.taken, shared.contains(taken) else { return nil }
        let length = HumanDuration.text(nanoseconds: taken)
        guard finding.limit.map({ HumanDuration.text(nanoseconds: $0) }) != length else { return nil }
        let wanted = Array(" \(length)".utf8)
        let text = Array(finding.message.utf8)
        guard text.count >= wanted.count, !text.contains(UInt8(ascii: "{")) else { return nil }
        for start in 0...text.count - wanted.count where text[start...].starts(with: wanted) {
            let end = start + wanted.count
            return String(decoding: text[...start] + Self.taken + text[end...], as: UTF8.self)
        }
        return nil
    }
}

extension FindingKind: InternedKind {
    static let table = "raw_finding_kinds"
    var columns: [(any DatabaseValueConvertible)?] { [layer, rule, deviation, severity, message, guess, awaitsEnd] }

    init(_ row: some NamedColumns, number: (Int64) throws -> Int64) throws {
        try self.init(
            layer: row.word("layer"), rule: row.word("rule"), deviation: row.word("deviation"),
            severity: row.word("severity"), message: row.text("message"), guess: row.text("guess"),
            awaitsEnd: row.number("awaits_end") == 1)
    }
}
