import LifecycleModel
import StateDiagrams
import TraceRecords
import TraceStore

/// The data of pictures.
struct PictureSource {
    let filter: Filter?
    let book: DwellBook
    /// The filter in words.
    let restrictions: [String]
    let survey: PictureSurvey
    let reader: DatabaseReading
    /// What was observed of the layers asked for so far.
    private let observations = Observations()

    private final class Observations { var known: [String: LayerObservation] = [:] }

    /// - Parameters:
    ///   - models: those of the layers to look at.
    ///   - withDays: whether to add up days, which is valid only without a filter.
    init(
        _ filter: Filter?, models: [LifecycleModel], withDays: Bool = false, _ reader: DatabaseReading
    ) throws {
        self.filter = filter
        book = try DwellBook(reader.store)
        restrictions = filter?.wordsBesideApp ?? []
        survey = try PictureSurvey(of: models, filter: filter, book: book, withDays: withDays, reader)
        self.reader = reader
    }

    /// What was observed of a layer.
    func observation(of layer: String) throws -> LayerObservation {
        if let known = observations.known[layer] { return known }
        let observation = try LayerObservation(
            layer: layer, filter: filter, book: book, deviations: survey.deviations, reader)
        observations.known[layer] = observation
        return observation
    }

    /// The documented and the observed side of a model, joined.
    func graph(of model: LifecycleModel, language: String) throws -> StateGraph {
        var observed = ObservedGraph(model: model, language: language)
        observed.add(try observation(of: model.layer))
        if let estimate = survey.estimate { observed.add(estimate) }
        observed.add(marks: survey.marks[model.layer] ?? [:])
        observed.add(
            endings: try reader.store.endings(
                layer: model.layer, runs: DiagramQueries.living, parameters: DiagramQueries.values(filter)))
        let totals = try Self.totals(filter, reader, layer: model.layer)
        let drawn = PictureLanguage(checked: language)
        let subtitle =
            totals.layerRuns == 0 && totals.runs > 0
            ? ([PictureHeading.none(of: totals.runs, layer: model.title[language], drawn)] + restrictions)
                .joined(separator: " · ")
            : PictureHeading.subtitle(
                apps: totals.apps, runs: totals.layerRuns, of: totals.runs, events: totals.events,
                restrictions: restrictions, drawn)
        return observed.graph(
            title: PictureHeading.lifecycle(of: model.title[language], drawn), subtitle: subtitle,
            runs: totals.layerRuns, events: totals.events)
    }

    /// Whether it shows all runs of the database.
    var isWhole: Bool { filter?.isEmpty ?? true }

    /// The size of what a picture or a check is based on.
    struct Totals {
        var apps: [String] = []
        var runs = 0
        /// The runs that have the layer.
        var layerRuns = 0
        var events = 0
    }

    /// The apps, runs and events within a filter.
    ///
    /// - Parameter layer: the layer whose apps and runs to tell; `nil` for all.
    static func totals(_ filter: Filter?, _ reader: DatabaseReading, layer: String? = nil) throws -> Totals {
        let values = DiagramQueries.values(filter)
        var totals = Totals()
        for row in try Rows.all(reader, Self.apps, DiagramQueries.values(filter, layer: layer)) {
            let own = Int(row.integer("layer_runs") ?? 0)
            totals.runs += Int(row.integer("runs") ?? 0)
            totals.layerRuns += own
            if let app = row.text("app"), own > 0 { totals.apps.append(app) }
        }
        let isWhole = filter?.isEmpty ?? true
        let events = try Rows.all(reader, isWhole ? Self.allEvents : Self.events, isWhole ? [:] : values)
        totals.events = Int(events.first?.integer("events") ?? 0)
        return totals
    }

    /// The runs that a picture is made from and those of them with its layer, by app, the most frequent first.
    private static let apps = """
        SELECT r.app, count(*) AS runs, count(*) FILTER (WHERE $layer IS NULL
            OR r.run_id IN (SELECT i.run_id FROM instances AS i WHERE i.layer = $layer)) AS layer_runs
        FROM runs AS r WHERE \(DiagramQueries.living) GROUP BY r.app ORDER BY layer_runs DESC, count(*) DESC, r.app
        """

