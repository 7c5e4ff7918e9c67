import Foundation

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
            // Errors in SQL say their place in what was given.
            self = isName ? .named(text) : .sql(given)
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
