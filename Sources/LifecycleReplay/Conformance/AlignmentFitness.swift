package import LifecycleModel

/// Alignment fitness of a log: `1 - cost / (callbacks + shortest model paths)`.
///
/// The shortest path through the model is empty, because a trace may end in any state.
package struct AlignmentFitness: Sendable, Hashable {
    /// A change that a log needs in order to conform.
    package struct Repair: Sendable, Hashable {
        /// Whether a callback is to be put in; otherwise it is to be left out.
        package var isInsertion: Bool
        package var callback: String
        /// The line that it comes before when it is put in, or after when it is left out; `nil` at an end of the trace.
        package var neighbour: String?

        package init(isInsertion: Bool, callback: String, neighbour: String?) {
            self.isInsertion = isInsertion
            self.callback = callback
            self.neighbour = neighbour
        }
    }

    /// Deviations of all traces, and their callbacks.
    package private(set) var cost = 0
    package private(set) var worst = 0
    /// How often each repair is needed.
    package private(set) var repairs: [Repair: Int] = [:]

    /// The fitness, from 0 to 1; `nil` for a log without callbacks.
    package var fitness: Double? { worst > 0 ? 1 - Double(cost) / Double(worst) : nil }

    /// Aligns variants, each weighted by its count.
    package init(_ variants: some Sequence<TraceVariant>, on model: LifecycleModel) {
        let machine = ConformanceMachine(model)
        for variant in variants {
            worst += variant.count * variant.callbacks.count
            if TokenReplay.deviations(of: variant, on: machine) == 0 { continue }
            let alignment = Alignment(variant, machine: machine)
            cost += variant.count * alignment.cost
            for move in alignment.moves { repairs[Self.repair(move, variant), default: 0] += variant.count }
        }
    }

    private static func repair(_ move: Alignment.Move, _ variant: TraceVariant) -> Repair {
        switch move {
        case .model(let position, let callback):
            let following = position < variant.callbacks.count ? variant.callbacks[position] : nil
            return Repair(isInsertion: true, callback: callback, neighbour: following)
        case .log(let position, let callback):
            let before = position > 0 ? variant.callbacks[position - 1] : nil
            return Repair(isInsertion: false, callback: callback, neighbour: before)
        }
    }
}
