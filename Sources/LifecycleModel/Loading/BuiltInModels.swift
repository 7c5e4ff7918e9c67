/// The models of the folder `models`, as the build embeds them.
enum BuiltInModels {
    /// Files of one model each, and files that are part of one, in the order in which the models are listed.
    static let models = [
        ["app.yaml", "app-rules.yaml", "app-limits.yaml", "app-scenarios.yaml"],
        ["process.yaml"],
        ["scene.yaml", "scene-rules.yaml", "scene-scenarios.yaml"],
        ["view.yaml", "view-rules.yaml", "view-scenarios.yaml"],
    ]

    /// Profiles, configuration keys, codes and decisions; disagreements of the documents; the documents.
    static let settings = ["settings.yaml", "choices.yaml", "documents.yaml"]

    static func catalog() throws(ModelError) -> ModelCatalog {
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

    private static func document(_ file: String) throws(ModelError) -> Field {
        let bytes: [String: [UInt8]] = [
            "app.yaml": PackageResources.app_yaml, "app-rules.yaml": PackageResources.app_rules_yaml,
            "app-limits.yaml": PackageResources.app_limits_yaml,
            "app-scenarios.yaml": PackageResources.app_scenarios_yaml,
            "process.yaml": PackageResources.process_yaml, "scene.yaml": PackageResources.scene_yaml,
            "scene-rules.yaml": PackageResources.scene_rules_yaml,
            "scene-scenarios.yaml": PackageResources.scene_scenarios_yaml,
            "view.yaml": PackageResources.view_yaml, "view-rules.yaml": PackageResources.view_rules_yaml,
            "view-scenarios.yaml": PackageResources.view_scenarios_yaml,
            "settings.yaml": PackageResources.settings_yaml,
            "choices.yaml": PackageResources.choices_yaml, "documents.yaml": PackageResources.documents_yaml,
        ]
        return try Field.document(String(decoding: bytes[file] ?? [], as: UTF8.self), file: file)
    }
}
