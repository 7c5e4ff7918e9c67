import LifecycleModel
public import StateDiagrams
import TraceRecords

/// Which picture to draw.
public struct DiagramRequest: Sendable {
    public var database: String
    /// Layer or id of a model: `app`, `scene`, `view`, or one of the user's.
    public var layer = "app"
    public var view = DiagramView.overlay
    /// The heading; `nil` for that of the model.
    public var title: String?
    public var format = DiagramFormat.svg
    /// Language of the states' names: `en`, `zh-Hans`, `zh-Hant`, `es`.
    public var language = "en"
    public var filter: Filter?
    /// Two cohorts, whose differences are drawn in place of what was observed.
    public var comparison: CompareRequest?
    public var limit = ReadingLimit()
    /// Files of models besides the built-in ones.
    public var models: [String] = []
    /// Figures on states and on edges.
    public var stateMetrics: [DiagramMetric] = [.count, .median]
    public var edgeMetrics: [DiagramMetric] = [.count, .probability]
    /// What the colour of a state shows.
    public var colouring = DiagramColouring.plain
    /// Edges with less than this share of the transitions out of their state (0 to 1) are hidden; the picture says how
    /// many.
    public var foldBelow = 0.0

    public init(database: String) { self.database = database }
}

/// What a diagram shows: the values of `--view`.
public typealias DiagramView = PictureView

/// A figure on a state or an edge: the values of `--state-metric` and `--edge-metric`.
public typealias DiagramMetric = PictureMetric

/// What the colour of a state shows: the values of `--colour`.
public typealias DiagramColouring = PictureColouring

/// File formats of diagrams: the values of `--format`.
public typealias DiagramFormat = PictureFormat

extension DiagramFormat {
    /// The format for a file, by its extension; SVG where there is no file, or no extension.
    ///
    /// - Throws: ``LifeStatsError`` when the extension is none of the formats.
    public init(forFile path: String?, among known: [DiagramFormat] = allCases) throws {
        let name = path?.split(separator: "/").last?.drop { $0 == "." } ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let ending = parts.last else {
            self = .svg
            return
        }
        guard let format = Self(rawValue: ending.lowercased()), known.contains(format) else {
            throw LifeStatsError(
                "\(path ?? ""): there is no picture format \(ending)",
                remedy: Suggestion.remedy(
                    String(ending), among: known.map(\.rawValue),
                    or: "end the name with \(known.map { "." + $0.rawValue }.joined(separator: ", "))"))
        }
        self = format
    }
}

/// Draws the observed lifecycle next to the documented one.
public enum DiagramRenderer {
    /// Checks a layer before logs are read; a database may know other ones.
    ///
    /// - Throws: ``LifeStatsError`` when neither the built-in models nor the files have it.
    public static func requireLayer(_ layer: String, models: [String]) throws {
        _ = try KnownModels(files: models, nil).drawn(layer: layer)
    }

    /// The layers that files of models add to the built-in ones.
    public static func ownLayers(_ models: [String]) throws -> [String] {
        try LifeStatsError.translated { try ModelLoading.ownLayers(of: models) }
    }

    /// Checks a language before logs are read.
    ///
    /// - Throws: ``LifeStatsError`` when the value of `--lang` is none of the languages.
    public static func requireLanguage(_ name: String) throws { _ = try PictureLanguage(named: name) }

    /// - Throws: ``LifeStatsError`` when there is no such database or layer, or the picture cannot be drawn.
    public static func render(_ request: DiagramRequest) throws -> RenderedPicture {
        let compared = try request.comparison.map { try CohortComparer.compared($0) }
        return try DatabaseReading.run(compared?.names.a.database ?? request.database, limit: request.limit) { reader in
            try request.filter?.requireMatch(in: reader)
            let models = try KnownModels(files: request.models, reader)
            let model = try models.drawn(layer: request.layer)
            let language = try PictureLanguage(named: request.language)
            var graph =
                try compared.map { try ComparedPictures($0).graph(of: model, language: request.language) }
                ?? PictureSource(request.filter, models: [model], reader).graph(of: model, language: request.language)
            // There may be runs without the layer.
            if graph.runs == 0, compared == nil, request.view != .documented {
                let totals = try PictureSource.totals(request.filter, reader)
                guard totals.runs > 0 else {
                    throw LifeStatsError.nothing(to: "draw", totals, in: reader.path, request.filter)
                }
            }
            graph.title = request.title ?? graph.title
            var options = DiagramOptions()
            options.view = request.view
            options.language = language
            options.stateMetrics = request.stateMetrics
            options.edgeMetrics = request.edgeMetrics
            options.colouring = request.colouring
            options.foldBelow = request.foldBelow
            let seen = try Rows.all(reader, "SELECT DISTINCT layer FROM instances ORDER BY layer").compactMap {
                $0.text("layer")
            }
            // Where no run has the layer there is nothing to draw beside the documentation, and the picture says so.
            let isEmpty = request.comparison == nil && graph.runs == 0 && !seen.isEmpty
            var drawn = graph
            if request.view == .documented || isEmpty {
                options.view = .documented
                drawn = ObservedGraph.documented(model, language: request.language)
                drawn.title = graph.title
                if isEmpty, request.view != .documented { drawn.subtitle = graph.subtitle }
            }
            let bytes = try StateDiagram(drawn, options: options).bytes(request.format)
            let others = isEmpty ? "; there are callbacks of: \(seen.joined(separator: ", "))" : ""
            return RenderedPicture(bytes: bytes, summary: graph.subtitle + others)
        }
    }
}

/// A picture in the bytes of its file format.
public struct RenderedPicture: Sendable {
    public var bytes: [UInt8]
    /// What it shows, in a line.
    public var summary: String
}

extension PictureLanguage {
    /// - Throws: ``LifeStatsError`` when the value of `--lang` is none of the languages.
    init(named name: String) throws {
        guard let language = Self(rawValue: name) else {
            let known = Self.allCases.map(\.rawValue)
            throw LifeStatsError(
                "--lang \(name): there is no such language",
                remedy: Suggestion.remedy(name, among: known, or: "use \(known.joined(separator: ", "))"))
        }
        self = language
    }

    /// A language that was checked before; English for any other word.
    init(checked name: String) { self = Self(rawValue: name) ?? .english }
}
