import CohortComparison
import Foundation
import TraceStore

/// The runs of one side of a comparison, as typed: the path of a database, or conditions on the columns of `runs`.
struct Cohort: Sendable {
    /// What was typed.
    let text: String
    let database: String
    private let conditions: [(column: String, pattern: String)]

    /// Columns of `runs`, whose values are compared with a pattern (`17.*`).
    private static let columns = ["app", "app_version", "os_version", "device"]
    /// Bounds of the time at which a run begins: from the first on, before the second.
    private static let bounds = ["from", "until"]

    /// - Parameter database: the one that conditions are about.
    /// - Throws: ``LifeStatsError`` when the text is neither a database nor conditions.
    init(_ text: String, database: String) throws {
        self.text = text
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        guard parts.allSatisfy({ $0.count == 2 }), !FileManager.default.fileExists(atPath: text) else {
            (self.database, conditions) = (text, [])
            return
        }
        self.database = database
        let known = Self.columns + Self.bounds
        conditions = try parts.map { part in
            guard known.contains(part[0]) else {
                throw LifeStatsError(
                    "\(text): runs have no column \(part[0])",
                    remedy: Suggestion.remedy(
                        part[0], among: known, or: "a cohort is chosen by \(known.joined(separator: ", "))"))
            }
            if Self.bounds.contains(part[0]) { _ = try ISOTime.nanoseconds(part[1], option: "\(part[0])=") }
            return (part[0], part[1])
        }
    }

    /// Condition on the columns of `runs`, named `r`, and its parameters. Several patterns for one column are
    /// alternatives.
    ///
    /// - Parameter name: begins the names of the parameters.
    func condition(_ name: String) throws -> (sql: String, values: [String: SQLValue]) {
        var values: [String: SQLValue] = [:]
        var terms: [String: [String]] = [:]
        for (number, (column, pattern)) in conditions.enumerated() {
            let parameter = "\(name)\(number)"
            if Self.bounds.contains(column) {
                values[parameter] = .integer(try ISOTime.nanoseconds(pattern, option: "\(column)="))
                let sign = column == "from" ? ">=" : "<"
                terms[column, default: []].append("coalesce(r.started_ns, r.first_seen_ns) \(sign) $\(parameter)")
            } else {
                values[parameter] = .text(pattern)
                terms[column, default: []].append("r.\(column) GLOB $\(parameter)")
            }
        }
        let all = terms.sorted { $0.key < $1.key }.map { "(\($0.value.joined(separator: " OR ")))" }
        return (all.isEmpty ? "1 = 1" : all.joined(separator: " AND "), values)
    }

    /// What the database has in the columns that the cohort names, for an error.
    func values(in reader: DatabaseReading) throws -> [String] {
        try conditions.filter { Self.columns.contains($0.column) }.map { column, _ in
            let rows = try Rows.all(
                reader, "SELECT DISTINCT \(column) AS value FROM runs WHERE \(column) IS NOT NULL ORDER BY 1 LIMIT 11")
            let known = rows.compactMap { $0.text("value") }
            let some = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
            return known.isEmpty ? "no run has a value of \(column)" : "values of \(column) are \(some)"
        }
    }
}

/// A run of a cohort.
struct CohortRun: Sendable {
    var id: Int64
    var device: String?
    var key: String
    var endReason: String
    /// Hours from its first to its last sign of life.
    var hours: Double
}

extension Cohort {
    /// The runs of the cohort.
    ///
    /// - Parameter app: only runs of this app.
    func runs(in reader: DatabaseReading, app: String?) throws -> [CohortRun] {
        var (condition, values) = try condition("c")
        values["app"] = app.map(SQLValue.text)
        var runs: [CohortRun] = []
        let sql = """
            SELECT r.run_id, r.device, r.run_key, r.end_reason, (r.last_seen_ns - r.first_seen_ns) / 3.6e12 FROM runs AS r
            WHERE ($app IS NULL OR r.app = $app) AND \(condition) ORDER BY r.run_id
            """
        try reader.query(sql, values) { row in
            runs.append(
                CohortRun(
                    id: row.integer(0) ?? 0, device: row.text(1), key: row.text(2) ?? "", endReason: row.text(3) ?? "",
                    hours: max(0, row.real(4) ?? 0)))
        }
        return runs
    }
}
