/// The models that a log is read with: the built-in ones and the user's, as the user has tuned them.
package struct ModelCatalog: Sendable, Hashable {
    /// The models, the built-in ones first.
    package private(set) var models: [LifecycleModel]
    /// Profiles, configuration keys, codes of ends and decisions.
    package var settings: ModelSettings
    /// Profiles that every run follows besides the one that its callbacks show.
    package var profiles: [String] = []
    /// Values of the configuration keys, all of them.
    package var options: [String: String]

    /// A catalog of just these models.
    package init(models: [LifecycleModel], settings: ModelSettings = ModelSettings()) {
        self.models = models
        self.settings = settings
        options = Dictionary(settings.options.map { ($0.id, $0.standard) }, uniquingKeysWith: { first, _ in first })
    }

    /// The documented models of iOS: `app`, `process`, `scene`, `view`. They are read once per process.
    ///
    /// - Throws: ``ModelError`` when a built-in file is damaged; a test rules that out.
    package static func builtIn() throws(ModelError) -> ModelCatalog { try embedded.get() }

    private static let embedded = Result(catching: readEmbedded)

    private static func readEmbedded() throws(ModelError) -> ModelCatalog {
        var models: [LifecycleModel] = []
        for (main, parts) in BuiltInFiles.models {
            var model = try ModelReader.read(String(decoding: main.bytes, as: UTF8.self), file: main.name)
            for part in parts {
                try ModelReader.readPart(
                    String(decoding: part.bytes, as: UTF8.self), file: part.name, into: &model)
            }
            models.append(model)
        }
        let file = BuiltInFiles.settings
        var settings = try SettingsReader.read(String(decoding: file.bytes, as: UTF8.self), file: file.name)
        let choices = BuiltInFiles.choices
        settings.choices = try SettingsReader.readChoices(
            String(decoding: choices.bytes, as: UTF8.self), file: choices.name)
        let documents = BuiltInFiles.documents
        settings.documents = try SettingsReader.readDocuments(
            String(decoding: documents.bytes, as: UTF8.self), file: documents.name)
        return ModelCatalog(models: models, settings: settings)
    }

    /// The tables of a model, or of the settings when it is called `settings`.
    ///
    /// - Parameter language: language of titles of states and scenarios.
    /// - Returns: `nil` when there is no such model.
    package func tables(of name: String, language: String = "en") -> [ModelTable]? {
        name == "settings"
            ? ModelTables.tables(of: settings) : model(name).map { ModelTables.tables(of: $0, language: language) }
    }

    /// The model with an id.
    package func model(_ id: String) -> LifecycleModel? { models.first { $0.id == id } }

    /// Adds a user's model, in the place of one that has the same id.
    package mutating func add(_ model: LifecycleModel) {
        if let index = models.firstIndex(where: { $0.id == model.id }) {
            models[index] = model
        } else {
            models.append(model)
        }
    }

    /// Adds what a user's file says. The end of the name tells what it is: `.scxml`, `.dot` or `.gv` a chart of another
    /// tool, everything else YAML.
    ///
    /// - Throws: ``ModelError`` with file and line.
    package mutating func add(text: String, file: String) throws(ModelError) {
        switch file.split(separator: ".").last?.lowercased() {
        case "scxml": add(try SCXMLReader.read(text, file: file).model)
        case "dot", "gv": add(try DOTReader.read(text, file: file))
        default: try add(yaml: text, file: file)
        }
    }

    /// Adds what a user's YAML file says: a model, the further part of a model, or an overlay, whichever its keys tell.
    ///
    /// - Throws: ``ModelError`` with file and line.
    package mutating func add(yaml text: String, file: String) throws(ModelError) {
        let keys = try YAMLField.document(text, file: file).pairs()
        if keys.contains(where: { $0.key == "overlay" }) {
            try apply(try OverlayReader.read(text, file: file))
        } else if let owner = keys.first(where: { $0.key == "part of" })?.value {
            let id = try owner.text()
            guard let index = models.firstIndex(where: { $0.id == id }) else {
                throw owner.error("the file is part of '\(id)', which is no model")
            }
            try ModelReader.readPart(text, file: file, into: &models[index])
        } else {
            add(try ModelReader.read(text, file: file))
        }
    }

    /// Changes one model in place.
    mutating func edit(_ index: Int, _ change: (inout LifecycleModel) -> Void) {
        change(&models[index])
    }

    /// All profiles that a run follows.
    ///
    /// - Parameters:
    ///   - profile: the profile that the callbacks of the run show (`ios12-` or `ios13+`).
    ///   - system: major version of the system, where it is known.
    package func followed(profile: String, system: Int? = nil) -> Set<String> {
        let bySystem = settings.profiles.filter { candidate in
            candidate.followsSystem && system.map { candidate.systems?.contains($0) ?? false } ?? false
        }
        return Set(profiles).union(bySystem.map(\.id)).union([profile])
    }

    /// The rules of a model that hold for a run, with the severity that they have for it; see
    /// ``followed(profile:system:)`` for the parameters.
    package func rules(of model: String, profile: String, system: Int? = nil) -> [ModelRule] {
        let followed = followed(profile: profile, system: system)
        return self.model(model)?.rules.filter {
            $0.condition.holds(profiles: followed, options: options, system: system)
        }.map { rule in
            var rule = rule
            rule.severity = rule.severity(in: followed)
            return rule
        } ?? []
    }

    /// The time limits of a model that hold for a run, with the thresholds that they have for it; see
    /// ``followed(profile:system:)`` for the parameters.
    package func limits(of model: String, profile: String, system: Int? = nil) -> [TimeLimit] {
        let followed = followed(profile: profile, system: system)
        return self.model(model)?.limits.filter {
            $0.condition.holds(profiles: followed, options: options, system: system)
        }.map { limit in
            var limit = limit
            limit.thresholds = limit.thresholds(in: followed.sorted())
            return limit
        } ?? []
    }
}
