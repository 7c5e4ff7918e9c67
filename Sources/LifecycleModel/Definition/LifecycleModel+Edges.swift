extension LifecycleModel {
    /// Every documented move on a callback, in the order of the transitions, each (from, callback, to) once.
    ///
    /// This is what a replay needs: a callback is documented in a state when an edge leaves that state on it, and
    /// ambiguous when several do. Silent transitions have none; see ``silentMoves``.
    package var edges: [ModelEdge] {
        var collector = EdgeCollector()
        for transition in transitions {
            let hasOwnStates = transition.steps.contains { $0.namesState }
            for from in transition.from {
                for to in transition.to {
                    collector.begin(transition)
                    _ = collector.walk(transition.steps, from: [.init(state: from)], target: hasOwnStates ? nil : to)
                }
            }
        }
        for state in states {
            for callback in state.accepts { collector.accept(callback, in: state.id) }
        }
        return collector.edges
    }

    /// Pairs of states between which the machine can move without any callback, each with the transitions that say
    /// so; in the order of the transitions.
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

extension StepPattern {
    /// Whether some callback in it names the state after it.
    fileprivate var namesState: Bool {
        switch self {
        case .callback(let callback): callback.to != nil
        case .silent, .later, .newRun, .scenario: false
        case .optional(let steps), .repeated(let steps, _), .unordered(let steps): steps.contains { $0.namesState }
        }
    }
}

/// Plays the steps of transitions and notes every move.
private struct EdgeCollector {
    /// Where the machine may be between two steps.
    struct Position: Hashable {
        var state: String
        /// Whether a callback of the transition has come.
        var hasFired = false
    }

    private(set) var edges: [ModelEdge] = []
    private var places: [[String]: Int] = [:]
    private var transition = ""
    private var choice: String?

    mutating func begin(_ transition: ModelTransition) {
        self.transition = transition.id
        choice = transition.choice
    }

    /// Positions after the steps. `target` is the state that the first callback leads to; `nil` when the steps name
    /// their own.
    mutating func walk(_ steps: [StepPattern], from: Set<Position>, target: String?) -> Set<Position> {
        var positions = from
        for step in steps { positions = walk(step, from: positions, target: target) }
        return positions
    }

    private mutating func walk(_ step: StepPattern, from positions: Set<Position>, target: String?) -> Set<Position> {
        switch step {
        case .silent, .later, .newRun, .scenario:
            return positions
        case .callback(let callback):
            var after: Set<Position> = []
            for position in positions.sorted(by: { $0.state < $1.state }) {
                let to = callback.to ?? (position.hasFired ? position.state : target ?? position.state)
                for name in callback.names { note(from: position.state, callback: name, to: to) }
                after.insert(Position(state: to, hasFired: true))
            }
            return after
        case .optional(let steps):
            return positions.union(walk(steps, from: positions, target: target))
        case .repeated(let steps, let atLeast):
            let once = walk(steps, from: positions, target: target)
            let again = walk(steps, from: once, target: target)
            return (atLeast == 0 ? positions : []).union(once).union(again)
        case .unordered(let steps):
            var after: Set<Position> = []
            for order in [steps, steps.reversed()] { after.formUnion(walk(order, from: positions, target: target)) }
            return after
        }
    }

    mutating func accept(_ callback: String, in state: String) {
        if places[[state, callback, state]] == nil {
            places[[state, callback, state]] = edges.count
            edges.append(ModelEdge(from: state, callback: callback, to: state, transitions: [], choices: []))
        }
    }

    private mutating func note(from: String, callback: String, to: String) {
        let key = [from, callback, to]
        let place = places[key] ?? edges.count
        if place == edges.count {
            places[key] = place
            edges.append(ModelEdge(from: from, callback: callback, to: to, transitions: [], choices: []))
        }
        if !edges[place].transitions.contains(transition) { edges[place].transitions.append(transition) }
        if let choice, !edges[place].choices.contains(choice) { edges[place].choices.append(choice) }
    }
}
