extension ModelScenario {
    var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("title", title)
        if platform != .any { tree.add("platform", platform.rawValue) }
        tree.add("callbacks", StepNotation.text(steps))
        tree.add("absent", absent)
        if let others { tree.add("others", others, unless: !others) }
        tree.add(
            "states",
            .map(
                paths.map { path in
                    let key = path.model + (path.actor.map { " " + $0 } ?? "")
                    return .init(
                        key: key, value: .list(path.stops.map { .text($0.state + ($0.isOptional ? "?" : "")) }))
                }))
        tree.add("breaks", breaks)
        tree.add("searched", isSearched, unless: true)
        tree.add("citation", citation)
        return tree.tree
    }
}

extension EquivalenceClass {
    var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("title", title)
        tree.add("signature", StepNotation.text(signature))
        tree.add("members", members)
        tree.add("begins in", beginsIn)
        tree.add("hints", .list(hints.map(\.tree)))
        tree.add("citation", citation)
        return tree.tree
    }
}

extension EquivalenceClass.Hint {
    fileprivate var tree: ModelTree {
        var tree = TreeBuilder()
        tree.add("members", members)
        tree.add("callbacks", callbacks)
        tree.add("gap", gap)
        tree.add("below", below)
        tree.add("above", above)
        tree.add("options", options)
        return tree.tree
    }
}
