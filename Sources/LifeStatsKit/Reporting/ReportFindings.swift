import LifecycleModel
import Reports
import StateDiagrams
import TraceRecords
import TraceStore

/// The findings of a report: all are counted, and the first of each rule are listed with their log lines.
struct ReportFindings {
    /// Findings listed for each rule, those of them whose log lines are shown, and the lines before and after.
    static let (mostPlaces, mostExcerpts, context) = (5, 3, 1)
    private static let longestLine = 400

    let source: PictureSource
    let models: [LifecycleModel]
    /// Files of the user's models.
    let files: [String]
    let language: String
    /// Whether the logs are short enough to look up lines in them.
    let isSmall: Bool

    private static let chosen = DiagramQueries.within("f", time: "f.time_ns")

    private static let counts = """
        SELECT f.rule, f.severity, f.app, r.app_version, count(*) AS count
        FROM findings AS f LEFT JOIN runs AS r ON r.run_id = f.run_id WHERE \(chosen)
        GROUP BY f.rule, f.severity, f.app, r.app_version ORDER BY f.rule, f.severity
        """

    private static let places = """
        SELECT \(CheckQueries.columns) FROM findings AS f WHERE f.rule = $rule AND f.severity = $severity AND \(chosen)
        ORDER BY f.finding_id LIMIT $most
        """

    /// The change of state at a finding, which has the id of its event; of one about a silent end, that end.
    private static let move = """
        SELECT t.from_state, t.to_state FROM findings AS f JOIN transitions AS t ON t.transition_id = CASE
            WHEN instr($ends, char(10) || f.rule || char(10)) > 0
                AND EXISTS (SELECT 1 FROM transitions AS e WHERE e.transition_id = -\(DiagramQueries.ending))
                THEN -\(DiagramQueries.ending) ELSE f.event_id END
        WHERE f.finding_id = $finding
        """

    /// - Parameters runs, events: the size of what was checked.
    func report(runs: Int, events: Int) throws -> FindingReport {
        let values = DiagramQueries.values(source.filter)
        let ends = models.linesOfRulesAboutEnds
        var totals: [FindingReport.Total] = []
        var findings: [LocatedFinding] = []
        for row in try Rows.all(source.reader, Self.counts, values) {
            guard let rule = row.text("rule"), let word = row.text("severity"), let severity = Severity(rawValue: word)
            else {
                continue
            }
            let count = row.integer("count") ?? 0
            let isNew = totals.last?.rule != rule || totals.last?.severity != severity
            if isNew { totals.append(.init(rule: rule, severity: severity, count: 0)) }
            totals[totals.count - 1].count += Int(count)
            totals[totals.count - 1].homes.add(app: row.text("app"), version: row.text("app_version"), count)
            guard isNew else { continue }
            var chosen = values
            chosen["rule"] = .text(rule)
            chosen["severity"] = .text(word)
            chosen["most"] = .integer(Int64(Self.mostPlaces))
            var found: [LocatedFinding] = []
            try source.reader.query(Self.places, chosen) { found.append(CheckRunner.finding($0)) }
            found.sort { ($0.file, $0.line, $0.id) < ($1.file, $1.line, $1.id) }
            var excerpts = 0
            for place in found.indices {
                found[place].path = try path(of: found[place], ends: ends)
                found[place].message = models.titled(found[place].message, layer: found[place].layer, language)
                guard isSmall, excerpts < Self.mostExcerpts else { continue }
                found[place].lines = try lines(of: found[place])
                if !found[place].lines.isEmpty { excerpts += 1 }
            }
            findings += found
        }
        // Those that a reader sees first have log lines.
        findings.sort {
            ($0.lines.isEmpty ? 1 : 0, $0.file, $0.line, $0.id) < ($1.lines.isEmpty ? 1 : 0, $1.file, $1.line, $1.id)
        }
        return FindingReport(
            findings: findings,
            rules: CheckRunner.rules(of: models, try ModelLoading.catalog(with: files).settings, withOwn: true),
            runs: Int64(runs), events: Int64(events),
            version: LifeStatsVersion.current, totals: totals)
    }

    private func path(of finding: LocatedFinding, ends: String) throws -> StatePath {
        var path = StatePath()
        for row in try Rows.all(source.reader, Self.move, ["finding": .integer(finding.id), "ends": .text(ends)]) {
            if let from = row.text("from_state"), let to = row.text("to_state") { path.move(from: from, to: to) }
        }
        return path
    }

    /// The lines of the log around a finding, where the log is still at hand.
    private func lines(of finding: LocatedFinding) throws -> [LocatedFinding.LogLine] {
        guard finding.line > 0 else { return [] }
        let mark = try Rows.all(
            source.reader, "SELECT fingerprint FROM sources WHERE path = $path ORDER BY source_id DESC LIMIT 1",
            ["path": .text(finding.file)]
        ).first?.text("fingerprint")
        guard
            case .found(_, let lines, let isEnd) = LogExcerpt.lines(
                of: finding.file, fingerprint: mark, around: finding.line, context: Self.context)
        else { return [] }
        return lines.map { number, text in
            let cut = text.prefix(Self.longestLine)
            return .init(number: number, text: cut.endIndex == text.endIndex ? text : cut + "…")
        } + (isEnd ? [.init(number: 0, text: "(the file ends here)")] : [])
    }
}

