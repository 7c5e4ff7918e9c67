import CMemory
import Foundation
import LogReading
import NamedQueries
import Reports
import TraceRecords
import TraceStore

/// The version of lifestats.
public enum LifeStatsVersion {
    /// Semantic version; see the CHANGELOG.
    public static let current = "0.1.0"
}

/// The memory of the process.
public enum ProcessMemory {
    /// What is read in a moment needs the code of the start no less than memory.
    private static let leastBytes: Int64 = 4 << 20

    /// Keeps freed memory from piling up; takes effect before the first threads start.
    public static func keepHeapSmall() { lifestats_keep_heap_small() }

    /// Gives back the memory of the code that only the start of an ingest needs, if the ingest has much to read.
    ///
    /// - Parameter bytes: how much it has to read.
    static func dropCodeOfStart(before bytes: Int64) {
        if bytes >= leastBytes { lifestats_drop_code() }
    }
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

    /// The text of a usage error of a command, with what was probably meant: the nearest of the values that an option
    /// takes, or the option of a parameter.
    ///
    /// - Parameter help: that of the command, which has its options.
    public static func usage(_ message: String, of command: String?, help: String) -> String {
        let value = /(?s)The value '([^']*)' is invalid for '[^']*'\.(?= Please provide one of (.*))/
        if let wrong = message.firstMatch(of: value) {
            let known = wrong.output.2.matches(of: /'([^']+)'|- (\S+)/).map { String($0.output.1 ?? $0.output.2 ?? "") }
            // Findings of the severity info are called remarks in texts.
            let given = String(wrong.output.1).replacing(/^remarks?$/, with: "info")
            let question = Suggestion.question(given, among: known).map { " D" + $0.dropFirst() }
            return message[..<wrong.range.upperBound] + (question ?? "") + message[wrong.range.upperBound...]
        }
        // The parser itself asks only about slips of the pen.
        if let wrong = message.firstMatch(of: /Unknown option '(--[\w-]+)'(?!\.)/),
            let meant = help.matches(of: /(?m)^  (?:-\w, )?(--[a-z-]+)/).map(\.output.1).first(where: {
                wrong.output.1.hasPrefix($0) || $0.hasPrefix(wrong.output.1)
            })
        {
            let end = wrong.range.upperBound
            return message[..<end] + ". Did you mean '\(meant)'?" + message[end...]
        }
        if command == "query" || command == "show",
            let wrong = message.firstMatch(of: /Unexpected argument '([^']+)'/),
            FileManager.default.fileExists(atPath: String(wrong.output.1))
        {
            return message[..<wrong.range.upperBound] + ": write --from \(ShellText.quoted(String(wrong.output.1)))."
                + message[wrong.range.upperBound...]
        }
        if command == "query", let wrong = message.firstMatch(of: /Unexpected argument '(\w+=[^']*)'/) {
            return message[..<wrong.range.upperBound] + ": write --param \(wrong.output.1)."
                + message[wrong.range.upperBound...]
        }
        return message
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

extension Suggestion {
    /// The view, column or database that is probably meant; `nil` for other errors.
    static func question(about error: StoreError) -> String? {
        if case .missing(let path) = error { return NearestPath.question(path) }
        guard case .sql(let message, let sql, _) = error,
            let found = message.firstMatch(of: /^no such (table|column): (?:\w+\.)?(\w+)/)
        else { return nil }
        let views = SchemaDocumentation.views
        let name = String(found.2)
        guard found.1 == "column" else { return question(name, among: views.map(\.name)) }
        // A column of another view does not help.
        let words = Set(sql.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        let used = views.filter { words.contains($0.name) }
        let columns = Set((used.isEmpty ? views : used).flatMap { $0.columns.map(\.name) }).sorted()
        // A column of another view is no slip of the pen.
        let owners = views.filter { $0.columns.map(\.name).contains(name) }.map(\.name)
        if owners.isEmpty, let question = question(name, among: columns) { return question }
        let lists =
            used.map { view in "\(view.name) has \(view.columns.map(\.name).joined(separator: ", "))" }
            + (owners.isEmpty ? [] : ["\(name) is a column of \(owners.joined(separator: ", "))"])
        return lists.isEmpty ? nil : lists.joined(separator: "; ")
    }
}
