import DataFiles

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

    /// Pairs of states between which the machine can move without any callback, with their transitions, in that order.
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

/// A documented change of state.
package struct ModelTransition: KeyedRecord {
    /// Identifier (`APP-T01` …).
    package var id: String
    /// States in which it may begin.
    package var from: [String] = []
    /// States in which it may end; several when its steps determine which.
    package var to: [String] = []
    /// Callbacks that mark it, in order; none for a silent one. Unless steps name states, the first one changes the
    /// state.
    package var steps: [StepPattern] = []
    /// Label shared by transitions that begin alike and end differently: what follows decides between them.
    package var choice: String?
    /// Callbacks of which one led into ``from``, where that distinguishes it from similar transitions.
    package var after: [String] = []
    /// Whether it is abnormal (a crash, the watchdog). Abnormal transitions are drawn only on request.
    package var isAbnormal = false
    /// Whether the documented picture shows it.
    package var isDrawn = true
    /// Profiles in which it exists; empty for all.
    package var profiles: [String] = []
    /// Versions of the system that have it.
    package var systems = SystemRange()
    /// What causes it, in a few words.
    package var cause = ""
    package var citation = ""

    package init(id: String) { self.id = id }

    package init(id: String, from: [String], to: [String], steps: [StepPattern] = [], citation: String) {
        self.id = id
        self.from = from
        self.to = to
        self.steps = steps
        self.citation = citation
    }

    /// Identifiers of all callbacks that mark it, in order.
    package var callbacks: [String] { steps.flatMap(\.callbacks) }

    /// Whether it can happen without any callback.
    package var isSilent: Bool { steps.allSatisfy(\.canBeMissing) }

    /// Whether some callback can mark it.
    package var isMarked: Bool { !callbacks.isEmpty }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.require("from", &from)
        try fields.require("to", &to)
        try fields.bind("callbacks", &steps)
        try fields.bind("choice", &choice)
        try fields.bind("after", &after)
        try fields.bind("abnormal", &isAbnormal)
        try fields.bind("drawn", &isDrawn, usual: true)
        try fields.bind("profiles", &profiles)
        try systems.bind(&fields)
        try fields.bind("cause", &cause)
        try fields.bind("citation", &citation)
    }
}

/// What one transition does between two states.
package struct DocumentedMove: Sendable, Hashable {
    package var transition: ModelTransition
    package var from: String
    package var to: String
    /// Callbacks of which any makes the machine move; empty where none marks the move.
    package var callbacks: [String]
    /// Whether the move can happen without any callback.
    package var isSilent: Bool
}

/// All moves between two states: one row of `documented_transitions`.
package struct DocumentedEdge: Sendable, Hashable {
    package var from: String
    package var to: String
    package var transitions: [ModelTransition] = []
    /// Callbacks of which any makes the machine move, each once.
    package var callbacks: [String] = []
    /// Whether the move can happen without any callback.
    package var isSilent = false
}

/// An arrow of the documented picture: all moves between two states.
package struct DrawnEdge: Sendable, Hashable {
    package var from: String
    package var to: String
    /// Ids of the transitions that it represents.
    package var transitions: [String] = []
    /// Callbacks that move the machine along it, each once.
    package var callbacks: [String] = []
    package var isAbnormal = true
    /// Whether nothing ever marks it.
    package var isSilent: Bool { callbacks.isEmpty }
}

extension LifecycleModel {
    /// The moves of all transitions, in their order. A transition that passes through several states has several moves.
    ///
    /// Callbacks that leave the state as it is are included only for transitions that do nothing else.
    package var documentedMoves: [DocumentedMove] {
        let edges = self.edges
        return transitions.flatMap { transition in
            var moves: [DocumentedMove] = []
            func add(_ from: String, _ to: String, _ callback: String?, isSilent: Bool) {
                let index = moves.firstIndex { $0.from == from && $0.to == to } ?? moves.count
                if index == moves.count {
                    moves.append(.init(transition: transition, from: from, to: to, callbacks: [], isSilent: isSilent))
                }
                if let callback { moves[index].callbacks.append(callback) }
                if isSilent { moves[index].isSilent = true }
            }
            for edge in edges where edge.transitions.contains(transition.id) {
                guard edge.changesState || transition.from == transition.to else { continue }
                add(edge.from, edge.to, edge.callback, isSilent: false)
            }
            if transition.isSilent {
                for from in transition.from {
                    for to in transition.to { add(from, to, nil, isSilent: true) }
                }
            }
            // Where the callbacks of a step may be missing, the next one leads past its state; the documented way does not.
            return moves.filter { move in
                !moves.contains { first in
                    first.from == move.from && first.to != move.from && first.to != move.to
                        && moves.contains { $0.from == first.to && $0.to == move.to && $0.callbacks == move.callbacks }
                }
            }
        }
    }

    /// Each pair of states that a move leads between, once, in the order of the transitions.
    package var documentedEdges: [DocumentedEdge] {
        var edges: [DocumentedEdge] = []
        for move in documentedMoves {
            let index = edges.firstIndex { $0.from == move.from && $0.to == move.to } ?? edges.count
            if index == edges.count { edges.append(DocumentedEdge(from: move.from, to: move.to)) }
            edges[index].transitions.append(move.transition)
            edges[index].callbacks += move.callbacks.filter { !edges[index].callbacks.contains($0) }
            edges[index].isSilent = edges[index].isSilent || move.isSilent
        }
        return edges
    }

    /// The arrows of the documented picture, each pair of states once, in the order of the transitions.
    ///
    /// - Parameter abnormal: whether crashes and the like are shown.
    package func drawnEdges(abnormal: Bool = false) -> [DrawnEdge] {
        let shown = Set(states.filter(\.isDrawn).map(\.id))
        var drawn: [DrawnEdge] = []
        for move in documentedMoves where move.from != move.to && shown.isSuperset(of: [move.from, move.to]) {
            let transition = move.transition
            guard abnormal || !transition.isAbnormal, transition.isDrawn else { continue }
            let index = drawn.firstIndex { $0.from == move.from && $0.to == move.to } ?? drawn.count
            if index == drawn.count { drawn.append(DrawnEdge(from: move.from, to: move.to)) }
            drawn[index].transitions.append(transition.id)
            drawn[index].callbacks += move.callbacks.filter { !drawn[index].callbacks.contains($0) }
            if !transition.isAbnormal { drawn[index].isAbnormal = false }
        }
        return drawn
    }
}
