/// The places of the states, edges and labels of a graph.
struct DiagramLayout: Sendable {
    /// The route of an edge: cubic pieces, and the tip of its arrow.
    struct Route: Sendable {
        /// First point, then three for each piece.
        var points: [Point]
        var tip: Point
        /// Middle of the label; `nil` when there is none.
        var label: Point?
    }

    var width: Double
    var height: Double
    /// Middle of each state, by its place in the graph.
    var states: [Point]
    /// The edges, by their place in the graph.
    var edges: [Route]

    /// Most states that are laid out in one column.
    static let longestColumn = 9

    /// Lays out the panels of a canonical graph: in one column by ``ColumnLayout`` if it fits, otherwise by Graphviz, with
    /// numbers instead of labels. A state has the same place in each panel.
    ///
    /// - Parameters:
    ///   - box: Size of every state.
    ///   - panels: Room that the label of each edge needs in each panel; `nil` where it is not drawn.
    static func of(
        _ graph: StateGraph, box: (width: Double, height: Double), panels: [[(width: Double, height: Double)?]]
    ) throws(DiagramError) -> [DiagramLayout] {
        guard graph.states.count > longestColumn else {
            let labels = graph.edges.indices.map { edge in
                let sizes = panels.compactMap { $0[edge] }
                return (width: sizes.map(\.width).max() ?? 8, height: sizes.map(\.height).max() ?? 8)
            }
            return ColumnLayout(graph, box: box, labels: labels).layouts(panels)
        }
        let layout = try numbered(graph, box: box)
        return panels.map { _ in layout }
    }

    /// Lays out a graph with room for a number on every edge: wider until all numbers are clear of everything else.
    private static func numbered(
        _ graph: StateGraph, box: (width: Double, height: Double)
    ) throws(DiagramError) -> DiagramLayout {
        var layout = try byGraphviz(graph, box: box, spread: 1)
        for spread in [1.5, 2.2, 3.2] {
            if EdgeNumbers.place(in: &layout, box: box) { return layout }
            layout = try byGraphviz(graph, box: box, spread: spread)
        }
        _ = EdgeNumbers.place(in: &layout, box: box)
        return layout
    }

    /// Lays out a canonical graph with Graphviz's engine `dot`, without labels.
    ///
    /// - Parameter spread: Factor of the distances between states.
    private static func byGraphviz(
        _ graph: StateGraph, box: (width: Double, height: Double), spread: Double
    ) throws(DiagramError) -> DiagramLayout {
        let places = graph.places
        var dot = """
            digraph layout {
              graph [rankdir=TB, nodesep=\(inches(34 * spread)), ranksep=\(inches(52 * spread)), splines=spline]
              node [shape=box, label="", fixedsize=true, width=\(inches(box.width)), height=\(inches(box.height))]
              edge [arrowsize=1.1]

            """
        for place in graph.states.indices { dot += "  n\(place)\n" }
        for (place, edge) in graph.edges.enumerated() {
            // Documented edges shape the picture, and steps to the next state of the model form a straight spine.
            let (from, end) = (places[edge.from] ?? 0, places[edge.to] ?? 0)
            let isSpine = edge.isDocumented && end == from + 1
            let weight = isSpine ? 40 : edge.isDocumented ? (edge.isSilent ? 2 : 4) : 1
            dot += "  n\(from) -> n\(end) [id=\"e\(place)\", weight=\(weight)]\n"
        }
        dot += "}\n"
        return try read(Graphviz.layOut(dot), of: graph)
    }

    private static func read(_ positions: GraphvizPositions, of graph: StateGraph) throws(DiagramError) -> DiagramLayout
    {
        let corners = numbers(positions.boundingBox)
        guard corners.count == 4 else { throw .noLayout("no bounding box") }
        let height = corners[3]
        func point(_ text: some StringProtocol) -> Point? {
            let pair = numbers(text)
            return pair.count == 2 ? Point(pair[0], height - pair[1]) : nil
        }
        var layout = DiagramLayout(width: corners[2], height: height, states: [], edges: [])
        for place in graph.states.indices {
            guard let middle = point(positions.nodes["n\(place)"] ?? "") else {
                throw .noLayout("a state has no place")
            }
            layout.states.append(middle)
        }
        for place in graph.edges.indices {
            guard let edge = positions.edges["e\(place)"] else { throw .noLayout("an edge has no route") }
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
                throw .noLayout("an edge has no route")
            }
            layout.edges.append(Route(points: points, tip: tip ?? end, label: nil))
        }
        return layout
    }

    private static func inches(_ points: Double) -> String { Coordinate.text(points / 72) }

    private static func numbers(_ text: some StringProtocol) -> [Double] {
        text.split(separator: ",").compactMap { Double($0) }
    }
}

