import LifecycleModel
import StateDiagrams

/// Joins a documented model with what a database saw of it into one graph.
struct ObservedGraph {
    let model: LifecycleModel
    let language: String
    private var states: [StateGraph.State]
    private var edges: [EdgeKey: StateGraph.Edge]

    private struct EdgeKey: Hashable {
        var from: String
        var to: String
        var isSilent: Bool
        var isDocumented: Bool
    }

    /// The documented side.
    init(model: LifecycleModel, language: String) {
        self.model = model
        self.language = language
        states = model.states.filter(\.isDrawn).map { state in
            StateGraph.State(
                id: state.id, title: state.title[language], isInitial: state.id == model.initial,
                isFinal: model.final.contains(state.id), citation: state.citation)
        }
        edges = [:]
        let drawn = Set(states.map(\.id))
        for transition in model.transitions where transition.isDrawn && !transition.isAbnormal {
            for from in transition.from where drawn.contains(from) {
                for to in transition.to where drawn.contains(to) && to != from {
                    document(transition, from: from, to: to)
                }
            }
        }
    }

    private mutating func document(_ transition: ModelTransition, from: String, to: String) {
        // One line a pair: a change that some callback marks is not silent, even where another way to it is.
        let marked = EdgeKey(from: from, to: to, isSilent: false, isDocumented: true)
        let silent = EdgeKey(from: from, to: to, isSilent: true, isDocumented: true)
        var edge =
            edges.removeValue(forKey: marked) ?? edges.removeValue(forKey: silent)
            ?? StateGraph.Edge(from: from, to: to, isDocumented: true, isSilent: true)
        edge.isSilent = edge.isSilent && transition.isSilent
        for callback in transition.callbacks where !edge.callbacks.contains(callback) {
            edge.callbacks.append(callback)
        }
        edge.citations.append("\(transition.id): \(transition.citation)")
        edges[edge.isSilent ? silent : marked] = edge
    }

    /// Adds a row of `dwell_times`.
    mutating func addStay(state: String, _ stay: StateGraph.Stay) {
        states[place(of: state)].stay = stay
    }

    /// Adds a row of `transition_counts`.
    mutating func addTransition(
        from: String, to: String, callback: String?, isDocumented: Bool, stay: StateGraph.Stay, probability: Double?
    ) {
        _ = place(of: from)
        _ = place(of: to)
        let isSilent = callback == nil
        var key = EdgeKey(from: from, to: to, isSilent: isSilent, isDocumented: isDocumented)
        // A silent end is inferred even where the model marks the same change with a callback, and the other way round.
        if edges[key] == nil, isDocumented {
            let twin = EdgeKey(from: from, to: to, isSilent: !isSilent, isDocumented: true)
            if let edge = edges[twin], edge.seen == nil, isSilent == false {
                edges[twin] = nil
                var revealed = edge
                revealed.isSilent = false
                edges[key] = revealed
            }
        }
        if !isSilent, !isDocumented { key.isDocumented = false }
        var edge = edges[key] ?? StateGraph.Edge(from: from, to: to, isDocumented: isDocumented, isSilent: isSilent)
        if let callback, !edge.callbacks.contains(callback) { edge.callbacks.append(callback) }
        if var seen = edge.seen {
            seen.count += stay.count
            // Medians of parts say nothing of the median of the whole.
            seen.median = nil
            seen.p90 = nil
            seen.total = nil
            edge.seen = seen
        } else {
            edge.seen = stay
        }
        if let probability { edge.probability = (edge.probability ?? 0) + probability }
        edges[key] = edge
    }

    /// Adds how runs ended that were last seen in a state.
    mutating func addEnding(state: String, reason: String, count: Int) {
        states[place(of: state)].endings.append(.init(reason: reason, count: count))
    }

    /// Marks the edge on which findings lie; a finding without one is left to the report.
    mutating func addFinding(from: String, to: String, mark: StateGraph.Mark, example: String?) {
        let keys = [(false, false), (false, true), (true, true), (true, false)].map {
            EdgeKey(from: from, to: to, isSilent: $0.0, isDocumented: $0.1)
        }
        guard let key = keys.first(where: { edges[$0]?.seen != nil }) else { return }
        edges[key]?.findings.append(mark)
        if let example { edges[key]?.examples.append(example) }
    }

    /// The graph, ready to draw.
    func graph(title: String, subtitle: String, runs: Int?, events: Int?) -> StateGraph {
        StateGraph(
            title: title, subtitle: subtitle, states: states, edges: Array(edges.values), runs: runs, events: events)
    }

    /// Where a state stands; one that the model does not draw is added behind.
    private mutating func place(of id: String) -> Int {
        if let index = states.firstIndex(where: { $0.id == id }) { return index }
        let documented = model.state(id)
        states.append(
            StateGraph.State(
                id: id, title: documented?.title[language] ?? id, isDocumented: documented != nil,
                citation: documented?.citation ?? ""))
        return states.count - 1
    }
}
