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
/// Of the observed transitions with this verdict, those are *documented in steps* that no finding is about, if several
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

    let models: [LifecycleModel]
    /// How many findings are about such transitions.
    fileprivate(set) var found: [Change: Int] = [:]

    fileprivate init(models: [LifecycleModel]) { self.models = models }

    /// How many of so many observed and undocumented transitions are documented in steps.
    func inSteps(of count: Int, _ change: Change) -> Int {
        let rest = count - (found[change] ?? 0)
        let model = models.first { $0.layer == change.layer }
        return rest > 0 && model?.statesBetween(change.from, change.to, by: change.callback).isEmpty == false
            ? rest : 0
    }

    /// The edge that shows the findings about a kind of steps; `nil` when these change no state.
    fileprivate func line(of kind: DwellBook.Kind) -> LayerObservation.Line? {
        guard let change = Change(kind) else { return nil }
        var line = LayerObservation.Line(
            from: change.from, to: change.to, isDocumented: kind.isDocumented, isInferred: !kind.isObserved)
        if !kind.isDocumented, kind.isObserved, found[change] == nil, inSteps(of: 1, change) > 0 {
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

extension LifecycleModel {
    /// The states on the shortest documented way of two or more steps, of which the last has the callback if there is one;
    /// none where there is no such way.
    func statesBetween(_ from: String, _ to: String, by callback: String?) -> [String] {
        var ways = [from: [String]()]
        var ends = [from]
        while !ends.isEmpty {
            var next: [String] = []
            for end in ends {
                let way = (ways[end] ?? []) + (end == from ? [] : [end])
                for step in transitions where step.from.contains(end) {
                    if step.to.contains(to), !way.isEmpty, callback.map(step.callbacks.contains) ?? true { return way }
                    for target in step.to where target != to && ways[target] == nil {
                        ways[target] = way
                        next.append(target)
                    }
                }
            }
            ends = next
        }
        return []
    }
}
