import DataFiles
import Dispatch
import EventRecognition
import Foundation
import LifecycleModel
import LogReading
import TraceRecords
import TraceStore

/// What an ingest works with: models, layouts, spellings. Loaded when the first log needs them, so that an ingest that
/// finds nothing new ends at once.
final class IngestMaterial {
    struct Parts {
        let models: ModelCatalog
        let vocabulary: Vocabulary
        let layouts: LayoutCatalog
        let lexicon: Lexicon
    }

    private let options: IngestOptions
    private var loaded: Parts?
    private var loadedModels: ModelCatalog?

    init(_ options: IngestOptions) { self.options = options }

    /// Names of all callbacks, by their numbers in facts.
    ///
    /// - Throws: ``LifeStatsError`` when a model of the user's cannot be read or used.
    func callbacks() throws -> [String] { Vocabulary(models: try models().models).names }

    /// The built-in models with the user's own.
    ///
    /// - Throws: ``LifeStatsError`` when a file of the user's cannot be read or used.
    func models() throws -> ModelCatalog {
        if let loadedModels { return loadedModels }
        let models = try ModelLoading.catalog(with: options.models)
        loadedModels = models
        return models
    }

    /// Begins to load what every ingest needs that finds something new, beside what the caller does meanwhile. It happens
    /// once in a process; ``load()`` waits for it.
    static func prepare() {
        DispatchQueue.global().async { ModelLoading.prepare() }
        DispatchQueue.global().async { _ = try? LayoutCatalog.builtIn() }
    }

    /// - Throws: ``LifeStatsError`` or the error of a file of the user's that cannot be read or used.
    func load() throws -> Parts {
        if let loaded { return loaded }
        let models = try models()
        let vocabulary = Vocabulary(models: models.models)
        let layouts = try LayoutLoading.catalog(with: options.formats)
        if let format = options.format, format != LayoutCatalog.binary.name, layouts.layout(named: format) == nil {
            throw LifeStatsError(
                "there is no format '\(format)'",
                remedy: Suggestion.remedy(
                    format, among: layouts.layouts.map(\.name) + [LayoutCatalog.binary.name],
                    or: "`lifestats formats` lists them"))
        }
        let parts = Parts(
            models: models, vocabulary: vocabulary, layouts: layouts,
            lexicon: try ModelLoading.lexicon(of: vocabulary, aliases: options.aliases))
        loaded = parts
        return parts
    }
}

extension Vocabulary {
    /// Names of the callbacks that do not depend on which models there are.
    var names: [String] { entries.map { "\($0.model)/\($0.callback.id)" } }
}

/// The built-in models with the user's own: models and overlays.
enum ModelLoading {
    /// - Throws: ``LifeStatsError`` or `DataFileError` when a file cannot be read, is not a model, or cannot work.
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

    /// The layers of the models in files that are no built-in ones.
    static func ownLayers(of files: [String]) throws -> [String] {
        guard !files.isEmpty else { return [] }
        let builtIn = try ModelCatalog.builtIn()
        return try catalog(with: files).models.filter { builtIn.model($0.id) == nil }.map(\.layer)
    }

    /// The lexicon of the built-in models, compiled once per process.
    private static let builtIn = Result { try Lexicon(vocabulary: Vocabulary(models: ModelCatalog.builtIn().models)) }

    static func prepare() { _ = builtIn }

    /// What is recognised: the spellings of the models, and the user's own.
    ///
    /// - Throws: ``LifeStatsError`` or `DataFileError` when a file of aliases cannot be read or names no callback.
    static func lexicon(of vocabulary: Vocabulary, aliases file: String?) throws -> Lexicon {
        guard let file else {
            let documented = Vocabulary(models: try ModelCatalog.builtIn().models)
            return vocabulary == documented ? try builtIn.get() : try Lexicon(vocabulary: vocabulary)
        }
        let aliases = try AliasTable(yaml: try TextFile.read(file), file: file, vocabulary: vocabulary)
        return try Lexicon(vocabulary: vocabulary, aliases: aliases)
    }
}

/// The built-in layouts with the user's own: those of the configuration folder, then those that are named.
enum LayoutLoading {
    /// - Throws: ``LifeStatsError`` or `DataFileError` when a file cannot be read or a layout does not fit its samples.
    static func catalog(with files: [String]) throws -> LayoutCatalog {
        var catalog = try LayoutCatalog.builtIn()
        for file in configured + files { catalog = try catalog.adding(yaml: try TextFile.read(file), file: file) }
        return catalog
    }

    /// The user's layouts: `formats/*.yaml` in the configuration folder.
    private static var configured: [String] {
        guard let folder = ConfigurationFolder.path.map({ $0 + "/formats" }),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        else { return [] }
        return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted().map { "\(folder)/\($0)" }
    }
}

extension TraceWriter {
    /// Stores what the models document, for the views `documented_states` and `documented_transitions`.
    func setModels(_ catalog: ModelCatalog) throws {
        func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
        var states: [[SQLValue]] = []
        var transitions: [[SQLValue]] = []
        for model in catalog.models {
            for state in model.states where state.isDrawn {
                states.append([
                    .text(model.id), .integer(Int64(states.count)), .text(model.layer), .text(state.id),
                    .text(state.title.english), flag(state.id == model.initial), flag(model.final.contains(state.id)),
                ])
            }
            for edge in model.documentedEdges {
                let citations = edge.transitions.map { "\($0.id): \($0.citation)" }.joined(separator: "; ")
                transitions.append([
                    .text(model.id), .integer(Int64(transitions.count)), .text(model.layer), .text(edge.from),
                    .text(edge.to), .text(edge.callbacks.joined(separator: ", ")), flag(edge.isSilent),
                    .text(citations),
                ])
            }
        }
        try setModels(states: states, transitions: transitions)
    }
}
