import GRDB

/// The part of a suspension that repeats: a row of `raw_suspension_kinds`.
struct SuspensionKind: Hashable {
    var evidence: String
    var basis: String

    /// The kinds that the database has, with their row ids.
    static func all(_ db: Database) throws -> [SuspensionKind: Int64] {
        var kinds: [SuspensionKind: Int64] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT kind_id, evidence, basis FROM raw_suspension_kinds") {
            kinds[SuspensionKind(evidence: row["evidence"], basis: row["basis"])] = row["kind_id"]
        }
        return kinds
    }
}
