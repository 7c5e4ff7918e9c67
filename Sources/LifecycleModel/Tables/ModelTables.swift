/// A table of a model, as data.
package struct ModelTable: Sendable, Hashable {
    /// What the table is about (`transitions`, `rules` …).
    package var name: String
    package var columns: [String]
    /// One text per column; empty where there is nothing to show. The first column is the id.
    package var rows: [[String]]
}

/// The tables of the documented models, which `lifestats model show` prints.
package enum ModelTables {
    /// All tables of a model that have rows, in a fixed order.
    ///
    /// - Parameter language: language of titles of states and scenarios.
    package static func tables(of model: LifecycleModel, language: String = "en") -> [ModelTable] {
        [
            states(model, language), callbacks(model), transitions(model), nextCallbacks(model), rules(model),
            limits(model), scenarios(model, language), classes(model, language),
        ].filter { !$0.rows.isEmpty }
    }

    /// The tables of everything that belongs to no single model: profiles, configuration keys, decisions, end codes,
    /// evidence for silent transitions, disagreements of the documents, and the documents.
    package static func tables(of settings: ModelSettings) -> [ModelTable] {
        [
            ModelTable(
                name: "profiles", columns: ["profile", "title", "systems", "citation"],
                rows: settings.profiles.map { profile in
                    [
                        profile.id, profile.title,
                        profile.systems.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "", profile.citation,
                    ]
                }),
            ModelTable(
                name: "options", columns: ["key", "values", "default", "fixed, or set by", "meaning", "citation"],
                rows: settings.options.map { option in
                    [
                        option.id, option.valuesInWords, option.standard, option.isFixed ? "yes" : option.flag ?? "",
                        option.summary, option.citation,
                    ]
                }),
            ModelTable(
                name: "decisions", columns: ["number", "question", "default", "because", "option", "citation"],
                rows: settings.decisions.map {
                    [$0.id, $0.question, $0.standard, $0.reason, $0.option, $0.citation]
                }),
            ModelTable(
                name: "end codes", columns: ["code", "decimal", "meaning", "end reason", "transitions", "citation"],
                rows: settings.endCodes.map { code in
                    [
                        code.code, code.decimal.map(String.init) ?? "", code.meaning, code.endReason,
                        list(code.transitions), code.citation,
                    ]
                }),
            ModelTable(
                name: "silent evidence", columns: ["transition", "in the log", "elsewhere"],
                rows: settings.silentEvidence.map { [$0.id, $0.inLog, $0.elsewhere] }),
            ModelTable(
                name: "disagreements", columns: ["number", "topic", "choice", "implemented by", "tested by"],
                rows: settings.choices.map { choice in
                    [choice.id, choice.topic, choice.choice, list(choice.implementedBy), choice.testedBy]
                }),
            ModelTable(
                name: "documents", columns: ["name", "title", "address"],
                rows: settings.documents.map { [$0.id, $0.title, $0.address] }),
        ].filter { !$0.rows.isEmpty }
    }

    private static func states(_ model: LifecycleModel, _ language: String) -> ModelTable {
        ModelTable(
            name: "states",
            columns: [
                "state", "title", "role", "runs code", "platform value", "also called", "meaning", "citation",
                "systems",
            ],
            rows: model.states.map { state in
                var roles: [String] = []
                if state.id == model.initial { roles.append("initial") }
                if model.final.contains(state.id) { roles.append("final") }
                if !state.isDrawn { roles.append("for analysis only") }
                return [
                    state.id, state.title[language], list(roles), state.runsCode.map { $0 ? "yes" : "no" } ?? "",
                    state.platformValue ?? "", list(state.synonyms), state.summary, state.citation, state.systems.text,
                ]
            })
    }

    private static func callbacks(_ model: LifecycleModel) -> ModelTable {
        ModelTable(
            name: "callbacks",
            columns: ["callback", "before", "during", "after", "meaning", "spellings", "citation", "systems"],
            rows: model.callbacks.map { callback in
                [
                    callback.id,
                    callback.before
                        ?? list(model.edges.filter { $0.callback == callback.id && $0.changesState }.map(\.from).unique),
                    list(callback.during), callback.isSupplementary ? "unchanged" : callback.proves ?? "unchanged",
                    callback.summary,
                    list(callback.spellings + callback.patterns + callback.beginnings.map { "\($0)…" }),
                    callback.citation, callback.systems.text,
                ]
            })
    }

    private static func transitions(_ model: LifecycleModel) -> ModelTable {
        ModelTable(
            name: "transitions",
            columns: ["transition", "from", "to", "callbacks", "kind", "cause", "citation", "systems"],
            rows: model.transitions.map { transition in
                [
                    transition.id, list(transition.from), list(transition.to),
                    transition.steps.isEmpty ? "~" : StepNotation.text(transition.steps), kind(transition),
                    transition.cause, transition.citation, transition.systems.text,
                ]
            })
    }

    private static func kind(_ transition: ModelTransition) -> String {
        var words: [String] = []
        switch (transition.isMarked, transition.isSilent) {
        case (true, true): words.append("silent or marked")
        case (true, false): words.append("marked")
        case (false, _): words.append("silent")
        }
        if transition.isAbnormal { words.append("abnormal") }
        if !transition.after.isEmpty { words.append("after \(transition.after.joined(separator: " or "))") }
        if !transition.profiles.isEmpty { words.append("only \(list(transition.profiles))") }
        return list(words)
    }

    private static func nextCallbacks(_ model: LifecycleModel) -> ModelTable {
        ModelTable(
            name: "next callbacks",
            columns: ["after", "next", "doubtful", "nothing follows", "rules"],
            rows: model.nextCallbacks.map { row in
                [row.after ?? "(start)", list(row.legal), list(row.doubtful), row.end, list(row.rules)]
            })
    }

    private static func rules(_ model: LifecycleModel) -> ModelTable {
        ModelTable(
            name: "rules",
            columns: ["rule", "severity", "says", "templates", "holds for", "exception", "citation"],
            rows: model.rules.map { rule in
                [
                    rule.id, rule.severity.rawValue, rule.says, list(rule.checks.map(\.template.rawValue).unique),
                    list([text(rule.condition)].filter { !$0.isEmpty } + rule.laterSeverities), rule.exception,
                    rule.citation,
                ]
            })
    }

    private static func limits(_ model: LifecycleModel) -> ModelTable {
        ModelTable(
            name: "limits",
            columns: ["limit", "says", "from", "to", "thresholds", "holds for", "exception", "citation"],
            rows: model.limits.map { limit in
                [
                    limit.id, limit.says, points(limit.from), points(limit.to),
                    thresholds(limit), text(limit.condition), limit.exception, limit.citation,
                ]
            })
    }

    private static func scenarios(_ model: LifecycleModel, _ language: String) -> ModelTable {
        ModelTable(
            name: "scenarios",
            columns: [
                "scenario", "title", "platform", "callbacks", "absent", "others", "states", "breaks", "citation",
            ],
            rows: model.scenarios.map { scenario in
                let paths = scenario.paths.map { path in
                    let name =
                        scenario.paths.count > 1 || path.model != model.id
                        ? [path.model, path.actor].compactMap(\.self).joined(separator: " ") + ": " : ""
                    return name + path.stops.map { $0.isOptional ? "(\($0.state))" : $0.state }.joined(separator: " → ")
                }
                return [
                    scenario.id, scenario.title[language], scenario.platform.rawValue,
                    StepNotation.text(scenario.steps), list(scenario.absent),
                    scenario.others.map { $0 ? "present" : "absent" } ?? "", paths.joined(separator: "; "),
                    list(scenario.breaks), scenario.citation,
                ]
            })
    }

    private static func classes(_ model: LifecycleModel, _ language: String) -> ModelTable {
        ModelTable(
            name: "classes",
            columns: ["class", "title", "callbacks", "members", "begins in", "distinguished by", "citation"],
            rows: model.classes.map { item in
                [
                    item.id, item.title[language], StepNotation.text(item.signature), list(item.members),
                    list(item.beginsIn), item.hints.map(text).joined(separator: "; "), item.citation,
                ]
            })
    }

    private static func text(_ hint: EquivalenceClass.Hint) -> String {
        var parts = hint.callbacks
        if hint.gap.count == 2 {
            var gap = "\(hint.gap[0]) to \(hint.gap[1])"
            if let below = hint.below { gap += " in less than \(seconds(below)) s" }
            if let above = hint.above { gap += " in more than \(seconds(above)) s" }
            parts.append(gap)
        }
        parts += hint.options.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
        return "\(list(hint.members)): \(list(parts))"
    }

    private static func thresholds(_ limit: TimeLimit) -> String {
        func text(_ thresholds: [TimeLimit.Threshold]) -> String {
            list(thresholds.map { "\($0.severity.rawValue) above \(seconds($0.seconds)) s" })
        }
        let special = limit.thresholdsByProfile.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
        return ([text(limit.thresholds)] + special).joined(separator: "; ")
    }

    private static func points(_ points: [LimitPoint]) -> String {
        points.map { point in
            let subject = list(point.callbacks + point.states)
            let name = point.kind.rawValue.map { $0 == "_" ? " " : String($0) }.joined()
            return [name, subject, point.isApproximate ? "(approximate)" : ""].filter { !$0.isEmpty }
                .joined(separator: " ")
        }.joined(separator: "; else ")
    }

    private static func text(_ condition: RuleCondition) -> String {
        var parts = condition.profiles
        parts += condition.options.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
        if let system = condition.systemBelow { parts.append("systems before \(system)") }
        if !condition.systems.text.isEmpty { parts.append(condition.systems.text) }
        return list(parts)
    }

    static func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }

    static func seconds(_ seconds: Double) -> String { Int(exactly: seconds).map(String.init) ?? String(seconds) }
}

extension [String] {
    /// The texts, each once, in their order.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
