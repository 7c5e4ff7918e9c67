/// Where the states, edges and labels of a graph lie, from Graphviz: laid out once and used by every panel.
struct DiagramLayout: Sendable {
    /// The way of an edge: cubic pieces, and the tip of its arrow.
    struct Way: Sendable {
        /// First point, then three for each piece.
        var points: [Point]
        var tip: Point
        /// Middle of the label; `nil` when the edge has none.
        var label: Point?
    }

    var width: Double
    var height: Double
    /// Middle of each state, by its place in the graph.
    var states: [Point]
    /// The edges, by their place in the graph.
    var edges: [Way]

    /// Number of states up to which they stand in one column.
    static let longestColumn = 9

    /// Lays out the panels of a canonical graph: a model that fits into one column by ``ColumnLayout``, a larger one by
    /// Graphviz, alike for all panels. A state has the same place in each.
    ///
    /// - Parameters:
    ///   - box: Size of every state.
    ///   - panels: Room that the label of each edge needs in each panel; `nil` where it is not drawn.
    static func of(
        _ graph: StateGraph, box: (width: Double, height: Double), panels: [[(width: Double, height: Double)?]]
    ) throws(DiagramError) -> [DiagramLayout] {
        let labels = graph.edges.indices.map { edge in
            let sizes = panels.compactMap { $0[edge] }
            return (width: sizes.map(\.width).max() ?? 8, height: sizes.map(\.height).max() ?? 8)
        }
        if graph.states.count <= longestColumn {
            return ColumnLayout(graph, box: box, labels: labels).layouts(panels)
        }
        let layout = try byGraphviz(graph, box: box, labels: labels)
        return panels.map { _ in layout }
    }

    /// Lays out a canonical graph with Graphviz's engine `dot`.
    ///
    /// - Parameters:
    ///   - box: Size of every state.
    ///   - labels: Room that the label of each edge needs.
    private static func byGraphviz(
        _ graph: StateGraph, box: (width: Double, height: Double), labels: [(width: Double, height: Double)]
    ) throws(DiagramError) -> DiagramLayout {
        let places = graph.places
        var dot = """
            digraph layout {
              graph [rankdir=TB, nodesep=0.22, ranksep=0.36, splines=spline]
              node [shape=box, label="", fixedsize=true, width=\(inches(box.width)), height=\(inches(box.height))]
              edge [arrowsize=1.1]

            """
        for place in graph.states.indices { dot += "  n\(place)\n" }
        for (place, edge) in graph.edges.enumerated() {
            let size = labels[place]
            let table =
                "<<TABLE FIXEDSIZE=\"TRUE\" WIDTH=\"\(Int(size.width.rounded(.up)) + 2 * beside)\" "
                + "HEIGHT=\"\(Int(size.height.rounded(.up)))\" BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\">"
                + "<TR><TD></TD></TR></TABLE>>"
            // What the model documents shapes the picture; deviations find their way through it.
            // The steps from a state to the next one of the model form the straight spine.
            let (from, end) = (places[edge.from] ?? 0, places[edge.to] ?? 0)
            let isSpine = edge.isDocumented && end == from + 1
            let weight = isSpine ? 40 : edge.isDocumented ? (edge.isSilent ? 2 : 4) : 1
            dot += "  n\(from) -> n\(end) "
            dot += "[id=\"e\(place)\", weight=\(weight), label=\(table)]\n"
        }
        dot += "}\n"
        let positions = try Graphviz.layOut(dot)
        let corners = numbers(positions.boundingBox)
        guard corners.count == 4 else { throw .noLayout("no bounding box") }
        let height = corners[3]
        func point(_ text: some StringProtocol) -> Point? {
            let pair = numbers(text)
            return pair.count == 2 ? Point(x: pair[0], y: height - pair[1]) : nil
        }
        var layout = DiagramLayout(width: corners[2], height: height, states: [], edges: [])
        for place in graph.states.indices {
            guard let middle = point(positions.nodes["n\(place)"] ?? "") else {
                throw .noLayout("a state has no place")
            }
            layout.states.append(middle)
        }
        for place in graph.edges.indices {
            guard let edge = positions.edges["e\(place)"] else { throw .noLayout("an edge has no way") }
            var points: [Point] = []
            var tip: Point?
            for part in edge.spline.split(separator: " ") {
                if part.hasPrefix("e,") {
                    tip = point(part.dropFirst(2))
                } else if let p = point(part) {
                    points.append(p)
                }
            }
            guard points.count >= 4, points.count % 3 == 1, let end = points.last else {
                throw .noLayout("an edge has no way")
            }
            layout.edges.append(Way(points: points, tip: tip ?? end, label: point(edge.label)))
        }
        return layout
    }

    /// Free space on both sides of a label, so that a thick line does not touch it.
    private static let beside = 8

    private static func inches(_ points: Double) -> String { NumberText.coordinate(points / 72) }

    private static func numbers(_ text: some StringProtocol) -> [Double] {
        text.split(separator: ",").compactMap { Double($0) }
    }
}

extension DiagramLayout.Way {
    /// Points along the way, close enough together to measure by.
    var samples: [Point] {
        var result = [points[0]]
        for piece in stride(from: 0, to: points.count - 1, by: 3) {
            let (a, b, c, d) = (points[piece], points[piece + 1], points[piece + 2], points[piece + 3])
            for step in 1...12 {
                let t = Double(step) / 12
                let u = 1 - t
                result.append(a * (u * u * u) + b * (3 * u * u * t) + c * (3 * u * t * t) + d * (t * t * t))
            }
        }
        return result
    }
}

extension DiagramLayout {
    /// Moves everything to the right.
    mutating func shift(by distance: Double) {
        let move = Point(x: distance, y: 0)
        states = states.map { $0 + move }
        edges = edges.map { way in
            Way(points: way.points.map { $0 + move }, tip: way.tip + move, label: way.label.map { $0 + move })
        }
    }
}