extension [LifecycleModel] {
    /// What happened where a rule is broken, by its id, as `check` heads its findings.
    var ruleTitles: [String: String] {
        let known = flatMap { model in
            model.rules.map { ($0.id, $0.title) } + model.limits.map { ($0.id, $0.title) }
        }
        let own = DeviationText.all.keys.compactMap { id in DeviationText.title(of: id).map { (id, $0) } }
        return Dictionary((known + own).filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
    }

    /// The title of a state of a layer, by which the terminal calls it; its id where no model has it.
    func title(of state: String, in layer: String?) -> String {
        first { $0.layer == layer }?.state(state)?.title["en"] ?? state
    }

    /// The message of a finding with the titles of states, by which texts and pictures for people call them.
    func titled(_ message: String, layer: String, _ language: String = "en") -> String {
        let model = first { $0.layer == layer }
        return message.replacing(/(state|leads to) ([A-Za-z0-9_-]+)/) {
            "\($0.1) \(model?.words(for: String($0.2), language) ?? String($0.2))"
        }
    }
}

extension LifecycleModel {
    /// The title of a state, as part of a sentence; `nil` when there is no such state.
    func words(for state: String, _ language: String) -> String? {
        // A title with a comma would look like two.
        self.state(state).map { $0.title[language] }.map { $0.contains(",") ? "“\($0)”" : $0 }
    }
}

extension CitedDocument {
    /// The title without what the document is about: `A blog post of 2021 on the life of an iOS app, in Chinese`.
    var shortTitle: String {
        let parts = title.split(separator: ": ", maxSplits: 2)
        let name = parts.prefix(parts.first == "Apple" ? 2 : 1).joined(separator: ": ")
        return name.prefix(1).uppercased() + name.dropFirst()
    }
}

/// The worst runs: a table, and swim lanes of the first of them.
struct ReportRuns {
    /// Runs in the table, the worst of them drawn, and the lanes drawn of several and of one: as many as can be read.
    private static let (mostRows, mostDrawn, mostLanes, mostLanesOfOne) = (20, 3, 10, 16)
    private static let mostVisits = 2_000

    /// The runs in the table, by id.
    let listed: Set<Int64>
    /// Those of them that ended while they were in use, or that the system ended for a fault.
    let endedBadly: [Int64]
    private(set) var table: ReportTable?
    private let chosen: (runs: [Rows.Row], most: Int, all: Int)
    private let request: TimelineRequest
    /// Whether anything is wrong with the first of them.
    let isWorst: Bool

    private static let details = """
        SELECT r.end_reason, CASE WHEN NOT EXISTS (
                SELECT 1 FROM findings AS f WHERE f.run_id = r.run_id AND f.rule = '\(Deviation.clockRegression.rawValue)'
                    AND f.severity <> 'info')
            THEN coalesce(r.ended_ns, r.last_seen_ns) - coalesce(r.started_ns, r.first_seen_ns) END AS lived_ns,
            (SELECT count(*) FROM findings AS f WHERE f.run_id = r.run_id) AS findings
        FROM runs AS r WHERE r.run_id = $run
        """

    init(source: PictureSource, models: [LifecycleModel], language: String) throws {
        var request = TimelineRequest(database: source.reader.path)
        request.filter = source.filter
        request.language = language
        request.worst = Self.mostRows
        request.axis = .launch
        self.request = request
        chosen = try TimelineRenderer.runs(request, source.reader)
        (table, endedBadly) = try Self.table(of: chosen.runs, all: chosen.all, source.reader)
        isWorst =
            !endedBadly.isEmpty || (table?.rows.contains { $0.last.map { $0 != .integer(0) } ?? false } ?? false)
        if !isWorst { table?.caption = "One row for each run." }
        listed = Set(chosen.runs.compactMap { $0.integer("run_id") })
    }

