extension LifecycleModel {
    /// Takes the states and moves of a chart that was made of this model and changed since, and keeps everything else
    /// that still has its place: a transition stays what it is as long as the chart has its moves.
    ///
    /// - Returns: what had no place any more.
    mutating func take(_ chart: LifecycleModel) -> [String] {
        let chart = renamed(chart)
        let shown = chart.moves(of: chart.transitions)
        let gone = states.filter { chart.state($0.id) == nil }.map(\.id)
        var remarks = gone.map { "state \($0) is not in the chart: left out with its title and citation" }
        states = chart.states.map { state in
            guard var own = self.state(state.id) else { return state }
            own.accepts.removeAll { !shown.contains([own.id, $0, own.id]) }
            return own
        }
        var kept: [ModelTransition] = []
        for transition in transitions {
            let lost = transition.from.filter { from in
                let parts = [transition.leaving([from])]
                return ([from] + transition.to).contains(where: gone.contains) || !moves(of: parts).isSubset(of: shown)
            }
            if !lost.isEmpty {
                remarks.append(
                    "transition \(transition.id) from \(lost.joined(separator: ", ")) is not in the chart as it was: "
                        + "left out with its citation (\(transition.citation))")
            }
            let rest = transition.leaving(transition.from.filter { !lost.contains($0) })
            if !rest.from.isEmpty { kept.append(rest) }
        }
        var covered = moves(of: kept).union(states.flatMap { state in state.accepts.map { [state.id, $0, state.id] } })
        var ids = Set(kept.map(\.id))
        var number = 0
        for transition in chart.transitions where !moves(of: [transition]).isSubset(of: covered) {
            let names = transition.callbacks.filter { name in
                !moves(of: [transition.marked(by: [name])]).isSubset(of: covered)
            }
            var new = transition.marked(by: names)
            repeat { number += 1 } while !ids.insert("T\(number)").inserted
            new.id = "T\(number)"
            kept.append(new)
            covered.formUnion(moves(of: [new]))
        }
        transitions = kept
        initial = chart.initial
        // A final state that is left again is no <final> in SCXML, so the chart does not say whether it is one.
        final = final.filter { !gone.contains($0) } + chart.final.filter { !final.contains($0) }
        callbacks += chart.callbacks.filter { callback($0.id) == nil }
        return remarks
    }

    /// The chart with the ids of this model in place of the XML names that stand for them.
    private func renamed(_ chart: LifecycleModel) -> LifecycleModel {
        func ids(_ all: [String]) -> [String: String] {
            Dictionary(all.map { (XMLText.name($0), $0) }, uniquingKeysWith: { first, _ in first })
        }
        let ofStates = ids(states.map(\.id))
        let ofCallbacks = ids(callbacks.map(\.id) + edges.map(\.callback))
        var chart = chart
        for index in chart.states.indices {
            chart.states[index].id = ofStates[chart.states[index].id] ?? chart.states[index].id
        }
        for index in chart.callbacks.indices {
            chart.callbacks[index].id = ofCallbacks[chart.callbacks[index].id] ?? chart.callbacks[index].id
        }
        for index in chart.transitions.indices {
            let transition = chart.transitions[index]
            chart.transitions[index].from = transition.from.map { ofStates[$0] ?? $0 }
            chart.transitions[index].to = transition.to.map { ofStates[$0] ?? $0 }
            chart.transitions[index] = chart.transitions[index]
                .marked(by: transition.callbacks.map { ofCallbacks[$0] ?? $0 })
        }
        chart.initial = ofStates[chart.initial] ?? chart.initial
        chart.final = chart.final.map { ofStates[$0] ?? $0 }
        return chart
    }

    /// What transitions do: from, callback (none when nothing marks it), to.
    private func moves(of transitions: [ModelTransition]) -> Set<[String]> {
        let part = LifecycleModel(
            id: id, layer: layer, title: title, scope: scope, initial: initial, transitions: transitions)
        let marked = part.edges.map { [$0.from, $0.callback, $0.to] }
        return Set(marked + part.silentMoves.map { [$0.from, "", $0.to] })
    }
}

extension ModelTransition {
    /// The part of it that begins in some of its states.
    fileprivate func leaving(_ states: [String]) -> ModelTransition {
        var part = self
        part.from = states
        return part
    }

    /// The same with other callbacks, any of which will do; silent without any.
    fileprivate func marked(by names: [String]) -> ModelTransition {
        var other = self
        other.steps = names.isEmpty ? [] : [.callback(CallbackPattern(names: names))]
        return other
    }
}
