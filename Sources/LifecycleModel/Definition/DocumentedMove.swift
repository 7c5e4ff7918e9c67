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
    /// Whether all its transitions are abnormal.
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
    /// - Parameters:
    ///   - abnormal: whether crashes and the like are shown.
    ///   - hidden: whether states and transitions that exist for analysis only are shown.
    package func drawnEdges(abnormal: Bool = false, hidden: Bool = false) -> [DrawnEdge] {
        let shown = Set(states.filter { hidden || $0.isDrawn }.map(\.id))
        var drawn: [DrawnEdge] = []
        for move in documentedMoves where move.from != move.to && shown.isSuperset(of: [move.from, move.to]) {
            let transition = move.transition
            guard abnormal || !transition.isAbnormal, hidden || transition.isDrawn else { continue }
            let index = drawn.firstIndex { $0.from == move.from && $0.to == move.to } ?? drawn.count
            if index == drawn.count { drawn.append(DrawnEdge(from: move.from, to: move.to)) }
            drawn[index].transitions.append(transition.id)
            drawn[index].callbacks += move.callbacks.filter { !drawn[index].callbacks.contains($0) }
            if !transition.isAbnormal { drawn[index].isAbnormal = false }
        }
        return drawn
    }
}
