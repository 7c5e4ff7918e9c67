import Foundation
import LifecycleModel
import Reports
import TraceStore

/// What became of the callbacks of the app delegate when an app moved to scenes.
public enum MigrationCheck {
    /// What was found.
    public struct Result: Sendable {
        public var text: String
        /// Callbacks of the older build that nothing replaces in the newer one, in the order of the model.
        public var missing: [String]
    }

    /// What the newer build logs in place of a callback.
    private enum Outcome: String {
        /// UIKit still calls it, and it is logged.
        case kept
        /// UIKit no longer calls it in an app with scenes; a notification or a forwarder still gives the line.
        case forwarded
        /// What replaces it is logged.
        case replaced
        /// It is no longer called, and nothing that replaces it is logged.
        case missing
        /// UIKit would call it as before, but it did not occur.
        case notSeen = "not seen"
    }

    /// Compares two builds.
    ///
    /// - Parameters:
    ///   - old: the build with the app delegate: the path of a database, conditions on its runs (`app_version=4.1`), or
    ///     just a version of the app in `database`.
    ///   - new: the build with scenes, likewise.
    ///   - app: only runs of this app.
    /// - Throws: ``LifeStatsError`` when there is no such database or no such run, or the older build has no callback of
    ///   the app delegate.
    public static func run(
        old: String, new: String, database: String, app: String? = nil, format: CheckFormat = .text,
        limit: ReadingLimit = ReadingLimit()
    ) throws -> Result {
        let table: TableFormat
        switch format {
        case .text: table = .table
        case .json: table = .json
        case .markdown: table = .markdown
        default:
            throw LifeStatsError(
                "--migration: the format \(format.rawValue) has no place for a table",
                remedy: "use text, json or markdown")
        }
        let before = try counts(of: old, database, app, limit)
        let after = try counts(of: new, database, app, limit)
        let callbacks = try ModelLoading.catalog(with: []).model("app")?.callbacks ?? []
        let seen = callbacks.filter { before[$0.id] != nil && !$0.isUnknown }
        guard !seen.isEmpty else {
            throw LifeStatsError(
                "\(old): its runs log no callback of the app delegate", remedy: "name the older build first")
        }
        var missing: [String] = []
        let rows = seen.map { callback -> [Cell] in
            let found = callback.replacedBy.filter { after[$0] != nil }
            let outcome = outcome(of: callback, isReplaced: !found.isEmpty, isLogged: after[callback.id] != nil)
            if outcome == .missing { missing.append(callback.id) }
            let successors = found.isEmpty ? callback.replacedBy.prefix(1) : found[...]
            return [
                .text(callback.id), .integer(before[callback.id] ?? 0),
                successors.isEmpty ? .null : .text(successors.joined(separator: " ")),
                .integer((found.isEmpty ? [callback.id] : found).compactMap { after[$0] }.reduce(0, +)),
                .text(outcome.rawValue), .text(advice(callback, outcome)),
            ]
        }
        let columns = ["callback", "old", "replaced_by", "new", "outcome", "what_to_do"]
        return Result(text: ResultWriter.text(table, columns: columns.map { Column($0) }, rows: rows), missing: missing)
    }

    private static func outcome(of callback: ModelCallback, isReplaced: Bool, isLogged: Bool) -> Outcome {
        if isReplaced { return .replaced }
        if callback.replacedBy.isEmpty { return isLogged ? .kept : .notSeen }
        return isLogged ? .forwarded : .missing
    }

    private static func advice(_ callback: ModelCallback, _ outcome: Outcome) -> String {
        switch outcome {
        case .missing: "UIKit does not call it in an app with scenes: move it to \(callback.replacedBy.first ?? "")"
        case .forwarded: "logged from a notification or a forwarder: UIKit does not call the method"
        case .notSeen: "UIKit still calls it; it did not occur"
        case .kept, .replaced: ""
        }
    }

    /// How often each callback, or evidence as `kind:proof`, occurs in the runs of a build.
    private static func counts(
        of build: String, _ database: String, _ app: String?, _ limit: ReadingLimit
    ) throws -> [String: Int64] {
        let isPlain = !build.contains("=") && !FileManager.default.fileExists(atPath: build)
        let cohort = try Cohort(isPlain ? "app_version=\(build)" : build, database: database)
        return try DatabaseReading.run(cohort.database, limit: limit) { reader in
            var (condition, values) = try cohort.condition("m")
            values["app"] = app.map(SQLValue.text)
            var counts: [String: Int64] = [:]
            let sql = """
                SELECT coalesce(e.callback, e.kind || ':' || e.proves), count(*) FROM events AS e
                JOIN runs AS r ON r.run_id = e.run_id
                WHERE ($app IS NULL OR r.app = $app) AND \(condition) GROUP BY 1
                """
            try reader.query(sql, values) { row in
                if let name = row.text(0) { counts[name] = row.integer(1) }
            }
            guard counts.isEmpty else { return counts }
            let known = try cohort.values(in: reader).joined(separator: "; ")
            throw LifeStatsError(
                "\(build): \(cohort.database) has no such run with events",
                remedy: known.isEmpty ? "name a database with runs" : known)
        }
    }
}
