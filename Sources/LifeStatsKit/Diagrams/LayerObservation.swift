import StateDiagrams
import TraceStore

/// What was observed of one layer: visits of each state, and transitions between them.
struct LayerObservation {
    /// Transitions that the picture draws as one edge: those with one verdict and one evidence.
    struct Line: Hashable {
        var from: String
        var to: String
        var isDocumented: Bool
        /// Whether no line of the log shows them.
        var isInferred: Bool
    }

    /// What was observed of an edge.
    struct Moves {
        /// The callbacks, the most frequent first; empty when evidence or nothing shows the transitions.
        var callbacks: [String] = []
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
    init(layer: String, filter: Filter?, book: DwellBook, _ reader: DatabaseReading) throws {
        if let filter, !filter.isEmpty {
            try read(layer, filter, nil, reader)
        } else {
            try read(layer, book, reader)
        }
    }

    /// What was observed in some runs.
    init(layer: String, runs: Set<Int64>, _ reader: DatabaseReading) throws { try read(layer, nil, runs, reader) }

    /// What was observed in two cohorts together. Quantiles, which cannot be added up, are left out.
    init(_ a: LayerObservation, _ b: LayerObservation) {
        visits = a.visits.mapValues { .init(count: $0.count) }
        for (state, figures) in b.visits { visits[state, default: .init(count: 0)].count += figures.count }
        for (line, other) in Array(a.moves) + Array(b.moves) {
            var known = moves[line] ?? Moves()
            known.callbacks += other.callbacks.filter { !known.callbacks.contains($0) }
            known.figures.count += other.figures.count
            moves[line] = known
        }
    }

    // MARK: - From the summaries that every ingest keeps

    private mutating func read(_ layer: String, _ book: DwellBook, _ reader: DatabaseReading) throws {
        var tally = Tally()
        var visits: [String: [Int64]] = [:]
        var lines: [Line: [Int64]] = [:]
        for (id, kind) in book.kinds.sorted(by: { $0.key < $1.key }) where kind.layer == layer && kind.steps > 0 {
            let count = Int(kind.steps)
            if kind.isVisit, let state = kind.before {
                tally.visits[state, default: 0] += count
                visits[state, default: []] += kind.isComplete ? [id] : []
            }
            if kind.isTransition, let from = kind.before, let to = kind.after {
                let line = Line(
                    from: from, to: to, isDocumented: kind.isDocumented, isInferred: !kind.isObserved)
                tally.add(count, to: line, kind.callback)
                lines[line, default: []] += kind.censoring.isEmpty ? [id] : []
            }
        }
        let (states, drawn) = (Array(visits.keys), Array(lines.keys))
        let groups = states.map { visits[$0] ?? [] } + drawn.map { lines[$0] ?? [] }
        let figures = try reader.scan("the times of all visits") { _ in
            try book.figures(of: groups, shares: Self.shares)
        }
        take(
            tally, visits: Dictionary(uniqueKeysWithValues: zip(states, figures)),
            lines: Dictionary(uniqueKeysWithValues: zip(drawn, figures.dropFirst(states.count))))
    }

    // MARK: - From the visits and transitions within a filter, or of some runs

    private mutating func read(
        _ layer: String, _ filter: Filter?, _ runs: Set<Int64>?, _ reader: DatabaseReading
    ) throws {
        var tally = Tally()
        var visits: [String: [Int64]] = [:]
        var lines: [Line: [Int64]] = [:]
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
            tally.add(1, to: line, row.text(2))
            lines[line, default: []] += row.integer(5).map { [$0] } ?? []
        }
        take(
            tally, visits: visits.mapValues { DwellFigures($0, shares: Self.shares) },
            lines: lines.mapValues { DwellFigures($0, shares: Self.shares) })
    }

    // MARK: - Both

    /// Intermediate counts.
    private struct Tally {
        struct Count {
            var all = 0
            var callbacks: [String: Int] = [:]
        }

        var visits: [String: Int] = [:]
        var lines: [Line: Count] = [:]
        /// Transitions out of each state, and the observed ones among them.
        var ends: [String: Int] = [:]
        var observed: [String: Int] = [:]

        mutating func add(_ count: Int, to line: Line, _ callback: String?) {
            lines[line, default: Count()].all += count
            if let callback { lines[line]?.callbacks[callback, default: 0] += count }
            ends[line.from, default: 0] += count
            if !line.isInferred { observed[line.from, default: 0] += count }
        }
    }

    private mutating func take(_ tally: Tally, visits found: [String: DwellFigures], lines: [Line: DwellFigures]) {
        let time = found.values.reduce(0) { $0 + ($1.total ?? 0) }
        for (state, count) in tally.visits {
            var figures = Self.figures(count, found[state])
            figures.share = time > 0 ? found[state]?.total.map { $0 / time } : nil
            visits[state] = figures
        }
        let all = tally.lines.values.reduce(0) { $0 + $1.all }
        for (line, count) in tally.lines {
            let share = { (whole: Int?) in Double(count.all) / Double(max(1, whole ?? 0)) }
            var found = Moves(figures: Self.figures(count.all, lines[line]))
            found.callbacks = count.callbacks.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
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
