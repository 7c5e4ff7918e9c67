import GRDB
import TraceRecords

/// The part of a suspension that repeats: a row of `raw_suspension_kinds`.
struct SuspensionKind: Hashable {
    var evidence: String
    var basis: String
    var leadsTo: String?

    init(evidence: String, basis: String, leadsTo: String?) {
        self.evidence = evidence
        self.basis = basis
        self.leadsTo = leadsTo
    }

    init(_ suspension: Suspension) {
        self.init(
            evidence: suspension.evidence.rawValue, basis: suspension.basis, leadsTo: suspension.leadsTo)
    }

    /// The kinds that the database has, with their row ids.
    static func all(_ db: Database) throws -> [SuspensionKind: Int64] {
        var kinds: [SuspensionKind: Int64] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT kind_id, evidence, basis, leads_to FROM raw_suspension_kinds") {
            try kinds[
                SuspensionKind(
                    evidence: row.value("evidence"), basis: row.value("basis"), leadsTo: row.value("leads_to"))] =
                row.value("kind_id")
        }
        return kinds
    }
}
