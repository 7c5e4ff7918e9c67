/// The models that a log is read with: the built-in ones, and the user's.
package struct ModelCatalog: Sendable, Hashable {
    /// The models, the built-in ones first.
    package private(set) var models: [LifecycleModel]

    /// A catalog of just these models.
    package init(models: [LifecycleModel]) { self.models = models }

    /// The documented models of iOS: `app`, `process`, `scene`, `view`.
    ///
    /// - Throws: ``ModelError`` when a built-in file is damaged; a test rules that out.
    package static func builtIn() throws(ModelError) -> ModelCatalog {
        var models: [LifecycleModel] = []
        for (main, parts) in BuiltInFiles.models {
            var model = try ModelReader.read(String(decoding: main.bytes, as: UTF8.self), file: main.name)
            for part in parts {
                try ModelReader.readPart(
                    String(decoding: part.bytes, as: UTF8.self), file: part.name, into: &model)
            }
            models.append(model)
        }
        return ModelCatalog(models: models)
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
}
