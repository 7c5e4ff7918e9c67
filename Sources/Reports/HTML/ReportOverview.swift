package import TraceRecords

/// What a report is about, in figures from which its first sentence and its tiles are made.
package struct ReportOverview: Sendable, Hashable {
    /// A state of the most important layer, with the part of the known time spent in it.
    package struct MainState: Sendable, Hashable {
        package var state: String
        /// Sum of the completed stays in nanoseconds.
        package var total: Int64
        /// Part of the completed stays of the layer, 0 to 1.
        package var share: Double

        package init(state: String, total: Int64, share: Double) {
            self.state = state
            self.total = total
            self.share = share
        }
    }

    /// Process names, most frequent first.
    package var apps: [String]
    /// Known devices; 0 when no log names one.
    package var devices: Int
    package var runs: Int64
    package var events: Int64
    package var files: Int64
    package var lines: Int64
    /// Earliest and latest time, in nanoseconds since 1970 UTC.
    package var firstTime: Int64?
    package var lastTime: Int64?
    package var mainState: MainState?
    package var transitions: Int64
    package var undocumentedTransitions: Int64
    package var findings: [Severity: Int64]
    /// Runs by `end_reason`.
    package var endReasons: [EndReason: Int64]

    package init(
        apps: [String] = [], devices: Int = 0, runs: Int64, events: Int64, files: Int64, lines: Int64,
        firstTime: Int64? = nil, lastTime: Int64? = nil, mainState: MainState? = nil, transitions: Int64 = 0,
        undocumentedTransitions: Int64 = 0, findings: [Severity: Int64] = [:], endReasons: [EndReason: Int64] = [:]
    ) {
        self.apps = apps
        self.devices = devices
        self.runs = runs
        self.events = events
        self.files = files
        self.lines = lines
        self.firstTime = firstTime
        self.lastTime = lastTime
        self.mainState = mainState
        self.transitions = transitions
        self.undocumentedTransitions = undocumentedTransitions
        self.findings = findings
        self.endReasons = endReasons
    }
}
