import LifecycleModel
import LifecycleReplay
import TraceStore

extension TraceWriter {
    /// The row ids that a replay begins with.
    var firstIDs: FirstIDs {
        let free = freeIDs
        return FirstIDs(step: free.step, run: free.run, instance: free.instance)
    }

    /// Stores what the models document, for the views `documented_states` and `documented_transitions`.
    func setModels(_ catalog: ModelCatalog) throws {
        var states: [DocumentedState] = []
        var transitions: [DocumentedTransition] = []
        for model in catalog.models {
            for state in model.states where state.isDrawn {
                states.append(
                    DocumentedState(
                        model: model.id, layer: model.layer, state: state.id, title: state.title.english,
                        isInitial: state.id == model.initial, isFinal: model.final.contains(state.id)))
            }
            for move in model.documentedMoves {
                transitions.append(
                    DocumentedTransition(
                        model: model.id, layer: model.layer, from: move.from, to: move.to,
                        callbacks: move.callbacks.joined(separator: ", "), isSilent: move.isSilent,
                        citation: "\(move.transition.id): \(move.transition.citation)"))
            }
        }
        try setModels(states: states, transitions: transitions)
    }
}

extension IngestPlanner {
    /// How much there is to read, in bytes; `nil` when nobody knows.
    var bytesToRead: Int64? {
        var sum: Int64 = 0
        for plan in logs {
            for source in plan.sources {
                guard let size = source.description.size, source.description.isSeekable else { return nil }
                sum += max(0, size - (source.point?.position.byteOffset ?? 0))
            }
        }
        return sum
    }
}
