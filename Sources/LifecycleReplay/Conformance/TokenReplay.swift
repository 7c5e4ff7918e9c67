package import LifecycleModel

/// Token-replay fitness: `1/2 (1 - missing/consumed) + 1/2 (1 - remaining/produced)`, summed over the log.
///
/// The model is a net with one token, which stands on the state. A callback that is not documented there consumes a
/// token that is missing and leaves the present one behind. Callbacks that the model does not know count alike. A trace
/// may end in any state, because logs do.
package struct TokenReplay: Sendable, Hashable {
    package private(set) var produced = 0
    package private(set) var consumed = 0
    package private(set) var missing = 0
    package private(set) var remaining = 0

    /// The fitness, from 0 to 1; `nil` for a log without traces.
    package var fitness: Double? {
        guard consumed > 0, produced > 0 else { return nil }
        return 0.5 * (1 - Double(missing) / Double(consumed)) + 0.5 * (1 - Double(remaining) / Double(produced))
    }

    /// Replays variants, each weighted by its count.
    package init(_ variants: some Sequence<TraceVariant>, on model: LifecycleModel) {
        let machine = ConformanceMachine(model)
        for variant in variants {
            let deviations = Self.deviations(of: variant, on: machine)
            // One token to begin with and one taken at the end, beside those of the callbacks.
            let length = variant.callbacks.count + 1
            produced += variant.count * length
            consumed += variant.count * length
            missing += variant.count * deviations
            remaining += variant.count * deviations
        }
    }

    /// How many callbacks of a trace come where the model does not document them.
    static func deviations(of variant: TraceVariant, on machine: ConformanceMachine) -> Int {
        var states = machine.beginning(variant)
        var deviations = 0
        for name in variant.callbacks {
            guard let callback = machine.numbers[name] else {
                deviations += 1
                continue
            }
            let next = machine.after(callback, from: states)
            if next == 0 {
                deviations += 1
                let proof = machine.proof(of: callback)
                if proof != 0 { states = proof }
            } else {
                states = next
            }
        }
        return deviations
    }
}
