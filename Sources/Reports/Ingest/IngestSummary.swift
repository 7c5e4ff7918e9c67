package import TraceRecords

/// What an ingest read and stored, for the person who ran it.
package struct IngestSummary: Sendable, Hashable {
    /// Path of the database, as the user wrote it.
    package var database: String
    /// Files read now, and those that were stored before and have not changed.
    package var files: Int
    package var unchangedFiles: Int
    /// Bytes read now, decompressed.
    package var bytes: Int64
    /// The line accounting of what was read now.
    package var lines: LineCounts
    package var events: Int64
    /// Figures that sources state themselves (MetricKit).
    package var totals = 0
    package var runs: Int64
    /// Process names, in the order in which they are to be shown.
    package var apps: [String]
    /// How many processes there are at least; `nil` when ``apps`` has all of them.
    package var leastApps: Int?
    /// Earliest and latest time of what was read, in nanoseconds since 1970 UTC; `nil` when no line has a time.
    package var firstTime: Int64?
    package var lastTime: Int64?
    /// Deviations found, by severity.
    package var findings: [Severity: Int64]
    /// Wall time of the ingest in seconds; `nil` leaves it out.
    package var seconds: Double?
    /// What the user named, for the case that there was no log in it.
    package var searched: [String] = []
    /// What had to be assumed: `app.log: times have no zone, read as UTC (--timezone)`.
    package var assumptions: [String]
    /// What the user should know and need not mend: a copy that was skipped …
    package var notices: [String]
    package var notUnderstood: [NotUnderstood]

    package init(
        database: String, files: Int, unchangedFiles: Int = 0, bytes: Int64 = 0, lines: LineCounts = LineCounts(),
        events: Int64 = 0, runs: Int64 = 0, apps: [String] = [], firstTime: Int64? = nil, lastTime: Int64? = nil,
        findings: [Severity: Int64] = [:], seconds: Double? = nil, assumptions: [String] = [], notices: [String] = [],
        notUnderstood: [NotUnderstood] = []
    ) {
        self.database = database
        self.files = files
        self.unchangedFiles = unchangedFiles
        self.bytes = bytes
        self.lines = lines
        self.events = events
        self.runs = runs
        self.apps = apps
        self.firstTime = firstTime
        self.lastTime = lastTime
        self.findings = findings
        self.seconds = seconds
        self.assumptions = assumptions
        self.notices = notices
        self.notUnderstood = notUnderstood
    }
}