    /// Number of events; without a filter the accounts of the sources know it.
    private static let allEvents = "SELECT coalesce(sum(events), 0) AS events FROM sources"
    private static let events = """
        SELECT count(*) AS events FROM events AS e WHERE \(DiagramQueries.within("e", time: "e.time_ns"))
        """
}

/// What is drawn on top of the observed graphs: findings on edges, and estimated suspensions; for the report also the
/// time by day.
struct PictureSurvey {
    /// Findings on an edge, in the order of their rules.
    typealias Marks = [(mark: StateGraph.Mark, example: String?)]

    /// Estimated visits of `suspended`, and the states that follow.
    struct Estimate {
        var visits: StateGraph.Figures
        var next: [String: Int]
    }

    private(set) var marks: [String: [LayerObservation.Line: Marks]] = [:]
    private(set) var deviations: Deviations
    /// The estimate for the app layer; only processes are suspended.
    private(set) var estimate: Estimate?
    /// Nanoseconds of completed visits by day since 1970, layer and state; empty unless requested.
    private(set) var days: [Int64: [[String]: Int64]] = [:]

    /// The layer whose instances are suspended, the state in which they are, the one they come from, and that of no process.
    static let process = (layer: "app", suspended: "suspended", background: "background", over: "not_running")

    /// - Parameter models: the models of the layers to look at; one model restricts the queries to its layer.
    fileprivate init(
        of models: [LifecycleModel], filter: Filter?, book: DwellBook, withDays: Bool, _ reader: DatabaseReading
    ) throws {
        deviations = Deviations(models: models)
        let layer = models.count == 1 ? models.first?.layer : nil
        let values = DiagramQueries.values(filter, layer: layer)
        try mark(book, values, models.linesOfRulesAboutEnds, reader)
        if layer == nil || layer == Self.process.layer { try estimate(filter, reader) }
        if withDays { try addUpDays(book, reader) }
    }

    private mutating func mark(
        _ book: DwellBook, _ values: [String: SQLValue], _ rulesAboutEnds: String, _ reader: DatabaseReading
    ) throws {
        var values = values
        values["ends"] = .text(rulesAboutEnds)
        var found: [(mark: StateGraph.Mark, example: String?, kind: DwellBook.Kind)] = []
        try reader.query(DiagramQueries.marks, values) { row in
            guard let kind = row.integer(1).flatMap({ book.kinds[$0] }), let change = Deviations.Change(kind) else {
                return
            }
            let mark = StateGraph.Mark(
                rule: row.text(2) ?? "", severity: row.text(3) ?? "", count: Int(row.integer(4) ?? 0),
                message: row.text(5) ?? "")
            found.append((mark, row.text(6), kind))
            if row.integer(7) == 1 { deviations.found[change, default: 0] += mark.count }
        }
        for (mark, example, kind) in found {
            if let line = deviations.line(of: kind) { add(mark, example: example, to: line, of: kind.layer) }
        }
        for (layer, lines) in marks {
            marks[layer] = lines.mapValues { marks in
                marks.sorted { ($0.mark.rule, $0.mark.severity) < ($1.mark.rule, $1.mark.severity) }
            }
        }
    }

    /// Several kinds of steps share an edge.
    private mutating func add(
        _ mark: StateGraph.Mark, example: String?, to line: LayerObservation.Line, of layer: String
    ) {
        var known = marks[layer]?[line] ?? []
        if let place = known.firstIndex(where: { ($0.mark.rule, $0.mark.severity) == (mark.rule, mark.severity) }) {
            known[place].mark.count += mark.count
        } else {
            known.append((mark, example))
        }
        marks[layer, default: [:]][line] = known
    }

