import EventRecognition
import LifecycleModel

/// The built-in models with the user's own models and overlays.
enum ModelLoading {
    /// - Throws: ``LifeStatsError`` or `ModelError` when a file cannot be read, is no model, or is one that cannot work.
    static func catalog(with files: [String]) throws -> ModelCatalog {
        let builtIn = try ModelCatalog.builtIn()
        var catalog = builtIn
        for file in files { try catalog.add(yaml: try TextFile.read(file), file: file) }
        for model in catalog.models where builtIn.model(model.id) != model {
            let found = ModelValidator.diagnostics(of: model, in: catalog).filter { $0.level == .error }
            guard let first = found.first else { continue }
            throw LifeStatsError(
                "\(first.file):\(first.line): \(first.message)",
                remedy: found.count > 1
                    ? "`lifestats model validate \(first.file)` lists all \(found.count) errors" : nil)
        }
        return catalog
    }

    /// What is recognised of the documented models. It is compiled once per process.
    private static let builtIn = Result { try Lexicon(vocabulary: Vocabulary(models: ModelCatalog.builtIn().models)) }

    /// What is recognised: the spellings of the models, and the user's own.
    ///
    /// - Throws: ``LifeStatsError`` or `DialectError` when a file of aliases cannot be read or names no callback.
    static func lexicon(of vocabulary: Vocabulary, aliases file: String?) throws -> Lexicon {
        guard let file else {
            let documented = Vocabulary(models: try ModelCatalog.builtIn().models)
            return vocabulary == documented ? try builtIn.get() : try Lexicon(vocabulary: vocabulary)
        }
        let aliases = try AliasTable(yaml: try TextFile.read(file), file: file, vocabulary: vocabulary)
        return try Lexicon(vocabulary: vocabulary, aliases: aliases)
    }
}
