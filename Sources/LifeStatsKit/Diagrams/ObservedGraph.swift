import LifecycleModel
import StateDiagrams
import TraceRecords
import TraceStore

/// Joins a documented model and its observation into one graph.
struct ObservedGraph {
    let model: LifecycleModel
    let language: String
    private let moves: [DocumentedMove]
    private var states: [StateGraph.State]
    private var edges: [EdgeKey: StateGraph.Edge] = [:]

    private typealias EdgeKey = LayerObservation.Line

    /// The documented side.
    init(model: LifecycleModel, language: String) {
        self.model = model
        self.language = language
        states = model.states.filter(\.isDrawn).map { state in
            StateGraph.State(
                id: state.id, title: state.title[language], isInitial: state.id == model.initial,
                isFinal: model.final.contains(state.id), citation: Self.documents(state.citation))
        }
        moves = model.documentedMoves
        let drawn = Set(states.map(\.id))
        for move in moves where move.transition.isDrawn && !move.transition.isAbnormal && move.from != move.to {
            if drawn.isSuperset(of: [move.from, move.to]) { document(move) }
        }
    }

    private mutating func document(_ move: DocumentedMove) {
        let transition = move.transition
        let key = EdgeKey(from: move.from, to: move.to, isDocumented: true, isInferred: false)
        // One edge for each pair of states: it is silent only if every documented way is.
        var edge = edges[key] ?? StateGraph.Edge(from: move.from, to: move.to, isDocumented: true, isSilent: true)
        edge.isSilent = edge.isSilent && transition.isSilent
        // Of a way through other states or to several ones, the edge has its own part only.
        let isWhole = transition.to == [move.to] && transition.from.contains(move.from)
        edge.callbacks += (isWhole ? transition.callbacks : move.callbacks).filter { !edge.callbacks.contains($0) }
        edge.citations.append("\(transition.id): \(Self.documents(transition.citation))")
        edges[key] = edge
    }

    private static let settings = (try? ModelLoading.catalog(with: []))?.settings ?? ModelSettings()

    /// The titles of the documents that a citation names; the citation itself where it names none.
    private static func documents(_ citation: String) -> String {
        let titles = settings.documents(of: citation).map(\.shortTitle)
        return titles.isEmpty ? citation : titles.joined(separator: "; ")
    }

    mutating func add(_ observation: LayerObservation) {
        for (state, visits) in observation.visits { states[place(of: state)].visits = visits }
        for (line, moves) in observation.moves.sorted(by: { Self.order($0.key) < Self.order($1.key) }) {
            add(moves, along: line)
        }
    }

    private static func order(_ line: LayerObservation.Line) -> (Int, String, String) {
        ((line.isInferred ? 2 : 0) + (line.isDocumented ? 0 : 1), line.from, line.to)
    }

    private mutating func add(_ moves: LayerObservation.Moves, along line: LayerObservation.Line) {
        _ = place(of: line.from)
        _ = place(of: line.to)
        var edge =
            edges[line]
            ?? StateGraph.Edge(
                from: line.from, to: line.to, isDocumented: line.isDocumented, isInferred: line.isInferred,
                citations: line.isDocumented ? citations(of: line, moves.callbacks) : [])
        // The documented side shows the same, whatever was seen.
        if edges[line] == nil {
            (edge.isModelled, edge.callbacks) = (false, moves.callbacks)
            edge.via = titlesBetween(line, moves.callbacks)
        }
        edge.seenCallbacks = moves.callbacks
        edge.withoutCallback = moves.withoutCallback
        edge.isByScenes = moves.isByScenes
        edge.seen = moves.figures
        edge.probability = moves.probability
        edge.shareOfEnds = moves.shareOfEnds
        edges[line] = edge
    }

    /// The titles of the states on the shortest documented way; none where a single step leads there.
    private func titlesBetween(_ line: LayerObservation.Line, _ callbacks: [String]) -> [String] {
        let isStep = moves.contains { $0.from == line.from && $0.to == line.to }
        guard line.isDocumented, line.isInSteps || !isStep else { return [] }
        let states = moves.statesBetween(line.from, line.to, by: line.isInSteps ? callbacks.first : nil)
        return states.compactMap { model.state($0)?.title[language] }
    }

    /// Citations of an edge that is drawn only when it occurs: an abnormal end, or a step of a longer transition.
    private func citations(of line: LayerObservation.Line, _ callbacks: [String]) -> [String] {
        let leaving = model.transitions.filter { $0.from.contains(line.from) }
        let pair = leaving.filter { $0.to.contains(line.to) }
        let alike = pair.filter { $0.isSilent == callbacks.isEmpty }
        let onTheWay = leaving.filter { $0.callbacks.contains(where: callbacks.contains) }
        return ([alike, pair, onTheWay].first { !$0.isEmpty } ?? []).map { "\($0.id): \(Self.documents($0.citation))" }
    }

