/// What was stored of the last lines of a source, which are read again when the reading goes on.
package struct TakenBack: Sendable, Hashable {
    /// Rejects of later lines than this one are replaced.
    package var rejectsBehind: Int64
    /// So are totals.
    package var totalsBehind: Int64

    package init(rejectsBehind: Int64, totalsBehind: Int64) {
        self.rejectsBehind = rejectsBehind
        self.totalsBehind = totalsBehind
    }
}
