extension ModelReader {
    static func scenario(_ id: String, _ field: YAMLField, model: String) throws(ModelError) -> ModelScenario {
        var keys = try YAMLKeys(field)
        let scenario = ModelScenario(
            id: id,
            title: try keys.title(orID: id),
            platform: try keys.take("platform")?.word(ModelScenario.Platform.self) ?? .any,
            steps: try keys.steps("callbacks"),
            paths: try paths(keys.take("states"), model: model),
            absent: try keys.texts("absent"),
            others: try keys.flag("others"),
            breaks: try keys.texts("breaks"),
            isSearched: try keys.flag("searched") ?? true,
            citation: try keys.text("citation") ?? ""
        )
        try keys.finish()
        return scenario
    }

    /// A list of states of the model itself, or lists by model (`app`) or by model and instance (`view VC2`).
    private static func paths(_ field: YAMLField?, model: String) throws(ModelError) -> [ModelScenario.Path] {
        guard let field else { return [] }
        guard field.node.mapping != nil else {
            return [ModelScenario.Path(model: model, stops: stops(try field.texts()))]
        }
        var paths: [ModelScenario.Path] = []
        for (key, states) in try field.pairs() {
            let words = key.split(separator: " ").map(String.init)
            guard let model = words.first, words.count <= 2 else {
                throw states.error("'\(key)' must be a model, or a model and an instance")
            }
            paths.append(
                ModelScenario.Path(
                    model: model, actor: words.count == 2 ? words[1] : nil, stops: stops(try states.texts())))
        }
        return paths
    }

    /// States; a question mark at the end says that a state is passed only in some cases.
    private static func stops(_ texts: [String]) -> [ModelScenario.Stop] {
        texts.map { text in
            text.hasSuffix("?")
                ? ModelScenario.Stop(state: String(text.dropLast()), isOptional: true)
                : ModelScenario.Stop(state: text)
        }
    }

    static func equivalenceClass(_ id: String, _ field: YAMLField) throws(ModelError) -> EquivalenceClass {
        var keys = try YAMLKeys(field)
        var equivalenceClass = EquivalenceClass(
            id: id,
            title: try keys.title(orID: id),
            signature: try keys.steps("signature"),
            members: try keys.texts("members"),
            beginsIn: try keys.texts("begins in"),
            citation: try keys.text("citation") ?? ""
        )
        for hint in try keys.take("hints")?.list() ?? [] {
            equivalenceClass.hints.append(try self.hint(hint, of: id))
        }
        try keys.finish()
        return equivalenceClass
    }

    private static func hint(_ field: YAMLField, of id: String) throws(ModelError) -> EquivalenceClass.Hint {
        var keys = try YAMLKeys(YAMLField(file: field.file, node: field.node, key: "a hint of class \(id)"))
        var hint = EquivalenceClass.Hint(
            members: try keys.texts("members"),
            callbacks: try keys.texts("callbacks"),
            gap: try keys.texts("gap"),
            below: try keys.seconds("below"),
            above: try keys.seconds("above")
        )
        for (option, value) in try keys.take("options")?.pairs() ?? [] { hint.options[option] = try value.text() }
        try keys.finish()
        return hint
    }

    static func derivedState(_ field: YAMLField) throws(ModelError) -> DerivedState {
        var keys = try YAMLKeys(field)
        var derived = DerivedState(
            model: try keys.require("model").text(),
            ranking: [],
            otherwise: try keys.require("otherwise").text(),
            citation: try keys.text("citation") ?? ""
        )
        for (of, gives) in try keys.require("ranking").pairs() {
            derived.ranking.append(DerivedState.Pair(of: of, gives: try gives.text()))
        }
        try keys.finish()
        return derived
    }
}