    private mutating func estimate(_ filter: Filter?, _ reader: DatabaseReading) throws {
        let instances = try filter?.instances(of: DiagramQueries.chosen, reader)
        var count = 0
        var lengths: [Int64] = []
        var next: [String: Int] = [:]
        let over = Set(try Rows.all(reader, DiagramQueries.overInstances).compactMap { $0.integer("instance_id") })
        try reader.store.scanEstimates { instance, from, length, state in
            guard filter?.includes(from) ?? true, instances?.contains(instance) ?? true else { return }
            count += 1
            if let length { lengths.append(length) }
            // What no line ends lasted until the end of the process, or until that of the log.
            if let state = state ?? (over.contains(instance) ? Self.process.over : nil) { next[state, default: 0] += 1 }
        }
        guard count > 0 else { return }
        estimate = Estimate(
            visits: LayerObservation.figures(count, DwellFigures(lengths, shares: [0.5, 0.9])), next: next)
    }

    private mutating func addUpDays(_ book: DwellBook, _ reader: DatabaseReading) throws {
        let counted = book.kinds.filter { $0.value.isVisit && $0.value.isComplete }.map(\.key)
        let places = Dictionary(uniqueKeysWithValues: zip(counted, 0...))
        let width = counted.count
        var spent: [Int64: [Int64]] = [:]
        var (day, row) = (Int64.min, [Int64](repeating: 0, count: width))
        let add = { (kind: Int64, dwell: Int64, left: Int64) in
            guard let place = places[kind] else { return }
            // A visit counts for the day on which it begins. Most steps fall on the day of the previous one.
            let entered = DrawnTime.bounded(left.subtractingReportingOverflow(dwell).partialValue)
            let own = entered >= 0 ? entered / Self.day : (entered - Self.day + 1) / Self.day
            if own != day {
                if day != .min { spent[day] = row }
                (day, row) = (own, spent[own] ?? [Int64](repeating: 0, count: width))
            }
            row[place] &+= dwell
        }
        try reader.store.scanStays(add)
        if day != .min { spent[day] = row }
        for (day, row) in spent {
            for (place, time) in row.enumerated() where time > 0 {
                guard let kind = book.kinds[counted[place]], let state = kind.before else { continue }
                days[day, default: [:]][[kind.layer, state], default: 0] &+= time
            }
        }
    }

    static let day: Int64 = 86_400_000_000_000
}

extension [LifecycleModel] {
    /// The rules that a run breaks by how it ends, and that of an end about whose state there is none.
    var rulesAboutEnds: Set<String> {
        Set(flatMap(\.rules).filter { rule in rule.checks.contains { $0.template == .silentEnd } }.map(\.id))
            .union([Finding.abnormalEnd])
    }

    /// The same as the parameter `$ends` of queries: each on a line of its own.
    var linesOfRulesAboutEnds: String { rulesAboutEnds.map { "\n\($0)\n" }.joined() }
}

/// What pictures, tables and sentences call undocumented.
///
/// Of the transitions with this verdict, those are *documented in steps* that no finding is about, if several
/// documented steps lead there of which the log shows only the last: the app never logs the callbacks between, or what shows
/// the transition (a framework, the system, a scene) skips states.
struct Deviations {
    /// Transitions of a layer between two states, with one callback or without one.
    struct Change: Hashable {
        var layer: String
        var from: String
        var to: String
        var callback: String?
    }

    /// What the models document, by layer.
    private let moves: [String: [DocumentedMove]]
    /// How many findings are about such transitions.
    fileprivate(set) var found: [Change: Int] = [:]

    fileprivate init(models: [LifecycleModel]) {
        moves = Dictionary(models.map { ($0.layer, $0.documentedMoves) }) { first, _ in first }
    }

    /// How many of so many undocumented transitions are documented in steps.
    func inSteps(of count: Int, _ change: Change) -> Int {
        let rest = count - (found[change] ?? 0)
        let between = moves[change.layer]?.statesBetween(change.from, change.to, by: change.callback) ?? []
        return between.isEmpty ? 0 : max(0, rest)
    }

    /// The same of a row of `transition_counts`; `nil` where it counts documented ones.
    func change(in row: (String) -> String?, count: Int64) -> (kind: Change, inSteps: Int64)? {
        guard row("verdict") == "undocumented" else { return nil }
        let kind = Change(
            layer: row("layer") ?? "", from: row("from_state") ?? "", to: row("to_state") ?? "",
            callback: row("callback"))
        return (kind, Int64(inSteps(of: Int(count), kind)))
    }

