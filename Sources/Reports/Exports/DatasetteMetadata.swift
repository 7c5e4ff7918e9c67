/// What Datasette is told about a database: what its views and columns mean, and the questions that can be asked.
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
        /// What it answers, in a sentence or two.
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

    /// A parameter of a query, which stands in its SQL as `$name`.
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
    package var queries: [Query]

    package init(database: String, title: String, description: String, views: [View], queries: [Query]) {
        self.database = database
        self.title = title
        self.description = description
        self.views = views
        self.queries = queries
    }
}