    /// Swim lanes of the worst run, of others that are named and of the next worst, and how many of the worst there are.
    ///
    /// - Parameter others: runs that the page names before.
    func lanes(
        with others: Set<Int64>, source: PictureSource, models: [LifecycleModel]
    ) throws -> (picture: ReportPicture, worst: Int)? {
        let ids = chosen.runs.compactMap { $0.integer("run_id") }
        let named = Set(ids.dropFirst().filter(others.contains).prefix(Self.mostDrawn - 1))
        var kept = named.union(ids.filter { !named.contains($0) }.prefix(Self.mostDrawn - named.count))
        let rows = chosen.runs.filter { $0.integer("run_id").map(kept.contains) ?? false }
        var drawing = try TimelineRenderer.timeline(
            of: rows, most: rows.count, all: chosen.all, request, models: models, source.reader)
        // A run after the worst one is drawn whole or not at all.
        while drawing.lanes.count > Self.mostLanes,
            let last = (drawing.lanes.last { !named.contains($0.run) } ?? drawing.lanes.last)?.run,
            last != drawing.lanes[0].run
        {
            drawing.lanes.removeAll { $0.run == last }
            kept.remove(last)
        }
        guard !drawing.lanes.isEmpty else { return nil }
        let drawn = Set(drawing.lanes.map(\.run))
        // Those in a row at the beginning; some have nothing to draw.
        let worst = ids.prefix(while: kept.contains).count(where: drawn.contains)
        let all = Plural.text(chosen.all, "run")
        let lanes = drawing.lanes.count
        let rest =
            lanes > Self.mostLanesOfOne ? " The command below, lifestats timeline, draws all \(lanes) lanes." : ""
        let more = drawn.count > worst ? ", and \(drawn.count - worst) more named in the overview" : ""
        let caption =
            switch (chosen.all == worst, isWorst) {
            case (true, _) where worst == 1: "The only run."
            case (true, true): "\(all), the worst first."
            case (true, false): "\(all)."
            case (false, true): "The worst \(worst == 1 ? "" : "\(worst) ")of \(all)\(more)."
            case (false, false): "\(drawn.count) of \(all)."
            }
        var picture = TimelineDrawing(
            drawing, language: PictureLanguage(checked: request.language), idPrefix: "timeline")
        // A page is narrower than a sheet, and a phone narrower than a page.
        (picture.hasHeading, picture.width, picture.mostLanes) = (false, 872, Self.mostLanesOfOne)
        var narrow = picture
        (narrow.idPrefix, narrow.width) = ("timeline-narrow", 332)
        return (
            ReportPicture(svg: picture.svg(isPart: true), narrow: narrow.svg(isPart: true), caption: caption + rest),
            worst
        )
    }

    private static func table(
        of runs: [Rows.Row], all: Int, _ reader: DatabaseReading
    ) throws -> (ReportTable?, endedBadly: [Int64]) {
        guard !runs.isEmpty else { return (nil, []) }
        var endedBadly: [Int64] = []
        var table = ReportTable(
            caption: "The worst runs: those with the most errors, then warnings, then abnormal ends.",
            columns: [
                ReportColumn("run_id", heading: "run"), ReportColumn("app"), ReportColumn("began", role: .moment),
                ReportColumn("lived_ns", kind: .nanoseconds, heading: "lived"), ReportColumn("end_reason"),
                ReportColumn("state", heading: "last state"), ReportColumn("visits"), ReportColumn("findings"),
            ], rows: [], totalRows: all)
        for run in runs {
            guard let id = run.integer("run_id") else { continue }
            let row = try Rows.all(reader, details, ["run": .integer(id)]).first
            let visits = try reader.store.visits(ofRun: id, most: mostVisits)
            let main = visits.filter { $0.layer == "app" }.last ?? visits.last
            if row?.text("end_reason").flatMap(EndReason.init)?.isBad ?? false { endedBadly.append(id) }
            table.rows.append([
                .integer(id), run.text("app").map { .text($0) } ?? .null,
                run.integer("began_ns").map { .text(ClockText.readable($0)) } ?? .null,
                row?.integer("lived_ns").map { .integer($0) } ?? .null,
                row?.text("end_reason").map { .text(EndReason.words(of: $0)) } ?? .null,
                main.map { .text($0.state) } ?? .null, .integer(Int64(visits.count)),
                .integer(row?.integer("findings") ?? 0),
            ])
            table.anchors.append("run-\(id)")
            table.paths.append(try path(ofRun: id, through: visits, reader))
        }
        return (table, endedBadly)
    }

    /// All states and changes of a run, its end and estimated suspensions too.
    private static func path(ofRun run: Int64, through visits: [RunVisit], _ reader: DatabaseReading) throws
        -> StatePath
    {
        var path = StatePath()
        for visit in visits { path.visit(visit.state) }
        for move in try reader.store.moves(ofRun: run) { path.move(from: move.from, to: move.to) }
        for silence in try reader.store.suspensions(ofRun: run) {
            path.move(from: "background", to: "suspended")
            guard let next = silence.next else { continue }
            path.move(from: "suspended", to: next == "not_running" ? next : "background")
        }
        return path
    }
}

extension EndReason {
    /// Whether a run ended while it was in use, or for a fault.
    var isBad: Bool { ![.terminated, .killedInBackground, .logEnd].contains(self) }

    /// The value of a column in the words of pictures: `killed in background`.
    static func words(of value: String) -> String { words[value] ?? value.replacing("_", with: " ") }

    private static let words = [
        "abnormal_in_foreground": "ended in use", "launch_failure": "failed to launch", "jetsam": "out of memory",
        "crash": "crashed", "log_end": "the log ends first",
    ]
}
