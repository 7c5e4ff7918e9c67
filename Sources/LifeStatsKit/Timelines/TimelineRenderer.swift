import LifecycleModel
import Reports
public import StateDiagrams
import TraceRecords
import TraceStore

/// Which runs to draw as swim lanes.
public struct TimelineRequest: Sendable {
    public var database: String
    public var filter: Filter?
    public var limit = ReadingLimit()
    /// The maximum number of runs to draw; the others are counted. `nil`: 12, or all where that are hardly more.
    public var mostRuns: Int?
    /// How many of the runs with the worst findings and ends to draw, the worst first; `nil` draws runs by their begin.
    public var worst: Int?
    /// What the runs have in common on the time axis; `nil` chooses: the launch for the worst runs, and for several
    /// runs that span more than a week, are mostly too short to be seen on a common clock, and where only some times have
    /// a date; else the clock.
    public var axis: TimelineAxis?
    /// The heading; `nil` for the names of the apps.
    public var title: String?
    /// Language of the states' names.
    public var language = "en"
    /// Files of models besides the built-in ones.
    public var models: [String] = []

    public init(database: String) { self.database = database }
}

/// The time axis of a timeline: the values of `--axis`.
public enum TimelineAxis: String, Sendable, CaseIterable {
    /// All runs on one axis, by the clock.
    case clock
    /// Each run from its launch on, on one scale where their lengths allow it.
    case launch
}

/// How a timeline is written: the values of `--format`.
public enum TimelineFormat: String, Sendable, CaseIterable {
    case text, svg, png, pdf

    /// The format for a file, by its extension; text where there is no file.
    ///
    /// - Throws: ``LifeStatsError`` when the extension is none of the formats.
    public init(forFile path: String?) throws {
        let drawn = try path.map { try DiagramFormat(forFile: $0, among: [.svg, .png, .pdf]) }
        self = drawn.flatMap { Self(rawValue: $0.rawValue) } ?? .text
    }

    /// The format of a picture; `nil` for text.
    public var drawn: DiagramFormat? { DiagramFormat(rawValue: rawValue) }
}

/// Draws the visits of runs as swim lanes.
public enum TimelineRenderer {
    /// The timeline as SVG, PNG or PDF.
    ///
    /// - Throws: ``LifeStatsError`` when there is no database or run, or the picture cannot be drawn.
    public static func picture(_ request: TimelineRequest, format: DiagramFormat) throws -> RenderedPicture {
        try DatabaseReading.run(request.database, limit: request.limit) { reader in
            let timeline = try timeline(request, reader)
            let language = try PictureLanguage(named: request.language)
            return RenderedPicture(
                bytes: try TimelineDrawing(timeline, language: language).bytes(format),
                summary: timeline.subtitle)
        }
    }

    /// The timeline for a terminal.
    ///
    /// - Parameter width: The columns of the terminal; `nil` where there is none.
    /// - Throws: ``LifeStatsError`` when there is no database or run.
    public static func text(_ request: TimelineRequest, width: Int?, colors: Bool) throws -> String {
        try DatabaseReading.run(request.database, limit: request.limit) { reader in
            let timeline = try timeline(request, reader)
            let language = try PictureLanguage(named: request.language)
            return TimelineText(timeline, language: language, width: width, isColoured: colors).lines()
                .map { $0 + "\n" }.joined()
        }
    }

    static func timeline(_ request: TimelineRequest, _ reader: DatabaseReading) throws -> Timeline {
        try request.filter?.requireMatch(in: reader)
        // Some of them may have nothing to draw.
        let chosen = try runs(request, reader, spare: 50)
        guard chosen.all > 0 else {
            throw LifeStatsError.nothing(to: "draw", PictureSource.Totals(), in: reader.path, request.filter)
        }
        let models = try KnownModels(files: request.models, reader).models
        var timeline = try timeline(
            of: chosen.runs, most: chosen.most, all: chosen.all, request, models: models, reader)
        timeline.ruleTitles = models.ruleTitles
        return timeline
    }

