extension DiagramComposer {
    /// Draws the legend and what has to be said about the picture; returns the lower end.
    func legend(into shapes: inout [Picture.Shape], y: Double, width: Double) -> Double {
        var flow = LegendFlow(left: Self.margin, y: y, width: width)
        let shown = graph.edges.filter { edge in
            sides.contains { Self.label(of: edge, on: $0, sides: sides, labels: labels) != nil }
        }
        let drawn = Set(shown.map(\.kind))
        for kind in StateGraph.EdgeKind.allCases where drawn.contains(kind) {
            let text =
                switch kind {
                case .documented: words.edgeDocumented
                case .undocumented: words.edgeUndocumented
                case .neverOccurred: words.edgeNever
                case .silent: words.edgeSilent
                }
            flow.place(sample: 46, text: text) { x, y in sample(kind, x: x, y: y) }
        }
        if graph.states.contains(where: \.isInitial) {
            flow.place(sample: 10, text: words.initial) { x, y in Self.initialMark(x: x + 5, y: y) }
        }
        if graph.states.contains(where: \.isFinal) {
            flow.place(sample: 10, text: words.final) { x, y in Self.finalMark(x: x + 5, y: y) }
        }
        if sides != [.documented], graph.states.contains(where: { $0.estimate != nil }) {
            flow.place(sample: 34, text: words.estimatedState) { x, y in
                let frame = Picture.Box(
                    x: x, y: y - 8, width: 34, height: 16, radius: 4, fill: .state, stroke: .silent, lineWidth: 1.2,
                    dash: [6, 3, 2, 3])
                return [.box(frame)] + Self.hatching(left: x, top: y - 8, width: 34, height: 16)
            }
        }
        if sides != [.documented] {
            flow.place(sample: 34, text: words.width) { x, y in
                [
                    .path(
                        .init(
                            steps: [
                                .move(Point(x: x, y: y - 0.6)), .line(Point(x: x + 34, y: y - 3)),
                                .line(Point(x: x + 34, y: y + 3)), .line(Point(x: x, y: y + 0.6)), .close,
                            ], fill: .documented))
                ]
            }
            if graph.states.contains(where: { ($0.stay?.share ?? 0) > 0 }) {
                flow.place(sample: 34, text: words.shareOfTime) { x, y in
                    [
                        .box(.init(x: x, y: y - 1.5, width: 34, height: 3, radius: 1.5, fill: .frame)),
                        .box(.init(x: x, y: y - 1.5, width: 20, height: 3, radius: 1.5, fill: .documented)),
                    ]
                }
            }
        }
        if sides != [.documented], options.colouring != .plain {
            flow.place(sample: 42, text: options.colouring == .frequency ? words.shadeOften : words.shadeLong) { x, y in
                Ink.shades.enumerated().map { place, ink in
                    .box(.init(x: x + 7 * Double(place), y: y - 7, width: 7, height: 14, fill: ink, stroke: .frame))
                }
            }
        }
        let marks = sides.flatMap { side in
            shown.compactMap { Self.label(of: $0, on: side, sides: sides, labels: labels)?.mark }
        }
        if let worst = [Ink.error, .warning, .info].first(where: marks.contains) {
            flow.place(sample: 16, text: words.findingMark) { x, y in Self.findingMark(x: x + 8, y: y, ink: worst) }
        }
        shapes.append(.group(.init(classes: "legend", role: "group", shapes: flow.shapes)))
        return flow.write(notes: notes, into: &shapes)
    }

    private func sample(_ kind: StateGraph.EdgeKind, x: Double, y: Double) -> [Picture.Shape] {
        let ink = labels.ink(of: kind)
        let (from, end, tip) = (Point(x: x, y: y), Point(x: x + 36, y: y), Point(x: x + 46, y: y))
        return [
            .path(
                .init(
                    steps: [.move(from), .line(end)], stroke: ink, lineWidth: 2.2,
                    dash: Self.dash(kind, width: 2.2))),
            .path(.init(steps: Self.arrow(from: end, to: tip, width: 1.7), fill: ink)),
        ]
    }

    private var notes: [String] {
        var notes: [String] = []
        if !labels.prefix.isEmpty { notes.append(Words.filled(words.prefixLeftOut, labels.prefix)) }
        if graph.hiddenEdges > 0 {
            notes.append(
                Words.filled(
                    words.hidden, NumberText.count(graph.hiddenEdges), NumberText.percent(graph.hiddenShare)))
        }
        return notes
    }
}
