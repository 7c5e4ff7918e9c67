import EventRecognition
import LifecycleModel

/// The built-in models with the user's own: models, overlays, state machines of other tools.
enum ModelLoading {
    /// - Throws: ``LifeStatsError`` or `ModelError` when a file cannot be read or is no model.
    static func catalog(with files: [String]) throws -> ModelCatalog {
        var catalog = try ModelCatalog.builtIn()
        for file in files { try catalog.add(text: try TextFile.read(file), file: file) }
        return catalog
    }

    /// What is recognised: the spellings of the models, and the user's own.
    ///
    /// - Throws: ``LifeStatsError`` or `DialectError` when a file of aliases cannot be read or names no callback.
    static func lexicon(of vocabulary: Vocabulary, aliases file: String?) throws -> Lexicon {
        guard let file else { return try Lexicon(vocabulary: vocabulary) }
        let aliases = try AliasTable(yaml: try TextFile.read(file), file: file, vocabulary: vocabulary)
        return try Lexicon(vocabulary: vocabulary, aliases: aliases)
    }
}
