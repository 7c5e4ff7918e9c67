/// The public views and their columns, as the comments of the schema document them.
package enum SchemaDocumentation {
    /// A column of a view.
    package struct Column: Sendable, Hashable {
        package var name: String
        /// `integer`, `real`, `text`; `time` (nanoseconds since 1970 UTC), `duration` (nanoseconds) or `seconds`.
        package var type: String
        package var purpose: String
    }

    /// A view.
    package struct View: Sendable, Hashable {
        package var name: String
        package var purpose: String
        /// The columns, in the order of `SELECT *`.
        package var columns: [Column]
    }

    /// The views, in the order of the pipeline.
    package static let views: [View] = parse(Schema.annotatedViews)

    /// The view of a name; `nil` when there is none.
    package static func view(named name: String) -> View? {
        views.first { $0.name == name }
    }

    /// The physical tables, which may change with any version.
    package static let tables = Schema.tables.matches(of: /CREATE TABLE (\w+)/).map { String($0.1) }

    /// The statements that make the views, as plain SQL with their comments.
    package static var sql: String { Schema.views }

    /// Reads `views.sql`: comment lines before `CREATE VIEW` tell of the view, `AS name, -- type: purpose` of a column.
    static func parse(_ sql: String) -> [View] {
        var views: [View] = []
        var comment: [String] = []
        var readsColumns = false
        for line in sql.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                comment = []
            } else if line.hasPrefix("-- ") && !readsColumns {
                comment.append(String(line.dropFirst(3)))
            } else if let name = line.wholeMatch(of: /CREATE VIEW (\w+) AS/)?.1 {
                views.append(View(name: String(name), purpose: comment.joined(separator: " "), columns: []))
                readsColumns = true
            } else if line.hasPrefix("FROM ") || line.hasPrefix("SELECT *") {
                readsColumns = false
            } else if readsColumns, let column = line.firstMatch(of: /\sAS (\w+),? *-- (\w+): (.+)$/) {
                views[views.count - 1].columns.append(
                    Column(name: String(column.1), type: String(column.2), purpose: String(column.3)))
            }
        }
        return views.map { view in
            guard view.columns.isEmpty, let visits = views.first(where: { $0.name == "visits" }) else { return view }
            return View(name: view.name, purpose: view.purpose, columns: visits.columns)
        }
    }
}
