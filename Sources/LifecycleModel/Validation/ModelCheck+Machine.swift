extension ModelCheck {
    mutating func states() {
        for use in model.uses where catalog.model(use) == nil {
            report(.error, .model, "the model uses '\(use)', which does not exist")
        }
        states([model.initial], in: .initial, of: "'initial'")
        states(model.final, in: .model, of: "'final'")
        for state in model.states {
            let role = "state \(state.id)"
            callbacks(state.accepts, in: .state(state.id), of: role)
            citation(state.citation, in: .state(state.id), of: role)
        }
    }

    mutating func callbacks() {
        var owners: [String: String] = [:]
        for callback in model.callbacks {
            let part = ModelOrigin.Part.callback(callback.id)
            let role = "callback \(callback.id)"
            states([callback.proves, callback.before].compactMap(\.self), in: part, of: role)
            if callback.spellings.isEmpty, callback.patterns.isEmpty, callback.beginnings.isEmpty {
                report(.warning, part, "\(role) has neither spellings nor patterns; no log can show it")
            }
            for spelling in callback.spellings.map({ $0.lowercased() }) + callback.patterns {
                if let owner = owners[spelling], owner != callback.id {
                    report(.error, part, "\(role) is spelt '\(spelling)' as \(owner) is; a line cannot be both")
                }
                owners[spelling] = callback.id
            }
            if !callback.isSupplementary, machine.origins(of: callback.id).isEmpty {
                report(.warning, part, "\(role) is in no transition; mark it as supplementary or use it")
            }
            citation(callback.citation, in: part, of: role)
        }
    }

    mutating func transitions() {
        for transition in model.transitions {
            let part = ModelOrigin.Part.transition(transition.id)
            let role = "transition \(transition.id)"
            states(transition.from + transition.to + transition.steps.flatMap(\.namedStates), in: part, of: role)
            callbacks(transition.callbacks + transition.after, in: part, of: role)
            profiles(transition.profiles, in: part, of: role)
            citation(transition.citation, in: part, of: role)
        }
    }

    mutating func profiles(_ ids: [String], in part: ModelOrigin.Part, of role: String) {
        for id in ids where !catalog.settings.profiles.contains(where: { $0.id == id }) {
            report(.error, part, "\(role) names the profile '\(id)', which does not exist")
        }
    }

    mutating func reachability() {
        // States that are there for analysis only may stand apart, and may be where a machine comes from.
        let reachable = machine.reachable(from: beginnings)
        for state in model.states where !reachable.contains(state.id) {
            report(
                .warning, .state(state.id),
                "state \(state.id) cannot be reached from '\(model.initial)'; add a transition to it or take it out")
        }
        for transition in model.transitions where !transition.from.contains(where: reachable.contains) {
            let from = transition.from.joined(separator: ", ")
            report(
                .warning, .transition(transition.id),
                "transition \(transition.id) is dead: \(from) cannot be reached")
        }
        let left = Set(model.transitions.flatMap { transition in transition.from.filter { $0 != transition.to.first } })
        for state in model.states where state.isDrawn && !left.contains(state.id) && !model.final.contains(state.id) {
            report(
                .warning, .state(state.id), "state \(state.id) is never left; add a transition or list it as final")
        }
    }

    mutating func determinism() {
        let groups = Dictionary(grouping: machine.edges) { [$0.from, $0.callback] }
        for edges in groups.values.sorted(by: { ($0[0].from, $0[0].callback) < ($1[0].from, $1[0].callback) }) {
            guard let first = edges.first, edges.count > 1 else { continue }
            let shared = edges.dropFirst().reduce(Set(first.choices)) { $0.intersection($1.choices) }
            guard shared.isEmpty else { continue }
            let targets = edges.map(\.to).joined(separator: " or ")
            let names = edges.flatMap(\.transitions)
            report(
                .error, .transition(names.last ?? ""),
                "\(first.callback) in \(first.from) leads to \(targets) (\(names.joined(separator: ", "))); "
                    + "give these transitions the same 'choice' if what follows decides, or different callbacks")
        }
    }
}

extension StepPattern {
    /// States that its callbacks name.
    var namedStates: [String] {
        switch self {
        case .callback(let callback): callback.to.map { [$0] } ?? []
        case .silent, .later, .newRun, .scenario: []
        case .optional(let steps), .repeated(let steps, _), .unordered(let steps): steps.flatMap(\.namedStates)
        }
    }
}
