import LifecycleModel
import Reports
import StateDiagrams
import TraceRecords
import TraceStore

/// The worst runs: a table, and swim lanes of the first of them.
struct ReportRuns {
    /// Runs in the table, those of them drawn, and the lanes drawn of them: as many as can be read.
    private static let (mostRows, mostDrawn, mostLanes) = (20, 4, 12)
    private static let mostVisits = 2_000

    /// The runs in the table, by id.
    let listed: Set<Int64>
    /// Those of them that ended while they were in use, or that the system ended for a fault.
    let endedBadly: [Int64]
    let table: ReportTable?
    let lanes: ReportPicture?

    private static let details = """
        SELECT r.end_reason, coalesce(r.ended_ns, r.last_seen_ns) - coalesce(r.started_ns, r.first_seen_ns) AS lived_ns,
            (SELECT count(*) FROM findings AS f WHERE f.run_id = r.run_id) AS findings
        FROM runs AS r WHERE r.run_id = $run
        """

    init(source: PictureSource, models: [LifecycleModel], language: String) throws {
        var request = TimelineRequest(database: source.reader.path)
        request.filter = source.filter
        request.language = language
        request.worst = Self.mostRows
        request.axis = .launch
        let chosen = try TimelineRenderer.runs(request, source.reader)
        (table, endedBadly) = try Self.table(of: chosen.runs, all: chosen.all, source.reader)
        listed = Set(chosen.runs.compactMap { $0.integer("run_id") })
        var drawing = try TimelineRenderer.timeline(
            of: Array(chosen.runs.prefix(Self.mostDrawn)), all: chosen.all, request, models: models, source.reader)
        // A run is drawn whole or not at all.
        while drawing.lanes.count > Self.mostLanes, let last = drawing.lanes.last?.run, last != drawing.lanes[0].run {
            drawing.lanes.removeAll { $0.run == last }
        }
        let picture = TimelineDrawing(
            drawing, language: PictureLanguage(rawValue: language) ?? .english, idPrefix: "timeline")
        lanes =
            drawing.lanes.isEmpty
            ? nil
            : ReportPicture(
                svg: picture.svg(), caption: "The worst runs, each from its launch on and on a scale of its own.")
    }

    private static func table(
        of runs: [Rows.Row], all: Int, _ reader: DatabaseReading
    ) throws -> (ReportTable?, endedBadly: [Int64]) {
        guard !runs.isEmpty else { return (nil, []) }
        let usual = [EndReason.terminated, .killedInBackground, .logEnd].map(\.rawValue)
        var endedBadly: [Int64] = []
        var table = ReportTable(
            caption: "The worst runs: errors first, then abnormal ends, then other findings.",
            columns: [
                ReportColumn("run_id", heading: "run"), ReportColumn("app"), ReportColumn("began", role: .moment),
                ReportColumn("lived_ns", heading: "lived"), ReportColumn("end_reason"),
                ReportColumn("state", heading: "last state"), ReportColumn("visits"), ReportColumn("findings"),
            ], rows: [], totalRows: all)
        for run in runs {
            guard let id = run.integer("run_id") else { continue }
            let row = try Rows.all(reader, details, ["run": .integer(id)]).first
            let visits = try reader.scan("the visits of run \(id)") { try $0.visits(ofRun: id, most: mostVisits) }
            let main = visits.filter { $0.layer == "app" }.last ?? visits.last
            if let reason = row?.text("end_reason"), !usual.contains(reason) { endedBadly.append(id) }
            table.rows.append([
                .integer(id), run.text("app").map { .text($0) } ?? .null,
                run.integer("began_ns").map { .text(CivilTime.readable(nanoseconds: $0)) } ?? .null,
                row?.integer("lived_ns").map { .integer($0) } ?? .null,
                row?.text("end_reason").map { .text(EndReason.words(of: $0)) } ?? .null,
                main.map { .text($0.state) } ?? .null, .integer(Int64(visits.count)),
                .integer(row?.integer("findings") ?? 0),
            ])
            table.anchors.append("run-\(id)")
            table.paths.append(path(through: visits))
        }
        return (table, endedBadly)
    }

    private static func path(through visits: [RunVisit]) -> StatePath {
        var path = StatePath()
        var last: [Int64: String] = [:]
        for visit in visits {
            path.visit(visit.state)
            if let from = last[visit.instance] { path.move(from: from, to: visit.state) }
            last[visit.instance] = visit.state
        }
        return path
    }
}

extension EndReason {
    /// The value of a column as words: `killed in background`.
    static func words(of value: String) -> String { value.replacing("_", with: " ") }
}
