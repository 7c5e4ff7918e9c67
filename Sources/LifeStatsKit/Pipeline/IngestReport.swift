import LifecycleReplay
import LogReading
import Reports
import TraceRecords
import TraceStore

/// What an ingest did, for the person who asked for it.
public struct IngestReport: Sendable {
    /// Files and streams that were read.
    public private(set) var files = 0
    /// Events that were stored.
    public private(set) var events: Int64 = 0
    /// Runs that are new.
    public private(set) var runs: Int64 = 0
    /// Whether a path that was named could not be read.
    public private(set) var namedPathFailed = false
    /// Whether it was stopped before everything was read.
    public private(set) var isInterrupted = false

    private var content: IngestSummary
    private var sources: [Int32: (path: String, position: SourcePosition, isBare: Bool)] = [:]
    private var sourcesWithEvents: Set<Int32> = []
    private var readBefore: [Int32: SourcePosition] = [:]
    private var newestRun: Int64 = 0
    private var eventKinds: [Bool] = []
    private var log = -1
    private var apps = AppTally()
    private var rejects: [String: NotUnderstood] = [:]
    /// Assumptions and notices that the content has, each of which is told once.
    private var told: Set<String> = []

    init(database: String) { content = IngestSummary(database: database, files: 0) }

    /// Takes over what a plan says.
    mutating func add(_ planner: IngestPlanner) {
        content.unchangedFiles = planner.unchanged
        for notice in planner.notices where told.insert(notice).inserted { content.notices.append(notice) }
        for plan in planner.logs {
            for source in plan.sources where readBefore[source.record.id] == nil {
                readBefore[source.record.id] = source.record.position
            }
        }
        add(planner.problems)
        for plan in planner.logs {
            // Runs that go on are written anew, with all their events; only what is new of them counts.
            runs -= Int64(plan.reopenedRuns.count)
            events -= plan.reopenedEvents
        }
    }

    /// Takes back what a plan said of a log that was given up.
    mutating func takeBack(_ plan: LogPlan) {
        runs += Int64(plan.reopenedRuns.count)
        events += plan.reopenedEvents
    }

    /// Takes over what was found out about the inputs.
    mutating func add(_ diagnostics: [ReadingDiagnostic]) {
        for diagnostic in diagnostics { add(diagnostic) }
    }

    /// Takes over what seeing the logs of a device together has changed.
    mutating func add(_ change: StreamCounts) {
        runs += change.runs
        events += change.events
        content.findings.merge(change.findings, uniquingKeysWith: +)
    }

    /// The summary as text for the terminal.
    public var summary: String {
        var content = content
        content.files = sources.count
        content.events = events
        content.runs = runs
        content.apps = apps.names
        content.leastApps = apps.leastCount
        for (id, source) in sources {
            let before = readBefore[id] ?? SourcePosition()
            content.bytes += source.position.byteOffset - before.byteOffset
            content.lines.lines += source.position.counts.lines - before.counts.lines
            content.lines.entry += source.position.counts.entry - before.counts.entry
            content.lines.continuation += source.position.counts.continuation - before.counts.continuation
            content.lines.other += source.position.counts.other - before.counts.other
            content.lines.rejected += source.position.counts.rejected - before.counts.rejected
        }
        for (id, source) in sources.sorted(by: { $0.value.path < $1.value.path })
        where source.position.counts.lines > 0 && (source.position.counts.entry == 0 || source.isBare) {
            if sourcesWithEvents.contains(id) { continue }
            content.notUnderstood.append(
                NotUnderstood(reason: "no line looks like a log entry", count: 1, unit: "file", example: source.path))
        }
        content.notUnderstood += rejects.values.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
        return content.text()
    }

    mutating func add(_ item: WriteItem) {
        if item.log != log {
            log = item.log
            eventKinds = []
        }
        eventKinds += item.batch.kinds.map { $0.role == .event }
        for step in item.batch.steps where eventKinds[Int(step.kind)] {
            events += 1
            sourcesWithEvents.insert(step.source)
        }
        // Runs come in the order in which they change, not in that of their ids; those seen before come again.
        let seen = newestRun
        for run in item.batch.runs where run.id > seen {
            newestRun = max(newestRun, run.id)
            runs += 1
            if let app = run.app { apps.add(app) }
        }
        for finding in item.batch.findings { content.findings[finding.severity, default: 0] += 1 }
        for source in item.sources {
            sources[source.id] = (source.path, source.position, source.format == SourceReader.bareFormat)
            if let time = source.position.firstTime {
                content.firstTime = min(content.firstTime ?? time, time)
            }
            if let time = source.position.lastTime { content.lastTime = max(content.lastTime ?? time, time) }
            if let assumption = source.assumptions.map({ "\(source.path): \($0)" }), told.insert(assumption).inserted {
                content.assumptions.append(assumption)
            }
        }
        files = sources.count
        for (_, totals) in item.dailyTotals { content.totals += totals.count }
        for (source, found) in item.rejects {
            for reject in found {
                let path = item.sources.first { $0.id == source }?.path
                rejects[
                    reject.reason,
                    default: NotUnderstood(
                        reason: reject.reason, count: 0, example: path.map { "\($0):\(reject.line)" })
                ].count += 1
            }
        }
    }

    mutating func add(problems: [ReadingDiagnostic], isInterrupted: Bool) {
        add(problems)
        if isInterrupted {
            self.isInterrupted = true
            content.notices.append("interrupted: what was read so far is stored; run the command again to go on")
        }
    }

    private mutating func add(_ diagnostic: ReadingDiagnostic) {
        if diagnostic.severity == .error { namedPathFailed = true }
        if told.insert(diagnostic.description).inserted { content.notices.append(diagnostic.description) }
    }
}
