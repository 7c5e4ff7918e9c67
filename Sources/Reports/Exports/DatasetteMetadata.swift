/// Metadata of a database for Datasette: the meaning of its views and columns, and the named queries.
package struct DatasetteMetadata: Sendable, Hashable {
    /// A view with its documentation.
    package struct View: Sendable, Hashable {
        package var name: String
        package var description: String
        package var columns: [ViewColumn]

        package init(name: String, description: String, columns: [ViewColumn]) {
            self.name = name
            self.description = description
            self.columns = columns
        }
    }

    /// A column of a view with its documentation.
    package struct ViewColumn: Sendable, Hashable {
        package var name: String
        package var description: String

        package init(name: String, description: String) {
            self.name = name
            self.description = description
        }
    }

    /// A named query.
    package struct Query: Sendable, Hashable {
        package var name: String
        /// The question it answers, in a sentence or two.
        package var purpose: String
        package var sql: String
        package var parameters: [Parameter]

        package init(name: String, purpose: String, sql: String, parameters: [Parameter]) {
            self.name = name
            self.purpose = purpose
            self.sql = sql
            self.parameters = parameters
        }
    }

    /// A parameter of a query, `$name` in its SQL.
    package struct Parameter: Sendable, Hashable {
        package var name: String
        /// `text`, `integer`, `real` or `time`.
        package var type: String

        package init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    /// Name of the database in Datasette: the name of its file without the extension.
    package var database: String
    package var title: String
    package var description: String
    package var views: [View]
    /// Tables that are not listed.
    package var hidden: [String]
    package var queries: [Query]

    package init(
        database: String, title: String, description: String, views: [View], hidden: [String] = [], queries: [Query]
    ) {
        self.database = database
        self.title = title
        self.description = description
        self.views = views
        self.hidden = hidden
        self.queries = queries
    }
}

extension DatasetteMetadata {
    /// The text of `datasette.yaml`.
    ///
    /// Datasette's form sends the empty text for a parameter that was left out, but the queries expect NULL. Each `$name`
    /// therefore becomes an expression that turns one into the other.
    package var yaml: String {
        var text = "title: \(Self.scalar(title))\n"
        text += "description: \(Self.scalar(description))\n"
        text += "databases:\n  \(Self.scalar(database)):\n"
        text += "    queries:\(queries.isEmpty ? " {}" : "")\n"
        for query in queries {
            text += "      \(Self.scalar(query.name)):\n"
            text += "        title: \(Self.scalar(query.name.replacing("_", with: " ")))\n"
            text += "        description: \(Self.scalar(query.purpose))\n"
            if !query.parameters.isEmpty {
                text += "        params: [\(query.parameters.map { Self.scalar($0.name) }.joined(separator: ", "))]\n"
            }
            text += "        hide_sql: true\n        sql: \(Self.scalar(Self.sql(query)))\n"
        }
        text += "    tables:\(views.isEmpty ? " {}" : "")\n"
        for view in views {
            text += "      \(Self.scalar(view.name)):\n"
            text += "        title: \(Self.scalar(view.name.replacing("_", with: " ")))\n"
            text += "        description: \(Self.scalar(view.description))\n"
            if !view.columns.isEmpty { text += "        columns:\n" }
            for column in view.columns {
                text += "          \(Self.scalar(column.name)): \(Self.scalar(column.description))\n"
            }
            let units = view.columns.compactMap { column in Self.unit(of: column).map { (column.name, $0) } }
            if !units.isEmpty { text += "        units:\n" }
            for (name, unit) in units { text += "          \(Self.scalar(name)): \(unit)\n" }
        }
        for table in hidden { text += "      \(Self.scalar(table)):\n        hidden: true\n" }
        return text
    }

    /// The unit of a duration; Datasette then scales the value.
    private static func unit(of column: ViewColumn) -> String? {
        switch ColumnKind(columnName: column.name) {
        case .seconds: "s"
        case .nanoseconds, .durationOrTime: "ns"
        case .plain, .count, .share, .time: nil
        }
    }

    /// A text as a double-quoted scalar. YAML understands the escapes of JSON.
    private static func scalar(_ text: String) -> String { JSONText.quoted(text) }

    private static func sql(_ query: Query) -> String {
        let types = Dictionary(query.parameters.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        let sql = SQLParameters.replaced(in: query.sql) { name in
            switch types[name] {
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

/// Finds the named parameters (`$name`) in a SQL text.
enum SQLParameters {
    /// The text with each parameter replaced, except inside quotes and comments.
    static func replaced(in sql: String, by replacement: (String) -> String) -> String {
        var result = ""
        var rest = Substring(sql)
        while let first = rest.first {
            let end: Substring.Index
            switch first {
            case "'", "\"", "`":
                // A doubled quote begins the next literal, which is copied in the same way.
                let close = rest.dropFirst().firstIndex(of: first)
                end = close.map { rest.index(after: $0) } ?? rest.endIndex
            case "-" where rest.hasPrefix("--"):
                end = rest.firstIndex(of: "\n") ?? rest.endIndex
            case "/" where rest.hasPrefix("/*"):
                end = rest.firstRange(of: "*/")?.upperBound ?? rest.endIndex
            case "$":
                let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                result += name.isEmpty ? "$" : replacement(String(name))
                rest = rest[name.endIndex...]
                continue
            default: end = rest.index(after: rest.startIndex)
            }
            result += rest[..<end]
            rest = rest[end...]
        }
        return result
    }
}
