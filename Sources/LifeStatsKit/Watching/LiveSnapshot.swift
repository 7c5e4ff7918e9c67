import Foundation
import LifecycleModel
import Reports
import Synchronization
import TraceRecords
import TraceStore

/// What a live view shows: the latest runs, changes and findings of a database that is being written.
struct LiveSnapshot {
    struct Lane {
        var layer: String
        var label: String
        var visits: [RunVisit]
    }

    struct Run {
        var title: String
        /// How it ended, and when the log showed it last; `nil` while it goes on.
        var end: String?
        var over: Int64?
        var lanes: [Lane]
    }

    struct Change {
        var id: Int64
        var time: Int64?
        var app: String
        var layer: String
        /// The label of what changed, or the layer.
        var lane: String
        /// The titles of the states.
        var from: String
        var to: String
        var callback: String?
        var isDocumented: Bool
        /// Whether a finding is about it; else only callbacks between are missing that the app has not logged so far.
        var isFound: Bool
        var place: String
        var mark = ""

        var subject: String { [app, layer, lane == layer ? "" : lane].filter { !$0.isEmpty }.joined(separator: " ") }
    }

    struct Finding {
        var id: Int64
        var time: Int64?
        var app: String?
        var severity: String
        var rule: String
        var message: String
        var repair: String?
        var place: String
        var mark = ""
    }

    private static let (mostRuns, mostChanges) = (5, 40)
    static let mostFindings = 20

    var lines: Int64 = 0
    var events: Int64 = 0
    /// Time of the latest entry, in nanoseconds since 1970 UTC.
    var lastTime: Int64?
    /// Whether lines state no zone of their times.
    var isZoneAssumed = false
    var runs: [Run] = []
    /// The latest first. The end of a run that no line shows is none of them.
    var changes: [Change] = []
    var findings: [Finding] = []

    init() {}

    /// - Parameters:
    ///   - app: only apps whose name contains this text.
    ///   - since: changes and findings after these ids only, oldest first; `nil` for the latest.
    ///   - isOver: whether nothing more is read. What an app never logs is known only then.
    init(
        _ reader: DatabaseReading, models: [LifecycleModel], app: String? = nil,
        since: (change: Int64, finding: Int64)? = nil, isOver: Bool
    ) throws {
        let values: [String: SQLValue] = ["app": app.map { .text($0.lowercased()) } ?? .null]
        let totals = try Rows.all(reader, Queries.totals).first
        lines = totals?.integer("lines") ?? 0
        events = totals?.integer("events") ?? 0
        lastTime = totals?.integer("last_ns")
        isZoneAssumed = totals?.integer("zoneless") == 1
        func chosen(_ most: Int, _ after: Int64?) -> [String: SQLValue] {
            values.merging(["most": .integer(after == nil ? Int64(most) : -1), "after": .integer(after ?? .min)]) { $1 }
        }
        let isAll = since != nil
        changes = try Rows.all(
            reader, Queries.changes + (isAll ? "transition_id" : "transition_id DESC") + " LIMIT $most",
            chosen(Self.mostChanges, since?.change)
        )
        .map { Self.change($0, models) }
        findings = try Rows.all(
            reader, Queries.findings + (isAll ? "finding_id" : Queries.latest) + " LIMIT $most",
            chosen(Self.mostFindings, since?.finding).merging(["over": .integer(isOver ? 1 : 0)]) { $1 }
        ).map { Self.finding($0, models) }
        guard since == nil else { return }
        runs = try Rows.all(
            reader, Queries.runs, values.merging(["most": .integer(Int64(Self.mostRuns))]) { $1 }
        ).map { try Self.run($0, reader) }
    }

    private static func run(_ row: Rows.Row, _ reader: DatabaseReading) throws -> Run {
        let id = row.integer("run_id") ?? 0
        var lanes: [Lane] = []
        var places: [Int64: Int] = [:]
        for visit in try reader.store.visits(ofRun: id) {
            let place = places[visit.instance] ?? lanes.count
            if place == lanes.count {
                places[visit.instance] = place
                lanes.append(Lane(layer: visit.layer, label: visit.label, visits: []))
            }
            lanes[place].visits.append(visit)
        }
        let reason = row.text("end_reason").flatMap { $0 == "log_end" ? nil : $0 }
        // What was destroyed while the app went on has no present state.
        let over = reason.flatMap { _ in row.integer("over_ns") }
        lanes.removeAll { lane in
            lane.layer != "app" && (lane.visits.last?.left).map { $0 < over ?? .max } ?? false
        }
        // In the order of a timeline.
        let layers = ["app", "scene", "view"]
        let ordered = (layers + Set(lanes.map(\.layer)).subtracting(layers).sorted()).flatMap { layer in
            lanes.filter { $0.layer == layer }
        }
        return Run(
            title: (row.text("app") ?? "unnamed app") + (row.integer("pid").map { " [\($0)]" } ?? ""),
            end: reason.map(EndReason.words), over: over, lanes: ordered)
    }

