package import DataFiles

/// The models that a log is read with: the built-in ones and the user's, with the user's changes.
package struct ModelCatalog: Sendable, Hashable {
    /// The models, the built-in ones first.
    package internal(set) var models: [LifecycleModel]
    /// Profiles, configuration keys, end codes and decisions.
    package var settings: ModelSettings
    /// Profiles that every run follows in addition to the one that its callbacks indicate.
    package var profiles: [String] = []
    /// Values of all configuration keys.
    package var options: [String: String]

    /// A catalog of only these models.
    package init(models: [LifecycleModel], settings: ModelSettings = ModelSettings()) {
        self.models = models
        self.settings = settings
        options = Dictionary(settings.options.map { ($0.id, $0.standard) }, uniquingKeysWith: { first, _ in first })
    }

    /// The documented models of iOS: `app`, `process`, `scene`, `view`. They are read once per process.
    ///
    /// - Throws: ``DataFileError`` when the built-in files are damaged; a test rules that out.
    package static func builtIn() throws(DataFileError) -> ModelCatalog { try embedded.get() }

    private static let embedded = Result(catching: BuiltInModels.catalog)

    package func model(_ id: String) -> LifecycleModel? { models.first { $0.id == id } }

    /// Adds a user's model, replacing one with the same id.
    package mutating func add(_ model: LifecycleModel) {
        if let index = models.firstIndex(where: { $0.id == model.id }) {
            models[index] = model
        } else {
            models.append(model)
        }
    }

    /// Adds the content of a user's YAML file: a model, a further part of a model, or an overlay, depending on its keys.
    ///
    /// - Throws: ``DataFileError`` with file and line.
    package mutating func add(yaml text: String, file: String) throws(DataFileError) {
        let document = try Field.document(text, file: file)
        let entries = try document.entries()
        if entries.contains(where: { $0.key == "overlay" }) {
            try apply(overlay: document)
        } else if let owner = entries.first(where: { $0.key == "part of" }) {
            let id = try String(owner)
            guard let index = models.firstIndex(where: { $0.id == id }) else {
                throw owner.error("the file is part of '\(id)', but there is no such model")
            }
            try ModelReader.add(part: document, to: &models[index])
        } else {
            add(try ModelReader.model(document))
        }
    }

    /// All profiles that a run follows.
    ///
    /// - Parameters:
    ///   - profile: the profile that the callbacks of the run indicate (`ios12-` or `ios13+`).
    ///   - system: major version of the system, if known.
    package func followed(profile: String, system: Int? = nil) -> Set<String> {
        let bySystem = settings.profiles.filter { candidate in
            candidate.followsSystem && system.map { candidate.systems?.contains($0) ?? false } ?? false
        }
        return Set(profiles).union(bySystem.map(\.id)).union([profile])
    }
}

/// The models of the folder `models`, which the build embeds as ``CompiledFiles``.
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

    /// - Throws: ``DataFileError`` when the compiled files are damaged.
    static func catalog() throws(DataFileError) -> ModelCatalog {
        let files = try CompiledFiles(PackageResources.models_bin, name: "models.bin")
        var models: [LifecycleModel] = []
        for names in Self.models {
            var model = try ModelReader.model(files.file(names[0]))
            for part in names.dropFirst() { try ModelReader.add(part: files.file(part), to: &model) }
            models.append(model)
        }
        var pairs: [DataTree.Pair] = []
        for file in Self.settings { pairs += try files.file(file).tree.pairs ?? [] }
        let settings = try ModelSettings(
            Field(file: Self.settings[0], tree: DataTree(content: .map(pairs)), key: "the settings"))
        return ModelCatalog(models: models, settings: settings)
    }
}