    /// The runs to draw with some to spare, how many to draw, and the number of all.
    static func runs(
        _ request: TimelineRequest, _ reader: DatabaseReading, spare: Int = 0
    ) throws -> (runs: [Rows.Row], most: Int, all: Int) {
        var values = DiagramQueries.values(request.filter)
        let all = Int(try Rows.all(reader, TimelineQueries.count, values).first?.integer("runs") ?? 0)
        let most = max(0, request.worst ?? request.mostRuns ?? (all > 18 ? 12 : all))
        values["most"] = .integer(Int64(min(most, all) + spare))
        let order = request.worst == nil ? TimelineQueries.first : TimelineQueries.mostInteresting
        return (try Rows.all(reader, order, values), most, all)
    }

    static func timeline(
        of runs: [Rows.Row], most: Int, all: Int, _ request: TimelineRequest, models: [LifecycleModel],
        _ reader: DatabaseReading
    ) throws -> Timeline {
        let language = PictureLanguage(checked: request.language)
        var chosen = try ChosenLanes(of: runs, most: most) {
            Self.dated(try Self.lanes(of: $0, language, models, endRules: models.rulesAboutEnds, reader))
        }
        var timeline = Timeline(
            title: "", states: states(of: chosen.lanes, models, language: request.language), lanes: chosen.lanes)
        let isFree = request.axis == nil && request.worst == nil
        let reason = isFree ? PictureHeading.notOneClock(timeline, span: span(of: chosen.lanes), language) : nil
        let axis = request.axis ?? (request.worst == nil && reason == nil ? .clock : .launch)
        let undated = axis == .clock ? chosen.removeUndated() : 0
        let lanes = chosen.lanes
        timeline.notes =
            (lanes.isEmpty ? [Self.reason(most: most)] : [])
            + [reason].compactMap(\.self)
            + (lanes.isEmpty || chosen.untimed == 0 ? [] : [PictureHeading.withoutTimes(chosen.untimed, language)])
            + (undated > 0 ? [PictureHeading.notOnAClock(undated, language)] : [])
        let drawn = Set(lanes.map(\.run)).count
        let isRest = drawn + chosen.untimed + undated == all
        let count =
            isRest
            ? PictureHeading.count(runs: drawn, of: all, language)
            : PictureHeading.drawn(runs: drawn, of: all, isWorst: request.worst != nil, language)
        (timeline.title, timeline.lanes) = (request.title ?? PictureHeading.runs(of: chosen.apps, language), lanes)
        timeline.subtitle = ([count] + (request.filter?.wordsBesideApp ?? [])).joined(separator: " · ")
        timeline.isAligned = axis == .launch
        return timeline
    }

    /// The lanes of the first runs that have a visit with a time, or of the first ones with a visit where none has a time.
    private struct ChosenLanes {
        private var groups: [(app: String?, lanes: [Timeline.Lane])] = []
        /// The number of runs that were left out because nothing of them has a time.
        private(set) var untimed = 0

        init(of runs: [Rows.Row], most: Int, _ lanes: (Rows.Row) throws -> [Timeline.Lane]) rethrows {
            var others: [(app: String?, lanes: [Timeline.Lane])] = []
            for run in runs where groups.count < most {
                let group = (app: run.text("app"), lanes: try lanes(run))
                if Self.begin(group.lanes) != nil { groups.append(group) } else { others.append(group) }
            }
            if groups.isEmpty { groups = others.filter { !$0.lanes.isEmpty }.prefix(most).map(\.self) }
            untimed = others.count - (groups.first.map { Self.begin($0.lanes) == nil } ?? false ? groups.count : 0)
        }

        var lanes: [Timeline.Lane] { groups.flatMap(\.lanes) }

        /// Their apps, each once; `nil` for those without a name.
        var apps: [String?] {
            groups.map(\.app).reduce(into: []) { apps, app in if !apps.contains(app) { apps.append(app) } }
        }

        private static func begin(_ lanes: [Timeline.Lane]) -> Int64? {
            lanes.flatMap(\.visits).flatMap { [$0.from, $0.until] }.compactMap(\.self).min()
        }

        /// Leaves out the runs without a date where others have one, and returns how many.
        mutating func removeUndated() -> Int {
            let dated = groups.filter { (Self.begin($0.lanes) ?? .min) >= ClockText.dated }
            let others = groups.count - dated.count
            guard !dated.isEmpty, others > 0 else { return 0 }
            groups = dated
            return others
        }
    }

