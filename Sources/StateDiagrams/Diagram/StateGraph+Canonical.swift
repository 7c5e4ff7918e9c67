extension StateGraph {
    /// The same graph in one fixed form: states that only edges name are added, edges of one kind between the same
    /// states become one, and everything is in order. Equal content gives equal pictures, however it was collected.
    package func canonical() -> StateGraph {
        var graph = self
        var seenIDs: Set<String> = []
        graph.states = states.filter { seenIDs.insert($0.id).inserted }
        for id in Set(edges.flatMap { [$0.from, $0.to] }).subtracting(seenIDs) {
            graph.states.append(State(id: id, title: id, isDocumented: false))
        }
        // Documented states keep the order of their model, which is the order of a life; others follow by name.
        let documented = graph.states.filter(\.isDocumented)
        graph.states = documented + graph.states.filter { !$0.isDocumented }.sorted { $0.id < $1.id }

        let order = graph.places
        var merged: [EdgeKey: Edge?] = [:]
        for edge in edges.sorted(by: { $0.tieBreak.lexicographicallyPrecedes($1.tieBreak) }) {
            merged[EdgeKey(edge, order), default: nil].merge(edge)
        }
        graph.edges = merged.sorted { $0.key < $1.key }.compactMap(\.value)
        let marked = Set(graph.edges.filter { $0.isDocumented && !$0.isSilent }.map { [$0.from, $0.to] })
        for place in graph.edges.indices where graph.edges[place].isSilent {
            let edge = graph.edges[place]
            graph.edges[place].isShadowed =
                (edge.seen != nil || edge.estimated != nil) && marked.contains([edge.from, edge.to])
        }
        return graph
    }

    /// Place of each state by its id.
    var places: [String: Int] {
        Dictionary(states.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// What makes two edges the same line of the drawing.
    private struct EdgeKey: Hashable, Comparable {
        var from: Int, to: Int, lane: Int

        init(_ edge: Edge, _ order: [String: Int]) {
            from = order[edge.from] ?? 0
            to = order[edge.to] ?? 0
            lane = edge.isSilent ? 1 : edge.isDocumented ? 0 : 2
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
}

extension StateGraph.Edge? {
    /// Takes another edge of the same line in. Counts add up; a median cannot, so it becomes unknown.
    fileprivate mutating func merge(_ other: StateGraph.Edge) {
        guard var edge = self else {
            self = other
            return
        }
        edge.callbacks += other.callbacks.filter { !edge.callbacks.contains($0) }
        edge.citations += other.citations.filter { !edge.citations.contains($0) }
        edge.examples += other.examples.filter { !edge.examples.contains($0) }
        edge.findings += other.findings
        edge.isDocumented = edge.isDocumented || other.isDocumented
        if let estimated = other.estimated { edge.estimated = (edge.estimated ?? 0) + estimated }
        if let theirs = other.seen {
            if var ours = edge.seen {
                ours.count += theirs.count
                // Quantiles of parts say nothing of the whole.
                (ours.median, ours.p90) = (nil, nil)
                if let total = theirs.total { ours.total = (ours.total ?? 0) + total }
                if let share = theirs.share { ours.share = (ours.share ?? 0) + share }
                edge.seen = ours
            } else {
                edge.seen = theirs
            }
            if let probability = other.probability { edge.probability = (edge.probability ?? 0) + probability }
        }
        self = edge
    }
}