    private static func change(_ row: Rows.Row, _ models: [LifecycleModel]) -> Change {
        let states = ["from_state", "to_state"].map { models.title(of: row.text($0) ?? "", in: row.text("layer")) }
        let layer = row.text("layer") ?? ""
        return Change(
            id: row.integer("transition_id") ?? 0, time: row.integer("time_ns"),
            app: row.text("app") ?? "", layer: layer,
            lane: layer == "app" ? layer : row.text("instance") ?? layer,
            from: states[0], to: states[1], callback: row.text("callback"),
            isDocumented: row.text("verdict") != "undocumented", isFound: row.integer("is_found") == 1,
            place: place(row), mark: row.text("mark") ?? "")
    }

    private static func finding(_ row: Rows.Row, _ models: [LifecycleModel]) -> Finding {
        Finding(
            id: row.integer("finding_id") ?? 0, time: row.integer("time_ns"), app: row.text("app"),
            severity: row.text("severity") ?? "", rule: row.text("rule") ?? "",
            message: models.titled(row.text("message") ?? "", layer: row.text("layer") ?? ""),
            repair: row.text("repair"), place: place(row), mark: row.text("mark") ?? "")
    }

    private static func place(_ row: Rows.Row) -> String {
        row.text("source").map { ($0 == "-" ? "line " : "\($0):") + "\(row.integer("line") ?? 0)" } ?? ""
    }

    private enum Queries {
        static let totals = """
            SELECT sum(lines) AS lines, sum(events) AS events, max(last_ns) AS last_ns,
                max(assumptions LIKE '%times without a zone%') AS zoneless
            FROM sources
            """
        static let runs = """
            SELECT run_id, app, pid, end_reason, coalesce(ended_ns, last_seen_ns) AS over_ns
            FROM runs WHERE ($app IS NULL OR instr(lower(app), $app))
            ORDER BY end_reason <> 'log_end', coalesce(last_seen_ns, 0) DESC, run_id DESC LIMIT $most
            """
        /// What still tells lines apart after a rotation, which renames files and uses their names again: the log, the
        /// line, and its time, or its run where the log has no times.
        private static func mark(_ id: String) -> String {
            """
            coalesce(time_ns || '', (SELECT run_key FROM runs AS r WHERE r.run_id = t.run_id), '') || ' '
                || coalesce(line, '') || ' ' || (SELECT g.stream FROM raw_blocks AS b
                    JOIN raw_logs AS g ON g.log_id = b.log WHERE b.block_id = \(id) >> 16) AS mark
            """
        }
        static let changes = """
            SELECT transition_id, time_ns, app, layer, instance, from_state, to_state, callback, verdict, source, line,
                \(mark("transition_id")),
                verdict = 'undocumented' AND EXISTS (SELECT 1 FROM findings AS f WHERE f.run_id = t.run_id
                    AND f.event_id = t.transition_id AND \(DiagramQueries.isOfChange)) AS is_found
            FROM transitions AS t WHERE transition_id > max($after, 0) AND ($app IS NULL OR instr(lower(app), $app))
            ORDER BY 
            """
        static let findings = """
            SELECT finding_id, time_ns, app, layer, severity, rule, message, repair, source, line,
                \(mark("finding_id"))
            FROM findings AS t WHERE CASE rule WHEN 'not-logged' THEN $over ELSE finding_id > $after END
                AND ($app IS NULL OR instr(lower(app), $app))
            ORDER BY 
            """
        /// What is found only when a run ends has a larger id than what is found in later lines.
        static let latest = "time_ns DESC, line DESC, finding_id DESC"
    }
}

/// Changes and findings as lines of text, each once: where there is no terminal, and while `ingest` follows a log.
struct LiveLines {
    let style: TextStyle
    let models: [LifecycleModel]
    private var last: (change: Int64, finding: Int64) = (0, 0)
    /// Hashes of what was shown: the last entry of a file is stored again when it has grown, and a whole log after a
    /// rotation.
    private var known: Set<Int> = []

    init(style: TextStyle, models: [LifecycleModel]) { (self.style, self.models) = (style, models) }

    /// What is new in the database since the last call.
    mutating func next(_ reader: DatabaseReading, isOver: Bool) throws -> [String] {
        let new = try LiveSnapshot(reader, models: models, since: last, isOver: isOver)
        last.change = max(last.change, new.changes.last?.id ?? 0)
        last.finding = max(last.finding, new.findings.last?.id ?? 0)
        var lines: [String] = []
        for change in new.changes
        where known.insert("\(change.mark) \(change.subject) \(change.to)".hashValue).inserted {
            let text = Self.text(change, style, newest: new.lastTime)
            lines.append(text + "  " + style.dim(VisibleText.neutralised(change.place)))
        }
        for finding in new.findings
        where known.insert("\(finding.mark) \(finding.rule) \(finding.message)".hashValue).inserted {
            lines += Self.lines(finding, style, newest: new.lastTime)
        }
        return lines
    }

