import Foundation
import NamedQueries
public import Reports
import TraceRecords
import TraceStore

/// The named queries and their descriptions.
public enum QueryCatalog {
    private static let groups = ["Visits", "Transitions", "Runs", "Deviations", "The logs"]

    /// All queries and what they answer: for people one short line each, by group.
    ///
    /// - Parameter width: columns of the terminal.
    public static func listing(format: OutputFormat = .table, width: Int = 100) -> String {
        guard format == .table else {
            return ResultWriter.text(
                format, columns: [Column("query"), Column("answers"), Column("group")],
                rows: NamedQueries.all.map { [.text($0.name), .text($0.purpose), .text($0.group)] })
        }
        let indent = (NamedQueries.all.map(\.name.count).max() ?? 0) + 4
        let byGroup = Dictionary(grouping: NamedQueries.all, by: \.group)
        let others = byGroup.keys.filter { !groups.contains($0) }.sorted()
        let lists = (groups + others).compactMap { group in
            byGroup[group].map { queries in
                group + "\n"
                    + queries.map { query in
                        let name = "  " + query.name.padding(toLength: indent - 2, withPad: " ", startingAt: 0)
                        return name + VisibleText.shortened(query.title, to: max(20, width - indent)) + "\n"
                    }.joined()
            }
        }
        return (lists + ["`lifestats query --show NAME` prints parameters, columns and SQL of one.\n"])
            .joined(separator: "\n")
    }

    /// The text of a query: a header with purpose, parameters and columns, then the SQL.
    ///
    /// - Throws: ``LifeStatsError`` when there is no such query.
    public static func description(of name: String) throws -> String {
        let sql = try query(name).sql
        return sql.hasSuffix("\n") ? sql : sql + "\n"
    }

    /// The text of a query for another engine, which runs it on tables or views named as those of the database.
    ///
    /// - Parameter parameters: values of its parameters; the others restrict nothing.
    /// - Throws: ``LifeStatsError`` when there is no such query or parameter.
    public static func description(
        of name: String, in dialect: QueryDialect, parameters: [(name: String, value: String)] = []
    ) throws -> String {
        let query = try query(name)
        let values = try QueryRunner.values(parameters, of: query, named: name)
        return dialect.text(of: query, values)
    }

    static func query(_ name: String) throws -> NamedQuery {
        if let query = NamedQueries.all.first(where: { $0.name == name }) { return query }
        if Shell.commands.contains(".\(name)") {
            throw LifeStatsError("there is no query named \(name)", remedy: "the command of the shell is .\(name)")
        }
        if SchemaDocumentation.views.contains(where: { $0.name == name }) {
            throw LifeStatsError(
                "there is no query named \(name)",
                remedy: "it is a view: `lifestats query \"SELECT * FROM \(name) LIMIT 10\"`")
        }
        throw LifeStatsError(
            "there is no query named \(name)",
            remedy: Suggestion.remedy(
                name, among: NamedQueries.all.map(\.name),
                or: "`lifestats query --list` lists the queries; SQL has more than one word"))
    }
}

/// The documentation of views and columns.
public enum SchemaGuide {
    /// All views, or one, with the meaning of each column.
    ///
    /// - Throws: ``LifeStatsError`` when there is no such view.
    public static func text(view name: String?, format: OutputFormat) throws -> String {
        let views = SchemaDocumentation.views.filter { name == nil || $0.name == name }
        guard !views.isEmpty else {
            throw LifeStatsError(
                "there is no view \(name ?? "")",
                remedy: Suggestion.remedy(
                    name ?? "", among: SchemaDocumentation.views.map(\.name),
                    or: "views are \(SchemaDocumentation.views.map(\.name).joined(separator: ", "))"))
        }
        if format == .table || format == .markdown {
            return views.map { view in
                let heading =
                    format == .markdown ? "## \(view.name)\n\n\(view.purpose)\n\n" : "\(view.name): \(view.purpose)\n"
                return heading
                    + ResultWriter.text(
                        format, columns: [Column("column"), Column("type"), Column("meaning")],
                        rows: view.columns.map { [.text($0.name), .text($0.type), .text($0.purpose)] },
                        options: .ofTerminal)
            }.joined(separator: "\n")
        }
        return ResultWriter.text(
            format, columns: [Column("view"), Column("column"), Column("type"), Column("meaning")],
            rows: views.flatMap { view in
                view.columns.map { [.text(view.name), .text($0.name), .text($0.type), .text($0.purpose)] }
            })
    }
}

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
