/// An SVG document as it stands inside a page.
enum SVGFragment {
    /// The document from its root element on: a page has no place for an XML declaration.
    static func text(_ document: String) -> String {
        guard let start = document.range(of: "<svg") else { return "" }
        return String(document[start.lowerBound...])
    }
}
