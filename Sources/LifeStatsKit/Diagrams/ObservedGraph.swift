import LifecycleModel
import StateDiagrams

/// Joins a documented model and its observation into one graph.
struct ObservedGraph {
    let model: LifecycleModel
    let language: String
    private var states: [StateGraph.State]
    private var edges: [EdgeKey: StateGraph.Edge]

    private typealias EdgeKey = LayerObservation.Line

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
        let key = EdgeKey(from: from, to: to, isDocumented: true, isInferred: false)
        // One edge for each pair of states: it is silent only if every documented way is.
        var edge = edges[key] ?? StateGraph.Edge(from: from, to: to, isDocumented: true, isSilent: true)
        edge.isSilent = edge.isSilent && transition.isSilent
        edge.callbacks += transition.callbacks.filter { !edge.callbacks.contains($0) }
        edge.citations.append("\(transition.id): \(transition.citation)")
        edges[key] = edge
    }

    /// Adds what was seen.
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
        edge.callbacks += moves.callbacks.filter { !edge.callbacks.contains($0) }
        edge.seenCallbacks = moves.callbacks
        edge.seen = moves.figures
        edge.probability = moves.probability
        edge.shareOfEnds = moves.shareOfEnds
        edges[line] = edge
    }

    /// Citations of an edge that is drawn only when it occurs: an abnormal end, or a step of a longer transition.
    private func citations(of line: LayerObservation.Line, _ callbacks: [String]) -> [String] {
        let leaving = model.transitions.filter { $0.from.contains(line.from) }
        let pair = leaving.filter { $0.to.contains(line.to) }
        let alike = pair.filter { $0.isSilent == callbacks.isEmpty }
        let onTheWay = leaving.filter { $0.callbacks.contains(where: callbacks.contains) }
        return ([alike, pair, onTheWay].first { !$0.isEmpty } ?? []).map { "\($0.id): \($0.citation)" }
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
        for end in endings.sorted(by: Self.isWorse) {
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
            for (mark, example) in found {
                edges[line]?.findings.append(mark)
                // Two findings may be about one line.
                if let example, edges[line]?.examples.contains(example) == false {
                    edges[line]?.examples.append(example)
                }
            }
        }
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
        states.append(
            StateGraph.State(
                id: id, title: documented?.title[language] ?? id, isDocumented: documented != nil,
                citation: documented?.citation ?? ""))
        return states.count - 1
    }
}
