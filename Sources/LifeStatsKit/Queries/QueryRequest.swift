import Foundation
import Reports

/// A question to a database, and how the answer is to be written.
public struct QueryRequest: Sendable {
    /// What is asked.
    public enum Question: Sendable, Hashable {
        /// A file of `queries/`, by name.
        case named(String)
        /// SQL.
        case sql(String)
        /// A file of the user's, which has a header like those of `queries/` or none.
        case file(String, sql: String)

        /// One word is a name unless it is a word of SQL, anything else is SQL. Blanks around it say nothing.
        public init(_ given: String) {
            let text = given.trimmingCharacters(in: .whitespacesAndNewlines)
            let statements: Set<String> = ["vacuum", "analyze", "reindex", "begin", "commit", "rollback", "end"]
            let isName =
                !statements.contains(text.lowercased()) && !text.isEmpty
                && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            // Errors in SQL give their place in the text as typed.
            self = isName ? .named(text) : .sql(given)
        }

        /// The SQL of a file.
        ///
        /// - Throws: ``LifeStatsError`` when the file cannot be read or is empty.
        public static func file(_ path: String) throws -> Question {
            .file(path, sql: try filled(try TextFile.read(path), path))
        }

        /// The SQL on standard input.
        ///
        /// - Throws: ``LifeStatsError`` when there is none.
        public static func standardInput() throws -> Question {
            .sql(try filled(TextFile.readStandardInput(), "standard input"))
        }

        private static func filled(_ text: String, _ place: String) throws -> String {
            guard text.allSatisfy(\.isWhitespace) else { return text }
            throw LifeStatsError("\(place) is empty", remedy: "write an SQL statement into it")
        }
    }

    public var database: String
    public var question: Question
    /// Values by name, as they were typed.
    public var parameters: [(name: String, value: String)] = []
    public var format = OutputFormat.table
    /// Durations and shares as plain numbers in tables.
    public var raw = false
    /// Whether colour is welcome.
    public var colors = false
    /// Whether the answer goes to a terminal, which must not see control characters.
    public var isTerminal = false
    /// Cells of the terminal's line, to which texts in tables are shortened; `nil` for no limit.
    public var width: Int?
    /// Seconds after which to give up.
    public var timeout = 30.0
    /// Most rows to write; `nil` for all.
    public var maxRows: Int?
    /// How long a query may go on after it was told to stop by a person, in seconds.
    public var patience = 0.2
    /// Called from another thread when a query does not obey although it was told to stop, with the error that it would
    /// end with. A program can end itself here: nothing is lost, since queries only read.
    public var giveUp: (@Sendable (LifeStatsError) -> Void)?

    public init(database: String, question: Question) {
        self.database = database
        self.question = question
    }
}

/// How an answer is written: the words of `--format`.
public enum OutputFormat: String, Sendable, CaseIterable {
    /// Aligned columns for people.
    case table
    /// RFC 4180.
    case csv
    /// One array of objects.
    case json
    /// One object a line.
    case ndjson
    /// A Markdown table.
    case markdown

    var tableFormat: TableFormat {
        switch self {
        case .table: .table
        case .csv: .csv
        case .json: .json
        case .ndjson: .ndjson
        case .markdown: .markdown
        }
    }
}
