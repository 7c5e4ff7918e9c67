/// What a state diagram shows: states and edges of a documented model, and what was observed of them.
///
/// The graph is plain data. Documented and observed are two views of one graph, so that a state has one place in both.
package struct StateGraph: Sendable, Hashable, Codable {
    /// Heading of the picture.
    package var title: String
    /// One line below it: what was looked at (app, runs, time span).
    package var subtitle: String
    /// The states: documented ones in the order of their model, then any other.
    package var states: [State]
    /// The edges, in any order; drawing sorts them.
    package var edges: [Edge]
    /// Number of runs and of events behind the observed side; `nil` when nobody counted.
    package var runs: Int?
    package var events: Int?
    /// Edges that ``folded(below:)`` has hidden, and their part of all transitions (0...1).
    package private(set) var hiddenEdges = 0
    package private(set) var hiddenShare = 0.0
    /// Edges that folding has taken away; what was counted stays counted.
    private var foldedEdges: [Edge] = []
    var counted: [Edge] { edges + foldedEdges }

    package init(
        title: String, subtitle: String = "", states: [State], edges: [Edge], runs: Int? = nil, events: Int? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.states = states
        self.edges = edges
        self.runs = runs
        self.events = events
    }
}

extension StateGraph {
    /// The graph without edges that are rarer than a part of the transitions out of their state (0...1).
    ///
    /// Undocumented edges go; documented ones stay as documented, and only their occurrence is hidden. What was hidden
    /// is counted in ``hiddenEdges`` and ``hiddenShare``.
    package func folded(below threshold: Double) -> StateGraph {
        guard threshold > 0 else { return self }
        var graph = self
        var hidden = 0
        graph.edges = []
        for var edge in edges {
            if let seen = edge.seen, let probability = edge.probability, probability < threshold {
                graph.hiddenEdges += 1
                hidden += seen.count
                guard edge.isDocumented else {
                    graph.foldedEdges.append(edge)
                    continue
                }
                edge.isFolded = true
            }
            graph.edges.append(edge)
        }
        let all = edges.reduce(0) { $0 + ($1.seen?.count ?? 0) }
        graph.hiddenShare = all > 0 ? Double(hidden) / Double(all) : 0
        return graph
    }
}