    /// Adds estimated visits, and the transitions into and out of them.
    mutating func add(_ estimate: PictureSurvey.Estimate) {
        let suspended = PictureSurvey.process.suspended
        guard model.layer == PictureSurvey.process.layer, estimate.visits.count > 0 else { return }
        states[place(of: suspended)].estimate = estimate.visits
        add(estimated: estimate.visits.count, from: PictureSurvey.process.background, to: suspended)
        for (state, count) in estimate.next.sorted(by: { $0.key < $1.key }) {
            add(estimated: count, from: suspended, to: state)
        }
    }

    private mutating func add(estimated count: Int, from: String, to: String) {
        let keys = [false, true].map { EdgeKey(from: from, to: to, isDocumented: true, isInferred: $0) }
        // A transition that the model lacks is not drawn on the documented side.
        let foreign = EdgeKey(from: from, to: to, isDocumented: false, isInferred: true)
        let key = keys.first { edges[$0] != nil } ?? foreign
        var edge = edges[key] ?? StateGraph.Edge(from: from, to: to, isDocumented: false, isSilent: true)
        edge.estimated = count
        edges[key] = edge
    }

    /// Adds how runs ended, by their last state: abnormal ends first, the end of the log last.
    mutating func add(endings: [(state: String, reason: String, count: Int64)]) {
        // What is over did not end with its run.
        for end in endings.sorted(by: Self.isWorse) where !states[place(of: end.state)].isFinal {
            states[place(of: end.state)].endings.append(.init(reason: end.reason, count: Int(end.count)))
        }
    }

    private static func isWorse(
        _ a: (state: String, reason: String, count: Int64), _ b: (state: String, reason: String, count: Int64)
    ) -> Bool {
        let (first, second) = (a.reason == "log_end", b.reason == "log_end")
        if first != second { return second }
        return (b.count, a.reason) < (a.count, b.reason)
    }

    /// Marks the edges with findings. Findings without an edge appear only in the report.
    mutating func add(marks: [LayerObservation.Line: PictureSurvey.Marks]) {
        for (line, found) in marks.sorted(by: { Self.order($0.key) < Self.order($1.key) }) {
            guard edges[line]?.seen != nil else { continue }
            for (found, example) in found {
                var mark = found
                mark.message = [model].titled(mark.message, layer: model.layer, language)
                edges[line]?.findings.append(mark)
                // Two findings may be about one line.
                if let example, edges[line]?.examples.contains(example) == false {
                    edges[line]?.examples.append(example)
                }
            }
        }
    }

    /// The documented side alone, ready to draw.
    static func documented(_ model: LifecycleModel, language: String) -> StateGraph {
        let title = PictureHeading.lifecycle(of: model.title[language], PictureLanguage(checked: language))
        return ObservedGraph(model: model, language: language)
            .graph(title: title, subtitle: "", runs: nil, events: nil)
    }

    /// The graph, ready to draw.
    func graph(title: String, subtitle: String, runs: Int?, events: Int?) -> StateGraph {
        StateGraph(
            title: title, subtitle: subtitle, states: states,
            edges: edges.sorted { Self.order($0.key) < Self.order($1.key) }.map(\.value), runs: runs, events: events)
    }

    /// The index of a state; one that the model does not draw is appended.
    private mutating func place(of id: String) -> Int {
        if let index = states.firstIndex(where: { $0.id == id }) { return index }
        let documented = model.state(id)
        var state = StateGraph.State(
            id: id, title: documented?.title[language] ?? id, isDocumented: documented != nil,
            citation: documented.map { Self.documents($0.citation) } ?? "")
        state.isModelled = false
        states.append(state)
        return states.count - 1
    }
}

/// What was observed of one layer: visits of each state, and transitions between them.
struct LayerObservation {
    /// Transitions that the picture draws as one edge: those with one verdict and one evidence.
    struct Line: Hashable {
        var from: String
        var to: String
        var isDocumented: Bool
        /// Whether no line of the log shows them.
        var isInferred: Bool
        /// Whether they are documented as several steps of which a line shows only the last.
        var isInSteps = false
    }

