extension DatasetteMetadata {
    /// The text of `datasette.yaml`.
    ///
    /// A form of Datasette sends the empty text for a parameter that was left out, while our queries expect NULL; each
    /// `$name` therefore becomes an expression that turns one into the other.
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
            text += "        sql: \(Self.scalar(Self.sql(query)))\n"
        }
        text += "    tables:\(views.isEmpty ? " {}" : "")\n"
        for view in views {
            text += "      \(Self.scalar(view.name)):\n"
            text += "        description: \(Self.scalar(view.description))\n"
            if !view.columns.isEmpty { text += "        columns:\n" }
            for column in view.columns {
                text += "          \(Self.scalar(column.name)): \(Self.scalar(column.description))\n"
            }
            let units = view.columns.compactMap { column in Self.unit(of: column).map { (column.name, $0) } }
            if !units.isEmpty { text += "        units:\n" }
            for (name, unit) in units { text += "          \(Self.scalar(name)): \(unit)\n" }
        }
        return text
    }

    /// The unit of a duration, which Datasette then shows scaled.
    private static func unit(of column: ViewColumn) -> String? {
        switch ColumnKind(columnName: column.name) {
        case .seconds: "s"
        case .nanoseconds, .durationOrTime: "ns"
        case .plain, .count, .share, .time: nil
        }
    }

    /// A text as a double-quoted scalar: JSON's escapes are YAML's.
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
