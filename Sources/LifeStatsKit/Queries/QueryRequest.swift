import Foundation
import Reports

/// A query, and how to write its result.
public struct QueryRequest: Sendable {
    /// The query.
    public enum Question: Sendable, Hashable {
        /// A file of `queries/`, by name.
        case named(String)
        /// SQL.
        case sql(String)
        /// A file of the user, with or without a header like those of `queries/`.
        case file(String, sql: String)

        /// One word is a name unless it is an SQL keyword; anything else is SQL. Surrounding blanks are ignored.
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
    /// Values by name, as typed.
    public var parameters: [(name: String, value: String)] = []
    /// Number of a row of the answer, counted from 1, of which the rows behind it are shown instead; for a named query.
    public var rowsBehind: Int?
    public var format = OutputFormat.table
    /// Durations and shares as plain numbers in tables.
    public var raw = false
    /// Whether lines of CSV end with CR and LF.
    public var crlf = false
    /// Whether to use colours.
    public var colors = false
    /// Whether the result goes to a terminal, which must not receive control characters.
    public var isTerminal = false
    /// Columns of the terminal, to which texts in tables are shortened; `nil` for no limit.
    public var width: Int?
    /// The time limit in seconds.
    public var timeout = 30.0
    /// Maximum number of rows; `nil` for all.
    public var maxRows: Int?
    /// How long a query may continue after the user has stopped it, in seconds.
    public var patience = 0.2
    /// Called from another thread when a query does not stop although it was told to, with the error to report. A program
    /// can exit here: nothing is lost, since queries only read.
    public var giveUp: (@Sendable (LifeStatsError) -> Void)?

    public init(database: String, question: Question) {
        self.database = database
        self.question = question
    }
}

/// Output formats: the values of `--format`.
public enum OutputFormat: String, Sendable, CaseIterable {
    /// Aligned columns.
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
