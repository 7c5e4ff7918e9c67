import LifecycleModel
import StateDiagrams
import TraceStore

/// Draws what a database saw beside what a model documents.
public enum DiagramRenderer {
    /// - Throws: ``LifeStatsError`` when the database or the layer is not there, or the picture cannot be written.
    public static func render(_ request: DiagramRequest) throws -> RenderedPicture {
        try DatabaseReading.run(request.database, limit: request.limit) { reader in
            try request.filter?.requireMatch(in: reader)
            let models = try KnownModels(files: request.models, reader)
            guard let model = models.drawn(layer: request.layer) else {
                throw LifeStatsError(
                    "there is no layer \(request.layer)",
                    remedy: Suggestion.remedy(
                        request.layer, among: models.layers,
                        or: "layers are \(models.layers.joined(separator: ", ")); a model of your own is named with "
                            + "--model"))
            }
            let language = try PictureLanguage(named: request.language)
            let source = PictureSource(
                filter: request.filter, book: try reader.scan("the times of all visits") { try DwellBook($0) },
                restrictions: request.filter?.wordsBesideApp ?? [], reader: reader)
            let graph = try source.graph(of: model, language: request.language)
            var options = DiagramOptions()
            options.view = DiagramOptions.View(rawValue: request.view.rawValue) ?? .sideBySide
            options.language = language
            options.stateMetrics = request.stateMetrics.compactMap { Metric(rawValue: $0.rawValue) }
            options.edgeMetrics = request.edgeMetrics.compactMap { Metric(rawValue: $0.rawValue) }
            options.colouring = DiagramOptions.Colouring(rawValue: request.colouring.rawValue) ?? .plain
            options.foldBelow = request.foldBelow
            let format = PictureFormat(rawValue: request.format.rawValue) ?? .svg
            return RenderedPicture(
                bytes: try StateDiagram(graph, options: options).bytes(format), summary: graph.subtitle)
        }
    }
}

/// A picture in the bytes of its file format.
public struct RenderedPicture: Sendable {
    public var bytes: [UInt8]
    /// What it shows, in a few words.
    public var summary: String
}

extension PictureLanguage {
    /// - Throws: ``LifeStatsError`` when the value of `--lang` is none of the languages.
    init(named name: String) throws {
        guard let language = Self(rawValue: name) else {
            throw LifeStatsError(
                "--lang \(name): this language is not known",
                remedy: "use \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = language
    }
}
