/// How a result is written out: the words of `--format`.
package enum TableFormat: String, Sendable, CaseIterable {
    /// Aligned columns for people.
    case table
    /// RFC 4180: commas, quotes, CRLF.
    case csv
    /// One array of objects.
    case json
    /// One object a line.
    case ndjson
    /// A table for GitHub and the like.
    case markdown
}