    /// The edge that shows the findings about a kind of steps; `nil` when these change no state.
    fileprivate func line(of kind: DwellBook.Kind) -> LayerObservation.Line? {
        guard let change = Change(kind) else { return nil }
        var line = LayerObservation.Line(
            from: change.from, to: change.to, isDocumented: kind.isDocumented, isInferred: !kind.isObserved)
        if !kind.isDocumented, found[change] == nil, inSteps(of: 1, change) > 0 {
            (line.isDocumented, line.isInSteps) = (true, true)
        }
        return line
    }
}

extension Deviations.Change {
    /// `nil` for steps that change no state.
    fileprivate init?(_ kind: DwellBook.Kind) {
        guard kind.isTransition, let before = kind.before, let after = kind.after else { return nil }
        self.init(layer: kind.layer, from: before, to: after, callback: kind.callback)
    }
}

extension [DocumentedMove] {
    /// The states on the shortest documented way of two or more steps, of which the last has the callback if there is one;
    /// none where there is no such way.
    func statesBetween(_ from: String, _ to: String, by callback: String?) -> [String] {
        var ways = [from: [String]()]
        var ends = [from]
        while !ends.isEmpty {
            var next: [String] = []
            for end in ends {
                let way = (ways[end] ?? []) + (end == from ? [] : [end])
                for step in self where step.from == end {
                    if step.to == to, !way.isEmpty, callback.map(step.callbacks.contains) ?? true { return way }
                    if step.to != to, ways[step.to] == nil {
                        ways[step.to] = way
                        next.append(step.to)
                    }
                }
            }
            ends = next
        }
        return []
    }
}

/// The queries of pictures. Parameters are those of ``values(_:layer:)``; times are nanoseconds.
enum DiagramQueries {
    /// A filter as parameters, with the layer where a query asks for one.
    static func values(_ filter: Filter?, layer: String? = nil) -> [String: SQLValue] {
        var values = filter?.namedValues ?? [:]
        values["scenario"] = filter?.scenario.map(SQLValue.text)
        values["since"] = filter?.since.map(SQLValue.integer)
        values["until"] = filter?.until.map(SQLValue.integer)
        values["layer"] = layer.map(SQLValue.text)
        return values
    }

    /// Condition on the columns of `runs`, named `r`: the runs that a filter leaves, whenever they lived.
    static let chosen = """
        ($app IS NULL OR r.app = $app) AND ($app_version IS NULL OR r.app_version = $app_version)
            AND ($device IS NULL OR r.device = $device) AND ($run IS NULL OR r.run_id = $run)
            AND ($scenario IS NULL OR r.run_id IN
                (SELECT c.run_id FROM scenarios AS c WHERE c.scenario = $scenario OR c.class = $scenario))
        """

    /// The same, and they lived at some time of the span.
    static let living = """
        \(chosen)
            AND ($since IS NULL OR coalesce(r.ended_ns, r.last_seen_ns, r.started_ns) >= $since)
            AND ($until IS NULL OR coalesce(r.started_ns, r.first_seen_ns, r.ended_ns) < $until)
        """

    static func within(_ alias: String, time: String) -> String {
        """
        ($since IS NULL OR \(time) >= $since) AND ($until IS NULL OR \(time) < $until)
            AND (coalesce($app, $app_version, $device, $run, $scenario) IS NULL
                OR \(alias).run_id IN (SELECT r.run_id FROM runs AS r WHERE \(chosen)))
        """
    }

    /// The processes of which the log shows the end, or what came after it.
    static let overInstances = """
        SELECT i.instance_id FROM instances AS i JOIN runs AS r ON r.run_id = i.run_id
        WHERE i.layer = 'app' AND r.end_reason <> 'log_end'
        """

    /// The least that the visits without a complete dwell lasted.
    static let incomplete = """
        SELECT sum(coalesce(v.dwell_ns, v.at_least_ns)) AS ns FROM visits AS v
        WHERE v.layer = $layer AND NOT v.complete AND \(within("v", time: "v.entered_ns"))
        """

