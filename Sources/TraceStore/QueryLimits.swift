/// What a query may cost.
package struct QueryLimits: Sendable, Hashable {
    /// Longest time in seconds; `nil` for no limit.
    package var timeout: Double?
    /// Most rows; `nil` for no limit.
    package var rows: Int?

    package init(timeout: Double? = 30, rows: Int? = nil) {
        self.timeout = timeout
        self.rows = rows
    }
}
