extension ModelCheck {
    /// States in which a path may begin: the initial one, and those that are there for analysis only.
    var beginnings: Set<String> {
        Set(model.states.filter { !$0.isDrawn }.map(\.id) + [model.initial])
    }

    /// Reports what a check demands and no path along the transitions can give.
    ///
    /// Only what is certain: a rule that some path satisfies may well be there to tell the others from it.
    mutating func paths(_ check: RuleCheck, of rule: ModelRule, in part: ModelOrigin.Part) {
        guard rule.condition.isAlways, !check.when.isEmpty, isAboutWholePaths(check) else { return }
        let reached = machine.reachable(from: beginnings)
        let role = "rule \(rule.id)"
        switch check.template {
        case .absence:
            guard canEnd(reached), !canEnd(machine.reachable(from: beginnings, without: check.when)) else { return }
            report(.error, part, "\(role) forbids \(list(check.when)), but no path of transitions ends without it")
        case .existence:
            guard areOfTransitions(check.when), machine.targets(of: check.when, in: reached).isEmpty else { return }
            report(.error, part, "\(role) wants \(list(check.when)), which no path of transitions has")
        case .response, .precedence, .notSuccession, .notChainSuccession:
            guard !check.then.isEmpty else { return }
            for callback in check.when {
                let after = machine.targets(of: [callback], in: reached)
                guard !after.isEmpty else { continue }
                if let problem = problem(check, callback, after: after, reached) {
                    report(.error, part, "\(role) \(problem)")
                }
            }
        default:
            break
        }
    }

    /// What no path with a callback, which leads to the states `after`, can give; `nil` when there is one that can.
    private func problem(
        _ check: RuleCheck, _ callback: String, after: Set<String>, _ reached: Set<String>
    ) -> String? {
        let then = list(check.then)
        switch check.template {
        case .response:
            guard areOfTransitions(check.then),
                machine.targets(of: check.then, in: machine.reachable(from: after)).isEmpty
            else { return nil }
            return "wants \(then) after \(callback), but no path of transitions has it there"
        case .precedence:
            let answered = machine.reachable(from: machine.targets(of: check.then, in: reached))
            guard areOfTransitions(check.then), machine.targets(of: [callback], in: answered).isEmpty
            else { return nil }
            return "wants \(then) before \(callback), but no path of transitions has it there"
        case .notSuccession:
            guard canEnd(machine.reachable(from: after)),
                !canEnd(machine.reachable(from: after, without: check.then))
            else { return nil }
            return "forbids \(then) after \(callback), but no path of transitions ends without it"
        default:
            let states = machine.closure(after)
            let next = machine.callbacks(in: states)
            guard !canEnd(states), !next.isEmpty, next.isSubset(of: check.then) else { return nil }
            return "forbids \(then) right after \(callback), but the transitions have nothing else there"
        }
    }

    /// Whether a check looks at the whole path of one machine, and at nothing that its transitions do not tell.
    private func isAboutWholePaths(_ check: RuleCheck) -> Bool {
        guard check.scope == .instance || check.scope == .run && model.scope == .run else { return false }
        let narrowing = [check.among, check.from, check.until, check.unless, check.seen, check.unseen, check.states]
        return narrowing.allSatisfy(\.isEmpty) && !check.rootOnly && (check.count ?? 1) <= 1
    }

    /// Whether transitions tell when callbacks come: others may come at any time.
    private func areOfTransitions(_ callbacks: [String]) -> Bool {
        callbacks.allSatisfy { id in
            !machine.supplementary.contains(id) && (model.callback(id) != nil || !machine.origins(of: id).isEmpty)
        }
    }

    private func canEnd(_ states: Set<String>) -> Bool { !states.isDisjoint(with: model.final) }

    private func list(_ callbacks: [String]) -> String { callbacks.joined(separator: " or ") }
}
