extension LifecycleModel {
    /// Everything that the model says, as ``ModelReader`` reads it.
    var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("model", id)
        tree.add("layer", layer)
        tree.add("title", title)
        tree.add("one machine per", scope.rawValue)
        tree.add("initial", initial)
        tree.add("final", final)
        tree.add("uses", uses)
        tree.add("states", states, id: \.id, \.tree)
        tree.add("callbacks", callbacks, id: \.id, \.tree)
        tree.add("transitions", transitions, id: \.id, \.tree)
        tree.add("rules", rules, id: \.id, \.tree)
        tree.add("limits", limits, id: \.id, \.tree)
        tree.add("scenarios", scenarios, id: \.id, \.tree)
        tree.add("classes", classes, id: \.id, \.tree)
        tree.add("next callbacks", .list(nextCallbacks.map(\.tree)))
        if let derives { tree.add("derives", derives.tree) }
        return tree.tree
    }
}

extension ModelState {
    fileprivate var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("title", title)
        tree.add("synonyms", synonyms)
        tree.add("platform value", platformValue)
        if let runsCode { tree.add("runs code", .flag(runsCode)) }
        tree.add("summary", summary)
        tree.add("drawn", isDrawn, unless: true)
        tree.add("accepts", accepts)
        tree.add("citation", citation)
        return tree.tree
    }
}

extension ModelCallback {
    fileprivate var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("spellings", spellings)
        tree.add("patterns", patterns)
        tree.add("beginnings", beginnings)
        tree.add("exceptions", exceptions)
        tree.add("proves", proves)
        tree.add("before", before)
        tree.add("during", during)
        tree.add("supplementary", isSupplementary && !isUnknown, unless: false)
        tree.add("unknown", isUnknown, unless: false)
        tree.add("begins run", beginsRun, unless: false)
        tree.add("ends run", endsRun, unless: false)
        tree.add("begins instance", beginsInstance, unless: false)
        tree.add("ends instance", endsInstance, unless: false)
        tree.add("folds", folds, unless: true)
        tree.add("summary", summary)
        tree.add("citation", citation)
        return tree.tree
    }
}

extension ModelTransition {
    fileprivate var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("from", from)
        tree.add("to", to)
        tree.add("callbacks", StepNotation.text(steps))
        tree.add("choice", choice)
        tree.add("after", after)
        tree.add("abnormal", isAbnormal, unless: false)
        tree.add("drawn", isDrawn, unless: true)
        tree.add("profiles", profiles)
        tree.add("cause", cause)
        tree.add("citation", citation)
        return tree.tree
    }
}

extension DerivedState {
    fileprivate var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("model", model)
        tree.add("ranking", .map(ranking.map { .init(key: $0.of, value: .text($0.gives)) }))
        tree.add("otherwise", otherwise)
        tree.add("citation", citation)
        return tree.tree
    }
}
