import StateDiagrams
import TraceStore

/// What was observed of one layer: visits of each state, and transitions between them.
struct LayerObservation {
    /// Transitions that the picture draws as one edge.
    struct Line: Hashable {
        var from: String
        var to: String
        /// Whether no callback marks them: evidence, or a silent end.
        var isSilent: Bool
        var isDocumented: Bool

        init(from: String, to: String, callback: String?, isDocumented: Bool) {
            self.from = from
            self.to = to
            isSilent = callback == nil
            // Silent transitions between two states are one edge, whatever their verdict.
            self.isDocumented = isDocumented || isSilent
        }
    }

    /// What was observed of an edge.
    struct Moves {
        /// The callbacks, the most frequent first.
        var callbacks: [String] = []
        var isDocumented = false
        /// All of them, and those that were observed.
        var stay = StateGraph.Stay(count: 0)
        var observed = 0
        /// Share of the observed transitions out of the state; `nil` when all are inferred.
        var probability: Double?
    }

    private(set) var stays: [String: StateGraph.Stay] = [:]
    private(set) var moves: [Line: Moves] = [:]

    /// Median and ninetieth percentile.
    private static let shares = [0.5, 0.9]

    /// - Throws: `StoreError` when the database cannot be read.
    init(layer: String, filter: Filter?, book: DwellBook, _ reader: DatabaseReading) throws {
        if let filter, !filter.isEmpty {
            try read(layer, filter, reader)
        } else {
            try read(layer, book, reader)
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
                let line = Line(from: from, to: to, callback: kind.callback, isDocumented: kind.isDocumented)
                tally.add(count, to: line, kind.callback, isDocumented: kind.isDocumented, isObserved: kind.isObserved)
                lines[line, default: []] += kind.censoring.isEmpty ? [id] : []
            }
        }
        let (states, drawn) = (Array(visits.keys), Array(lines.keys))
        let groups = states.map { visits[$0] ?? [] } + drawn.map { lines[$0] ?? [] }
        let figures = try reader.scan("the times of all visits") { _ in
            try book.figures(of: groups, shares: Self.shares)
        }
        take(
            tally, stays: Dictionary(uniqueKeysWithValues: zip(states, figures)),
            lines: Dictionary(uniqueKeysWithValues: zip(drawn, figures.dropFirst(states.count))))
    }

    // MARK: - From the visits and transitions within a filter

    private mutating func read(_ layer: String, _ filter: Filter, _ reader: DatabaseReading) throws {
        var tally = Tally()
        var visits: [String: [Int64]] = [:]
        var lines: [Line: [Int64]] = [:]
        let values = DiagramQueries.values(filter, layer: layer)
        try reader.query(DiagramQueries.visits, values) { row in
            guard let state = row.text(0) else { return }
            tally.visits[state, default: 0] += 1
            visits[state, default: []] += row.integer(1).map { [$0] } ?? []
        }
        try reader.query(DiagramQueries.transitions, values) { row in
            guard let from = row.text(0), let to = row.text(1) else { return }
            let (callback, isDocumented) = (row.text(2), row.text(3) != "undocumented")
            let line = Line(from: from, to: to, callback: callback, isDocumented: isDocumented)
            tally.add(1, to: line, callback, isDocumented: isDocumented, isObserved: row.text(4) == "observed")
            lines[line, default: []] += row.integer(5).map { [$0] } ?? []
        }
        take(
            tally, stays: visits.mapValues { DwellFigures($0, shares: Self.shares) },
            lines: lines.mapValues { DwellFigures($0, shares: Self.shares) })
    }

    // MARK: - Both

    /// Intermediate counts.
    private struct Tally {
        struct Count {
            var all = 0
            var observed = 0
            var isDocumented = false
            var callbacks: [String: Int] = [:]
        }

        var visits: [String: Int] = [:]
        var lines: [Line: Count] = [:]
        var observedFrom: [String: Int] = [:]

        mutating func add(_ count: Int, to line: Line, _ callback: String?, isDocumented: Bool, isObserved: Bool) {
            lines[line, default: Count()].all += count
            if isDocumented { lines[line]?.isDocumented = true }
            if let callback { lines[line]?.callbacks[callback, default: 0] += count }
            if isObserved {
                lines[line]?.observed += count
                observedFrom[line.from, default: 0] += count
            }
        }
    }

    private mutating func take(_ tally: Tally, stays figures: [String: DwellFigures], lines: [Line: DwellFigures]) {
        let time = figures.values.reduce(0) { $0 + ($1.total ?? 0) }
        for (state, count) in tally.visits {
            var stay = Self.stay(count, figures[state])
            stay.share = time > 0 ? figures[state]?.total.map { $0 / time } : nil
            stays[state] = stay
        }
        let all = tally.lines.values.reduce(0) { $0 + $1.all }
        for (line, count) in tally.lines {
            var found = Moves(isDocumented: count.isDocumented, stay: Self.stay(count.all, lines[line]))
            found.callbacks = count.callbacks.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
            found.observed = count.observed
            found.stay.share = Double(count.all) / Double(max(1, all))
            if count.observed > 0 {
                found.probability = Double(count.observed) / Double(max(1, tally.observedFrom[line.from] ?? 0))
            }
            moves[line] = found
        }
    }

    static func stay(_ count: Int, _ figures: DwellFigures?) -> StateGraph.Stay {
        func whole(_ value: Double?) -> Int64? { value.flatMap { Int64(exactly: $0.rounded()) } }
        return StateGraph.Stay(
            count: count, median: whole(figures?.quantiles[0]), p90: whole(figures?.quantiles[1]),
            total: whole(figures?.total))
    }
}
