extension ModelReader {
    static func rule(_ id: String, _ field: YAMLField) throws(ModelError) -> ModelRule {
        var keys = try YAMLKeys(field)
        var rule = ModelRule(
            id: id,
            severity: try keys.require("severity").word(),
            says: try keys.require("says").text(),
            message: try keys.text("message") ?? "",
            checks: [],
            condition: try condition(&keys),
            oncePerRun: try keys.flag("once per run") ?? false,
            exception: try keys.text("exception") ?? "",
            citation: try keys.text("citation") ?? ""
        )
        if rule.message.isEmpty { rule.message = rule.says }
        for (profile, severity) in try keys.take("severity by profile")?.pairs() ?? [] {
            rule.severityByProfile[profile] = try severity.word(RuleSeverity.self)
        }
        for check in try keys.require("checks").list() { rule.checks.append(try self.check(check, of: id)) }
        try keys.finish()
        return rule
    }

    static func condition(_ keys: inout YAMLKeys) throws(ModelError) -> RuleCondition {
        var condition = RuleCondition(profiles: try keys.texts("profiles"))
        for (option, value) in try keys.take("options")?.pairs() ?? [] {
            condition.options[option] = try value.text()
        }
        condition.systemBelow = try keys.integer("system below")
        return condition
    }

    private static func check(_ field: YAMLField, of rule: String) throws(ModelError) -> RuleCheck {
        var keys = try YAMLKeys(YAMLField(file: field.file, node: field.node, key: "a check of rule \(rule)"))
        var check = RuleCheck(
            template: try keys.require("template").word(),
            scope: try keys.take("scope")?.word(RuleCheck.Scope.self) ?? .instance,
            when: try keys.texts("when"),
            then: try keys.texts("then"),
            among: try keys.texts("among"),
            states: try keys.texts("states"),
            from: try keys.texts("from"),
            until: try keys.texts("until"),
            unless: try keys.texts("unless"),
            seen: try keys.texts("seen"),
            unseen: try keys.texts("unseen"),
            arriving: try keys.take("arriving")?.word(RuleCheck.Arriving.self),
            rootOnly: try keys.flag("root only") ?? false,
            needsStart: try keys.flag("needs start") ?? false,
            failedLaunch: try keys.flag("failed launch"),
            count: try keys.integer("count"),
            seconds: try keys.seconds("seconds")
        )
        for pair in try keys.take("order")?.list() ?? [] {
            let texts = try pair.texts()
            guard texts.count == 2 else { throw pair.error("'order' of rule \(rule) must be a list of pairs") }
            check.order.append(texts)
        }
        try keys.finish()
        return check
    }

    static func nextCallbacks(_ field: YAMLField) throws(ModelError) -> NextCallbacks {
        var keys = try YAMLKeys(field)
        let after = try keys.require("after").text()
        let row = NextCallbacks(
            after: after == "start" ? nil : after,
            legal: try keys.texts("next"),
            doubtful: try keys.texts("doubtful"),
            end: try keys.text("end") ?? "",
            rules: try keys.texts("rules")
        )
        try keys.finish()
        return row
    }
}
