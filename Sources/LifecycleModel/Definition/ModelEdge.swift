/// One move of a machine on one callback, derived from the steps of transitions.
///
/// An edge from a state to itself means that the callback may come there and changes nothing.
package struct ModelEdge: Sendable, Hashable {
    package var from: String
    package var callback: String
    package var to: String
    /// Transitions that it belongs to; none when the state merely accepts the callback.
    package var transitions: [String]
    /// Labels of the choices that it belongs to (``ModelTransition/choice``).
    package var choices: [String]
    /// Whether the machine moves from one state to another.
    package var changesState: Bool { from != to }
}

extension LifecycleModel {
    /// Every documented move on a callback, in the order of the transitions, each (from, callback, to) once.
    ///
    /// A callback is documented in a state when an edge leaves that state on it, and ambiguous when several do. Silent
    /// transitions have no edges; see ``silentMoves``.
    package var edges: [ModelEdge] {
        var collector = EdgeCollector()
        for transition in transitions {
            let hasOwnStates = !transition.steps.allSatisfy(\.namedStates.isEmpty)
            for from in transition.from {
                for to in transition.to {
                    collector.transition = transition
                    collector.target = hasOwnStates ? nil : to
                    _ = collector.walk(transition.steps, from: [.init(state: from)])
                }
            }
        }
        for state in states {
            for callback in state.accepts { _ = collector.edge(from: state.id, callback: callback, to: state.id) }
        }
        return collector.edges
    }

    /// Pairs of states between which the machine can move without any callback, each with its transitions, in the order
    /// of the transitions.
    package var silentMoves: [(from: String, to: String, transitions: [String])] {
        var moves: [(from: String, to: String, transitions: [String])] = []
        for transition in transitions where transition.isSilent {
            for from in transition.from {
                for to in transition.to where from != to {
                    if let index = moves.firstIndex(where: { $0.from == from && $0.to == to }) {
                        moves[index].transitions.append(transition.id)
                    } else {
                        moves.append((from, to, [transition.id]))
                    }
                }
            }
        }
        return moves
    }
}

/// Plays the steps of transitions and records every move.
private struct EdgeCollector {
    /// Where the machine may be between two steps.
    struct Position: Hashable {
        var state: String
        /// Whether a callback of the transition has come.
        var hasFired = false
    }

    /// The transition under way.
    var transition = ModelTransition(id: "")
    /// The state that its first callback leads to; `nil` when the steps name their own.
    var target: String?
    private(set) var edges: [ModelEdge] = []
    private var indexes: [[String]: Int] = [:]

    /// Positions after the steps.
    mutating func walk(_ steps: [StepPattern], from: Set<Position>) -> Set<Position> {
        var positions = from
        for step in steps { positions = walk(step, from: positions) }
        return positions
    }

    private mutating func walk(_ step: StepPattern, from positions: Set<Position>) -> Set<Position> {
        switch step {
        case .silent, .later, .newRun, .scenario:
            return positions
        case .callback(let callback):
            var after: Set<Position> = []
            for position in positions.sorted(by: { $0.state < $1.state }) {
                let to = callback.to ?? (position.hasFired ? position.state : target ?? position.state)
                for name in callback.names { note(edge(from: position.state, callback: name, to: to)) }
                after.insert(Position(state: to, hasFired: true))
            }
            return after
        case .optional(let steps):
            return positions.union(walk(steps, from: positions))
        case .repeated(let steps, let atLeast):
            let once = walk(steps, from: positions)
            let again = walk(steps, from: once)
            return (atLeast == 0 ? positions : []).union(once).union(again)
        case .unordered(let steps):
            return walk(steps, from: positions).union(walk(steps.reversed(), from: positions))
        }
    }

    /// Index of an edge, which is added if it is new.
    mutating func edge(from: String, callback: String, to: String) -> Int {
        let key = [from, callback, to]
        if let index = indexes[key] { return index }
        indexes[key] = edges.count
        edges.append(ModelEdge(from: from, callback: callback, to: to, transitions: [], choices: []))
        return edges.count - 1
    }

    private mutating func note(_ index: Int) {
        if !edges[index].transitions.contains(transition.id) { edges[index].transitions.append(transition.id) }
        if let choice = transition.choice, !edges[index].choices.contains(choice) {
            edges[index].choices.append(choice)
        }
    }
}
