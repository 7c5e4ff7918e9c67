import Reports

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
