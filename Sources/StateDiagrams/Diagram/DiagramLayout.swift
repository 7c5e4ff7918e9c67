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
    /// Height of each state.
    var heights: [Double]
    /// The edges, by their place in the graph.
    var edges: [Route]

    /// Most states of a graph whose edges carry labels; in larger ones they carry numbers.
    static let mostLabelled = 9

    /// Lays out the panels of a canonical graph. A state has the same place in each panel.
    ///
    /// - Parameters:
    ///   - box: Size of the states.
    ///   - panels: Room that the label of each edge needs in each panel; `nil` where it is not drawn.
    ///   - numbered: The edges that carry a number instead.
    ///   - centred: How wide a panel may be with the states in its middle.
    static func of(
        _ graph: StateGraph, box: StateBox, panels: [[(width: Double, height: Double)?]], numbered: Set<Int>,
        centred: Double
    ) -> [DiagramLayout] {
        let number = (width: EdgeNumbers.diameter, height: EdgeNumbers.diameter)
        let panels = panels.map { panel in
            panel.enumerated().map { place, size in numbered.contains(place) ? size.map { _ in number } : size }
        }
        let labels = graph.edges.indices.map { edge in
            let sizes = panels.compactMap { $0[edge] }
            return (width: sizes.map(\.width).max() ?? 8, height: sizes.map(\.height).max() ?? 8)
        }
        return ColumnLayout(graph, box: box, labels: labels, numbered: numbered).layouts(panels, centred: centred)
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
        /// How far the line begins to the right of the others: what continues a name.
        var indent: Double
        /// Whether the line leaves something out, and has the number of the edge in the list below the picture.
        var isNumbered: Bool
        var width: Double

        init(
            _ text: String, face: Typeface = .text, size: Double = 11, ink: Ink, indent: Double = 0,
            isNumbered: Bool = false
        ) {
            self.isNumbered = isNumbered
            self.text = text
            self.face = face
            self.size = size
            self.ink = ink
            self.indent = indent
            width =
                indent + TextMeasure.width(text, size: size, face: face)
                + (isNumbered ? EdgeNumbers.inText + EdgeNumbers.beforeText : 0)
        }
    }

    var lines: [Line] = []
    /// Severity of the worst finding, drawn as a mark before the first line.
    var mark: Ink?

    /// Whether it has names that the list below the picture could have instead.
    var hasNames: Bool { lines.contains { $0.face == .code || $0.isNumbered } }

    /// The same with a number in place of the names.
    func brief(_ ink: Ink) -> EdgeLabel {
        var label = self
        label.lines.removeAll { $0.face == .code || $0.isNumbered }
        label.number(label.lines.first ?? .init("", ink: ink))
        return label
    }

    /// The same with the number that stands for a cut text beside the first line instead of on a line of its own.
    var gathered: EdgeLabel {
        var label = self
        label.lines.removeAll { $0.isNumbered && $0.text.isEmpty }
        guard label.lines.count < lines.count, let first = label.lines.first else { return self }
        if !label.lines.contains(where: \.isNumbered) { label.number(first) }
        return label
    }

    /// Puts the number beside the first line.
    private mutating func number(_ first: Line) {
        let numbered = Line(
            first.text, face: first.face, size: first.size, ink: first.ink, indent: first.indent, isNumbered: true)
        lines = [numbered] + lines.dropFirst()
    }

    /// Of a brief label the count alone, with the number.
    var counted: EdgeLabel {
        var label = self
        label.lines = lines.prefix(1).map { line in
            let words = line.text.split(separator: " ").map(String.init)
            // Of a comparison both shares: `91 → 96%`.
            let shares = words.filter { $0.hasSuffix("%") }.compactMap { Double($0.dropLast()) }
            let count =
                !words.contains("→")
                ? words.first ?? ""
                : shares.count == 2
                    ? shares.map { String(Int($0.rounded())) }.joined(separator: " → ") + "%" : line.text
            return .init(count, face: line.face, size: line.size, ink: line.ink, isNumbered: true)
        }
        return label
    }

    /// Whether callbacks are left out, which the list below the picture has.
    var isShortened: Bool { lines.contains(where: \.isNumbered) }

    static let lineHeight = 15.0
    /// Widest line of figures beside a long edge.
    static let figures = 82.0
    /// Widest line in the list below a large graph.
    static let listed = 230.0
    static let markWidth = 17.0

    var width: Double {
        let widest = lines.enumerated().map { $1.width + ($0 == 0 && mark != nil ? Self.markWidth : 0) }
        return (widest.max() ?? 0) + 8
    }

    var height: Double { Double(max(lines.count, 1)) * Self.lineHeight + 6 }
}

/// How wide texts may be, in points. Longer ones continue on another line.
struct TextRoom: Sendable {
    /// The title of a state, and texts that share a line in it.
    var state: Double
    /// The name of a callback between neighbours, and beside a long edge, where every point makes the picture wider.
    var short: Double
    var long: Double

    static let usual = TextRoom(state: 190, short: 134, long: 74)
    /// In a panel that shares the width with another one, or stands on a phone.
    static let narrow = TextRoom(state: 150, short: 74, long: 74)
    /// On a phone, where the lines leave no more room for states.
    static let phone = TextRoom(state: 104, short: 74, long: 74)

    var isNarrow: Bool { short == long }

    /// The title of a state; only a very long one is cut.
    func title(_ state: StateGraph.State) -> [String] {
        TextFit.wrapped(state.title, to: self.state, lines: 4, size: StateBox.titleSize, face: .bold)
    }
}

/// The sizes of the states of a diagram: all have the same width, and each the height of its text.
struct StateBox: Sendable {
    var width: Double
    var heights: [Double] = []

    static let titleSize = 15.0
    static let titleHeight = 19.0
    static let figureSize = 12.0
    static let figureHeight = 16.0

    init(graph: StateGraph, labels: DiagramLabels) {
        let hasFigures = labels.options.view != .documented
        var widest = 110.0
        for state in graph.states {
            let title = labels.room.title(state)
            // Marks of initial and final states are beside the title.
            for line in title {
                widest = max(widest, TextMeasure.width(line, size: Self.titleSize, face: .bold) + 22)
            }
            widest = max(widest, min(TextMeasure.width(state.id, size: 11, face: .code), 150))
            let figures =
                hasFigures ? labels.figures(state, in: graph) + labels.endings(state).map(\.text) : [state.id]
            for line in figures where hasFigures {
                widest = max(widest, TextMeasure.width(line, size: Self.figureSize, face: .text))
            }
            heights.append(
                Double(title.count) * Self.titleHeight + Double(max(1, figures.count)) * Self.figureHeight + 26)
        }
        width = min(widest, labels.room.state + 110) + 24
    }
}
