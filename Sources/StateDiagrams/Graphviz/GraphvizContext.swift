import CGraphviz

/// Graphviz's context, freed in `deinit`. Not safe for two threads; ``Graphviz`` guards it.
final class GraphvizContext {
    private typealias Graph = UnsafeMutablePointer<Agraph_t>

    private let context: OpaquePointer?

    init() {
        context = gvContext()
        // Graphviz writes warnings to standard error on its own; we ask for the last error instead.
        agseterr(AGMAX)
    }

    deinit { gvFreeContext(context) }

    func layOut(_ dot: String) throws(DiagramError) -> GraphvizPositions {
        let graph = try open(dot)
        defer { agclose(graph) }
        guard gvLayout(context, graph, "dot") == 0 else { throw .noLayout(lastError) }
        defer { gvFreeLayout(context, graph) }
        guard lifestats_attach_positions(context, graph) == 0 else { throw .noLayout(lastError) }

        var positions = GraphvizPositions()
        positions.boundingBox = attribute("bb", of: graph)
        var node = agfstnode(graph)
        while let current = node {
            positions.nodes[String(cString: agnameof(current))] = attribute("pos", of: current)
            var edge = agfstout(graph, current)
            while let line = edge {
                positions.edges[attribute("id", of: line)] = (attribute("pos", of: line), attribute("lp", of: line))
                edge = agnxtout(graph, line)
            }
            node = agnxtnode(graph, current)
        }
        return positions
    }

    func render(_ dot: String, format: String) throws(DiagramError) -> [UInt8] {
        let graph = try open(dot)
        defer { agclose(graph) }
        guard gvLayout(context, graph, "nop2") == 0 else { throw .noLayout(lastError) }
        defer { gvFreeLayout(context, graph) }
        var data: UnsafeMutablePointer<CChar>?
        var length = 0
        guard lifestats_render(context, graph, format, &data, &length) == 0, let data, length > 0 else {
            throw .noRenderer(format: format, message: lastError)
        }
        defer { gvFreeRenderData(data) }
        return UnsafeRawBufferPointer(start: data, count: length).map { $0 }
    }

    private func open(_ dot: String) throws(DiagramError) -> Graph {
        guard let graph = agmemread(dot) else { throw .unreadableGraph(lastError) }
        return graph
    }

    private func attribute(_ name: String, of object: UnsafeMutableRawPointer) -> String {
        lifestats_get(object, name).map { String(cString: $0) } ?? ""
    }

    private var lastError: String {
        guard let text = aglasterr() else { return "no reason given" }
        // Trimmed by hand: Foundation is not worth importing for it.
        return String(String(cString: text).split(whereSeparator: \.isNewline).joined(separator: "; "))
    }
}
