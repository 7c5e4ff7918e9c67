/// A question that everybody asks: a file of `queries/`, with what its header says.
public struct NamedQuery: Sendable, Hashable {
    /// A value that the query can be narrowed by.
    public struct Parameter: Sendable, Hashable {
        /// Name without the sigil.
        public var name: String
        /// `text`, `integer`, `real`, or `time` (ISO 8601 text in UTC, as the columns have it; a beginning will do).
        public var type: String
        /// What the query takes when the parameter is not given; `nil` means no restriction.
        public var standard: String?
        /// Meaning.
        public var purpose: String
    }

    /// A column of the result.
    public struct Column: Sendable, Hashable {
        public var name: String
        /// Type, or the unit of a number: `text`, `integer`, `real`, `seconds`, `time`, `duration`, `share`.
        public var type: String
        /// Meaning.
        public var purpose: String
    }

    /// Rows of a view that belong to a row of the answer.
    public struct RowsOfView: Sendable, Hashable {
        public var view: String
        /// The columns of the view that have the same value, by the name of the answer's column.
        public var columns: [String: String]
    }

    /// Name of the file without `.sql`.
    public var name: String
    /// What the query answers, in one or a few sentences.
    public var purpose: String
    public var parameters: [Parameter]
    /// The columns of the result, in order.
    public var columns: [Column]
    /// What the question is about, as the list of queries groups them.
    public var group = "Others"
    /// The rows that one row of the answer counts; `nil` where it does not count rows of one view.
    public var rows: RowsOfView?
    /// The whole file; runs as it stands, with every parameter NULL.
    public var sql: String
    /// The same question for engines that do not take the file: without a header, and SQLite takes it as well. `nil` where
    /// the file itself is portable.
    public var portableSQL: String?

    /// The purpose in a few words: its beginning, up to a colon, comma, semicolon or full stop.
    public var title: String {
        let end = purpose.firstRange(of: /[:;,] |\.( |$)| \(/)?.lowerBound ?? purpose.endIndex
        return String(purpose[..<end])
    }
}
