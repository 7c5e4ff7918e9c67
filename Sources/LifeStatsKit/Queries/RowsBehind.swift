import NamedQueries
import TraceStore

/// The rows of a view that an answer of a named query counts: from a figure to its lines.
///
/// The header of the query names the view. A row of the view belongs to a row of the answer when it has the same texts in
/// the columns that both have, and passes the parameters.
enum RowsBehind {
    /// How rows of a view are shown.
    private struct View {
        var columns: String
        /// When a row happened, as the queries compare it with `$since` and `$until`.
        var time: String
    }

    private static let views = [
        "visits": View(
            columns: """
                visit_id, run_id, app, instance, entered, left, dwell_s, entered_by, left_by, censored, source, line
                """, time: "coalesce(v.entered, v.left)"),
        "transitions": View(
            columns: "transition_id, run_id, app, instance, time, dwell_s, source, line", time: "v.time"),
        "events": View(columns: "event_id, run_id, app, instance, time, state_after, source, line", time: "v.time"),
        "findings": View(columns: "finding_id, run_id, app, time, message, source, line", time: "v.time"),
        "runs": View(
            columns: "run_id, app, app_version, pid, started, last_seen, end_reason, end_detail",
            time: "coalesce(v.started, v.first_seen)"),
    ]

    /// SQL and values for the rows behind one row of an answer.
    ///
    /// - Parameters:
    ///   - row: number of the row of the answer, counted from 1.
    ///   - parameters: the values that the query was asked with.
    /// - Throws: ``LifeStatsError`` when the query has no rows behind it, or no such row.
    static func query(
        _ query: NamedQuery, row: Int, parameters: [String: SQLValue], _ reader: TraceReader
    ) throws -> (sql: String, parameters: [String: SQLValue]) {
        guard let source = query.rows, let view = views[source.view] else {
            let known = NamedQueries.all.filter { $0.rows != nil }.map(\.name).joined(separator: ", ")
            throw LifeStatsError(
                "--rows: the answers of \(query.name) do not count rows of one view", remedy: "it works for \(known)")
        }
        var names: [String] = []
        var values: [SQLValue]?
        var count = 0
        _ = try reader.query(query.sql, parameters: parameters, limits: QueryLimits(timeout: nil)) { columns in
            names = columns.map(\.name)
        } row: { found in
            count += 1
            if count == row { values = (0..<found.count).map { found[$0] } }
        }
        guard let values else {
            throw LifeStatsError(
                "--rows \(row): the answer has \(count == 0 ? "no rows" : "rows 1 to \(count)")",
                remedy: "count the rows of `lifestats query \(query.name)` from 1")
        }
        var conditions: [String] = []
        var bound: [String: SQLValue] = [:]
        for (name, value) in zip(names, values) {
            guard let column = source.columns[name] else { continue }
            conditions.append("v.\(column) IS $row_\(name)")
            bound["row_\(name)"] = value
        }
        for (name, condition) in filters(view) where parameters[name].map({ $0 != .null }) ?? false {
            conditions.append(condition)
            bound[name] = parameters[name]
        }
        if let part = names.firstIndex(of: "part"), case .text(let by) = parameters["by"] ?? .null,
            let condition = partitions(view)[by]
        {
            conditions.append(condition)
            bound["row_part"] = values[part]
        }
        let sql = """
            SELECT \(view.columns) FROM \(source.view) AS v
            \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")) ORDER BY 1
            """
        return (sql, bound)
    }

    /// The parameters that named queries share.
    private static func filters(_ view: View) -> [(name: String, condition: String)] {
        [
            ("app", "v.app = $app"), ("device", "v.device = $device"), ("run", "v.run_id = $run"),
            ("app_version", "v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version)"),
            ("layer", "v.layer = $layer"), ("since", "\(view.time) >= rtrim($since, 'Z')"),
            ("until", "\(view.time) < rtrim($until, 'Z')"),
        ]
    }

    /// What `$by` divides by.
    private static func partitions(_ view: View) -> [String: String] {
        func ofRun(_ column: String) -> String {
            "v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.\(column) IS $row_part)"
        }
        return [
            "app": "v.app IS $row_part", "run": "v.run_id = $row_part", "device": ofRun("device"),
            "app_version": ofRun("app_version"), "os_version": ofRun("os_version"),
            "day": "substr(\(view.time), 1, 10) = $row_part",
        ]
    }
}
