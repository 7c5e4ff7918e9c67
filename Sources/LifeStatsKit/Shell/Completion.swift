import NamedQueries
import TraceStore

/// Completion of the word before the cursor.
public enum Completion {
    /// The word, and its possible completions in alphabetical order.
    ///
    /// - Parameter text: the line up to the cursor.
    public static func of(_ text: String) -> (word: String, candidates: [String]) {
        let word = String(text.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
        let before = text.dropLast(word.count)
        let words = before.split(whereSeparator: \.isWhitespace).map(String.init)
        let matches = { (names: [String]) in
            Set(names.filter { $0.lowercased().hasPrefix(word.lowercased()) }).sorted()
        }
        if before == "." { return ("." + word, Shell.commands.filter { $0.hasPrefix("." + word) }) }
        guard let first = words.first else { return (word, matches(queries + keywords)) }
        switch first {
        case ".show": return (word, matches(queries))
        case ".views", ".schema": return (word, matches(SchemaDocumentation.views.map(\.name)))
        case ".format": return (word, matches(OutputFormat.allCases.map(\.rawValue)))
        case ".raw": return (word, matches(["off", "on"]))
        case let name where name.hasPrefix("."): return (word, [])
        default:
            if let query = NamedQueries.query(named: first) {
                // After name= comes a value, which cannot be completed.
                guard before.last?.isWhitespace == true else { return (word, []) }
                return (word, matches(query.parameters.map { $0.name + "=" }))
            }
            return (word, matches(sql(in: text, before: before.last)))
        }
    }

    /// The words of SQL. After a dot: columns only. Columns are those of the views named so far, if any.
    private static func sql(in text: String, before: Character?) -> [String] {
        let named = Set(text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        let views = SchemaDocumentation.views
        let chosen = views.filter { named.contains($0.name) }
        let columns = (chosen.isEmpty ? views : chosen).flatMap { $0.columns.map(\.name) }
        return before == "." ? columns : columns + views.map(\.name) + keywords + functions
    }

    private static var queries: [String] { NamedQueries.all.map(\.name) }

    private static let keywords = [
        "select", "from", "where", "group by", "order by", "having", "limit", "join", "left join", "with", "case",
        "when", "then", "else", "end", "distinct", "between", "like", "explain query plan",
    ]

    private static let functions =
        ["avg(", "count(", "max(", "min(", "sum(", "substr(", "coalesce("]
        + QueryFunctions.documentation.map { String($0.call.prefix { $0 != "(" }) + "(" }
}
