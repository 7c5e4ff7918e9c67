package import TraceRecords

/// One log file or stream that the store knows, and where the reading of it continues.
package struct SourceRecord: Sendable, Hashable {
    /// Row id; the number that blocks, facts and findings have.
    package var id: Int32
    /// Row id of its log.
    package var log: Int32
    /// Path as it was given.
    package var path: String
    /// Folder and file name stem, which rotations of a log share.
    package var stream: String
    /// Position in the log: a smaller number is older.
    package var ordinal: Int64
    /// Layout by which the source is read; `nil` while unknown.
    package var format: String?
    /// Device, when the log or the user names one.
    package var device: String?
    /// Version of the app whose runs begin here, as given by the user with the first ingest.
    package var appVersion: String?
    /// Size of the file in bytes.
    package var bytes: Int64
    /// Where the reading continues, with the line accounting.
    package var position: SourcePosition
    /// Zone assumed for times without one.
    package var timezone: String?
    /// What was assumed about year, date and zone, in words.
    package var assumptions: String?
    /// Identifies the content under another name.
    package var fingerprint: String
    /// When it was last read, in nanoseconds since 1970 UTC.
    package var ingestedAt: Int64?
    /// What reading needs besides the position to continue; opaque to the store.
    package var resume: String?

    package init(
        id: Int32, log: Int32, path: String, stream: String, ordinal: Int64 = 0, format: String? = nil,
        device: String? = nil, appVersion: String? = nil, bytes: Int64 = 0,
        position: SourcePosition = SourcePosition(), timezone: String? = nil, assumptions: String? = nil,
        fingerprint: String, ingestedAt: Int64? = nil, resume: String? = nil
    ) {
        self.id = id
        self.log = log
        self.path = path
        self.stream = stream
        self.ordinal = ordinal
        self.format = format
        self.device = device
        self.appVersion = appVersion
        self.bytes = bytes
        self.position = position
        self.timezone = timezone
        self.assumptions = assumptions
        self.fingerprint = fingerprint
        self.ingestedAt = ingestedAt
        self.resume = resume
    }
}

/// A log that the store knows: the sources of one stream.
package struct LogRecord: Sendable, Hashable {
    package var id: Int32
    package var stream: String
    /// How many facts its sources have, provisional ones included.
    package var factCount: Int64
    /// Whether the state of its replay is stored, so that it can be continued.
    package var hasState: Bool
}

/// What is written at once: facts of a source, and the rows that the replay derived from them.
package struct StoredBatch: Sendable {
    package var log: Int32
    /// Number of the source that facts, rows, rejects and totals are of.
    package var source: Int32
    /// The record of a source, which is added or replaced.
    package var record: SourceRecord?
    package var facts: EncodedFacts?
    package var rows: ReplayBatch
    package var rejects: [Reject]
    package var dailyTotals: [DailyTotal]
    /// Whether all of it is replaced when the log continues.
    package var isProvisional: Bool

    package init(
        log: Int32, source: Int32, record: SourceRecord? = nil, facts: EncodedFacts? = nil,
        rows: ReplayBatch = ReplayBatch(), rejects: [Reject] = [], dailyTotals: [DailyTotal] = [],
        isProvisional: Bool = false
    ) {
        self.log = log
        self.source = source
        self.record = record
        self.facts = facts
        self.rows = rows
        self.rejects = rejects
        self.dailyTotals = dailyTotals
        self.isProvisional = isProvisional
    }
}

/// How many rows were deleted of what an ingest counts: rows that are derived again are not new.
package struct RemovedRows: Sendable, Hashable {
    package var runs: Int64 = 0
    package var events: Int64 = 0
    package var findings: [Severity: Int64] = [:]

    package init() {}
}
