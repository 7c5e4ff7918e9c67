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
    private(set) var areEvents: [Int64: Bool] = [:]

    init() {}

    /// Reads the kinds that the database has.
    init(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM raw_kinds") {
            guard let key = Key(row) else { continue }
            let id: Int64 = row["kind_id"]
            rows[key] = id
            areEvents[id] = !key.isTail && key.kind.role == .event
        }
    }

    /// The row id of a kind, which is stored when it is new.
    mutating func id(_ kind: StepKind, isTail: Bool = false, in db: Database) throws -> Int64 {
        let key = Key(kind: kind, isTail: isTail)
        if let id = rows[key] { return id }
        let id = Int64(rows.count + 1)
        let isFact = kind.role == .folded
        try db.execute(
            sql: """
                INSERT INTO raw_kinds VALUES (
                ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
                coalesce((SELECT min(kind_id) FROM raw_kinds WHERE layer = ?4 AND state_before IS ?8), ?1), ?19)
                """,
            arguments: [
                id, isTail ? "tail" : kind.role.rawValue, kind.model, kind.layer, kind.kind, kind.callback,
                kind.proves?.rawValue, kind.stateBefore, kind.stateAfter, kind.verdict?.rawValue,
                kind.evidence.rawValue, kind.closedEvidence.rawValue, kind.closedCensoring.rawValue,
                !isTail && kind.role == .event, isTail || (!isFact && kind.endsVisit),
                isTail ? kind.stateAfter != nil : !isFact && kind.isTransition, kind.closedCensoring == .neither,
                kind.closedCensoring == .neither && kind.closedEvidence == .observed,
                kind.naming.rawValue,
            ])
        rows[key] = id
        areEvents[id] = !isTail && kind.role == .event
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
    init?(_ row: Row) {
        let role: String = row["role"]
        isTail = role == "tail"
        guard let known = isTail ? .derived : StepKind.Role(rawValue: role),
            let evidence = EvidenceKind(rawValue: row["evidence"]),
            let closedEvidence = EvidenceKind(rawValue: row["closed_evidence"]),
            let censoring = Censoring(rawValue: row["closed_censoring"])
        else { return nil }
        kind = StepKind(
            role: known, model: row["model"], layer: row["layer"], kind: row["kind"], callback: row["callback"],
            proves: (row["proves"] as String?).flatMap(Proof.init), stateBefore: row["state_before"],
            stateAfter: row["state_after"], verdict: (row["verdict"] as String?).flatMap(Verdict.init),
            evidence: evidence, closedEvidence: closedEvidence, closedCensoring: censoring,
            naming: Naming(rawValue: row["naming"]))
    }
}

extension StepKind {
    /// Whether the step changes a known state: the end of a visit, or a launch.
    var isTransition: Bool {
        endsVisit || (stateBefore == "not_running" && stateAfter != nil && stateAfter != stateBefore)
    }
}
