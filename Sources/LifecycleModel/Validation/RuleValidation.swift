extension ModelCheck {
    mutating func checkRules() {
        var seen: Set<String> = []
        for rule in model.rules {
            let part = ModelOrigin.Part.rule(rule.id)
            let role = "rule \(rule.id)"
            if !seen.insert(rule.id).inserted { report(.error, part, "\(role) is defined twice") }
            requireCitation(rule.citation, in: part, of: role)
            units(rule.message, in: part, of: role)
            condition(rule.condition, in: part, of: role)
            requireProfiles(Array(rule.severityByProfile.keys).sorted(), in: part, of: role)
            for check in rule.checks {
                names(check, in: part, of: role)
                fields(check, in: part, of: role)
                contradictions(check, in: part, of: role)
                paths(check, of: rule, in: part)
            }
        }
    }

    private mutating func units(_ message: String, in part: ModelOrigin.Part, of role: String) {
        guard let time = message.firstMatch(of: /\{(seconds|limit)[^}]*\} ?(s|sec|secs|seconds?|ms|min)\b/) else {
            return
        }
        report(.error, part, "\(role): leave out the '\(time.2)' of its message: '{\(time.1)}' has its unit")
    }

    private mutating func condition(_ condition: RuleCondition, in part: ModelOrigin.Part, of role: String) {
        requireProfiles(condition.profiles, in: part, of: role)
        for (key, value) in condition.options.sorted(by: { $0.key < $1.key }) {
            guard let option = catalog.settings.option(key) else {
                report(.error, part, "\(role) depends on the configuration key '\(key)', which does not exist")
                continue
            }
            if !option.values.isEmpty, !option.values.contains(value) {
                report(.error, part, "\(role) requires '\(key)' to be '\(value)', which is not an allowed value")
            }
        }
    }

    private mutating func names(_ check: RuleCheck, in part: ModelOrigin.Part, of role: String) {
        let exchanged = check.order.flatMap(\.self).map { String($0.split(separator: " ").last ?? "") }
        let ids = [
            check.when, check.then, check.among, check.from, check.until, check.unless, check.seen, check.unseen,
        ]
        requireCallbacks(ids.flatMap(\.self) + exchanged, in: part, of: role)
        if model.derives == nil || check.template != .agreesWithDerived {
            requireStates(check.states, in: part, of: role)
        }
    }

    /// Reports fields that the template needs and the check lacks.
    private mutating func fields(_ check: RuleCheck, in part: ModelOrigin.Part, of role: String) {
        let given = [
            "when": !check.when.isEmpty, "then": !check.then.isEmpty, "states": !check.states.isEmpty,
            "from": !check.from.isEmpty, "order": !check.order.isEmpty, "seconds": check.seconds != nil,
            "evidence": !check.evidence.isEmpty,
        ]
        for field in check.template.requiredFields where given[field] == false {
            report(.error, part, "\(role): the template \(check.template.rawValue) needs '\(field)'")
        }
    }

    /// Reports contradictions between a rule and the transitions.
    private mutating func contradictions(_ check: RuleCheck, in part: ModelOrigin.Part, of role: String) {
        let known = Set(model.callbacks.map(\.id)).subtracting(machine.supplementary)
        let when = check.when.filter { known.contains($0) && !machine.origins(of: $0).isEmpty }
        let then = check.then.filter(known.contains)
        switch check.template {
        case .onlyInState:
            for callback in when {
                let outside = machine.origins(of: callback).subtracting(check.states).sorted()
                for state in outside where model.state(state)?.isDrawn ?? false {
                    let names = machine.edges.first { $0.from == state && $0.callback == callback }?.transitions ?? []
                    report(
                        .error, part,
                        "\(role) forbids \(callback) in \(state), where \(names.joined(separator: ", ")) allows it")
                }
            }
        case .chainResponse:
            for callback in when {
                let after = machine.targets(of: callback)
                for next in then where machine.after(next, from: after).isEmpty {
                    report(
                        .error, part,
                        "\(role) requires \(next) right after \(callback), but no transition allows it there")
                }
            }
        case .chainPrecedence:
            for callback in when {
                for previous in then
                where machine.after(callback, from: machine.targets(of: previous)).isEmpty {
                    report(
                        .error, part,
                        "\(role) lets \(callback) follow \(previous), but no transition allows it there")
                }
            }
        case .initial:
            for callback in when where machine.after(callback, from: [model.initial]).isEmpty {
                report(
                    .error, part, "\(role) begins with \(callback), which no transition allows in '\(model.initial)'")
            }
        case .end:
            for callback in when where machine.targets(of: callback).isDisjoint(with: model.final) {
                report(.error, part, "\(role) ends with \(callback), which leads to no final state")
            }
        default:
            break
        }
    }

    mutating func checkLimits() {
        for limit in model.limits {
            let part = ModelOrigin.Part.limit(limit.id)
            let role = "limit \(limit.id)"
            requireCitation(limit.citation, in: part, of: role)
            units(limit.message, in: part, of: role)
            condition(limit.condition, in: part, of: role)
            requireProfiles(limit.thresholdsByProfile.keys.sorted(), in: part, of: role)
            let points = limit.from + limit.to + limit.before
            requireCallbacks(points.flatMap(\.callbacks) + limit.cancelledBy, in: part, of: role)
            let others = limit.models.compactMap { catalog.model($0) }.flatMap(\.states).map(\.id)
            let known = knownStates.union(others)
            for state in Set(points.flatMap(\.states)).sorted() where !known.contains(state) {
                report(.error, part, "\(role) names the state '\(state)', which none of its models has")
            }
            for (milder, harder) in zip(limit.thresholds, limit.thresholds.dropFirst())
            where milder.seconds > harder.seconds {
                report(
                    .error, part,
                    "\(role): '\(milder.severity.rawValue)' begins at \(milder.seconds) s, "
                        + "after '\(harder.severity.rawValue)' at \(harder.seconds) s")
            }
            if limit.thresholds.isEmpty { report(.error, part, "\(role) has no thresholds") }
            if limit.kind != .grace, limit.from.isEmpty || limit.to.isEmpty {
                report(.error, part, "\(role) needs 'from' and 'to'")
            }
        }
    }

    mutating func checkNextCallbacks() {
        for (index, row) in model.nextCallbacks.enumerated() {
            let part = ModelOrigin.Part.nextCallbacks(index)
            let role = "the row after '\(row.after ?? "start")'"
            requireCallbacks((row.after.map { [$0] } ?? []) + row.legal + row.doubtful, in: part, of: role)
            for rule in row.rules where model.rule(rule) == nil {
                report(.error, part, "\(role) names the rule '\(rule)', which does not exist")
            }
            let after = row.after.map { machine.targets(of: $0) } ?? [model.initial]
            for next in row.legal + row.doubtful
            where knownCallbacks.contains(next) && machine.after(next, from: after).isEmpty {
                report(.error, part, "\(role) allows \(next), which no transition allows there")
            }
        }
    }
}