    /// State and completed dwell of every visit.
    static let visits = """
        SELECT v.state, CASE WHEN v.complete = 1 THEN v.dwell_ns END, v.run_id FROM visits AS v
        WHERE v.layer = $layer AND \(within("v", time: "coalesce(v.entered_ns, v.left_ns)"))
        """

    /// Length, known or least, of every visit whose begin is known, and whether it is complete.
    static let lengths = """
        SELECT v.state, v.complete, coalesce(v.dwell_ns, v.at_least_ns), v.censored FROM visits AS v
        WHERE v.layer = $layer AND coalesce(v.dwell_ns, v.at_least_ns) IS NOT NULL
            AND \(within("v", time: "coalesce(v.entered_ns, v.left_ns)"))
        """

    /// Every change of state. A silent end has no time of its own: it came after the last sign of life.
    static let transitions = """
        SELECT t.from_state, t.to_state, t.callback, t.verdict, t.evidence, t.dwell_ns, t.run_id, t.kind_id
        FROM transitions AS t
        WHERE t.layer = $layer AND \(within("t", time: silentlyTimed))
        """

    private static let silentlyTimed = """
        coalesce(t.time_ns, (SELECT r.last_seen_ns FROM runs AS r WHERE r.run_id = t.run_id))
        """

    /// Condition on the columns of `findings`, named `f`: it is about the change of state at its line.
    static let isOfChange = """
        f.rule <> 'not-logged' AND f.deviation NOT IN ('clock-regression', 'limit-overrun', 'truncation')
        """

    /// The instance that ends where a finding of the view `findings`, named `f`, is about an end: where a report found it, the
    /// one of the run that the report is attached to.
    static let ending = """
        coalesce((SELECT min(a.instance_id) FROM raw_instances AS i JOIN raw_instances AS a ON a.run = i.run
            WHERE i.instance_id = f.instance_id AND i.own_run IS NOT NULL AND a.own_run IS NULL AND a.layer = f.layer),
            f.instance_id)
        """

    /// The findings at changes of state, counted by kind of change and rule, with the first of each; one about the
    /// clock is about no change. A finding about the end of a run (`$ends` has those rules) belongs to the change that ends
    /// it: the silent one, if there is one.
    static let marks = """
        WITH ends AS (
            SELECT kind_id FROM raw_finding_kinds WHERE instr($ends, char(10) || rule || char(10)) > 0
        ),
        marks AS (
            SELECT f.kind, s.kind AS kind_id, count(*) AS n, min(f.finding_id) AS first_id
            FROM (
                SELECT finding_id, kind, run AS run_id, instance, time_ns, step, 0 AS is_end FROM raw_findings
                WHERE kind NOT IN ends
                UNION ALL
                SELECT e.finding_id, e.kind, f.run_id, \(ending), f.time_ns, f.event_id, 1
                FROM raw_findings AS e JOIN findings AS f ON f.finding_id = e.finding_id WHERE e.kind IN ends
            ) AS f
            CROSS JOIN raw_steps AS s ON s.step_id = CASE
                WHEN f.is_end AND EXISTS (SELECT 1 FROM transitions AS e WHERE e.transition_id = -f.instance)
                    THEN -f.instance ELSE f.step END
            JOIN raw_kinds AS k ON k.kind_id = s.kind
            WHERE k.is_transition AND (f.is_end OR s.time * k.unit_ns IS f.time_ns) AND \(within("f", time: "f.time_ns"))
            GROUP BY f.kind, s.kind
        )
        SELECT f.layer, m.kind_id, f.rule, f.severity, m.n, f.message, f.source || ':' || f.line, \(isOfChange)
        FROM marks AS m JOIN findings AS f ON f.finding_id = m.first_id JOIN step_kinds AS k ON k.kind_id = m.kind_id
        WHERE k.layer = f.layer AND ($layer IS NULL OR f.layer = $layer) AND f.deviation <> 'clock-regression'
        ORDER BY m.first_id
        """
}
