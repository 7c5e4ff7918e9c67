import NamedQueries
import Reports

/// The named queries, described for people.
public enum QueryCatalog {
    /// A table of all queries with what they answer.
    ///
    /// - Parameter width: cells of the terminal's line, to which the table is fitted; `nil` on a pipe: no limit.
    public static func listing(format: OutputFormat = .table, width: Int? = nil) -> String {
        if format == .table, let width {
            return WrappedList.text(NamedQueries.all.map { ($0.name, $0.purpose) }, width: width)
        }
        return ResultWriter.text(
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
        throw LifeStatsError(
            "there is no query named \(name)",
            remedy: Suggestion.remedy(
                name, among: NamedQueries.all.map(\.name),
                or: "`lifestats query --list` shows them; SQL has more than one word"))
    }
}