extension DiagramLayout.Route {
    /// Points along the route, close enough together to measure by.
    var samples: [Point] {
        var result = [points[0]]
        for piece in stride(from: 0, to: points.count - 1, by: 3) {
            let (a, b, c, d) = (points[piece], points[piece + 1], points[piece + 2], points[piece + 3])
            result += (1...12).map { .onCurve(a, b, c, d, at: Double($0) / 12) }
        }
        return result
    }
}

extension DiagramLayout {
    /// Widens the layout on both sides, so that discs near its border fit.
    mutating func makeRoom(for discs: [(middle: Point, radius: Double)]) {
        let outside = discs.map { max($0.radius - $0.middle.x, $0.middle.x + $0.radius - width) }.max() ?? 0
        guard outside > 0 else { return }
        width += 2 * outside
        shift(by: outside)
    }

    /// Moves everything to the right.
    mutating func shift(by distance: Double) {
        let move = Point(distance, 0)
        states = states.map { $0 + move }
        edges = edges.map { route in
            Route(points: route.points.map { $0 + move }, tip: route.tip + move, label: route.label.map { $0 + move })
        }
    }
}

/// The text on an edge, as measured lines.
struct EdgeLabel: Sendable {
    struct Line: Sendable {
        var text: String
        var face: Typeface
        var size: Double
        var ink: Ink
        var width: Double

        init(_ text: String, face: Typeface = .text, size: Double = 11, ink: Ink) {
            self.text = text
            self.face = face
            self.size = size
            self.ink = ink
            width = TextMeasure.width(text, size: size, face: face)
        }
    }

    var lines: [Line] = []
    /// Severity of the worst finding, drawn as a mark before the first line.
    var mark: Ink?

    static let lineHeight = 15.0
    /// Widest line of a callback's name between neighbours, where there is room, and beside a long edge, where every
    /// point makes the picture wider. Longer names continue on another line.
    static let wide = 134.0
    static let narrow = 74.0
    /// The same in the list below a large graph.
    static let listed = 280.0
    static let markWidth = 17.0

    var width: Double {
        let widest = lines.enumerated().map { $1.width + ($0 == 0 && mark != nil ? Self.markWidth : 0) }
        return (widest.max() ?? 0) + 8
    }

    var height: Double { Double(max(lines.count, 1)) * Self.lineHeight + 6 }
}

/// The size that all states of a diagram share.
struct StateBox: Sendable {
    var width: Double
    var height: Double

    static let titleSize = 15.0
    static let titleHeight = 19.0
    static let figureSize = 12.0
    static let figureHeight = 16.0
    /// Widest title inside a state, and the width that short texts share a line of.
    static let (widest, usual) = (190.0, 140.0)

    init(graph: StateGraph, labels: DiagramLabels) {
        let hasFigures = labels.options.view != .documented
        var widest = 110.0
        var lines = (title: 1, figures: 1, ends: 0)
        for state in graph.states {
            let title = Self.title(state)
            lines.title = max(lines.title, title.count)
            for line in title { widest = max(widest, TextMeasure.width(line, size: Self.titleSize, face: .bold) + 22) }
            widest = max(widest, min(TextMeasure.width(state.id, size: 11, face: .code), 150))
            guard hasFigures else { continue }
            let (figures, ends) = (labels.figures(state, in: graph), labels.endings(state))
            lines.figures = max(lines.figures, figures.count)
            lines.ends = max(lines.ends, ends.count)
            for line in figures + ends.map(\.text) {
                widest = max(widest, TextMeasure.width(line, size: Self.figureSize, face: .text))
            }
        }
        width = min(widest, Self.widest + 110) + 24
        height = Double(lines.title) * Self.titleHeight + Double(lines.figures + lines.ends) * Self.figureHeight + 26
    }

    /// The title; only a very long one is cut.
    static func title(_ state: StateGraph.State) -> [String] {
        TextFit.wrapped(state.title, to: widest, lines: 4, size: titleSize, face: .bold)
    }
}
