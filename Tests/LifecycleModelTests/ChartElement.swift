import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element of an exported state chart, as an XML parser that is not ours reads it.
struct ChartElement {
    var name: String
    var namespace: String
    var attributes: [String: String]
    var children: [ChartElement] = []

    /// The root element of a document.
    static func read(_ text: String) throws -> ChartElement {
        let parser = XMLParser(data: Data(text.utf8))
        let reader = Reader()
        parser.delegate = reader
        parser.shouldProcessNamespaces = true
        try #require(parser.parse(), "not well-formed XML: \(String(describing: parser.parserError))")
        return try #require(reader.open[0].children.first)
    }

    private final class Reader: NSObject, XMLParserDelegate {
        /// The elements that are not closed yet, below a document.
        var open = [ChartElement(name: "", namespace: "", attributes: [:])]

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI namespace: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            open.append(ChartElement(name: name, namespace: namespace ?? "", attributes: attributes))
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            let closed = open.removeLast()
            open[open.count - 1].children.append(closed)
        }
    }
}
