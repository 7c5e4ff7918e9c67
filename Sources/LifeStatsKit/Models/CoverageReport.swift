import LifecycleModel
public import Reports
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
                text: ResultWriter.text(format, columns: columns.map { Column($0) }, rows: rows),
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
        var seen = ModelCoverage.Seen()
        func each(_ columns: String, of view: String, layer: String = "layer", _ body: (ResultRow) -> Void) throws {
            let sql = """
                SELECT DISTINCT \(columns) FROM \(view) WHERE \(layer) = $layer AND run_id IN
                    (SELECT r.run_id FROM runs AS r
                    WHERE r.app IS $app AND r.app_version IS $app_version AND \(DiagramQueries.living))
                """
            try reader.query(sql, values, row: body)
        }
        try each("from_state, callback, to_state", of: "transitions") { row in
            guard let from = row.text(0), let to = row.text(2) else { return }
            seen.moves.insert(.init(from: from, callback: row.text(1), to: to))
            seen.states.formUnion([from, to])
        }
        try each("state, entered_by, left_by", of: "visits") { row in
            guard let state = row.text(0) else { return }
            seen.states.insert(state)
            if let entered = row.text(1), let left = row.text(2) {
                seen.visits.insert(.init(state: state, enteredBy: entered, leftBy: left))
            }
        }
        try each("callback", of: "events") { seen.callbacks.formUnion($0.text(0).map { [$0] } ?? []) }
        // Scenarios are of runs, not of layers.
        try each("coalesce(class, scenario)", of: "scenarios", layer: "$layer") {
            seen.scenarios.formUnion($0.text(0).map { [$0] } ?? [])
        }
        try each("rule", of: "findings") { seen.findings.formUnion($0.text(0).map { [$0] } ?? []) }
        return seen
    }
}
