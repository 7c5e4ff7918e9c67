import Foundation
import Testing

@testable import StateDiagrams

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element of an SVG, read by an XML parser that is not ours.
final class SVGElement {
    let name: String
    let attributes: [String: String]
    var text = ""
    var children: [SVGElement] = []

    init(name: String, attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }

    /// Reads a document; `nil` when it is not well-formed.
    static func read(_ text: String) -> SVGElement? {
        let reader = SVGReader()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        return parser.parse() ? reader.root : nil
    }

    var classes: [String] { (attributes["class"] ?? "").split(separator: " ").map(String.init) }

    /// This element and everything below it, in the order of the document.
    var all: [SVGElement] { [self] + children.flatMap(\.all) }

    func all(_ name: String, class className: String? = nil) -> [SVGElement] {
        all.filter { $0.name == name && (className.map($0.classes.contains) ?? true) }
    }

    func number(_ attribute: String) -> Double { attributes[attribute].flatMap(Double.init) ?? .nan }

    /// The first rectangle or circle of a group: its frame.
    var frame: Frame? {
        all.first { ["rect", "circle"].contains($0.name) }.map {
            let size = 2 * $0.number("r")
            return $0.name == "rect"
                ? Frame(x: $0.number("x"), y: $0.number("y"), width: $0.number("width"), height: $0.number("height"))
                : Frame(x: $0.number("cx") - size / 2, y: $0.number("cy") - size / 2, width: size, height: size)
        }
    }
}

struct Frame: Equatable {
    var x: Double, y: Double, width: Double, height: Double

    /// Whether two frames share more than a hair.
    func overlaps(_ other: Frame) -> Bool {
        let hair = 0.5
        return x + hair < other.x + other.width && other.x + hair < x + width && y + hair < other.y + other.height
            && other.y + hair < y + height
    }

    func contains(_ other: Frame) -> Bool {
        other.x >= x && other.y >= y && other.x + other.width <= x + width && other.y + other.height <= y + height
    }
}

private final class SVGReader: NSObject, XMLParserDelegate {
    var root: SVGElement?
    private var open: [SVGElement] = []

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let element = SVGElement(name: name, attributes: attributes)
        open.last?.children.append(element)
        if root == nil { root = element }
        open.append(element)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { open.last?.text += string }
}

/// The elements of a diagram as it is drawn.
func read(_ graph: StateGraph, _ edit: (inout DiagramOptions) -> Void = { _ in }) throws -> SVGElement {
    var options = DiagramOptions()
    edit(&options)
    return try #require(SVGElement.read(StateDiagram(graph, options: options).svg()))
}

/// The elements of a timeline as it is drawn.
func read(_ timeline: Timeline) throws -> SVGElement {
    try #require(SVGElement.read(TimelineDrawing(timeline).svg()))
}
