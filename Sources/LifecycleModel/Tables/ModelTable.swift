/// A table of a model, as data: what prints it decides how it looks.
package struct ModelTable: Sendable, Hashable {
    /// What the table is about (`transitions`, `rules` …).
    package var name: String
    package var columns: [String]
    /// One text per column; empty where there is nothing to say. The first column is the id.
    package var rows: [[String]]

    package init(name: String, columns: [String], rows: [[String]]) {
        self.name = name
        self.columns = columns
        self.rows = rows
    }
}