    /// From the begin of the first visit to the end of the last, as far as one clock tells it.
    static func span(of lanes: [Timeline.Lane]) -> Int64 {
        let visits = lanes.flatMap(\.visits).filter { !$0.hasNoLength }
        let times = visits.flatMap { [$0.from, $0.until] }.compactMap(\.self)
        guard let first = times.min(), let last = times.max() else { return 0 }
        let span = last.subtractingReportingOverflow(first)
        return span.overflow ? .max : span.partialValue
    }

    /// Why there is nothing to draw of runs.
    private static func reason(most: Int) -> String {
        most < 1
            ? "No run was asked for."
            : "The log shows no visit in these runs: they have system lines, but no callback."
    }

    /// The drawn states in the order of their models; states of one id are one entry of the legend.
    private static func states(
        of lanes: [Timeline.Lane], _ models: [LifecycleModel], language: String
    ) -> [Timeline.State] {
        let drawn = Set(lanes.flatMap { $0.visits.map(\.state) })
        var states: [Timeline.State] = []
        for model in models {
            for (place, state) in model.states.enumerated()
            where drawn.contains(state.id) && !states.contains(where: { $0.id == state.id }) {
                let tones = model.states[...place].enumerated().map { TimelineTones.tone(of: $1, at: $0, in: model) }
                states.append(
                    Timeline.State(
                        id: state.id, title: state.title[language], tone: tones[place],
                        variant: tones.count { $0 == tones[place] } - 1))
            }
        }
        return states
    }

    private static func lanes(
        of run: Rows.Row, _ language: PictureLanguage, _ models: [LifecycleModel], endRules: Set<String>,
        _ reader: DatabaseReading
    ) throws -> [Timeline.Lane] {
        guard let id = run.integer("run_id") else { return [] }
        var silences: [Int64: [Silence]] = [:]
        for found in try reader.store.suspensions(ofRun: id) {
            silences[found.visit, default: []].append(
                Silence(from: found.from, until: found.until, isInferred: found.isInferred))
        }
        var lanes: [Timeline.Lane] = []
        var places: [Int64: Int] = [:]
        let visits = try reader.store.visits(ofRun: id)
        let findings = try Rows.all(reader, TimelineQueries.findings, ["run": .integer(id)])
        let steps = findings.filter { $0.text("rule") == Deviation.clockRegression.rawValue }
        for layer in ["app", "scene", "view"] + Set(visits.map(\.layer)).subtracting(["app", "scene", "view"]).sorted()
        {
            for visit in visits where visit.layer == layer {
                let place = places[visit.instance] ?? lanes.count
                if place == lanes.count {
                    places[visit.instance] = place
                    lanes.append(lane(run, visit, language))
                }
                let drawn = Self.drawn(visit, of: run, clockWentBack: !steps.isEmpty)
                lanes[place].visits +=
                    visit.state == "suspended" ? [drawn] : pieces(of: drawn, suspended: silences[visit.id] ?? [])
            }
        }
        for row in findings {
            let rule = row.text("rule") ?? ""
            // A finding about the whole run, or that a report has about its end, is marked on the first lane.
            let own = row.integer("instance_id").map { places[$0] } ?? 0
            guard let place = own ?? (endRules.contains(rule) ? 0 : nil), lanes.indices.contains(place) else {
                continue
            }
            let time = row.integer("time_ns").map(DrawnTime.bounded)
            // The end has no line of its own: the finding cites the last one, or a report that was written later, and is
            // marked where the lane ends.
            let end = endRules.contains(rule) ? lanes[place].visits.compactMap(\.until).max() : nil
            lanes[place].marks.append(
                Timeline.Mark(
                    time: own == nil ? end ?? time : time.map { max($0, end ?? $0) }, rule: rule,
                    severity: row.text("severity") ?? "",
                    message: models.titled(
                        row.text("message") ?? "", layer: row.text("layer") ?? "", language.rawValue),
                    source: row.text("place") ?? ""))
        }
        if !steps.isEmpty, steps.allSatisfy({ $0.text("severity") == "info" }) {
            for place in lanes.indices { lanes[place].hasSmallStep = true }
        }
        return lanes
    }

