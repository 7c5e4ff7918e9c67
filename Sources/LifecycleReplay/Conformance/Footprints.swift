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

    /// Direct successions in the log, and those of them that the model documents.
    package var successions: Int { observed.values.reduce(0, +) }
    package var documentedSuccessions: Int { observed.reduce(0) { documented.contains($1.key) ? $0 + $1.value : $0 } }

    /// How many pairs of the model the log shows.
    package var shownPairs: Int { documented.count { observed[$0] != nil } }

    package var fitness: Double? { successions > 0 ? Double(documentedSuccessions) / Double(successions) : nil }

    package var precision: Double? {
        documented.isEmpty ? nil : Double(shownPairs) / Double(documented.count)
    }

    /// Compares variants, each weighted by its count, with a model.
    package init(_ variants: some Sequence<TraceVariant>, on model: LifecycleModel) {
        let machine = ConformanceMachine(model)
        var documented: Set<Pair> = []
        for state in machine.states.indices {
            for first in machine.moving {
                let targets = machine.after(first, in: state)
                for second in machine.moving where machine.after(second, from: targets) != 0 {
                    documented.insert(Pair(first: machine.callbacks[first], second: machine.callbacks[second]))
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
