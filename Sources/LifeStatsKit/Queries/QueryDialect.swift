import NamedQueries
import TraceStore

/// An engine that answers the named queries on tables named as the views: those of an export, say.
public enum QueryDialect: String, Sendable, CaseIterable {
    case sqlite, duckdb, spark

    /// What the engine calls what SQLite has under another name.
    private var words: [(String, String)] {
        switch self {
        case .sqlite, .duckdb: []
        case .spark:
            [
                (" AS NOT MATERIALIZED (", " AS ("), (" AS MATERIALIZED (", " AS ("), ("group_concat(", "listagg("),
                // Spark takes what is trimmed first.
                ("rtrim($since, 'Z')", "rtrim('Z', $since)"), ("rtrim($until, 'Z')", "rtrim('Z', $until)"),
            ]
        }
    }

    /// A query in the words of the engine.
    ///
    /// SQLite gets the file. The others have no named parameters that may be left out, so values stand in their place; they
    /// get the portable twin where the file is tuned for SQLite.
    func text(of query: NamedQuery, _ values: [String: SQLValue]) -> String {
        guard self != .sqlite else { return query.sql }
        let lines = query.sql.split(separator: "\n", omittingEmptySubsequences: false)
        var header = lines.prefix { $0.hasPrefix("--") }.joined(separator: "\n")
        if self == .duckdb {
            header += "\n--\n-- Rows are ordered as in SQLite after SET default_null_order = 'nulls_first'."
        }
        var body = query.portableSQL ?? lines.drop { $0.hasPrefix("--") }.joined(separator: "\n")
        for (word, other) in words { body = body.replacing(word, with: other) }
        // The longest names first: one may begin with another.
        for parameter in query.parameters.sorted(by: { $0.name.count > $1.name.count }) {
            body = body.replacing("$" + parameter.name, with: literal(values[parameter.name] ?? .null, of: parameter))
        }
        return header + "\n" + body
    }

    /// A value as the engine writes it. Engines want to know of which type a missing text is.
    private func literal(_ value: SQLValue, of parameter: NamedQuery.Parameter) -> String {
        switch value {
        case .integer(let number): return "\(number)"
        case .real(let number): return "\(number)e0"
        case .text(let text):
            // In Spark a backslash begins an escape.
            let quoted =
                self == .spark
                ? text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") : text.replacing("'", with: "''")
            return "'\(quoted)'"
        case .null, .blob:
            guard ["text", "time"].contains(parameter.type) else { return "NULL" }
            return "CAST(NULL AS \(self == .spark ? "STRING" : "VARCHAR"))"
        }
    }
}