    /// What was observed of an edge.
    struct Moves {
        /// The callbacks, the most frequent first; empty when evidence or nothing shows the transitions.
        var callbacks: [String] = []
        /// Of observed transitions, those without a callback.
        var withoutCallback = 0
        /// Whether all of these follow from callbacks of scenes.
        var isByScenes = false
        var figures = StateGraph.Figures(count: 0)
        /// Share of the observed transitions out of the state; `nil` for inferred ones.
        var probability: Double?
        /// Share of all transitions out of the state.
        var shareOfEnds: Double?
    }

    private(set) var visits: [String: StateGraph.Figures] = [:]
    private(set) var moves: [Line: Moves] = [:]

    /// Median and ninetieth percentile.
    private static let shares = [0.5, 0.9]

    /// - Throws: `StoreError` when the database cannot be read.
    init(
        layer: String, filter: Filter?, book: DwellBook, deviations: Deviations, _ reader: DatabaseReading
    ) throws {
        if let filter, !filter.isEmpty {
            try read(layer, filter, nil, deviations, reader)
        } else {
            try read(layer, book, deviations, reader)
        }
    }

    /// What was observed in some runs.
    init(layer: String, runs: Set<Int64>, _ reader: DatabaseReading) throws {
        try read(layer, nil, runs, nil, reader)
    }

    /// What was observed in two cohorts together. Quantiles, which cannot be added up, are left out.
    init(_ a: LayerObservation, _ b: LayerObservation) {
        visits = a.visits.mapValues { .init(count: $0.count) }
        for (state, figures) in b.visits { visits[state, default: .init(count: 0)].count += figures.count }
        for (line, other) in Array(a.moves) + Array(b.moves) {
            var known = moves[line] ?? Moves()
            known.callbacks += other.callbacks.filter { !known.callbacks.contains($0) }
            if other.withoutCallback > 0 {
                known.isByScenes = other.isByScenes && (known.isByScenes || known.withoutCallback == 0)
            }
            known.withoutCallback += other.withoutCallback
            known.figures.count += other.figures.count
            moves[line] = known
        }
    }

    // MARK: - From the summaries that every ingest keeps

    private mutating func read(
        _ layer: String, _ book: DwellBook, _ deviations: Deviations, _ reader: DatabaseReading
    ) throws {
        var tally = try Tally(reader)
        var visits: [String: [Int64]] = [:]
        var parts: [Part: [Int64]] = [:]
        for (id, kind) in book.kinds.sorted(by: { $0.key < $1.key }) where kind.layer == layer && kind.steps > 0 {
            let count = Int(kind.steps)
            if kind.isVisit, let state = kind.before {
                tally.visits[state, default: 0] += count
                visits[state, default: []] += kind.isComplete ? [id] : []
            }
            if kind.isTransition, let from = kind.before, let to = kind.after {
                let line = Line(
                    from: from, to: to, isDocumented: kind.isDocumented, isInferred: !kind.isObserved)
                let part = tally.add(count, to: line, kind.callback, of: id)
                parts[part, default: []] += kind.censoring.isEmpty ? [id] : []
            }
        }
        let lines = tally.settle(parts, layer: layer, deviations)
        let (states, drawn) = (Array(visits.keys), Array(lines.keys))
        let groups = states.map { visits[$0] ?? [] } + drawn.map { lines[$0] ?? [] }
        let figures = try book.figures(of: groups, shares: Self.shares)
        take(
            tally, visits: Dictionary(uniqueKeysWithValues: zip(states, figures)),
            lines: Dictionary(uniqueKeysWithValues: zip(drawn, figures.dropFirst(states.count))))
    }

    // MARK: - From the visits and transitions within a filter, or of some runs

    private mutating func read(
        _ layer: String, _ filter: Filter?, _ runs: Set<Int64>?, _ deviations: Deviations?, _ reader: DatabaseReading
    ) throws {
        var tally = try Tally(reader)
        var visits: [String: [Int64]] = [:]
        var parts: [Part: [Int64]] = [:]
        let values = DiagramQueries.values(filter, layer: layer)
        try reader.query(DiagramQueries.visits, values) { row in
            guard let state = row.text(0), runs?.contains(row.integer(2) ?? 0) != false else { return }
            tally.visits[state, default: 0] += 1
            visits[state, default: []] += row.integer(1).map { [$0] } ?? []
        }
        try reader.query(DiagramQueries.transitions, values) { row in
            guard let from = row.text(0), let to = row.text(1), runs?.contains(row.integer(6) ?? 0) != false else {
                return
            }
            let line = Line(
                from: from, to: to, isDocumented: row.text(3) != "undocumented", isInferred: row.text(4) != "observed")
            let part = tally.add(1, to: line, row.text(2), of: row.integer(7) ?? 0)
            parts[part, default: []] += row.integer(5).map { [$0] } ?? []
        }
        let lines = tally.settle(parts, layer: layer, deviations)
        take(
            tally, visits: visits.mapValues { DwellFigures($0, shares: Self.shares) },
            lines: lines.mapValues { DwellFigures($0, shares: Self.shares) })
    }

