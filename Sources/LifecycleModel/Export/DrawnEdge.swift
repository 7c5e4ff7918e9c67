/// An arrow of the documented picture: all transitions between two states.
package struct DrawnEdge: Sendable, Hashable {
    package var from: String
    package var to: String
    /// Ids of the transitions that it stands for.
    package var transitions: [String]
    /// Callbacks that take the machine along it, each once.
    package var callbacks: [String]
    /// Whether nothing ever marks it.
    package var isSilent: Bool
    /// Whether it is no part of a healthy life.
    package var isAbnormal: Bool
}

extension LifecycleModel {
    /// The arrows of the documented picture, each pair of states once, in the order of the transitions.
    ///
    /// - Parameters:
    ///   - abnormal: whether crashes and the like are shown.
    ///   - hidden: whether states and transitions that exist for analysis only are shown.
    package func drawnEdges(abnormal: Bool = false, hidden: Bool = false) -> [DrawnEdge] {
        var drawn: [DrawnEdge] = []
        func add(_ from: String, _ to: String, _ transition: ModelTransition, _ callback: String?) {
            let isShown = hidden || [from, to].allSatisfy { state($0)?.isDrawn ?? false }
            guard isShown, from != to else { return }
            let index =
                drawn.firstIndex { $0.from == from && $0.to == to }
                ?? {
                    drawn.append(
                        DrawnEdge(
                            from: from, to: to, transitions: [], callbacks: [], isSilent: true, isAbnormal: true))
                    return drawn.count - 1
                }()
            if !drawn[index].transitions.contains(transition.id) { drawn[index].transitions.append(transition.id) }
            if !transition.isAbnormal { drawn[index].isAbnormal = false }
            guard let callback else { return }
            drawn[index].isSilent = false
            if !drawn[index].callbacks.contains(callback) { drawn[index].callbacks.append(callback) }
        }
        let edges = self.edges
        for transition in transitions where (abnormal || !transition.isAbnormal) && (hidden || transition.isDrawn) {
            for edge in edges where edge.transitions.contains(transition.id) && edge.changesState {
                add(edge.from, edge.to, transition, edge.callback)
            }
            guard transition.isSilent else { continue }
            for from in transition.from {
                for to in transition.to { add(from, to, transition, nil) }
            }
        }
        return drawn
    }
}
