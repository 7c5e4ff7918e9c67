import LogReading
import Reports
import TraceRecords
import TraceStore

/// What an ingest did.
public struct IngestReport: Sendable {
    /// Files and streams that were read.
    public var files: Int { sources.count }
    /// Events that were stored.
    public private(set) var events: Int64 = 0
    /// Runs that are new.
    public private(set) var runs: Int64 = 0
    /// Whether a path that was named could not be read.
    public private(set) var namedPathFailed = false
    /// Whether it was stopped before everything was read.
    public private(set) var isInterrupted = false

    /// What was read of a source.
    private struct Read {
        var path: String
        var before: SourcePosition
        var position: SourcePosition
        var isBare: Bool
    }

    private var content: IngestSummary
    private var sources: [Int32: Read] = [:]
    private var before: [Int32: SourcePosition] = [:]
    private var paths: [Int32: String] = [:]
    private var sourcesWithEvents: Set<Int32> = []
    private var apps = AppTally()
    private var rejects: [String: NotUnderstood] = [:]
    /// Assumptions and notices that are already in the summary.
    private var told: Set<String> = []

    init(_ options: IngestOptions) {
        content = IngestSummary(database: options.database, files: 0)
        content.searched = options.paths
    }

    /// The summary as text for the terminal.
    public var summary: String { completed.text() }

    /// What was read, in short, for a command that goes on to answer.
    ///
    /// - Parameter database: the database that keeps it; `nil` when none does.
    func brief(database: String?) -> String { completed.brief(isKept: database != nil) }

    private var completed: IngestSummary {
        var content = content
        content.files = sources.count
        content.events = events
        content.runs = runs
        content.apps = apps.names
        content.leastApps = apps.leastCount
        content.exampleFile = sources.values.map(\.path).min()
        for (id, source) in sources.sorted(by: { $0.value.path < $1.value.path }) {
            content.bytes += source.position.byteOffset - source.before.byteOffset
            content.lines.add(source.position.counts, without: source.before.counts)
            let isNoLog = source.position.counts.entry == 0 || source.isBare
            guard source.position.counts.lines > 0, isNoLog, !sourcesWithEvents.contains(id) else { continue }
            content.notUnderstood.append(
                NotUnderstood(reason: "no line looks like a log entry", count: 1, unit: "file", example: source.path))
        }
        content.notUnderstood += rejects.values.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
        return content
    }

    /// Adds what a plan found.
    mutating func add(_ plan: IngestPlan) {
        content.unchangedFiles = plan.unchanged
        for notice in plan.notices where told.insert(notice).inserted { content.notices.append(notice) }
        add(plan.problems)
        // Of a log that is read again as a whole the last reading counts.
        for source in plan.logs.lazy.flatMap(\.removed) { sources[source] = nil }
        for source in plan.logs.lazy.flatMap(\.sources) where source.description != nil {
            paths[source.record.id] = source.record.path
            guard before[source.record.id] == nil else { continue }
            before[source.record.id] = source.isReadOn ? source.record.position : SourcePosition()
        }
    }

    /// Adds what was stored.
    ///
    /// - Parameter events: how many steps of the batch are events.
    mutating func add(_ batch: StoredBatch, events found: Int64) {
        if let record = batch.record { add(record) }
        events += found
        if found > 0 { sourcesWithEvents.insert(batch.rows.source) }
        // A run with an id of an earlier batch replaces its row.
        for run in batch.rows.runs where batch.rows.blocks.contains(Block.of(run.id)) {
            runs += 1
            if let app = run.app { apps.add(app) }
        }
        for finding in batch.rows.findings { content.findings[finding.severity, default: 0] += 1 }
        content.totals += batch.dailyTotals.count
        for reject in batch.rejects {
            let path = paths[batch.rows.source]
            let new = NotUnderstood(reason: reject.reason, count: 0, example: path.map { "\($0):\(reject.line)" })
            rejects[reject.reason, default: new].count += 1
        }
    }

    /// Takes rows back that were stored before and are derived again.
    mutating func add(removed: RemovedRows) {
        runs -= removed.runs
        events -= removed.events
        content.findings.merge(removed.findings) { $0 - $1 }
    }

    /// Adds what was found out about the inputs.
    mutating func add(_ diagnostics: [ReadingDiagnostic]) {
        for diagnostic in diagnostics {
            if diagnostic.severity == .error { namedPathFailed = true }
            if told.insert(diagnostic.description).inserted { content.notices.append(diagnostic.description) }
        }
    }

    /// Whether lines were read and nothing in them was recognised.
    var foundNothing: Bool { events == 0 && content.totals == 0 && !sources.isEmpty }

    /// Adds what helps where nothing was recognised.
    mutating func add(nearLines: [String]) { content.nearLines = nearLines }

    /// Adds the layers of the user's models, which are no built-in ones.
    mutating func add(ownLayers: [String]) { content.ownLayers = ownLayers }

    mutating func noteInterruption() {
        guard !isInterrupted else { return }
        isInterrupted = true
        content.notices.append("interrupted: what was read so far is stored; run the command again to continue")
    }

    private mutating func add(_ source: SourceRecord) {
        guard let earlier = before[source.id] else { return }
        sources[source.id] = Read(
            path: source.path, before: earlier, position: source.position,
            isBare: source.format == SourceReader.bareFormat)
        if let time = source.position.firstTime { content.firstTime = min(content.firstTime ?? time, time) }
        if let time = source.position.lastTime { content.lastTime = max(content.lastTime ?? time, time) }
        let assumption = source.assumptions.map { "\(source.path): \($0)" }
        if let assumption, told.insert(assumption).inserted { content.assumptions.append(assumption) }
    }
}

extension LineCounts {
    fileprivate mutating func add(_ counts: LineCounts, without before: LineCounts) {
        lines += counts.lines - before.lines
        entry += counts.entry - before.entry
        continuation += counts.continuation - before.continuation
        other += counts.other - before.other
        rejected += counts.rejected - before.rejected
    }
}

/// Runs by the name of their process: the most frequent names are kept, because a log can have any number of them.
struct AppTally {
    static let namesKept = 4096

    private var runs: [String: Int] = [:]
    /// How many names there are at least; `nil` when all are kept.
    private(set) var leastCount: Int?

    /// The names that are kept, those with the most runs first.
    var names: [String] { runs.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key) }

    mutating func add(_ name: String) {
        runs[name, default: 0] += 1
        guard runs.count > Self.namesKept else { return }
        leastCount = runs.count
        for name in names.dropFirst(Self.namesKept / 2) { runs[name] = nil }
    }
}