    /// A time of day, with its date where that is not the one of the newest line.
    private static func clock(_ time: Int64?, newest: Int64?) -> String {
        guard let time else { return "--:--:--.---" }
        let clock = CivilTime.clock(nanoseconds: time, step: 1)
        let date = ClockText.date(time)
        return date.isEmpty || newest.map(ClockText.date) ?? date == date ? clock : "\(date) \(clock)"
    }

    /// What the line of a change consists of: the verdict stands before the callback.
    struct Parts {
        let time: String
        let subject: String
        let move: String
        /// `nil` for what is documented.
        let verdict: String?
        let callback: String
        private let isFound: Bool

        /// The verdict and the callback.
        var said: String { [verdict ?? "", callback].filter { !$0.isEmpty }.joined(separator: "  ") }

        init(_ change: LiveSnapshot.Change, subject: String, callback: String, newest: Int64?) {
            time = LiveLines.clock(change.time, newest: newest)
            self.subject = VisibleText.neutralised(subject)
            self.callback = VisibleText.neutralised(callback)
            move = "\(change.from) → \(change.to)"
            verdict = change.isDocumented ? nil : change.isFound ? "undocumented" : "skips a step"
            isFound = change.isFound
        }

        /// A text in the colour of the verdict.
        func painted(_ text: String, _ style: TextStyle) -> String {
            verdict == nil ? style.green(text) : isFound ? style.red(text) : style.yellow(text)
        }
    }

    /// `12:00:01.123  Postbox app  Inactive → Active  applicationDidBecomeActive`.
    private static func text(_ change: LiveSnapshot.Change, _ style: TextStyle, newest: Int64?) -> String {
        let parts = Parts(change, subject: change.subject, callback: change.callback ?? "", newest: newest)
        let verdict = parts.verdict.map { parts.painted($0, style) } ?? ""
        return [style.dim(parts.time), parts.subject, parts.painted(parts.move, style), verdict, parts.callback]
            .filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// A finding with its time, app and place, and how the log would conform.
    ///
    /// - Parameters:
    ///   - newest: the time of the newest line.
    ///   - width: cells of a line; longer texts go on below.
    static func lines(
        _ finding: LiveSnapshot.Finding, _ style: TextStyle, newest: Int64?, width: Int = .max
    ) -> [String] {
        let severity = style.severity(finding.severity)
        let message = VisibleText.neutralised(finding.message)
        let place = VisibleText.neutralised(finding.place)
        let app = finding.app.map { VisibleText.neutralised($0) + "  " } ?? ""
        let time = clock(finding.time, newest: newest)
        let head = "\(style.dim(time))  \(severity)  \(style.bold(finding.rule))  \(app)\(style.dim(place))"
        let isShort =
            CellWidth.of("\(time)  \(finding.severity)  \(finding.rule)  \(app)\(place)  \(message)")
            <= width
        let repair = finding.repair.map { "the log would conform " + VisibleText.neutralised($0) } ?? ""
        let rest = [isShort ? "" : message, repair].filter { !$0.isEmpty }.flatMap {
            WrappedList.lines(of: $0, room: width - 2)
        }
        return [isShort ? "\(head)  \(message)" : head]
            + rest.map { "  " + $0.replacing("would conform", with: style.green("would conform"), maxReplacements: 1) }
    }
}

/// An ingest on a thread of its own, while others look at the database.
final class LiveIngest: Sendable {
    private struct State {
        var outcome: Result<IngestReport, LifeStatsError>?
        var notices: [String] = []
    }

    private let state = Mutex(State())
    private let stop = StopRequest()

    /// Begins to read.
    static func start(_ options: IngestOptions) -> LiveIngest {
        let ingest = LiveIngest()
        let isTemporary = TemporaryFiles.isFolderHeld(of: options.database)
        let thread = Thread {
            let outcome = Result {
                try IngestPipeline(options: options).run(stop: ingest.stop) { notice in
                    // A file that is about to be removed concerns nobody.
                    if isTemporary, notice.hasPrefix(options.database) { return }
                    ingest.state.withLock { $0.notices.append(notice) }
                }
            }.mapError { $0 as? LifeStatsError ?? LifeStatsError("\($0)") }
            ingest.state.withLock { $0.outcome = outcome }
        }
        thread.stackSize = 8 << 20
        thread.start()
        return ingest
    }

    /// What it did; `nil` while it goes on.
    var outcome: Result<IngestReport, LifeStatsError>? { state.withLock(\.outcome) }

    /// Whether the user has asked to stop.
    var isStopping: Bool { stop.isMade }

    /// What the user should know, once.
    func takeNotices() -> [String] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }

    /// Stops it, and waits until what was read is stored.
    func end() -> Result<IngestReport, LifeStatsError> {
        stop.make()
        while true {
            if let outcome { return outcome }
            usleep(10_000)
        }
    }
}
