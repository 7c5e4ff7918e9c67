import Foundation
import TraceRecords

/// The file formats of pictures.
public enum PictureFormat: String, Sendable, CaseIterable {
    case svg, png, pdf, dot, json
}

/// What a diagram shows.
public enum PictureView: String, Sendable, CaseIterable {
    /// Two panels: documented left, observed right, each state in the same place.
    case sideBySide = "side-by-side"
    /// One panel with everything.
    case overlay
    /// One panel with what was seen.
    case observed
    /// One panel with the model.
    case documented

    var sides: [DiagramSide] {
        switch self {
        case .sideBySide: [.documented, .observed]
        case .overlay: [.overlay]
        case .observed: [.observed]
        case .documented: [.documented]
        }
    }
}

/// What the colour of a state shows.
public enum PictureColouring: String, Sendable, CaseIterable {
    /// Nothing: all states are alike.
    case plain
    /// How often it was visited.
    case frequency
    /// The median length of its visits.
    case performance
}

/// A figure that a state or an edge may show.
public enum PictureMetric: String, Sendable, CaseIterable, Codable {
    /// Number of visits, or of transitions.
    case count
    /// Share of the time in all states, or of all transitions.
    case share
    /// Shares of the observed moves out of the state and of all ends of its visits; edges only.
    case probability
    /// Median and ninetieth percentile of the visits.
    case median, p90
    /// Sum of the visits.
    case total
}

/// What a state diagram shows, and how.
package struct DiagramOptions: Sendable, Hashable {
    package var view: PictureView = .sideBySide
    package var stateMetrics: [PictureMetric] = [.count, .median]
    package var edgeMetrics: [PictureMetric] = [.count, .probability]
    package var colouring: PictureColouring = .plain
    /// Edges with a smaller share of the transitions out of their state are hidden (0...1); 0 shows all. The picture
    /// states what is hidden.
    package var foldBelow: Double = 0
    package var language: PictureLanguage = .english
    /// Whether title and subtitle are drawn; a page may have its own.
    package var hasHeading = true
    /// How wide the picture may be, in points: edges carry numbers, and panels stand below each other, before it gets wider.
    package var width = 890.0
    /// Prefix of every id in an SVG, so that one page can contain several pictures.
    package var idPrefix = "d"

    package init() {}

    /// Whether the picture is for a phone, where tooltips would only make a page heavier.
    var isForPhone: Bool { width < 600 }
}

/// What a panel of a diagram shows.
enum DiagramSide: String {
    case documented, observed, overlay

    var heading: Word {
        switch self {
        case .documented: .documented
        case .observed: .observed
        case .overlay: .overlay
        }
    }
}

/// Draws a ``StateGraph``: observed beside documented.
package struct StateDiagram: Sendable {
    package var graph: StateGraph
    package var options: DiagramOptions

    package init(_ graph: StateGraph, options: DiagramOptions = DiagramOptions()) {
        self.graph = graph
        self.options = options
    }

    /// The diagram in one of the formats. Equal graphs give equal bytes, except that a PDF contains its creation time.
    package func bytes(_ format: PictureFormat) throws(DiagramError) -> [UInt8] {
        switch format {
        case .dot: Array(graph.dot(options).utf8)
        case .svg, .png, .pdf: try DiagramComposer(graph, options).picture().bytes(format)
        case .json: try DiagramComposer(graph, options).json()
        }
    }

    /// The diagram as SVG, self-contained unless it is a part of a page with ``PictureStyle/page``.
    package func svg(isPart: Bool = false) -> String {
        SVGWriter.write(
            DiagramComposer(graph, options).picture(), isPart: isPart, isBare: isPart && options.isForPhone)
    }

    /// What it is based on: `135 transitions · 13 runs`.
    package var summary: String { DiagramComposer(graph, options).summary }
}

extension Picture {
    /// The picture as SVG, PNG (two pixels per point) or PDF.
    func bytes(_ format: PictureFormat) throws(DiagramError) -> [UInt8] {
        switch format {
        case .png: try Graphviz.render(DrawingWriter.dot(self, dotsPerInch: 144), format: "png:cairo")
        case .pdf: try Graphviz.render(DrawingWriter.dot(self, dotsPerInch: 72), format: "pdf:cairo")
        case .svg, .dot, .json: Array(SVGWriter.write(self).utf8)
        }
    }

    /// The content of a picture as JSON; equal values give equal bytes.
    static func json(_ content: some Encodable) throws(DiagramError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(content) else { throw .notANumber }
        // Foundation leaves C1 controls and direction marks as they are; a terminal must not see them.
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
            scalar.value < 0x7F || !VisibleText.isHarmful(scalar)
                ? String(scalar) : "\\u" + String(format: "%04x", scalar.value)
        }
        return Array(text.joined().utf8) + [10]
    }
}
