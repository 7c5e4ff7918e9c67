package import LifecycleModel

/// Which callbacks follow each other directly, in the log and in the model, and how well the two agree.
///
/// Fitness: the share of direct successions in the log that the model documents, weighted by how often they occur.
/// Precision: the share of direct successions of the model that the log shows.
package struct Footprints: Sendable, Hashable {
    /// Two callbacks, the second directly after the first.
    package struct Pair: Sendable, Hashable {
        package var first: String
        package var second: String
        package init(first: String, second: String) {
            self.first = first
            self.second = second
        }
    }

    /// Direct successions of the log, with their numbers; supplementary callbacks are left out.
    package private(set) var observed: [Pair: Int] = [:]
    /// Direct successions of the model.
    package let documented: Set<Pair>

    package var fitness: Double? {
        let all = observed.values.reduce(0, +)
        guard all > 0 else { return nil }
        let known = observed.filter { documented.contains($0.key) }.values.reduce(0, +)
        return Double(known) / Double(all)
    }

    package var precision: Double? {
        guard !documented.isEmpty else { return nil }
        return Double(documented.count { observed[$0] != nil }) / Double(documented.count)
    }

    /// Compares variants, each weighted by its count, with a model.
    package init(_ variants: some Sequence<TraceVariant>, on model: LifecycleModel) {
        let machine = ConformanceMachine(model)
        var documented: Set<Pair> = []
        for state in machine.states.indices {
            for (first, targets) in machine.moves[state].enumerated() where !machine.supplementary[first] {
                for target in machine.closure(Set(targets)) {
                    for (second, next) in machine.moves[target].enumerated()
                    where !next.isEmpty && !machine.supplementary[second] {
                        documented.insert(Pair(first: machine.callbacks[first], second: machine.callbacks[second]))
                    }
                }
            }
        }
        self.documented = documented
        for variant in variants {
            let callbacks = variant.callbacks.filter { name in
                machine.numbers[name].map { !machine.supplementary[$0] } ?? true
            }
            for (first, second) in zip(callbacks, callbacks.dropFirst()) {
                observed[Pair(first: first, second: second), default: 0] += variant.count
            }
        }
    }
}
