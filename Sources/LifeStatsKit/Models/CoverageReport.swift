import LifecycleModel
import Reports
import TraceStore

/// Which documented states, transitions, callbacks, scenarios and rules occur in a database.
public enum CoverageReport {
    /// What was found.
    public struct Result: Sendable {
        public var text: String
        /// The lowest coverage of any model that occurs, 0 to 1; 0 when none occurs.
        public var fraction: Double
        /// Models of the database that are left out, one sentence each.
        public var remarks: [String] = []
    }

    /// - Parameter models: files of the user's models and overlays, besides the built-in ones.
    /// - Throws: ``LifeStatsError`` when there is no database, or a file is not a model.
    public static func run(
        database: String, filter: Filter, models: [String] = [], format: OutputFormat,
        limit: ReadingLimit = ReadingLimit()
    ) throws -> Result {
        try DatabaseReading.run(database, limit: limit) { reader in
            try filter.requireMatch(in: reader)
            let catalog = try ModelLoading.catalog(with: models)
            var rows: [[Cell]] = []
            var smallest = 1.0
            let groups = try Rows.all(
                reader,
                "SELECT DISTINCT app, app_version FROM runs AS r WHERE \(DiagramQueries.living) ORDER BY app, app_version",
                DiagramQueries.values(filter))
            for group in groups {
                var part = filter
                part.app = group.text("app")
                part.appVersion = group.text("app_version")
                for model in catalog.models {
                    let seen = try seen(of: model, in: part, reader)
                    guard !seen.states.isEmpty else { continue }
                    let coverage = ModelCoverage(
                        of: model, seen: seen, classes: catalog.models.flatMap(\.classes))
                    smallest = min(smallest, coverage.fraction)
                    rows += coverage.shares.map { share in
                        [
                            group.text("app").map { .text($0) } ?? .null,
                            group.text("app_version").map { .text($0) } ?? .null, .text(model.id),
                            .text(share.category.rawValue), .integer(Int64(share.seen.count)),
                            .integer(Int64(share.seen.count + share.missing.count)), .real(share.fraction),
                            .text(share.missing.joined(separator: " ")),
                        ]
                    }
                }
            }
            let columns = ["app", "app_version", "model", "kind", "seen", "documented", "share", "missing"]
            return Result(
                text: ResultWriter.text(format.tableFormat, columns: columns.map { Column($0) }, rows: rows),
                fraction: rows.isEmpty ? 0 : smallest, remarks: try remarks(reader, catalog))
        }
    }

    /// A database stores the states and transitions of a model, which is enough to draw it, but not to measure coverage.
    private static func remarks(_ reader: DatabaseReading, _ catalog: ModelCatalog) throws -> [String] {
        try Rows.all(reader, "SELECT DISTINCT model FROM documented_states ORDER BY model")
            .compactMap { $0.text("model") }.filter { catalog.model($0) == nil }
            .map { "model \($0) is not covered: add its file with --model FILE" }
    }

    /// - Parameter part: the filter, with app and version of the group; `nil` there means that the runs have none.
    private static func seen(
        of model: LifecycleModel, in part: Filter, _ reader: DatabaseReading
    ) throws -> ModelCoverage.Seen {
        let values = DiagramQueries.values(part, layer: model.layer)
        let chosen = """
            (SELECT r.run_id FROM runs AS r
            WHERE r.app IS $app AND r.app_version IS $app_version AND \(DiagramQueries.living))
            """
        var seen = ModelCoverage.Seen()
        for row in try Rows.all(
            reader,
            "SELECT DISTINCT from_state, callback, to_state FROM transitions WHERE layer = $layer AND run_id IN \(chosen)",
            values)
        {
            guard let from = row.text("from_state"), let to = row.text("to_state") else { continue }
            seen.moves.insert(.init(from: from, callback: row.text("callback"), to: to))
            seen.states.formUnion([from, to])
        }
        for row in try Rows.all(
            reader,
            "SELECT DISTINCT state, entered_by, left_by FROM visits WHERE layer = $layer AND run_id IN \(chosen)",
            values)
        {
            guard let state = row.text("state") else { continue }
            seen.states.insert(state)
            if let entered = row.text("entered_by"), let left = row.text("left_by") {
                seen.visits.insert(.init(state: state, enteredBy: entered, leftBy: left))
            }
        }
        for row in try Rows.all(
            reader, "SELECT DISTINCT callback FROM events WHERE layer = $layer AND run_id IN \(chosen)", values)
        {
            if let callback = row.text("callback") { seen.callbacks.insert(callback) }
        }
        for row in try Rows.all(
            reader,
            """
            SELECT DISTINCT coalesce(class, scenario) AS scenario FROM scenarios
            WHERE run_id IN \(chosen) AND $layer IS NOT NULL
            """, values)
        {
            if let scenario = row.text("scenario") { seen.scenarios.insert(scenario) }
        }
        for row in try Rows.all(
            reader, "SELECT DISTINCT rule FROM findings WHERE layer = $layer AND run_id IN \(chosen)", values)
        {
            if let rule = row.text("rule") { seen.findings.insert(rule) }
        }
        return seen
    }
}
