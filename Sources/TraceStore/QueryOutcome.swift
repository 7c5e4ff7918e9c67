/// How a query ended.
package struct QueryOutcome: Sendable, Hashable {
    /// Number of rows that were handed over.
    package var rows: Int
    /// Whether there were more rows than ``QueryLimits/rows`` allows.
    package var isCutShort: Bool
}
