/// A drawing of the report.
package struct ReportPicture: Sendable, Hashable {
    /// A whole SVG document of our own making, well-formed and free of scripts; it goes into the page as it is.
    package var svg: String
    /// What it shows, in a sentence.
    package var caption: String

    package init(svg: String, caption: String) {
        self.svg = svg
        self.caption = caption
    }
}