    /// A visit as it is drawn: a censored one as long as the run that it is known to open or close lasts, or else as long as
    /// it lasted at least.
    private static func drawn(_ visit: RunVisit, of run: Rows.Row, clockWentBack: Bool) -> Timeline.Visit {
        let least = visit.atLeast
        let from = visit.entered ?? least.flatMap { least in visit.left.map { DrawnTime.bounded($0 - least) } }
        let until = visit.left ?? least.flatMap { least in visit.entered.map { DrawnTime.bounded($0 + least) } }
        var drawn = Timeline.Visit(
            state: visit.state, from: from, until: until, isInferred: visit.isInferred, source: visit.place ?? "")
        (drawn.beginEvent, drawn.endEvent) = (visit.beginEvent, visit.endEvent)
        // The log cuts a visit whose begin it does not show, or after which it ends: no line shows how other runs ended.
        drawn.isCutLeft = ["left", "both"].contains(visit.censoring) && visit.entered == nil
        drawn.isCutRight = ["right", "both"].contains(visit.censoring) && run.text("end_reason") == "log_end"
        drawn.isAtLeast = !visit.censoring.isEmpty
        // With its process everything begins and ends, which another log may show.
        if visit.left == nil, let until, let ended = run.integer("ended_ns").map(DrawnTime.bounded), ended > until {
            (drawn.until, drawn.isInferred, drawn.isAtLeast) = (ended, true, false)
        }
        if visit.entered == nil, let from, let started = run.integer("started_ns").map(DrawnTime.bounded),
            started < from, visit.layer == "app"
        {
            (drawn.from, drawn.isInferred, drawn.isCutLeft, drawn.isAtLeast) = (started, true, false, false)
        }
        if visit.hasNoLength, visit.entered != nil, visit.left != nil {
            // Without a step of the clock, the app was in another state meanwhile, and no line tells when.
            (drawn.hasNoLength, drawn.isInferred) = (clockWentBack, drawn.isInferred || !clockWentBack)
        }
        return drawn
    }

    /// The lanes of a run from its first dated line on, where it has lines with and without a date: nothing tells how long
    /// it lived before.
    private static func dated(_ lanes: [Timeline.Lane]) -> [Timeline.Lane] {
        let times = lanes.flatMap(\.visits).flatMap { [$0.from, $0.until] }.compactMap(\.self)
        guard times.contains(where: { $0 < ClockText.dated }), times.contains(where: { $0 >= ClockText.dated }) else {
            return lanes
        }
        func dated(_ time: Int64?) -> Int64? { time.flatMap { $0 < ClockText.dated ? nil : $0 } }
        var lanes = lanes
        for place in lanes.indices {
            lanes[place].visits = lanes[place].visits.compactMap { visit in
                var visit = visit
                (visit.from, visit.until) = (dated(visit.from), dated(visit.until))
                return visit.from == nil && visit.until == nil ? nil : visit
            }
            if !lanes[place].visits.isEmpty { lanes[place].visits[0].hasNoLength = true }
            for mark in lanes[place].marks.indices {
                lanes[place].marks[mark].time = dated(lanes[place].marks[mark].time)
            }
        }
        return lanes.filter { !$0.visits.isEmpty }
    }

    private struct Silence {
        var from: Int64
        var until: Int64?
        var isInferred: Bool
    }

    /// A background visit, split by the silences in it. The parts around an estimated suspension are as long as estimated,
    /// too. Nothing is known of the time after the last line.
    private static func pieces(of visit: Timeline.Visit, suspended silences: [Silence]) -> [Timeline.Visit] {
        var pieces: [Timeline.Visit] = []
        var rest = visit
        for silence in silences where visit.until.map({ silence.from < $0 }) ?? true {
            let from = silence.from
            if rest.from != from {
                var before = rest
                before.until = from
                (before.isCutRight, before.isAtLeast) = (false, false)
                (before.isInferred, before.isEstimated) = (true, silence.isInferred)
                pieces.append(before)
            }
            var still = rest
            still.state = "suspended"
            still.from = from
            still.until = silence.until ?? visit.until
            still.isCutLeft = false
            still.isCutRight = silence.until == nil && visit.isCutRight
            still.isAtLeast = silence.until == nil && visit.isAtLeast
            (still.isInferred, still.isEstimated) = (silence.isInferred, silence.isInferred)
            pieces.append(still)
            rest.from = still.until
            rest.isCutLeft = false
            (rest.isInferred, rest.isEstimated) = (true, silence.isInferred)
        }
        let isOver = !pieces.isEmpty && (rest.from == nil || rest.from == visit.until)
        if !isOver { pieces.append(rest) }
        for place in pieces.indices.dropFirst() { pieces[place].isPart = true }
        return pieces
    }

