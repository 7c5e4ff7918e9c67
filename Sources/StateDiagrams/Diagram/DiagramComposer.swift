import Foundation

/// Draws a state graph as a ``Picture``: heading, one or two panels, legend.
struct DiagramComposer {
    /// What a panel shows.
    enum Side: String { case documented, observed, overlay }

    let graph: StateGraph
    let options: DiagramOptions
    let labels: DiagramLabels
    /// One for each side.
    let layouts: [DiagramLayout]
    let box: StateBox
    let sides: [Side]

    var words: Words { labels.words }

    /// Distances, in points.
    static let margin = 28.0
    static let padding = 26.0
    static let gap = 20.0
    static let panelHead = 46.0

    init(_ input: StateGraph, _ options: DiagramOptions) throws(DiagramError) {
        let graph = input.canonical().folded(below: options.foldBelow)
        let labels = DiagramLabels(graph: graph, options: options)
        let sides: [Side] =
            switch options.view {
            case .sideBySide: [.documented, .observed]
            case .overlay: [.overlay]
            case .observed: [.observed]
            case .documented: [.documented]
            }
        let box = StateBox(graph: graph, labels: labels, sides: sides)
        let panels = sides.map { side in
            graph.edges.map { edge in
                Self.label(of: edge, on: side, sides: sides, labels: labels).map { ($0.width, $0.height) }
            }
        }
        self.graph = graph
        self.options = options
        self.labels = labels
        self.box = box
        self.sides = sides
        layouts = try DiagramLayout.of(graph, box: (box.width, box.height), panels: panels)
    }

    /// Where the states stand: alike on all sides.
    var layout: DiagramLayout { layouts[0] }

    func layout(of side: Side) -> DiagramLayout { layouts[sides.firstIndex(of: side) ?? 0] }

    /// The label of an edge in a panel; `nil` when the panel does not show the edge.
    static func label(of edge: StateGraph.Edge, on side: Side, sides: [Side], labels: DiagramLabels) -> EdgeLabel? {
        switch side {
        case .documented: edge.isDocumented && !edge.isShadowed ? labels.documented(edge) : nil
        case .observed: edge.isShown ? labels.observed(edge, named: sides.count == 1) : nil
        case .overlay: edge.isShown ? labels.observed(edge, named: true) : labels.documented(edge)
        }
    }

    /// The whole picture.
    func picture() -> Picture {
        // Whole points, so that rounding treats both panels alike.
        let panelWidth = (max(layout.width, 300) + 2 * Self.padding).rounded(.up)
        let panelHeight = (layout.height + Self.panelHead + Self.padding).rounded(.up)
        let count = Double(sides.count)
        let width = 2 * Self.margin + count * panelWidth + (count - 1) * Self.gap
        let inner = width - 2 * Self.margin

        var shapes: [Picture.Shape] = []
        var y = heading(into: &shapes, width: inner)
        for (place, side) in sides.enumerated() {
            let x = Self.margin + Double(place) * (panelWidth + Self.gap)
            shapes.append(panel(side, x: x, y: y, width: panelWidth, height: panelHeight))
        }
        y += panelHeight + 20
        y = legend(into: &shapes, y: y, width: inner)
        let height = y + Self.margin - 8
        let paper = Picture.Box(x: 0, y: 0, width: width, height: height, fill: .paper)
        return Picture(
            width: width, height: height, title: TextFit.line(graph.title), description: description,
            language: options.language, idPrefix: options.idPrefix, shapes: [.box(paper)] + shapes)
    }

    private func heading(into shapes: inout [Picture.Shape], width: Double) -> Double {
        var y = Self.margin + 20
        let title = TextFit.shortened(graph.title, to: width, size: 23, face: .bold)
        shapes.append(.text(.init(x: Self.margin, y: y, text: title, size: 23, face: .bold)))
        if !graph.subtitle.isEmpty {
            y += 24
            let line = TextFit.shortened(graph.subtitle, to: width, size: 14, face: .text)
            shapes.append(.text(.init(x: Self.margin, y: y, text: line, size: 14, ink: .muted)))
        }
        return y + 20
    }

    private func panel(_ side: Side, x: Double, y: Double, width: Double, height: Double) -> Picture.Shape {
        let name =
            switch side {
            case .documented: words.documented
            case .observed: words.observed
            case .overlay: words.overlay
            }
        var shapes: [Picture.Shape] = [
            .box(.init(x: x, y: y, width: width, height: height, radius: 12, fill: .panel, stroke: .frame)),
            .text(.init(x: x + 20, y: y + 29, text: name, size: 16, face: .bold)),
            .text(
                .init(
                    x: x + width - 20, y: y + 29, text: summary(of: side), size: 12.5, anchor: .end, ink: .muted)),
        ]
        let origin = Point(x: x + (width - layout.width) / 2, y: y + Self.panelHead)
        let drawn = graph.edges.indices.compactMap { place in
            Self.label(of: graph.edges[place], on: side, sides: sides, labels: labels).map { (place, $0) }
        }
        // Lines below states, states below labels: no line ever crosses a word.
        shapes += drawn.map { line(of: $0.0, on: side, origin: origin) }
        for place in graph.states.indices where isShown(graph.states[place], on: side) {
            shapes.append(state(place, on: side, origin: origin))
        }
        shapes += drawn.compactMap { labelShape($0.1, of: $0.0, on: side, origin: origin) }
        return .group(.init(classes: "panel \(side.rawValue)", role: "group", label: name, shapes: shapes))
    }

    private func isShown(_ state: StateGraph.State, on side: Side) -> Bool {
        state.isDocumented || side != .documented
    }

    private func summary(of side: Side) -> String {
        if side == .documented {
            let states = graph.states.filter(\.isDocumented).count
            let edges = graph.edges.filter { $0.isDocumented && !$0.isShadowed }.count
            return Words.filled(words.states, String(states)) + " · " + Words.filled(words.edges, String(edges))
        }
        let seen = graph.counted.reduce(0) { $0 + ($1.seen?.count ?? 0) }
        var parts = [Words.counted(seen, one: words.transition, many: words.transitions)]
        if let runs = graph.runs { parts.append(Words.counted(runs, one: words.run, many: words.runs)) }
        return parts.joined(separator: " · ")
    }

    /// The picture in sentences, for those who cannot see it.
    private var description: String {
        var parts = graph.subtitle.isEmpty ? [] : [TextFit.line(graph.subtitle)]
        for state in graph.states { parts.append(tooltip(state)) }
        for edge in graph.edges { parts.append(tooltip(edge, withDetails: false)) }
        return parts.map { $0.replacing("\n", with: ", ") }.joined(separator: ". ")
    }
}
