import Foundation
import NamedQueries
import Reports
import TraceStore

/// Metadata for Datasette: titles, meanings and units of the views, and the named queries.
enum DatasetteExport {
    /// The text of `datasette.yaml`.
    ///
    /// Datasette's form sends the empty text for a parameter that was left out, but the queries expect NULL. Each `$name`
    /// therefore becomes an expression that turns one into the other.
    static func yaml(
        _ database: String, views: [SchemaDocumentation.View] = SchemaDocumentation.views,
        queries: [NamedQuery] = NamedQueries.all
    ) -> String {
        let name = URL(fileURLWithPath: database).deletingPathExtension().lastPathComponent
        var text = "title: \"lifestats\"\ndescription: \"The observed lifecycle of iOS apps.\"\n"
        text += "databases:\n  \(scalar(name)):\n"
        text += "    queries:\(queries.isEmpty ? " {}" : "")\n"
        for query in queries {
            text += "      \(scalar(query.name)):\n"
            text += "        title: \(scalar(query.title))\n"
            text += "        description: \(scalar(query.purpose))\n"
            if !query.parameters.isEmpty {
                text += "        params: [\(query.parameters.map { scalar($0.name) }.joined(separator: ", "))]\n"
            }
            text += "        hide_sql: true\n        sql: \(scalar(sql(query)))\n"
        }
        text += "    tables:\(views.isEmpty ? " {}" : "")\n"
        for view in views {
            text += "      \(scalar(view.name)):\n"
            text += "        title: \(scalar(view.name.replacing("_", with: " ")))\n"
            text += "        description: \(scalar(view.purpose))\n"
            if !view.columns.isEmpty { text += "        columns:\n" }
            for column in view.columns {
                text += "          \(scalar(column.name)): \(scalar(column.purpose))\n"
            }
            let units = view.columns.compactMap { column in unit(of: column).map { (column.name, $0) } }
            if !units.isEmpty { text += "        units:\n" }
            for (name, unit) in units { text += "          \(scalar(name)): \(unit)\n" }
        }
        for table in SchemaDocumentation.tables { text += "      \(scalar(table)):\n        hidden: true\n" }
        return text
    }

    /// The unit of a duration; Datasette then scales the value.
    private static func unit(of column: SchemaDocumentation.Column) -> String? {
        switch ColumnKind(columnName: column.name) {
        case .seconds: "s"
        case .nanoseconds, .durationOrTime: "ns"
        case .plain, .count, .share, .time: nil
        }
    }

    /// A text as a double-quoted scalar. YAML understands the escapes of JSON.
    private static func scalar(_ text: String) -> String { JSONText.quoted(text) }

    private static func sql(_ query: NamedQuery) -> String {
        let types = Dictionary(query.parameters.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        // Parameters, and the quotations and comments in which a dollar sign begins none.
        let pieces = /'[^']*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*(?:[^*]|\*[^\/])*\*\/|\$(\w+)/
        let sql = query.sql.replacing(pieces) { piece in
            guard let name = piece.1 else { return String(piece.0) }
            return switch types[String(name)] {
            case "integer": "cast(nullif(:\(name), '') AS INTEGER)"
            case "real": "cast(nullif(:\(name), '') AS REAL)"
            case nil: "$\(name)"
            default: "nullif(:\(name), '')"
            }
        }
        return sql.split(separator: "\n", omittingEmptySubsequences: false).drop { $0.hasPrefix("--") || $0.isEmpty }
            .joined(separator: "\n")
    }
}
