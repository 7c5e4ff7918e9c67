package import TraceRecords

/// How much streams have of what an ingest counts.
package struct StreamCounts: Sendable, Hashable {
    package var runs: Int64 = 0
    package var events: Int64 = 0
    package var findings: [Severity: Int64] = [:]

    package init() {}

    /// Adds what there is more of than before.
    package mutating func add(_ now: StreamCounts, minus before: StreamCounts) {
        runs += now.runs - before.runs
        events += now.events - before.events
        for severity in Severity.allCases {
            findings[severity, default: 0] += now.findings[severity, default: 0] - before.findings[severity, default: 0]
        }
    }
}
