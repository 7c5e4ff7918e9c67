import Foundation
import LifecycleModel
public import Reports
import TraceRecords
import TraceStore

/// What became of the callbacks of the app delegate when an app moved to scenes.
public enum MigrationCheck {
    /// What was found.
    public struct Result: Sendable {
        public var text: String
        /// Callbacks of the older build that nothing replaces in the newer one, in the order of the model.
        public var missing: [String]
        /// Whether the newer build shows no change of state at all, so that nothing can be said of the move.
        public var showsNothing: Bool
    }

    /// What the newer build logs in place of a callback.
    private enum Outcome: String {
        /// UIKit still calls it, and it is logged.
        case kept
        /// UIKit no longer calls it in an app with scenes; a notification or a forwarder still gives the line.
        case forwarded
        case replaced
        /// It is no longer called, its situation occurred, and nothing that replaces it is logged.
        case missing
        /// The newer build does not show the situation in which it or its replacement would come.
        case notSeen = "not seen"
    }

    /// Compares two builds.
    ///
    /// - Parameters:
    ///   - old: the build with the app delegate: the path of a database, conditions on its runs (`app_version=4.1`), or
    ///     a version of the app in `database`. What is both the name of a file and a version is an error.
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
                "--migration: the format \(format.rawValue) cannot show a table",
                remedy: "use text, json or markdown")
        }
        let model = try ModelLoading.catalog(with: []).model("app")
        let signs = model?.callbacks.flatMap(\.shownBy).map(Sign.init) ?? []
        let before = try build(old, database, app, limit, signs)
        let after = try build(new, database, app, limit, signs)
        let seen = model?.callbacks.filter { before.counts[$0.id] != nil && !$0.isUnknown } ?? []
        guard !seen.isEmpty else {
            throw LifeStatsError(
                "\(old): its runs log no callback of the app delegate", remedy: "name the older build first")
        }
        var missing: [String] = []
        let rows = seen.map { callback -> [Cell] in
            let found = callback.replacedBy.filter { after.counts[$0] != nil }
            let outcome = outcome(
                of: callback, isReplaced: !found.isEmpty, isLogged: after.counts[callback.id] != nil,
                occurred: after.shows(callback, model))
            if outcome == .missing { missing.append(callback.id) }
            let successors = found.isEmpty ? callback.replacedBy.prefix(1) : found[...]
            return [
                .text(callback.id), .integer(before.counts[callback.id] ?? 0),
                successors.isEmpty ? .null : .text(successors.joined(separator: " ")),
                .integer((found.isEmpty ? [callback.id] : found).compactMap { after.counts[$0] }.reduce(0, +)),
                .text(outcome.rawValue), .text(advice(callback, outcome, old: after.counts[callback.id] ?? 0)),
            ]
        }
        let columns = ["callback", "old", "replaced_by", "new", "outcome", "what_to_do"]
        let moved = seen.filter { !$0.replacedBy.isEmpty }
        return Result(
            text: ResultWriter.text(table, columns: columns.map { Column($0) }, rows: rows, options: .ofTerminal),
            missing: missing,
            showsNothing: !moved.isEmpty && !moved.contains { after.shows($0, model) })
    }

    private static func outcome(
        of callback: ModelCallback, isReplaced: Bool, isLogged: Bool, occurred: Bool
    ) -> Outcome {
        if isReplaced { return .replaced }
        if callback.replacedBy.isEmpty { return isLogged ? .kept : .notSeen }
        return isLogged ? .forwarded : occurred ? .missing : .notSeen
    }

    private static func advice(_ callback: ModelCallback, _ outcome: Outcome, old: Int64) -> String {
        switch outcome {
        case .missing: "UIKit does not call it in an app with scenes: move it to \(callback.replacedBy.first ?? "")"
        case .forwarded: "logged from a notification or a forwarder: UIKit does not call the method"
        case .notSeen: "its situation did not occur: make it occur, then check again"
        case .replaced where old > 0: "also logged under the old name (\(old)): make sure that nothing is done twice"
        case .kept, .replaced: ""
        }
    }

    // MARK: - Reading

    /// What shows that a situation has occurred: an event, or two of one instance in their order.
    private struct Sign {
        var text: String
        var first: String
        var last: String?

        init(_ text: String) {
            let names = text.components(separatedBy: ", ")
            (self.text, first, last) = (text, names[0], names.count > 1 ? names[1] : nil)
        }

        /// Whether the events of an instance show it.
        ///
        /// - Parameter events: where the first and the last event of each name are.
        func isShown(by events: [String: ClosedRange<Int64>]) -> Bool {
            guard let begin = events[first]?.lowerBound else { return false }
            return last.map { events[$0].map { begin < $0.upperBound } ?? false } ?? true
        }
    }

    /// What a build logs.
    private struct Build {
        /// How often each callback, or evidence as `kind:proof`, occurs.
        var counts: [String: Int64] = [:]
        /// Changes of the app's state, whatever lines show them.
        var changes: [(from: String?, to: String?)] = []
        /// The signs that the events of an instance show, by their texts.
        var signs: Set<String> = []

        /// Whether what a callback marks has happened while the app ran: a callback that comes in the new state marks that
        /// the app enters it, any other one that it leaves the state before.
        func shows(_ callback: ModelCallback, _ model: LifecycleModel?) -> Bool {
            if callback.shownBy.contains(where: signs.contains) { return true }
            func runs(_ state: String?) -> Bool { state.flatMap { model?.state($0)?.runsCode } == true }
            let entered = callback.proves.flatMap { callback.during.contains($0) ? $0 : nil }
            return changes.contains { change in
                runs(change.from) && runs(change.to)
                    && (entered.map { $0 == change.to } ?? (callback.before == change.from))
            }
        }
    }

    private static func build(
        _ text: String, _ database: String, _ app: String?, _ limit: ReadingLimit, _ signs: [Sign]
    ) throws -> Build {
        let cohort = try cohort(text, database, limit)
        return try DatabaseReading.run(cohort.database, limit: limit) { reader in
            var (condition, values) = try cohort.condition("m")
            values["app"] = app.map(SQLValue.text)
            var build = Build()
            // Lines of the system about other apps say nothing of this one.
            let runs = """
                JOIN runs AS r USING (run_id) WHERE ($app IS NULL OR r.app = $app) AND \(condition)
                    AND r.app IN (SELECT c.app FROM events AS c WHERE c.callback IS NOT NULL)
                """
            let events = """
                SELECT e.instance_id, coalesce(e.callback, e.kind || ':' || e.proves), ':' || e.proves, count(*), min(e.seq),
                    max(e.seq) FROM events AS e
                """
            var instance: Int64?
            var places: [String: ClosedRange<Int64>] = [:]
            func finishInstance() {
                build.signs.formUnion(signs.lazy.filter { $0.isShown(by: places) }.map(\.text))
                places = [:]
            }
            try reader.query("\(events) \(runs) AND e.layer IN ('app', 'scene') GROUP BY 1, 2, 3 ORDER BY 1", values) {
                row in
                if row.integer(0) != instance { finishInstance() }
                instance = row.integer(0)
                guard let name = row.text(1), let first = row.integer(4), let last = row.integer(5) else { return }
                build.counts[name, default: 0] += row.integer(3) ?? 0
                for name in [name, row.text(2)].compactMap(\.self) {
                    let known = places[name] ?? first...last
                    places[name] = min(known.lowerBound, first)...max(known.upperBound, last)
                }
            }
            finishInstance()
            let changes = "SELECT DISTINCT t.from_state, t.to_state FROM transitions AS t"
            try reader.query("\(changes) \(runs) AND t.layer = 'app'", values) { row in
                build.changes.append((row.text(0), row.text(1)))
            }
            guard build.counts.isEmpty else { return build }
            let known = try cohort.values(in: reader, app: app).joined(separator: "; ")
            throw LifeStatsError(
                "\(text): \(cohort.database) has no such run with events\(app.map { " of the app \($0)" } ?? "")",
                remedy: known.isEmpty ? "name a database with runs" : known)
        }
    }

    /// What a text names: a file is a database, what has a `=` are conditions, anything else is a version of the app.
    private static func cohort(_ text: String, _ database: String, _ limit: ReadingLimit) throws -> Cohort {
        let isFile = FileManager.default.fileExists(atPath: text)
        guard !text.contains("=") else { return try Cohort(text, database: database) }
        let version = try Cohort("app_version=\(text)", database: database)
        guard isFile else { return version }
        guard !text.contains("/"), FileManager.default.fileExists(atPath: database),
            try DatabaseReading.run(database, limit: limit, { try !version.runs(in: $0, app: nil).isEmpty })
        else { return try Cohort(text, database: database) }
        throw LifeStatsError(
            "\(text) is a file, and a version of the app in \(database)",
            remedy: "write ./\(text) for the file, or app_version=\(text) for the version")
    }
}
