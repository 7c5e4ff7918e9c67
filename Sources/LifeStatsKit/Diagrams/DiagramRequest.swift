/// Which picture to draw.
public struct DiagramRequest: Sendable {
    public var database: String
    /// Layer or id of a model: `app`, `scene`, `view`, or one of the user's.
    public var layer = "app"
    public var view = DiagramView.sideBySide
    public var format = DiagramFormat.svg
    /// Language of the states' names: `en`, `zh-Hans`, `zh-Hant`, `es`.
    public var language = "en"
    public var filter: Filter?
    public var limit = ReadingLimit()
    /// Files of models beside the built-in ones.
    public var models: [String] = []
    /// Figures on states and on edges.
    public var stateMetrics: [DiagramMetric] = [.count, .median]
    public var edgeMetrics: [DiagramMetric] = [.count, .probability]
    /// What the colour of a state tells.
    public var colouring = DiagramColouring.plain
    /// Edges seen less often than this part of the moves out of their state (0 to 1) are folded away; the picture
    /// states what is hidden.
    public var foldBelow = 0.0

    public init(database: String) { self.database = database }
}

/// What a diagram shows: the words of `--view`.
public enum DiagramView: String, Sendable, CaseIterable {
    /// Documented left, observed right, every state at the same place.
    case sideBySide = "side-by-side"
    /// Both in one.
    case overlay
    case observed
    case documented
}

/// File formats of diagrams: the words of `--format`.
public enum DiagramFormat: String, Sendable, CaseIterable {
    case svg, png, pdf, dot, json

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
                remedy: "end the name with \(known.map { "." + $0.rawValue }.joined(separator: ", "))")
        }
        self = format
    }
}

/// A figure that may stand on a state or an edge: the words of `--state-metric` and `--edge-metric`.
public enum DiagramMetric: String, Sendable, CaseIterable {
    /// Number of visits, or of transitions.
    case count
    /// Part of the time of all states, or of all transitions.
    case share
    /// Part of the transitions out of the state; edges only.
    case probability
    /// Median and ninetieth percentile of the dwell.
    case median, p90
    /// Sum of the dwell.
    case total
}

/// What the colour of a state tells: the words of `--colour`.
public enum DiagramColouring: String, Sendable, CaseIterable {
    /// Nothing: all states alike.
    case plain
    /// How often it was visited.
    case frequency
    /// How long a stay lasts, by the median.
    case performance
}
