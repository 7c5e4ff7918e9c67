extension ModelReader {
    static func limit(_ id: String, _ field: YAMLField) throws(ModelError) -> TimeLimit {
        var keys = try YAMLKeys(field)
        var limit = TimeLimit(
            id: id,
            kind: try keys.require("measures").word(),
            says: try keys.require("says").text(),
            message: try keys.text("message") ?? "",
            models: try keys.texts("models"),
            from: try points(keys.take("from"), of: id),
            to: try points(keys.take("to"), of: id),
            before: try points(keys.take("before"), of: id),
            thresholds: try thresholds(keys.take("thresholds")),
            cancelledBy: try keys.texts("cancelled by"),
            plausibleUntil: try keys.seconds("plausible until"),
            promptWithin: try keys.seconds("prompt within"),
            needsExitOrOpenTask: try keys.flag("needs exit or open task") ?? false,
            condition: try condition(&keys),
            exception: try keys.text("exception") ?? "",
            citation: try keys.text("citation") ?? ""
        )
        if limit.message.isEmpty { limit.message = limit.says }
        for (profile, field) in try keys.take("thresholds by profile")?.pairs() ?? [] {
            limit.thresholdsByProfile[profile] = try thresholds(field)
        }
        try keys.finish()
        return limit
    }

    /// Severities with their seconds, mildest first.
    static func thresholds(_ field: YAMLField?) throws(ModelError) -> [TimeLimit.Threshold] {
        guard let field else { return [] }
        var thresholds: [TimeLimit.Threshold] = []
        for (name, value) in try field.pairs() {
            guard let severity = RuleSeverity(rawValue: name) else {
                throw value.error("'\(name)' is no severity; use info, warning or error")
            }
            thresholds.append(TimeLimit.Threshold(severity: severity, seconds: try value.seconds()))
        }
        return thresholds.sorted { $0.severity < $1.severity }
    }

    private static func points(_ field: YAMLField?, of limit: String) throws(ModelError) -> [LimitPoint] {
        guard let field else { return [] }
        var points: [LimitPoint] = []
        for element in try field.list() {
            if element.node.scalar != nil {
                points.append(LimitPoint(kind: try element.word()))
                continue
            }
            var keys = try YAMLKeys(
                YAMLField(file: element.file, node: element.node, key: "a point of limit \(limit)"))
            points.append(
                LimitPoint(
                    kind: try keys.require("point").word(),
                    callbacks: try keys.texts("callbacks"),
                    states: try keys.texts("states"),
                    isApproximate: try keys.flag("approximate") ?? false,
                    isContinuous: try keys.flag("continuous") ?? false))
            try keys.finish()
        }
        return points
    }
}
