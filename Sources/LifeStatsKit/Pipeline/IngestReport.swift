import Dispatch
import Foundation
import LogReading
import Reports
import Synchronization
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
    /// Whether a path that was named could not be read, or not as a whole.
    public var namedPathFailed: Bool { nothingOfPath || !inPart.isEmpty }
    /// Whether nothing of such a path could be read, and what was read in part, because the rest is damaged.
    private(set) var nothingOfPath = false
    private(set) var inPart: [String] = []
    /// What was found in folders and could not be read, or not as a whole.
    public private(set) var leftOut: [String] = []
    /// Whether it was stopped before everything was read.
    public private(set) var isInterrupted = false

    /// How much of a source was read.
    private struct Extent {
        var bytes: Int64 = 0
        var lines = LineCounts()

        init() {}

        init(_ position: SourcePosition) { (bytes, lines) = (position.byteOffset, position.counts) }
    }

    /// What was read of a source.
    private struct Read {
        var extent: Extent
        var firstTime: Int64?
        var lastTime: Int64?
        var isBare: Bool
        /// Whether its times are dates, and not counted from a year that was assumed.
        var isDated: Bool
    }

    private var content: IngestSummary
    /// Whether some event shows a state.
    private var showsStates = false
    /// The states of the app that each log shows.
    private var states: [Int32: ToldStates] = [:]
    /// Layers of which lines show a change of state.
    private var observedLayers: Set<String> = []
    private var sources: [Int32: Read] = [:]
    /// How much of the sources that are read on was read before.
    private var before: [Int32: Extent] = [:]
    private var paths: [Int32: String] = [:]
    private var sourcesWithEvents: Set<Int32> = []
    private var apps = AppTally()
    private var rejects: [String: NotUnderstood] = [:]
    /// Assumptions and notices that are already in the summary.
    private var told: Set<String> = []

    /// - Parameter namesLogs: whether hints may have the paths that the user gave.
    init(_ options: IngestOptions, namesLogs: Bool = true) {
        content = IngestSummary(database: options.database)
        content.searched = options.paths
        if namesLogs, options.wayBack.condition.isEmpty {
            content.logs = options.wayBack.options.replacing(" --from", with: "")
        }
    }

    /// The summary as text for the terminal.
    public var summary: String { completed(isKept: true).text() }

    /// What was read, in short, for a command that goes on to answer.
    ///
    /// - Parameter database: the database that keeps it; `nil` when none does.
    func brief(database: String?) -> String {
        completed(isKept: database != nil).brief(isKept: database != nil)
    }

    private func completed(isKept: Bool) -> IngestSummary {
        var content = content
        if isInterrupted, isKept {
            content.notices.append("interrupted: what was read so far is stored; run the command again to continue")
        }
        if observedLayers.contains("scene"), !observedLayers.contains("app") {
            content.notices.append(
                "no line shows a launch, so the states of the app are inferred from its scenes; `diagram --layer scene` shows those"
            )
        }
        content.notices += states.sorted { $0.key < $1.key }.compactMap(\.value.notice)
        content.files = sources.count
        content.events = events
        content.runs = runs
        content.showsStates = !foundNoState || events == 0
        content.apps = apps.names
        content.leastApps = apps.leastCount
        let dated = sources.values.filter(\.isDated)
        let spans = dated.contains { $0.firstTime != nil } ? dated : Array(sources.values)
        content.firstTime = spans.compactMap(\.firstTime).min()
        content.lastTime = spans.compactMap(\.lastTime).max()
        let read = sources.map { (id: $0.key, path: paths[$0.key] ?? "", source: $0.value) }
        content.exampleFile = read.map(\.path).min()
        for (id, path, source) in read.sorted(by: { $0.path < $1.path }) {
            let before = before[id] ?? Extent()
            content.bytes += source.extent.bytes - before.bytes
            content.lines.add(source.extent.lines, without: before.lines)
            let isNoLog = source.extent.lines.entry == 0 || source.isBare
            guard source.extent.lines.lines > 0, isNoLog, !sourcesWithEvents.contains(id) else { continue }
            let reason =
                source.isBare
                ? "plain text: no line has a time or anything else that logs have" : "no line looks like a log entry"
            content.notUnderstood.append(
                NotUnderstood(reason: reason, count: 1, unit: "file", example: path))
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
            let isNew = paths.updateValue(source.record.path, forKey: source.record.id) == nil
            if isNew, source.isReadOn { before[source.record.id] = Extent(source.record.position) }
        }
    }

    /// Adds what was stored.
    ///
    /// - Parameter events: how many steps of the batch are events.
    mutating func add(_ batch: StoredBatch, events found: Int64) {
        if let record = batch.record { add(record) }
        events += found
        if found > 0 { sourcesWithEvents.insert(batch.rows.source) }
        for kind in batch.rows.kinds where kind.stateAfter != nil {
            showsStates = true
            if kind.endsVisit, kind.evidence == .observed { observedLayers.insert(kind.layer) }
        }
        states[batch.log, default: ToldStates()].look(at: batch.rows, of: paths[batch.rows.source] ?? "")
        if content.firstUntimed == nil, let step = states[batch.log]?.firstUntimed(of: batch.rows.steps) {
            content.firstUntimed = paths[batch.rows.source].map { "\($0):\(step.line)" }
        }
        // A run with an id of an earlier batch replaces its row.
        for run in batch.rows.runs where batch.rows.blocks.contains(Block.of(run.id)) {
            runs += 1
            if let app = run.app { apps.add(app) }
        }
        for finding in batch.rows.findings where !finding.awaitsEnd {
            content.findings[finding.severity, default: 0] += 1
        }
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
        for (severity, count) in removed.findings { content.findings[severity, default: 0] -= count }
    }

    /// Adds what was found out about the inputs.
    mutating func add(_ diagnostics: [ReadingDiagnostic]) {
        for diagnostic in diagnostics {
            if diagnostic.isInPart { inPart.append(diagnostic.path) }
            if diagnostic.severity == .error, !diagnostic.isInPart { nothingOfPath = true }
            guard told.insert(diagnostic.description).inserted else { continue }
            content.notices.append(diagnostic.description)
            if diagnostic.severity == .warning { leftOut.append(diagnostic.path) }
        }
    }

    /// Whether there was any log, read now or before.
    var hasLogs: Bool { !sources.isEmpty || content.unchangedFiles > 0 }

    /// Whether lines were read and no state was recognised in them.
    var foundNoState: Bool { (events == 0 || !showsStates) && content.totals == 0 && !sources.isEmpty }

    /// Adds what helps where nothing was recognised, or where no line of a log shows the app in some state.
    mutating func add(near: NearLines.Found, to state: String? = nil) {
        (content.nearLines, content.missingState) = (near.lines, state)
        guard let hidden = near.hidden else { return }
        content.hidesStates = true
        content.notices.append(
            "\(Plural.text(hidden.count, "line hides", "lines hide")) what the app says as <private>, first "
                + "\(hidden.first): log it with privacy: .public")
    }

    /// A state that no line of a log shows, which shows what lies around it, with the files that were read as a whole.
    var missingState: (name: String, paths: Set<String>)? {
        states.sorted { $0.key < $1.key }.lazy.compactMap { _, log in
            let whole = log.sources.filter { sources[$0] != nil && before[$0] == nil }
            return log.missing.map { ($0, Set(whole.compactMap { paths[$0] })) }
        }.first
    }

    /// The names of the apps.
    var appNames: [String] { apps.names }

    /// Adds what the stored rows show.
    mutating func add(notices: [String]) { content.notices += notices }

    /// Adds the layers of the user's models, which are no built-in ones.
    mutating func add(ownLayers: [String]) { content.ownLayers = ownLayers }

    mutating func noteInterruption() {
        isInterrupted = true
    }

    private mutating func add(_ source: SourceRecord) {
        guard paths[source.id] != nil else { return }
        sources[source.id] = Read(
            extent: Extent(source.position), firstTime: source.position.firstTime,
            lastTime: source.position.lastTime, isBare: source.format == SourceReader.bareFormat,
            isDated: source.assumptions?.contains(AssumedDate.words) != true)
        let assumption = source.assumptions.map { "\(source.path == "-" ? "standard input" : source.path): \($0)" }
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

/// Which of the states that a summary asks for a log shows: a byte, because there may be ten thousand logs.
private struct AskedStates {
    private static let names = ["active", "inactive", "background", "suspended", "fg_active"]

    private var bits: UInt8 = 0

    mutating func insert(_ state: String) {
        if let place = Self.names.firstIndex(of: state) { bits |= 1 << place }
    }

    func contains(_ state: String) -> Bool { Self.names.firstIndex(of: state).map { bits & 1 << $0 != 0 } ?? false }
}

/// The states of the app that a log shows, and words for others that change nothing, because its scenes never show them.
private struct ToldStates {
    /// The first line of such words by their state.
    private var places: [String: String] = [:]
    private var (states, ofScenes) = (AskedStates(), AskedStates())
    private(set) var sources: [Int32] = []
    private var hasScenes = false
    private var kinds: Int32 = 0
    private var timeless: Set<Int32> = []
    func firstUntimed(of steps: [Step]) -> Step? { steps.first { $0.time == nil && !timeless.contains($0.kind) } }

    /// The state that is missing, of those that every longer log of an app has. An app with scenes counts as in the
    /// background until one of them shows where it is.
    var missing: String? {
        let shown = hasScenes ? ofScenes : states
        let isActive = shown.contains("active") || shown.contains("fg_active")
        guard isActive != (shown.contains("background") || shown.contains("suspended")) else { return nil }
        return isActive ? "background" : "active"
    }

    mutating func look(at rows: ReplayBatch, of path: String) {
        if sources.last != rows.source { sources.append(rows.source) }
        for (place, kind) in rows.kinds.enumerated() {
            if kind.layer == "scene" {
                hasScenes = true
                if let after = kind.stateAfter { ofScenes.insert(after) }
            }
            // Where a report says where its process ended, and what follows its end, no visit needs a time.
            let isOver = kind.stateBefore == "not_running" && kind.stateAfter == "not_running"
            let isRole = kind.kind == "crash-report" && kind.stateAfter != "not_running"
            if isOver || isRole { timeless.insert(kinds + Int32(place)) }
            guard kind.layer == "app", kind.kind != "crash-report", let after = kind.stateAfter else { continue }
            states.insert(after)
            guard kind.kind == "app-state", let state = kind.proves?.rawValue, places[state] == nil else { continue }
            let line = rows.steps.first { $0.kind == kinds + Int32(place) }.map { ":\($0.line)" } ?? ""
            places[state] = path + line
        }
        kinds += Int32(rows.kinds.count)
    }

    var notice: String? {
        let unseen = places.filter {
            ["active", "inactive", "background"].contains($0.key) && !states.contains($0.key)
        }
        guard hasScenes, let first = unseen.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return nil }
        return
            "\(first.value): words say that the app is \(first.key), and do not count: in an app with scenes these decide, "
            + "and none shows this state; log the callbacks of the scenes, or take such words for one of them (--aliases)"
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

/// What the threads of an ingest share: how far it is, what went wrong, whether to stop.
final class IngestProgress: Sendable {
    private struct State {
        var bytesDone: Int64 = 0
        /// How far each file is that is being read.
        var offsets: [String: Int64] = [:]
        var problems: [ReadingDiagnostic] = []
        var changes: [ReadingDiagnostic] = []
        var isAbandoned = false
        var shown: UInt64 = 0
    }

    private static let nanosecondsBetweenLines: UInt64 = 150_000_000

    private let state = Mutex(State())
    private let began = DispatchTime.now().uptimeNanoseconds
    private let bytesInAll: Int64?
    private let stop: StopRequest

    /// - Parameters:
    ///   - bytesInAll: how much there is to read; `nil` when unknown.
    ///   - stop: the user's request to stop.
    init(bytesInAll: Int64?, stop: StopRequest) {
        self.bytesInAll = bytesInAll
        self.stop = stop
    }

    /// Notes where the reading of a file begins.
    func begin(_ path: String, at offset: Int64) { state.withLock { $0.offsets[path] = offset } }

    /// Notes how far the reading of a file is.
    func advance(to offset: Int64, of path: String) {
        state.withLock { state in
            let before = state.offsets.updateValue(offset, forKey: path) ?? 0
            state.bytesDone += max(0, offset - before)
        }
    }

    /// Notes that a file has been read.
    func end(_ path: String) { state.withLock { _ = $0.offsets.removeValue(forKey: path) } }

    /// Keeps an error of a file for the summary.
    ///
    /// - Parameter isInPart: whether what came before it was read.
    func report(_ error: ReadingError, path: String, isInPart: Bool = false) {
        var problem = ReadingDiagnostic(.error, path: path, message: error.message)
        problem.isInPart = isInPart
        state.withLock { [problem] in $0.problems.append(problem) }
    }

    /// Notes that a file changed while it was read, so that its log has to be looked at again.
    func noteChange(_ path: String, _ message: String) {
        state.withLock { $0.changes.append(ReadingDiagnostic(.error, path: path, message: message)) }
    }

    /// Notes that a file was cut back or rewritten while it was read: the rest of it is gone.
    func noteCut(_ path: String) {
        let message = "was cut back or rewritten while it was read"
        noteChange(path, message)
        state.withLock { $0.problems.append(ReadingDiagnostic(.warning, path: path, message: message)) }
    }

    var problems: [ReadingDiagnostic] { state.withLock { $0.problems } }
    var changes: [ReadingDiagnostic] { state.withLock { $0.changes } }

    /// Tells the threads that nothing they make is taken any more.
    func abandon() { state.withLock { $0.isAbandoned = true } }

    /// Whether to stop at the next safe place.
    var isInterrupted: Bool { stop.isMade || state.withLock { $0.isAbandoned } }

    /// One line for the terminal; `nil` when the last one was shown a moment ago.
    func line() -> String? {
        let now = DispatchTime.now().uptimeNanoseconds
        let done: Int64? = state.withLock { state in
            guard now - state.shown > Self.nanosecondsBetweenLines else { return nil }
            state.shown = now
            return state.bytesDone
        }
        return done.map {
            ProgressLine.text(bytes: $0, of: bytesInAll, seconds: Double(now - began) / 1e9, width: 79)
        }
    }
}

/// Turns SIGHUP, SIGINT and SIGTERM into a request to stop at the next safe place.
///
/// The handler writes into a pipe, which is read as soon as there is a listener: however early a signal comes, it is not
/// lost.
struct Interruption {
    private static let numbers = [SIGHUP, SIGINT, SIGTERM]
    private static let pipe: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }()

    /// The interruption that handles the signals: the last one that was made.
    private struct Use {
        var count = 0
        var request: (@Sendable () -> Void)?
        /// The handlers before the first one; `nil` while none is installed.
        var before: [Int32: sig_t]?
    }

    private static let use = Mutex(Use())

    private let number: Int
    private let source: any DispatchSourceRead

    init(_ request: @escaping @Sendable () -> Void) {
        let pipe = Self.pipe
        _ = Self.drain(pipe.reading)
        number = Self.use.withLock { use in
            var before: [Int32: sig_t] = [:]
            for number in Self.numbers {
                before[number] = signal(number) { _ in
                    let error = errno
                    var mark: UInt8 = 1
                    _ = write(Interruption.pipe.writing, &mark, 1)
                    errno = error
                }
            }
            // Started by `nohup`, it goes on without its terminal.
            if let hangup = before[SIGHUP], unsafeBitCast(hangup, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            {
                signal(SIGHUP, SIG_IGN)
            }
            if use.before == nil { use.before = before }
            use.request = request
            use.count += 1
            return use.count
        }
        // The parent process may have blocked them.
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for number in Self.numbers { sigaddset(&wanted, number) }
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
        // A queue of its own gets a thread at once, also while the stages keep every processor busy.
        source = DispatchSource.makeReadSource(
            fileDescriptor: pipe.reading, queue: DispatchQueue(label: "lifestats.interruption"))
        source.setEventHandler { if Self.drain(pipe.reading) { Self.use.withLock(\.request)?() } }
        source.resume()
    }

    /// Restores the former handlers, unless another interruption was made meanwhile.
    func cancel() {
        Self.use.withLock { use in
            guard number == use.count else { return }
            for number in Self.numbers { signal(number, use.before?[number] ?? SIG_DFL) }
            (use.before, use.request) = (nil, nil)
        }
        source.cancel()
    }

    /// Empties the pipe. Returns whether there was something in it.
    private static func drain(_ end: Int32) -> Bool {
        var marks = [UInt8](repeating: 0, count: 64)
        var found = false
        while read(end, &marks, marks.count) > 0 { found = true }
        return found
    }
}

/// The user's request to stop: made once, seen by all threads.
final class StopRequest: Sendable {
    private let flag = Atomic<Bool>(false)

    func make() { flag.store(true, ordering: .relaxed) }

    var isMade: Bool { flag.load(ordering: .relaxed) }
}
