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
        /// How it ended; `nil` while it goes on.
        var end: String?
        var lanes: [Lane]
    }

    struct Change {
        var id: Int64
        var time: Int64?
        var subject: String
        var from: String
        var to: String
        var callback: String?
        var isDocumented: Bool
        var place: String
    }

    struct Finding {
        var id: Int64
        var severity: String
        var rule: String
        var message: String
        var repair: String?
        var place: String
    }

    /// Runs, changes and findings that a snapshot holds.
    private static let (mostRuns, mostChanges, mostFindings) = (5, 40, 20)

    var lines: Int64 = 0
    var events: Int64 = 0
    /// Time of the latest entry, in nanoseconds since 1970 UTC.
    var lastTime: Int64?
    var runs: [Run] = []
    /// The latest first.
    var changes: [Change] = []
    var findings: [Finding] = []

    init() {}

    /// - Parameters:
    ///   - app: only apps whose name contains this text.
    ///   - since: changes and findings after these ids only, oldest first; `nil` for the latest.
    init(_ reader: DatabaseReading, app: String? = nil, since: (change: Int64, finding: Int64)? = nil) throws {
        let values: [String: SQLValue] = ["app": app.map { .text($0.lowercased()) } ?? .null]
        let totals = try Rows.all(reader, Queries.totals).first
        lines = totals?.integer("lines") ?? 0
        events = totals?.integer("events") ?? 0
        lastTime = totals?.integer("last_ns")
        func chosen(_ most: Int, _ after: Int64?) -> [String: SQLValue] {
            values.merging(["most": .integer(after == nil ? Int64(most) : -1), "after": .integer(after ?? .min)]) { $1 }
        }
        let order = since == nil ? "DESC" : "ASC"
        changes = try Rows.all(
            reader, Queries.changes + order + " LIMIT $most", chosen(Self.mostChanges, since?.change)
        )
        .map(Self.change)
        findings = try Rows.all(
            reader, Queries.findings + order + " LIMIT $most", chosen(Self.mostFindings, since?.finding)
        ).map(Self.finding)
        guard since == nil else { return }
        runs = try Rows.all(
            reader, Queries.runs, values.merging(["most": .integer(Int64(Self.mostRuns))]) { $1 }
        ).map { try Self.run($0, reader) }
    }

    private static func run(_ row: Rows.Row, _ reader: DatabaseReading) throws -> Run {
        let id = row.integer("run_id") ?? 0
        var lanes: [Lane] = []
        var places: [Int64: Int] = [:]
        for visit in try reader.scan("the visits of run \(id)", { try $0.visits(ofRun: id) }) {
            let place = places[visit.instance] ?? lanes.count
            if place == lanes.count {
                places[visit.instance] = place
                lanes.append(Lane(layer: visit.layer, label: visit.label, visits: []))
            }
            lanes[place].visits.append(visit)
        }
        let reason = row.text("end_reason")
        return Run(
            title: (row.text("app") ?? "unnamed app") + (row.integer("pid").map { " [\($0)]" } ?? ""),
            end: reason == "log_end" ? nil : reason?.replacing("_", with: " "), lanes: lanes)
    }

    private static func change(_ row: Rows.Row) -> Change {
        let instance = row.text("layer") == "app" ? nil : row.text("instance")
        let subject = [row.text("app") ?? "unnamed app", row.text("layer"), instance].compactMap(\.self)
        return Change(
            id: row.integer("transition_id") ?? 0, time: row.integer("time_ns"),
            subject: subject.joined(separator: " "),
            from: row.text("from_state") ?? "", to: row.text("to_state") ?? "", callback: row.text("callback"),
            isDocumented: row.text("verdict") != "undocumented", place: place(row))
    }

    private static func finding(_ row: Rows.Row) -> Finding {
        Finding(
            id: row.integer("finding_id") ?? 0, severity: row.text("severity") ?? "", rule: row.text("rule") ?? "",
            message: row.text("message") ?? "", repair: row.text("repair"), place: place(row))
    }

    private static func place(_ row: Rows.Row) -> String {
        row.text("source").map { ($0 == "-" ? "line " : "\($0):") + "\(row.integer("line") ?? 0)" } ?? ""
    }

    private enum Queries {
        static let totals = "SELECT sum(lines) AS lines, sum(events) AS events, max(last_ns) AS last_ns FROM sources"
        static let runs = """
            SELECT run_id, app, pid, end_reason FROM runs WHERE ($app IS NULL OR instr(lower(app), $app))
            ORDER BY coalesce(last_seen_ns, 0) DESC, run_id DESC LIMIT $most
            """
        static let changes = """
            SELECT transition_id, time_ns, app, layer, instance, from_state, to_state, callback, verdict, source, line
            FROM transitions WHERE transition_id > $after AND ($app IS NULL OR instr(lower(app), $app))
            ORDER BY transition_id 
            """
        static let findings = """
            SELECT finding_id, severity, rule, message, repair, source, line
            FROM findings WHERE finding_id > $after AND ($app IS NULL OR instr(lower(app), $app))
            ORDER BY finding_id 
            """
    }
}
