extension ModelCheck {
    mutating func rules() {
        var seen: Set<String> = []
        for rule in model.rules {
            let part = ModelOrigin.Part.rule(rule.id)
            let role = "rule \(rule.id)"
            if !seen.insert(rule.id).inserted { report(.error, part, "\(role) is there twice") }
            citation(rule.citation, in: part, of: role)
            condition(rule.condition, in: part, of: role)
            profiles(Array(rule.severityByProfile.keys).sorted(), in: part, of: role)
            for check in rule.checks {
                names(check, in: part, of: role)
                fields(check, in: part, of: role)
                contradictions(check, in: part, of: role)
                paths(check, of: rule, in: part)
            }
        }
    }

    mutating func condition(_ condition: RuleCondition, in part: ModelOrigin.Part, of role: String) {
        profiles(condition.profiles, in: part, of: role)
        for (key, value) in condition.options.sorted(by: { $0.key < $1.key }) {
            guard let option = catalog.settings.option(key) else {
                report(.error, part, "\(role) asks for the configuration key '\(key)', which does not exist")
                continue
            }
            if !option.values.isEmpty, !option.values.contains(value) {
                report(.error, part, "\(role) asks for '\(key)' to be '\(value)', which it cannot be")
            }
        }
    }

    private mutating func names(_ check: RuleCheck, in part: ModelOrigin.Part, of role: String) {
        let exchanged = check.order.flatMap(\.self).map { String($0.split(separator: " ").last ?? "") }
        let ids = [
            check.when, check.then, check.among, check.from, check.until, check.unless, check.seen, check.unseen,
        ]
        callbacks(ids.flatMap(\.self) + exchanged, in: part, of: role)
        if model.derives == nil || check.template != .agreesWithDerived { states(check.states, in: part, of: role) }
    }

    /// Reports fields that the template needs and the check lacks.
    private mutating func fields(_ check: RuleCheck, in part: ModelOrigin.Part, of role: String) {
        var missing: [String] = []
        switch check.template {
        case .initial, .end, .existence, .absence, .atMost, .exactly, .permitted:
            if check.when.isEmpty { missing.append("when") }
        case .response, .precedence, .chainResponse, .chainPrecedence, .alternate, .notSuccession,
            .notChainSuccession, .notCoexistence, .respondedExistence, .firstOrder:
            if check.when.isEmpty { missing.append("when") }
            if check.then.isEmpty { missing.append("then") }
        case .onlyInState, .noInstanceInState:
            if check.when.isEmpty { missing.append("when") }
            if check.states.isEmpty { missing.append("states") }
        case .absenceBetween, .existenceBetween:
            if check.when.isEmpty { missing.append("when") }
            if check.from.isEmpty { missing.append("from") }
        case .silentEnd:
            if check.states.isEmpty { missing.append("states") }
        case .noLongSilenceBefore, .agreesWithDerived:
            if check.when.isEmpty { missing.append("when") }
            if check.seconds == nil { missing.append("seconds") }
        case .notWithin:
            if check.when.isEmpty { missing.append("when") }
            if check.then.isEmpty { missing.append("then") }
            if check.seconds == nil { missing.append("seconds") }
        case .exchange:
            if check.order.isEmpty { missing.append("order") }
        case .exchangeResponse:
            if check.then.isEmpty { missing.append("then") }
        }
        for field in missing {
            report(.error, part, "\(role): the template \(check.template.rawValue) needs '\(field)'")
        }
    }

    /// Reports what a rule demands and the transitions rule out, or the other way round.
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
                        "\(role) forbids \(callback) in \(state), where \(names.joined(separator: ", ")) has it")
                }
            }
        case .chainResponse:
            for callback in when {
                let after = machine.targets(of: callback)
                for next in then where machine.after(next, from: after).isEmpty {
                    report(
                        .error, part,
                        "\(role) wants \(next) right after \(callback), but no transition has it there")
                }
            }
        case .chainPrecedence:
            for callback in when {
                for previous in then
                where machine.after(callback, from: machine.targets(of: previous)).isEmpty {
                    report(
                        .error, part,
                        "\(role) lets \(callback) follow \(previous), but no transition has it there")
                }
            }
        case .initial:
            for callback in when where machine.after(callback, from: [model.initial]).isEmpty {
                report(
                    .error, part, "\(role) begins with \(callback), which no transition has in '\(model.initial)'")
            }
        case .end:
            for callback in when where machine.targets(of: callback).isDisjoint(with: model.final) {
                report(.error, part, "\(role) ends with \(callback), which leads to no final state")
            }
        default:
            break
        }
    }

    mutating func limits() {
        for limit in model.limits {
            let part = ModelOrigin.Part.limit(limit.id)
            let role = "limit \(limit.id)"
            citation(limit.citation, in: part, of: role)
            condition(limit.condition, in: part, of: role)
            profiles(limit.thresholdsByProfile.keys.sorted(), in: part, of: role)
            let points = limit.from + limit.to + limit.before
            callbacks(points.flatMap(\.callbacks) + limit.cancelledBy, in: part, of: role)
            let others = limit.models.compactMap { catalog.model($0) }.flatMap(\.states).map(\.id)
            let known = knownStates.union(others)
            for state in Set(points.flatMap(\.states)).sorted() where !known.contains(state) {
                report(.error, part, "\(role) names the state '\(state)', which no model of it has")
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

    mutating func nextCallbacks() {
        for (index, row) in model.nextCallbacks.enumerated() {
            let part = ModelOrigin.Part.nextCallbacks(index)
            let role = "the row after '\(row.after ?? "start")'"
            callbacks((row.after.map { [$0] } ?? []) + row.legal + row.doubtful, in: part, of: role)
            for rule in row.rules where model.rule(rule) == nil {
                report(.error, part, "\(role) names the rule '\(rule)', which does not exist")
            }
            let after = row.after.map { machine.targets(of: $0) } ?? [model.initial]
            for next in row.legal + row.doubtful
            where knownCallbacks.contains(next) && machine.after(next, from: after).isEmpty {
                report(.error, part, "\(role) allows \(next), which no transition has there")
            }
        }
    }
}
