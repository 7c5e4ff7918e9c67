/// Draws a ``Timeline`` as a picture or as text.
package struct TimelineDrawing: Sendable {
    package var timeline: Timeline
    package var language: PictureLanguage
    /// Put before every id in an SVG, so that several pictures can stand in one page.
    package var idPrefix: String

    package init(_ timeline: Timeline, language: PictureLanguage = .english, idPrefix: String = "t") {
        self.timeline = timeline
        self.language = language
        self.idPrefix = idPrefix
    }

    /// The timeline as SVG.
    package func svg() -> String { SVGWriter.write(picture) }

    /// The timeline as SVG, PNG, PDF or as JSON; DOT has no timelines and gives SVG.
    package func bytes(_ format: PictureFormat) throws(DiagramError) -> [UInt8] {
        format == .json ? try JSONText.of(timeline) : try picture.bytes(format)
    }

    private var picture: Picture {
        TimelineComposer(timeline, language: language, idPrefix: idPrefix).picture()
    }
}
