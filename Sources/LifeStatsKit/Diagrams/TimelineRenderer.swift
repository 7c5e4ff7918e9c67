import LifecycleModel
import StateDiagrams
import TraceStore

/// Draws the visits of runs as swim lanes.
public enum TimelineRenderer {
    /// The timeline as SVG, PNG or PDF.
    ///
    /// - Throws: ``LifeStatsError`` when the database is not there, or the picture cannot be written.
    public static func picture(_ request: TimelineRequest, format: DiagramFormat) throws -> RenderedPicture {
        try LifeStatsError.translated {
            let timeline = try timeline(request, TraceReader(path: request.database))
            let format = PictureFormat(rawValue: format.rawValue) ?? .svg
            let language = PictureLanguage(rawValue: request.language) ?? .english
            return RenderedPicture(
                bytes: try TimelineDrawing(timeline, language: language).bytes(format), summary: timeline.subtitle)
        }
    }

    /// The timeline for a terminal.
    ///
    /// - Throws: ``LifeStatsError`` when the database is not there.
    public static func text(_ request: TimelineRequest, width: Int, colors: Bool) throws -> String {
        try LifeStatsError.translated {
            let timeline = try timeline(request, TraceReader(path: request.database))
            let language = PictureLanguage(rawValue: request.language) ?? .english
            return TimelineText(timeline, language: language, width: width, isColoured: colors).lines()
                .map { $0 + "\n" }.joined()
        }
    }

    static func timeline(_ request: TimelineRequest, _ reader: TraceReader) throws -> Timeline {
        let models = try ModelCatalog.builtIn()
        var values = request.filter?.values ?? [:]
        let runs = try Rows.all(reader, TimelineQueries.runs, values)
        values["most"] = .integer(Int64(request.mostRuns))
        var silences: [Int64: [Rows.Row]] = [:]
        for row in try Rows.all(reader, TimelineQueries.suspensions, values) {
            if let visit = row.integer("visit_id") { silences[visit, default: []].append(row) }
        }
        var lanes: [Timeline.Lane] = []
        var places: [Int64: Int] = [:]
        for row in try Rows.all(reader, TimelineQueries.visits, values) {
            guard let instance = row.integer("instance_id"), let state = row.text("state") else { continue }
            let place = places[instance] ?? lanes.count
            if place == lanes.count {
                places[instance] = place
                lanes.append(lane(row))
            }
            let censored = row.text("censored") ?? ""
            let stay = Timeline.Stay(
                state: state, from: row.integer("entered_ns"), until: row.integer("left_ns"),
                isInferred: row.text("evidence") == "inferred", isCutLeft: ["left", "both"].contains(censored),
                isCutRight: ["right", "both"].contains(censored), source: row.text("place") ?? "")
            let within = row.integer("visit_id").flatMap { silences[$0] } ?? []
            lanes[place].stays += state == "suspended" ? [stay] : pieces(of: stay, suspended: within)
        }
        for row in try Rows.all(reader, TimelineQueries.findings, values) {
            guard let instance = row.integer("instance_id"), let place = places[instance] else { continue }
            lanes[place].marks.append(
                Timeline.Mark(
                    time: row.integer("time_ns"), rule: row.text("rule") ?? "", severity: row.text("severity") ?? "",
                    message: row.text("message") ?? "", source: row.text("place") ?? ""))
        }
        let drawn = Set(lanes.flatMap { lane in lane.stays.map(\.state) })
        var states: [Timeline.State] = []
        for model in models.models {
            for state in model.states where drawn.contains(state.id) && !states.contains(where: { $0.id == state.id }) {
                states.append(
                    Timeline.State(
                        id: state.id, title: state.title[request.language], tone: TimelineTones.tone(of: state)))
            }
        }
        let left = runs.count - min(runs.count, request.mostRuns)
        return Timeline(
            title: "Timeline", subtitle: "\(runs.count) \(runs.count == 1 ? "run" : "runs")", states: states,
            lanes: lanes, notes: left > 0 ? ["\(left) more runs are not drawn (--most)"] : [])
    }

    /// A background stay, split by the silences in it. What lies around an estimated suspension is inferred, too.
    private static func pieces(of stay: Timeline.Stay, suspended silences: [Rows.Row]) -> [Timeline.Stay] {
        var pieces: [Timeline.Stay] = []
        var rest = stay
        for silence in silences {
            guard let from = silence.integer("from_ns") else { continue }
            if rest.from == nil || rest.from != from {
                var before = rest
                before.until = from
                before.isCutRight = false
                before.isInferred = true
                pieces.append(before)
            }
            var still = rest
            still.state = "suspended"
            still.from = from
            still.until = silence.integer("until_ns") ?? stay.until
            still.isCutLeft = false
            still.isCutRight = silence.integer("until_ns") == nil && stay.until == nil
            still.isInferred = silence.text("evidence") == "inferred"
            pieces.append(still)
            rest.from = still.until
            rest.isCutLeft = false
            rest.isInferred = true
        }
        let isOver = !pieces.isEmpty && (rest.from == nil || rest.from == stay.until)
        return isOver ? pieces : pieces + [rest]
    }

    private static func lane(_ row: Rows.Row) -> Timeline.Lane {
        let app = row.text("app") ?? "?"
        let pid = row.integer("pid").map { " [\($0)]" } ?? ""
        let started = row.text("run_began").map { " · \($0.prefix(19).replacing("T", with: " "))" } ?? ""
        let layer = row.text("layer") ?? ""
        let label = row.text("instance") ?? ""
        return Timeline.Lane(
            group: "\(app)\(pid)\(started)", title: layer == "app" || label.isEmpty ? layer : label, layer: layer,
            stays: [])
    }
}
