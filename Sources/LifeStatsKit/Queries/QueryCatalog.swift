import NamedQueries
import Reports

/// The named queries, described for people.
public enum QueryCatalog {
    /// A table of all queries with what they answer.
    public static func listing(format: OutputFormat = .table) -> String {
        ResultWriter.text(
            format.tableFormat, columns: [Column("query"), Column("answers")],
            rows: NamedQueries.all.map { [.text($0.name), .text($0.purpose)] })
    }

    /// A query whole: its header says purpose, parameters and columns.
    ///
    /// - Throws: ``LifeStatsError`` when there is no such query.
    public static func description(of name: String) throws -> String {
        let sql = try query(name).sql
        return sql.hasSuffix("\n") ? sql : sql + "\n"
    }

    static func query(_ name: String) throws -> NamedQuery {
        if let query = NamedQueries.all.first(where: { $0.name == name }) { return query }
        // Names that have a word in common; short words are in too many.
        let words = name.split(separator: "_").filter { $0.count > 3 }
        let near = NamedQueries.all.map(\.name).filter { known in words.contains { known.contains($0) } }
        throw LifeStatsError(
            "there is no query named \(name)",
            remedy: near.isEmpty
                ? "see `lifestats query --list`; SQL has more than one word"
                : "did you mean \(near.joined(separator: ", "))? See `lifestats query --list`")
    }
}
