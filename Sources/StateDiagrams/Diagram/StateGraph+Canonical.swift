extension StateGraph {
    /// The same graph in one fixed form: states that only edges name are added, edges of one verdict between the same
    /// states are merged, and everything is in order. Equal content gives equal pictures, however it was collected.
    package func canonical() -> StateGraph {
        var graph = self
        var known: Set<String> = []
        graph.states = states.filter { known.insert($0.id).inserted }
        for id in Set(edges.flatMap { [$0.from, $0.to] }).subtracting(known) {
            graph.states.append(State(id: id, title: id, isDocumented: false))
        }
        // Documented states keep the order of their model; others follow by name.
        let documented = graph.states.filter(\.isDocumented)
        graph.states = documented + graph.states.filter { !$0.isDocumented }.sorted { $0.id < $1.id }

        let order = graph.places
        var merged: [EdgeKey: Edge] = [:]
        for edge in edges.sorted(by: { $0.tieBreak.lexicographicallyPrecedes($1.tieBreak) }) {
            let key = EdgeKey(edge, order)
            merged[key] = merged[key]?.merged(with: edge) ?? edge
        }
        graph.edges = merged.sorted { $0.key < $1.key }.map(\.value)
        return graph
    }

    /// The graph without edges that are rarer than a share of the transitions out of their state (0...1).
    ///
    /// Undocumented edges always stay: they are what a reader looks for. Documented edges stay as documented; only their
    /// occurrence is hidden. ``hiddenEdges`` and ``hiddenShare`` count what was hidden.
    package func folded(below threshold: Double) -> StateGraph {
        guard threshold > 0 else { return self }
        var graph = self
        var hidden = 0
        graph.edges = []
        for var edge in edges {
            if edge.isDocumented, edge.seen != nil, let probability = edge.probability, probability < threshold {
                graph.hiddenEdges += 1
                hidden += edge.occurrences
                edge.isFolded = true
            }
            graph.edges.append(edge)
        }
        let all = edges.reduce(0) { $0 + $1.occurrences }
        graph.hiddenShare = all > 0 ? Double(hidden) / Double(all) : 0
        return graph
    }

    /// Edges with the same key are one line of the drawing.
    private struct EdgeKey: Hashable, Comparable {
        var from: Int, to: Int, lane: Int

        init(_ edge: Edge, _ order: [String: Int]) {
            from = order[edge.from] ?? 0
            to = order[edge.to] ?? 0
            lane = edge.isDocumented ? 0 : 1
        }

        static func < (a: EdgeKey, b: EdgeKey) -> Bool { (a.from, a.to, a.lane) < (b.from, b.to, b.lane) }
    }
}

extension StateGraph.Edge {
    /// Orders edges of one line: the most frequent first.
    fileprivate var tieBreak: [String] {
        let count = String(Int.max - (seen?.count ?? 0))
        return [String(repeating: "0", count: 20 - count.count) + count] + callbacks
    }

    /// Both edges as one. Counts add up; quantiles cannot, so they become unknown. Inferred changes are counted beside
    /// the observed ones.
    fileprivate func merged(with other: Self) -> Self {
        func sum<Number: AdditiveArithmetic>(_ a: Number?, _ b: Number?) -> Number? {
            a.map { $0 + (b ?? .zero) } ?? b
        }
        var edge = self
        edge.callbacks += other.callbacks.filter { !callbacks.contains($0) }
        if let theirs = other.seenCallbacks {
            edge.seenCallbacks = (seenCallbacks ?? []) + theirs.filter { !(seenCallbacks ?? []).contains($0) }
        }
        edge.citations += other.citations.filter { !citations.contains($0) }
        edge.examples += other.examples.filter { !examples.contains($0) }
        edge.findings += other.findings
        edge.isSilent = isSilent && other.isSilent
        edge.estimated = sum(estimated, other.estimated)
        edge.probability = sum(probability, other.probability)
        edge.shareOfEnds = sum(shareOfEnds, other.shareOfEnds)
        edge.inferred = inferred + other.inferred
        guard let ours = seen, let theirs = other.seen else {
            edge.seen = seen ?? other.seen
            edge.isInferred = seen == nil ? other.isInferred : isInferred
            return edge
        }
        guard isInferred == other.isInferred else {
            edge.seen = isInferred ? theirs : ours
            edge.inferred += isInferred ? ours.count : theirs.count
            edge.isInferred = false
            edge.change = isInferred ? other.change : change
            return edge
        }
        edge.seen = StateGraph.Figures(
            count: ours.count + theirs.count, total: sum(ours.total, theirs.total),
            share: sum(ours.share, theirs.share))
        return edge
    }
}
