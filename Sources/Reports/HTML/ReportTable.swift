/// A table of the report.
package struct ReportTable: Sendable, Hashable {
    /// Rows that a report shows at most; the rest is counted and left to the query.
    package static let rowLimit = 500

    /// One sentence that says what a row is.
    package var caption: String
    package var columns: [ReportColumn]
    /// Rows in the order in which they are shown first, each with as many cells as there are columns.
    package var rows: [[Cell]]
    /// Rows there are in all, when `rows` holds only the first of them.
    package var totalRows: Int?

    package init(caption: String, columns: [ReportColumn], rows: [[Cell]], totalRows: Int? = nil) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
        self.totalRows = totalRows
    }
}
