/// The models of the folder `models`.
///
/// The build embeds them in the form of ``CompactTree``, because parsing YAML would take a third of the start-up. `make
/// models` compiles them after a change, and a test compares both.
enum BuiltInModels {
    /// Files of one model each, followed by the files that are part of it, in the order in which the models are listed.
    static let models = [
        [
            "app.yaml", "app-rules.yaml", "migration-rules.yaml", "background-rules.yaml", "app-limits.yaml",
            "app-scenarios.yaml",
        ],
        ["process.yaml"],
        ["scene.yaml", "scene-rules.yaml", "scene-scenarios.yaml"],
        ["view.yaml", "view-rules.yaml", "view-scenarios.yaml"],
        ["swiftui-view.yaml"],
        ["background-task.yaml"],
    ]

    /// Profiles, configuration keys and decisions; codes of ends; disagreements of the documents; the documents.
    static let settings = ["settings.yaml", "endings.yaml", "choices.yaml", "documents.yaml"]

    /// - Throws: ``ModelError`` when the compiled files are damaged.
    static func catalog() throws(ModelError) -> ModelCatalog {
        try catalog(of: CompactTree.tree(PackageResources.models_bin, file: "models.bin"))
    }

    /// The catalog of all files, each under its name.
    static func catalog(of files: ModelTree) throws(ModelError) -> ModelCatalog {
        func document(_ file: String) throws(ModelError) -> Field {
            guard let pair = files.pairs?.first(where: { $0.key == file }) else {
                throw ModelError(file: file, line: 0, message: "the file is missing in the compiled models")
            }
            return Field(file: file, tree: pair.value, key: "the file", owner: "")
        }
        var models: [LifecycleModel] = []
        for files in Self.models {
            var model = try ModelReader.model(document(files[0]))
            for part in files.dropFirst() { try ModelReader.add(part: document(part), to: &model) }
            models.append(model)
        }
        var pairs: [ModelTree.Pair] = []
        for file in Self.settings { pairs += try document(file).tree.pairs ?? [] }
        let settings = try ModelSettings(
            Field(file: Self.settings[0], tree: ModelTree(content: .map(pairs)), key: "the settings", owner: ""))
        return ModelCatalog(models: models, settings: settings)
    }
}
