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
    let reader: DatabaseReading
    /// What was observed of the layers asked for so far.
    private let observations = Observations()

    private final class Observations { var known: [String: LayerObservation] = [:] }

    init(_ filter: Filter?, _ reader: DatabaseReading) throws {
        self.filter = filter
        book = try DwellBook(reader.store)
        restrictions = filter?.wordsBesideApp ?? []
        self.reader = reader
    }

    /// What was observed of a layer.
    func observation(of layer: String) throws -> LayerObservation {
        if let known = observations.known[layer] { return known }
        let observation = try LayerObservation(layer: layer, filter: filter, book: book, reader)
        observations.known[layer] = observation
        return observation
    }

    /// The documented and the observed side of a model, joined.
    ///
    /// - Parameter survey: findings and estimates; read when missing.
    func graph(of model: LifecycleModel, language: String, survey: PictureSurvey? = nil) throws -> StateGraph {
        let survey = try survey ?? PictureSurvey(of: [model], filter: filter, book: book, reader)
        var observed = ObservedGraph(model: model, language: language)
        observed.add(try observation(of: model.layer))
        if let estimate = survey.estimate { observed.add(estimate) }
        observed.add(marks: survey.marks[model.layer] ?? [:])
        if survey.isPartlyLogged { observed.excuse(besides: survey.deviant[model.layer] ?? []) }
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
    /// The edges that a finding is about, and whether an app never logs some callbacks, which then are not missing.
    private(set) var deviant: [String: Set<LayerObservation.Line>] = [:]
    private(set) var isPartlyLogged = false
    /// The estimate for the app layer; only processes are suspended.
    private(set) var estimate: Estimate?
    /// Nanoseconds of completed visits by day since 1970, layer and state; empty unless requested.
    private(set) var days: [Int64: [[String]: Int64]] = [:]

    /// The layer whose instances are suspended, the state in which they are, the one they come from, and that of no process.
    static let process = (layer: "app", suspended: "suspended", background: "background", over: "not_running")

    /// - Parameters:
    ///   - models: the models of the layers to look at; one model restricts the queries to its layer.
    ///   - withDays: whether to add up days, which is valid only without a filter.
    init(
        of models: [LifecycleModel], filter: Filter?, book: DwellBook, withDays: Bool = false,
        _ reader: DatabaseReading
    ) throws {
        let layer = models.count == 1 ? models.first?.layer : nil
        let values = DiagramQueries.values(filter, layer: layer)
        try mark(book, values, models.linesOfRulesAboutEnds, reader)
        isPartlyLogged = try !Rows.all(reader, DiagramQueries.unlogged, DiagramQueries.values(filter)).isEmpty
        if layer == nil || layer == Self.process.layer { try estimate(filter, reader) }
        if withDays { try addUpDays(book, reader) }
    }

    private mutating func mark(
        _ book: DwellBook, _ values: [String: SQLValue], _ rulesAboutEnds: String, _ reader: DatabaseReading
    ) throws {
        var values = values
        values["ends"] = .text(rulesAboutEnds)
        try reader.query(DiagramQueries.marks, values) { row in
            guard let layer = row.text(0), let kind = row.integer(1), let line = book.kinds[kind]?.line else { return }
            let mark = StateGraph.Mark(
                rule: row.text(2) ?? "", severity: row.text(3) ?? "", count: Int(row.integer(4) ?? 0),
                message: row.text(5) ?? "")
            add(mark, example: row.text(6), to: line, of: layer)
            if row.integer(7) == 1 { deviant[layer, default: []].insert(line) }
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

extension DwellBook.Kind {
    /// The edge that shows the steps; `nil` when they change no state.
    fileprivate var line: LayerObservation.Line? {
        guard isTransition, let before, let after else { return nil }
        return .init(from: before, to: after, isDocumented: isDocumented, isInferred: !isObserved)
    }
}