extension ModelCheck {
    /// Reports requirements of a check that no path along the transitions can satisfy.
    ///
    /// Only certain cases are reported: a rule that some path satisfies may exist to exclude the other paths.
    private mutating func paths(_ check: RuleCheck, of rule: ModelRule, in part: ModelOrigin.Part) {
        guard rule.condition.isAlways, !check.when.isEmpty, isAboutWholePaths(check) else { return }
        let reached = machine.reachable(from: beginnings)
        let role = "rule \(rule.id)"
        switch check.template {
        case .absence:
            guard canEnd(reached), !canEnd(machine.reachable(from: beginnings, without: check.when)) else { return }
            report(.error, part, "\(role) forbids \(list(check.when)), but no path of transitions ends without it")
        case .existence:
            guard areOfTransitions(check.when), machine.targets(of: check.when, in: reached).isEmpty else { return }
            report(.error, part, "\(role) requires \(list(check.when)), which is on no path of transitions")
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

    /// The requirement that no path through a callback, which leads to the states `after`, can satisfy; `nil` if one can.
    private func problem(
        _ check: RuleCheck, _ callback: String, after: Set<String>, _ reached: Set<String>
    ) -> String? {
        let then = list(check.then)
        switch check.template {
        case .response:
            guard areOfTransitions(check.then),
                machine.targets(of: check.then, in: machine.reachable(from: after)).isEmpty
            else { return nil }
            return "requires \(then) after \(callback), but no path of transitions has it there"
        case .precedence:
            let answered = machine.reachable(from: machine.targets(of: check.then, in: reached))
            guard areOfTransitions(check.then), machine.targets(of: [callback], in: answered).isEmpty
            else { return nil }
            return "requires \(then) before \(callback), but no path of transitions has it there"
        case .notSuccession:
            guard canEnd(machine.reachable(from: after)),
                !canEnd(machine.reachable(from: after, without: check.then))
            else { return nil }
            return "forbids \(then) after \(callback), but no path of transitions ends without it"
        default:
            let states = machine.closure(after)
            let next = machine.callbacks(in: states)
            guard !canEnd(states), !next.isEmpty, next.isSubset(of: check.then) else { return nil }
            return "forbids \(then) right after \(callback), but the transitions allow nothing else there"
        }
    }

    /// Whether a check concerns the whole path of one machine, and nothing but its transitions.
    private func isAboutWholePaths(_ check: RuleCheck) -> Bool {
        guard check.scope == .instance || check.scope == .run && model.scope == .run else { return false }
        let narrowing = [check.among, check.from, check.until, check.unless, check.seen, check.unseen, check.states]
        return narrowing.allSatisfy(\.isEmpty) && !check.rootOnly && (check.count ?? 1) <= 1
    }

    /// Whether transitions determine when callbacks come. Others may come at any time.
    private func areOfTransitions(_ callbacks: [String]) -> Bool {
        callbacks.allSatisfy { id in
            !machine.supplementary.contains(id) && (model.callback(id) != nil || !machine.origins(of: id).isEmpty)
        }
    }

    private func canEnd(_ states: Set<String>) -> Bool { !states.isDisjoint(with: model.final) }

    private func list(_ callbacks: [String]) -> String { callbacks.joined(separator: " or ") }
}

extension RuleTemplate {
    /// Fields of a check without which it means nothing.
    fileprivate var requiredFields: [String] {
        switch self {
        case .initial, .end, .existence, .absence, .atMost, .exactly, .permitted: ["when"]
        case .response, .precedence, .chainResponse, .chainPrecedence, .alternate, .notSuccession,
            .notChainSuccession, .notCoexistence, .respondedExistence, .firstOrder:
            ["when", "then"]
        case .onlyInState, .noInstanceInState: ["when", "states"]
        case .absenceBetween, .existenceBetween: ["when", "from"]
        case .silentEnd: ["states"]
        case .noLongSilenceBefore, .agreesWithDerived: ["when", "seconds"]
        case .notWithin: ["when", "then", "seconds"]
        case .exchange: ["order"]
        case .noEvidence: ["evidence"]
        case .exchangeResponse: ["then"]
        }
    }
}
