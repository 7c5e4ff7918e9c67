import TraceRecords
import TraceStore

/// What the replay hands to the writer: rows that are stored together or not at all.
struct WriteItem: Sendable {
    /// Number of the log, which its kinds are counted in.
    var log: Int
    /// Name of its stream.
    var stream: String
    var batch: ReplayBatch
    /// Where the reading of the sources stands once the rows are stored.
    var sources: [SourceRecord]
    /// What of the sources' rejects and totals is replaced.
    var takenBack: [Int32: TakenBack]
    var rejects: [(source: Int32, rejects: [Reject])]
    var dailyTotals: [(source: Int32, totals: [DailyTotal])]
    /// What tells copies of the last lines of sources.
    var copyKeys: [Int32: [CopyKey]]
}