    // MARK: - Both

    /// Transitions of one edge with one callback, or without one.
    private struct Part: Hashable {
        var line: Line
        var callback: String?
    }

    /// Intermediate counts.
    private struct Tally {
        struct Count {
            var all = 0
            var derived = 0
        }

        var visits: [String: Int] = [:]
        var parts: [Part: Count] = [:]
        /// Transitions out of each state, and the observed ones among them.
        var ends: [String: Int] = [:]
        var observed: [String: Int] = [:]
        /// The kinds of changes that follow from those of other instances.
        private let derived: Set<Int64>

        init(_ reader: DatabaseReading) throws {
            let kinds = try Rows.all(
                reader,
                "SELECT kind_id FROM raw_kinds WHERE role = 'derived' AND kind = 'callback' AND callback IS NULL")
            derived = Set(kinds.compactMap { $0.integer("kind_id") })
        }

        mutating func add(_ count: Int, to line: Line, _ callback: String?, of kind: Int64) -> Part {
            let part = Part(line: line, callback: callback)
            parts[part, default: Count()].all += count
            if derived.contains(kind) { parts[part]?.derived += count }
            ends[line.from, default: 0] += count
            if !line.isInferred { observed[line.from, default: 0] += count }
            return part
        }

        /// Moves what is documented in steps to edges of its own, and gives the durations by edge: none where only some of
        /// the transitions with a callback have moved.
        mutating func settle<Duration>(
            _ durations: [Part: [Duration]], layer: String, _ deviations: Deviations?
        ) -> [Line: [Duration]] {
            var (lines, mixed) = ([Line: [Duration]](), Set<Line>())
            for (part, count) in parts {
                let line = part.line
                let change = Deviations.Change(
                    layer: layer, from: line.from, to: line.to, callback: part.callback)
                let moved = line.isDocumented ? 0 : deviations?.inSteps(of: count.all, change) ?? 0
                var steps = part
                if moved > 0 { (steps.line.isDocumented, steps.line.isInSteps) = (true, true) }
                if moved > 0, moved < count.all { mixed.formUnion([line, steps.line]) }
                lines[steps.line, default: []] += durations[part] ?? []
                guard moved > 0 else { continue }
                // What follows from other instances is judged there.
                parts[steps] = Count(all: moved, derived: min(moved, count.derived))
                parts[part] =
                    moved == count.all
                    ? nil : Count(all: count.all - moved, derived: count.derived - min(moved, count.derived))
            }
            return lines.filter { !mixed.contains($0.key) }
        }
    }

    private mutating func take(_ tally: Tally, visits found: [String: DwellFigures], lines: [Line: DwellFigures]) {
        let time = found.values.reduce(0) { $0 + ($1.total ?? 0) }
        for (state, count) in tally.visits {
            var figures = Self.figures(count, found[state])
            figures.share = time > 0 ? found[state]?.total.map { $0 / time } : nil
            visits[state] = figures
        }
        let all = tally.parts.values.reduce(0) { $0 + $1.all }
        for (line, parts) in Dictionary(grouping: tally.parts, by: \.key.line) {
            let count = parts.reduce(0) { $0 + $1.value.all }
            let share = { (whole: Int?) in Double(count) / Double(max(1, whole ?? 0)) }
            var found = Moves(figures: Self.figures(count, lines[line]))
            found.callbacks = parts.sorted {
                ($1.value.all, $0.key.callback ?? "") < ($0.value.all, $1.key.callback ?? "")
            }.compactMap(\.key.callback)
            let silent = parts.first { $0.key.callback == nil }?.value
            found.withoutCallback = line.isInferred ? 0 : silent?.all ?? 0
            found.isByScenes = (silent?.all ?? 0) > 0 && silent?.all == silent?.derived
            found.figures.share = share(all)
            found.probability = line.isInferred ? nil : share(tally.observed[line.from])
            found.shareOfEnds = share(tally.ends[line.from])
            moves[line] = found
        }
    }

    static func figures(_ count: Int, _ figures: DwellFigures?) -> StateGraph.Figures {
        func whole(_ value: Double?) -> Int64? { value.flatMap { Int64(exactly: $0.rounded()) } }
        return StateGraph.Figures(
            count: count, median: whole(figures?.quantiles[0]), p90: whole(figures?.quantiles[1]),
            total: whole(figures?.total))
    }
}
