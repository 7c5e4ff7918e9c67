/// Draws a ``StateGraph``: observed beside documented.
package struct StateDiagram: Sendable {
    package var graph: StateGraph
    package var options: DiagramOptions

    package init(_ graph: StateGraph, options: DiagramOptions = DiagramOptions()) {
        self.graph = graph
        self.options = options
    }

    /// The diagram in one of the formats; the same graph gives the same bytes (a PDF may carry the time of its making).
    package func bytes(_ format: PictureFormat) throws(DiagramError) -> [UInt8] {
        switch format {
        case .dot: Array(graph.dot(options).utf8)
        case .svg, .png, .pdf: try DiagramComposer(graph, options).picture().bytes(format)
        case .json: try DiagramComposer(graph, options).json()
        }
    }

    /// The diagram as SVG: one text, without anything outside it.
    package func svg() throws(DiagramError) -> String {
        SVGWriter.write(try DiagramComposer(graph, options).picture())
    }
}

extension Picture {
    /// The picture as SVG, PNG (two pixels a point) or PDF.
    func bytes(_ format: PictureFormat) throws(DiagramError) -> [UInt8] {
        switch format {
        case .png: try Graphviz.render(DrawingWriter.dot(self, dotsPerInch: 144), format: "png:cairo")
        case .pdf: try Graphviz.render(DrawingWriter.dot(self, dotsPerInch: 72), format: "pdf:cairo")
        case .svg, .dot, .json: Array(SVGWriter.write(self).utf8)
        }
    }
}
