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

    private mutating func note(_ key: Key, _ id: Int64) {
        rows[key] = id
        let kind = key.kind
        var own = KindTraits(
            isEvent: !key.isTail && kind.role == .event, isVisit: key.isTail || (kind.role != .folded && kind.endsVisit)
        )
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
        let isFact = kind.role == .folded
        note(key, id)
        let traits = traits[id] ?? KindTraits()
        try db.execute(
            sql: """
                INSERT INTO raw_kinds VALUES (
                ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
                coalesce((SELECT min(kind_id) FROM raw_kinds WHERE layer = ?4 AND state_before IS ?8), ?1), ?19, ?20)
                """,
            arguments: [
                id, isTail ? "tail" : kind.role.rawValue, kind.model, kind.layer, kind.kind, kind.callback,
                kind.proves?.rawValue, kind.stateBefore, kind.stateAfter, kind.verdict?.rawValue,
                kind.evidence.rawValue, kind.closedEvidence.rawValue, kind.closedCensoring.rawValue,
                traits.isEvent, traits.isVisit,
                isTail ? kind.stateAfter != nil : !isFact && kind.isTransition, kind.closedCensoring == .neither,
                kind.closedCensoring == .neither && kind.closedEvidence == .observed,
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
        let role: String = try row.value("role")
        isTail = role == "tail"
        guard let known = isTail ? .derived : StepKind.Role(rawValue: role),
            let evidence = EvidenceKind(rawValue: try row.value("evidence")),
            let closedEvidence = EvidenceKind(rawValue: try row.value("closed_evidence")),
            let censoring = Censoring(rawValue: try row.value("closed_censoring"))
        else { return nil }
        kind = try StepKind(
            role: known, model: row.value("model"), layer: row.value("layer"), kind: row.value("kind"),
            callback: row.value("callback"),
            proves: (row.value("proves") as String?).flatMap(Proof.init), stateBefore: row.value("state_before"),
            stateAfter: row.value("state_after"), verdict: (row.value("verdict") as String?).flatMap(Verdict.init),
            evidence: evidence, closedEvidence: closedEvidence, closedCensoring: censoring,
            naming: Naming(rawValue: row.value("naming")))
    }
}

extension StepKind {
    /// Whether the step changes a known state: the end of a visit, or a launch.
    var isTransition: Bool {
        endsVisit || (stateBefore == "not_running" && stateAfter != nil && stateAfter != stateBefore)
    }
}
