import GRDB
import TraceRecords

/// The kinds that the database has, and their row ids.
struct KindTable {
    /// A kind; that of an open visit is told apart, since no step is of it.
    struct Key: Hashable {
        var kind: StepKind
        var isTail: Bool
    }

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
            let id: Int64 = try row.value("kind_id")
            note(key, id)
        }
    }

    /// What kinds have in common that the ledgers of a batch ask for.
    func traits(of ids: [Int64]) -> [KindTraits] {
        ids.map { traits[$0] ?? KindTraits() }
    }

    /// Whether steps of a kind end visits.
    func areVisits(_ id: Int64) -> Bool { traits[id]?.isVisit ?? false }

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
    mutating func id(_ kind: StepKind, isTail: Bool = false, in db: Database) throws -> Int64 {
        let key = Key(kind: kind, isTail: isTail)
        if let id = rows[key] { return id }
        let id = Int64(rows.count + 1)
        note(key, id)
        let traits = traits[id] ?? KindTraits()
        try db.execute(
            sql: """
                INSERT INTO raw_kinds VALUES (
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, isTail ? "tail" : kind.role.rawValue, kind.model, kind.layer, kind.kind, kind.callback,
                kind.proves?.rawValue, kind.stateBefore, kind.stateAfter, kind.verdict?.rawValue,
                kind.evidence.rawValue, kind.closedEvidence.rawValue, kind.closedCensoring.rawValue,
                traits.isEvent, traits.isVisit, traits.isTransition, traits.isTimed, traits.isComplete, traits.group,
                kind.naming.rawValue, traits.callback,
            ])
        return id
    }

    /// The kind of the visit that an instance is left in.
    static func tail(_ tail: InstanceRecord.Tail, of instance: InstanceRecord) -> StepKind {
        StepKind(
            role: .derived, model: instance.model, layer: instance.layer, kind: "tail", stateBefore: tail.state,
            stateAfter: tail.silentlyTo, verdict: tail.verdict, evidence: .inferred, closedEvidence: tail.evidence,
            closedCensoring: tail.censoring)
    }
}

extension KindTable.Key {
    /// Reads a row of `raw_kinds`; `nil` when a later version wrote words that this one does not know.
    init?(_ row: Row) throws {
        try self.init(naming: Naming(rawValue: row.value("naming"))) { try row.value($0) }
    }

    /// The same with the texts of columns by their names.
    init?(naming: Naming, text: (String) throws -> String?) throws {
        func word(_ column: String) throws -> String {
            guard let word = try text(column) else { throw DamagedRow(description: "a kind has no \(column)") }
            return word
        }
        let role = try word("role")
        isTail = role == "tail"
        guard let known = isTail ? .derived : StepKind.Role(rawValue: role),
            let evidence = EvidenceKind(rawValue: try word("evidence")),
            let closedEvidence = EvidenceKind(rawValue: try word("closed_evidence")),
            let censoring = Censoring(rawValue: try word("closed_censoring"))
        else { return nil }
        kind = try StepKind(
            role: known, model: word("model"), layer: word("layer"), kind: word("kind"), callback: text("callback"),
            proves: text("proves").flatMap(Proof.init), stateBefore: text("state_before"),
            stateAfter: text("state_after"), verdict: text("verdict").flatMap(Verdict.init), evidence: evidence,
            closedEvidence: closedEvidence, closedCensoring: censoring, naming: naming)
    }
}

extension StepKind {
    /// Whether the step changes a known state: the end of a visit, or a launch.
    var isTransition: Bool {
        endsVisit || (stateBefore == "not_running" && stateAfter != nil && stateAfter != stateBefore)
    }
}
