import Foundation
import NamedQueries
import Reports
import TraceStore

/// The version of lifestats.
public enum LifeStatsVersion {
    /// Semantic version; see the CHANGELOG.
    public static let current = "0.1.0"
}

/// The folder for what applies to every database: layouts of the user, and the key of `--redact`.
enum ConfigurationFolder {
    /// `lifestats` in `XDG_CONFIG_HOME`, or in `~/.config`; `nil` where neither is known.
    static var path: String? {
        let environment = ProcessInfo.processInfo.environment
        let home =
            environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
            ?? environment["HOME"].map { $0 + "/.config" }
        return home.map { $0 + "/lifestats" }
    }
}

/// An error for users: what went wrong, where, why, and how to fix it.
public struct LifeStatsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong and where: `cannot open lifestats.db`.
    public var what: String
    /// Why; `nil` when the first part is enough.
    public var why: String?
    /// How to fix it; `nil` when there is no advice.
    public var remedy: String?

    public init(_ what: String, why: String? = nil, remedy: String? = nil) {
        self.what = what
        self.why = why
        self.remedy = remedy
    }

    public var description: String {
        var text = what
        if let why { text += ": \(why)" }
        if let remedy { text += "\n  → \(remedy)" }
        return text
    }
}

extension LifeStatsError {
    /// A command or subcommand that does not exist.
    public static func unknownCommand(_ name: String, among known: [String], help: String) -> LifeStatsError {
        var advice = "`\(help)` lists the commands"
        if NamedQueries.query(named: name) != nil {
            advice = "it is a query: `lifestats query \(name)`"
        } else if FileManager.default.fileExists(atPath: name) {
            let command =
                known.contains("entries") ? "formats explain" : known.contains("coverage") ? "model show" : "report"
            advice =
                "use `lifestats \(command) \(ShellText.quoted(name))\(command == "report" ? " -o report.html" : "")`"
        } else if let command = Self.otherWords[name] {
            advice = "use `lifestats \(command)`; \(advice)"
        }
        return LifeStatsError("there is no command \(name)", remedy: Suggestion.remedy(name, among: known, or: advice))
    }

    /// What people call commands that have another name.
    private static let otherWords = [
        "explain": "check --explain RULE", "rules": "model show app", "queries": "query --list", "list": "query --list",
        "sql": "query \"SELECT …\"", "read": "ingest LOGS", "import": "ingest LOGS", "load": "ingest LOGS",
        "follow": "watch LOG", "tail": "watch LOG", "draw": "diagram LOGS -o app.svg", "stats": "query dwell_times",
    ]

    /// Runs something, and turns the errors of the stages into errors for users.
    static func translated<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as LifeStatsError {
            throw error
        } catch let error as StoreError {
            throw LifeStatsError(error.description, remedy: Suggestion.question(about: error))
        } catch {
            // The other stages have errors whose descriptions are for users.
            throw LifeStatsError("\(error)")
        }
    }
}

/// What a name that does not exist was probably meant to be.
enum Suggestion {
    /// The nearest known names: those that differ by a few letters, else those that share a word.
    static func nearest(to name: String, among known: some Sequence<String>) -> [String] {
        let wanted = Array(name.lowercased())
        let most = max(1, wanted.count / 4)
        let distances = known.map { (name: $0, distance: distance(wanted, Array($0.lowercased()), most: most)) }
        let least = distances.map(\.distance).min() ?? .max
        if least <= most { return distances.filter { $0.distance == least }.map(\.name) }
        // Short words occur in too many names.
        let words = name.lowercased().split { $0 == "_" || $0 == "-" || $0 == "." }.filter { $0.count > 3 }
        return distances.map(\.name).filter { known in words.contains { known.lowercased().contains($0) } }
    }

    /// A question to the user; `nil` when nothing is near.
    static func question(_ name: String, among known: some Sequence<String>) -> String? {
        let near = nearest(to: name, among: known).prefix(5)
        return near.isEmpty ? nil : "did you mean \(near.joined(separator: ", "))?"
    }

    /// The view or column that a query probably means; `nil` for other errors.
    static func question(about error: StoreError) -> String? {
        guard case .sql(let message, _, _) = error,
            let found = message.firstMatch(of: /^no such (table|column): (?:\w+\.)?(\w+)/)
        else { return nil }
        let views = SchemaDocumentation.views
        let columns = Set(views.flatMap { $0.columns.map(\.name) }).sorted()
        return question(String(found.2), among: found.1 == "table" ? views.map(\.name) : columns)
    }

    /// The question, if there is one, before other advice.
    static func remedy(_ name: String, among known: some Sequence<String>, or advice: String) -> String {
        guard let question = question(name, among: known) else { return advice }
        return "\(question) \(advice.prefix(1).uppercased())\(advice.dropFirst())"
    }

    /// The number of letters to insert, delete, replace or swap with a neighbour; `.max` where it is clearly more than
    /// `most`.
    private static func distance(_ a: [Character], _ b: [Character], most: Int) -> Int {
        guard abs(a.count - b.count) <= most else { return .max }
        var before: [Int] = []
        var row = Array(0...b.count)
        for i in a.indices {
            var next = [i + 1]
            for j in b.indices {
                var cost = min(row[j] + (a[i] == b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
                next.append(cost)
            }
            (before, row) = (row, next)
        }
        return row[b.count]
    }
}