    private static func lane(_ run: Rows.Row, _ visit: RunVisit, _ language: PictureLanguage) -> Timeline.Lane {
        var lane = Timeline.Lane(
            group: title(of: run, language),
            title: visit.layer == "app" || visit.label.isEmpty ? visit.layer : visit.label, layer: visit.layer,
            visits: [], run: run.integer("run_id") ?? 0)
        lane.isWhole = run.integer("started_ns") != nil && run.integer("ended_ns") != nil
        return lane
    }

    /// `Harbour [530] · 2026-05-12 05:05:16`.
    static func title(of run: Rows.Row, _ language: PictureLanguage) -> String {
        PictureHeading.run(of: run.text("app"), pid: run.integer("pid"), began: run.integer("began_ns"), language)
    }
}

/// The colour of a state in timelines, by what its model says about it and not only by its name.
enum TimelineTones {
    /// - Parameter place: index of the state in its model: states of a user's model take the tones in turn.
    static func tone(of state: ModelState, at place: Int, in model: LifecycleModel) -> Timeline.Tone {
        if let known = byState[state.id] { return known }
        if ["app", "scene", "view", "process"].contains(model.layer) {
            return state.runsCode == false ? .suspended : .transit
        }
        return model.final.contains(state.id) ? .outside : inTurn[place % inTurn.count]
    }

    private static let inTurn: [Timeline.Tone] = [.own1, .own2, .own3, .own4]

    private static let byState: [String: Timeline.Tone] = [
        "active": .active, "fg_active": .active, "appeared": .active,
        "inactive": .transit, "fg_inactive": .transit, "appearing": .transit, "disappearing": .transit,
        "expiring": .transit, "registered": .suspended, "pending": .suspended, "absent": .outside,
        "background": .background, "loaded": .background, "running": .background,
        "suspended": .suspended, "disappeared": .suspended,
        "not_running": .outside, "unattached": .outside, "unloaded": .outside, "discarded": .outside,
        "deallocated": .outside,
    ]
}

/// The queries that choose runs for timelines. Parameters are those of ``DiagramQueries/values(_:layer:)``.
enum TimelineQueries {
    private static let columns = """
        r.run_id, r.app, r.pid, coalesce(r.started_ns, r.first_seen_ns) AS began_ns, r.started_ns, r.ended_ns,
            r.end_reason
        """

    /// Runs by their begin.
    static let first = """
        SELECT \(columns) FROM runs AS r WHERE \(DiagramQueries.living)
        ORDER BY coalesce(began_ns, r.ended_ns) IS NULL, coalesce(began_ns, r.ended_ns) < \(ClockText.dated),
            coalesce(began_ns, r.ended_ns), r.run_id LIMIT $most
        """

    /// The worst runs first: by errors, then warnings, then abnormal ends, then remarks.
    static let mostInteresting = """
        WITH marked AS (
            SELECT f.run_id, sum(f.severity = 'error') AS errors, sum(f.severity = 'warning') AS warnings,
                count(*) AS findings
            FROM findings AS f GROUP BY f.run_id
        )
        SELECT \(columns)
        FROM runs AS r LEFT JOIN marked AS m ON m.run_id = r.run_id
        WHERE \(DiagramQueries.living)
        ORDER BY coalesce(m.errors, 0) DESC, coalesce(m.warnings, 0) DESC,
            r.end_reason NOT IN ('log_end', 'terminated', 'killed_in_background') DESC, coalesce(m.findings, 0) DESC,
            r.run_id
        LIMIT $most
        """

    /// At most `$most` runs, evenly spread over those within the filter.
    static let spread = """
        SELECT run_id, app, pid, began_ns, started_ns, ended_ns, end_reason FROM (
            SELECT \(columns), row_number() OVER (ORDER BY r.run_id) - 1 AS place, count(*) OVER () AS runs
            FROM runs AS r WHERE \(DiagramQueries.living)
        )
        WHERE runs <= $most OR place = 0 OR place * $most / runs <> (place - 1) * $most / runs
        ORDER BY run_id LIMIT $most
        """

    static let count = "SELECT count(*) AS runs FROM runs AS r WHERE \(DiagramQueries.living)"

    static let findings = """
        SELECT f.instance_id, f.layer, f.time_ns, f.rule, f.severity, f.message, f.source || ':' || f.line AS place
        FROM findings AS f WHERE f.run_id = $run ORDER BY f.finding_id
        """
}
