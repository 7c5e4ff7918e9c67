extension ModelCheck {
    mutating func checkScenarios() {
        for scenario in model.scenarios {
            let part = ModelOrigin.Part.scenario(scenario.id)
            let role = "scenario \(scenario.id)"
            requireCitation(scenario.citation, in: part, of: role)
            let absent = scenario.absent.compactMap { $0.split(separator: " ").last.map(String.init) }
            requireCallbacks(scenario.steps.flatMap(\.callbacks) + absent, in: part, of: role)
            for id in scenario.steps.flatMap(\.scenarios) where knownScenario(id) == nil {
                report(.error, part, "\(role) contains '\(id)', which is not a scenario")
            }
            for id in scenario.breaks where !isRuleOrLimit(id) {
                report(.error, part, "\(role) breaks '\(id)', which is neither a rule nor a limit")
            }
            for path in scenario.paths { self.path(path, of: scenario) }
        }
    }

    mutating func checkClasses() {
        for equivalenceClass in model.classes {
            let part = ModelOrigin.Part.equivalenceClass(equivalenceClass.id)
            let role = "class \(equivalenceClass.id)"
            requireCitation(equivalenceClass.citation, in: part, of: role)
            let members = Set(equivalenceClass.members + equivalenceClass.hints.flatMap(\.members))
            for id in members.sorted() where knownScenario(id) == nil {
                report(.error, part, "\(role) has the member '\(id)', which is not a scenario")
            }
            let known = Set((catalog.models + [model]).flatMap(\.states).map(\.id))
            for id in equivalenceClass.beginsIn where !known.contains(id) {
                report(.error, part, "\(role) begins in '\(id)', which is not a state")
            }
            let hinted = equivalenceClass.hints.flatMap { $0.callbacks + $0.gap }
            let declared = Set(catalog.models.flatMap(\.callbacks).map(\.id)).union(knownCallbacks)
            for id in equivalenceClass.signature.flatMap(\.callbacks) + hinted where !declared.contains(id) {
                report(.error, part, "\(role) names the callback '\(id)', which no model declares")
            }
        }
    }

    /// Reports a path that the transitions do not allow for the callbacks of the scenario.
    private mutating func path(_ path: ModelScenario.Path, of scenario: ModelScenario) {
        let part = ModelOrigin.Part.scenario(scenario.id)
        let role = "scenario \(scenario.id)"
        guard let owner = path.model == model.id ? model : catalog.model(path.model) else {
            report(.error, part, "\(role) has a path in the model '\(path.model)', which does not exist")
            return
        }
        let unknown = path.stops.map(\.state).filter { owner.state($0) == nil }
        for state in unknown {
            report(.error, part, "\(role) passes through '\(state)', which \(owner.id) does not have")
        }
        guard unknown.isEmpty, let last = path.states.last else { return }
        let check = self
        let player = ScenarioPlayer(
            machine: ModelMachine(owner, in: catalog), owner: owner, actor: path.actor,
            scenario: { check.knownScenario($0) })
        let start = path.stops.prefix { $0.isOptional }.map(\.state) + [path.states.first ?? last]
        let ends = player.play(scenario.steps, from: Set(start))
        if !ends.contains(last) {
            let reached = ends.isEmpty ? "cannot be completed" : "ends in \(ends.sorted().joined(separator: " or "))"
            report(.error, part, "\(role) should end in \(last), but with the transitions of \(owner.id) it \(reached)")
        }
    }

    private func knownScenario(_ id: String) -> ModelScenario? {
        model.scenario(id) ?? catalog.models.lazy.compactMap { $0.scenario(id) }.first
    }

    private func isRuleOrLimit(_ id: String) -> Bool {
        (catalog.models + [model]).contains { $0.rule(id) != nil || $0.limit(id) != nil }
    }
}

/// Follows the steps of a scenario through one machine, along all paths that the transitions allow.
private struct ScenarioPlayer {
    let machine: ModelMachine
    let owner: LifecycleModel
    let actor: String?
    let scenario: (String) -> ModelScenario?

    /// States in which the machine may be after the steps, silent moves included.
    func play(_ steps: [StepPattern], from states: Set<String>) -> Set<String> {
        var states = machine.closure(states)
        for step in steps { states = machine.closure(play(step, from: states)) }
        return states
    }

    private func play(_ step: StepPattern, from states: Set<String>) -> Set<String> {
        switch step {
        case .silent, .later:
            return states
        case .newRun:
            return [owner.initial]
        case .scenario(let id):
            return scenario(id).map { play($0.steps, from: states) } ?? states
        case .callback(let callback):
            if let actor, let other = callback.actor, other != actor { return states }
            let own = callback.names.filter { !machine.origins(of: $0).isEmpty }
            guard !own.isEmpty else { return states }
            return Set(own.flatMap { machine.after($0, from: states) })
        case .optional(let steps):
            return states.union(play(steps, from: states))
        case .repeated(let steps, let atLeast):
            let once = play(steps, from: states)
            return once.union(atLeast == 0 ? states : [])
        case .unordered(let steps):
            return play(steps, from: states).union(play(steps.reversed(), from: states))
        }
    }
}
