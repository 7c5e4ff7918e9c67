extension ModelRule {
    var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("severity", severity.rawValue)
        tree.add("severity by profile", severityByProfile.mapValues(\.rawValue))
        tree.add("says", says)
        if message != says { tree.add("message", message) }
        tree.add(condition)
        tree.add("once per run", oncePerRun, unless: false)
        tree.add("checks", .list(checks.map(\.tree)))
        tree.add("exception", exception)
        tree.add("citation", citation)
        return tree.tree
    }
}

extension TreeBuilder {
    fileprivate mutating func add(_ condition: RuleCondition) {
        add("profiles", condition.profiles)
        add("options", condition.options)
        add("system below", condition.systemBelow.map(Double.init))
    }
}

extension RuleCheck {
    fileprivate var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("template", template.rawValue)
        if scope != .instance { tree.add("scope", scope.rawValue) }
        tree.add("when", when)
        tree.add("then", then)
        tree.add("among", among)
        tree.add("states", states)
        tree.add("from", from)
        tree.add("until", until)
        tree.add("unless", unless)
        tree.add("seen", seen)
        tree.add("unseen", unseen)
        tree.add("order", .list(order.map { .list($0.map { .text($0) }) }))
        tree.add("arriving", arriving?.rawValue)
        tree.add("root only", rootOnly, unless: false)
        tree.add("needs start", needsStart, unless: false)
        if let failedLaunch { tree.add("failed launch", .flag(failedLaunch)) }
        tree.add("count", count.map(Double.init))
        tree.add("seconds", seconds)
        return tree.tree
    }
}

extension NextCallbacks {
    var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("after", after ?? "start")
        tree.add("next", legal)
        tree.add("doubtful", doubtful)
        tree.add("end", end)
        tree.add("rules", rules)
        return tree.tree
    }
}

extension TimeLimit {
    var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("measures", kind.rawValue)
        tree.add("says", says)
        if message != says { tree.add("message", message) }
        tree.add("models", models)
        tree.add("from", .list(from.map(\.tree)))
        tree.add("to", .list(to.map(\.tree)))
        tree.add("before", .list(before.map(\.tree)))
        tree.add("thresholds", thresholds.tree)
        tree.add("thresholds by profile", thresholdsByProfile.sorted { $0.key < $1.key }, id: \.key, \.value.tree)
        tree.add("cancelled by", cancelledBy)
        tree.add("plausible until", plausibleUntil)
        tree.add("prompt within", promptWithin)
        tree.add("needs exit or open task", needsExitOrOpenTask, unless: false)
        tree.add(condition)
        tree.add("exception", exception)
        tree.add("citation", citation)
        return tree.tree
    }
}

extension [TimeLimit.Threshold] {
    fileprivate var tree: ModelTree {
        .map(map { .init(key: $0.severity.rawValue, value: .number($0.seconds)) })
    }
}

extension LimitPoint {
    fileprivate var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("point", kind.rawValue)
        tree.add("callbacks", callbacks)
        tree.add("states", states)
        tree.add("approximate", isApproximate, unless: false)
        tree.add("continuous", isContinuous, unless: false)
        return tree.tree
    }
}
