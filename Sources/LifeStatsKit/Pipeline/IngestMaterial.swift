import EventRecognition
import LifecycleModel
import LogReading

/// What an ingest works with: the models, the layouts, the spellings. Loaded when the first log needs them, so that an
/// ingest that finds nothing new is over at once.
final class IngestMaterial {
    struct Parts {
        let models: ModelCatalog
        let vocabulary: Vocabulary
        let layouts: LayoutCatalog
        let lexicon: Lexicon
    }

    /// What the person says of the logs that are read with it.
    private(set) lazy var wishes = ReadingWishes(options)
    /// Whether the database has these models.
    var isStored = false
    private let options: IngestOptions
    private var loaded: Parts?

    init(_ options: IngestOptions) { self.options = options }

    /// - Throws: ``LifeStatsError`` or the error of a file of the user's that cannot be read or is none of its kind.
    func load() throws -> Parts {
        if let loaded { return loaded }
        let models = try ModelLoading.catalog(with: options.models)
        let vocabulary = Vocabulary(models: models.models)
        let layouts = try LayoutLoading.catalog(with: options.formats)
        if let format = options.format, layouts.layout(named: format) == nil {
            throw LifeStatsError(
                "there is no format '\(format)'",
                remedy: Suggestion.remedy(
                    format, among: layouts.layouts.map(\.name), or: "`lifestats formats` lists them"))
        }
        let parts = Parts(
            models: models, vocabulary: vocabulary, layouts: layouts,
            lexicon: try ModelLoading.lexicon(of: vocabulary, aliases: options.aliases))
        loaded = parts
        return parts
    }
}
