/// Numbers on edges where labels would be too many or make the picture too wide: a small disc on each line, or in a label
/// that leaves something out. The list below the picture says what the numbers mean.
enum EdgeNumbers {
    static let diameter = 20.0
    /// Of a number in a label, and its distance from the text beside it.
    static let inText = 18.0
    static let beforeText = 5.0
}

/// The numbers on edges, and the list that explains them.
extension DiagramComposer {
    func number(_ number: Int, of place: Int, on side: DiagramSide, origin: Point) -> Picture.Shape? {
        guard let middle = layout(of: side).edges[place].label else { return nil }
        let edge = graph.edges[place].on(side)
        return .group(
            .init(
                classes: "label \(edge.kind.rawValue)", role: nil,
                label: options.isForPhone ? "" : labels.tooltip(edge, in: graph),
                data: [("from", edge.from), ("to", edge.to)],
                shapes: Self.disc(number, edge.ink, at: origin + middle)))
    }

    static func disc(
        _ number: Int, _ ink: Ink, at middle: Point, diameter: Double = EdgeNumbers.diameter
    ) -> [Picture.Shape] {
        // The corners of the digits stay off the ring.
        let wide = TextMeasure.width(String(number), size: 1, face: .bold)
        let size = min(11.5, (diameter - 1.5) / (wide * wide + 0.73 * 0.73).squareRoot())
        return [
            .circle(middle, diameter: diameter, fill: .panel, stroke: ink, width: 1.4),
            .label(
                String(number), at: middle + Point(0, size * 0.35), size: size, face: .bold, anchor: .middle, ink: ink),
        ]
    }

    private static let listColumn = 280.0

    /// Every listed edge with its number, states, callbacks and figures, in columns from top to bottom.
    func numberList(below top: Double, width: Double) -> (shapes: [Picture.Shape], height: Double) {
        let columns = max(1, min(numbers.count, Int(width / Self.listColumn)))
        let pitch = width / Double(columns)
        let entries = numbers.sorted { $0.value < $1.value }.compactMap { place, number in
            entry(number, of: place, room: min(pitch, 380) - 48).map { (place, shapes: $0.shapes, height: $0.height) }
        }
        let all = entries.reduce(0) { $0 + $1.height }
        var shapes: [Picture.Shape] = []
        var (column, y, lowest) = (0, top, top)
        for entry in entries {
            if y > top, y + entry.height / 2 > top + all / Double(columns), column + 1 < columns {
                (column, y) = (column + 1, top)
            }
            let origin = Point(PictureSheet.margin + Double(column) * pitch, y)
            let (edge, moved) = (graph.edges[entry.0], entry.shapes.map { $0.moved(by: origin) })
            // On a phone the size of a page counts.
            shapes +=
                options.isForPhone
                ? moved
                : [
                    .group(
                        .init(
                            classes: "item", role: nil, data: [("from", edge.from), ("to", edge.to)], shapes: moved))
                ]
            y += entry.height
            lowest = max(lowest, y)
        }
        return ([.group(.init(classes: "numbers", role: "group", shapes: shapes))], lowest - top)
    }

    private func entry(_ number: Int, of place: Int, room: Double) -> (shapes: [Picture.Shape], height: Double)? {
        let isShown = graph.edges[place].isShown || !sides.contains(.documented)
        let edge = graph.edges[place].on(isShown ? .overlay : .documented)
        // Beside the documented side the observed one names no callbacks; the list is for both.
        guard let label = labels.listed.label(of: edge, on: hasObserved ? .overlay : .documented) else { return nil }
        var shapes = Self.disc(number, edge.ink, at: Point(12, 10))
        var y = 14.0
        let heading = "\(graph.title(of: edge.from)) → \(graph.title(of: edge.to))"
        for line in TextFit.wrapped(heading, to: room, lines: 3, size: 12, face: .bold) {
            shapes.append(.label(line, at: Point(32, y), size: 12, face: .bold, ink: .text))
            y += 15
        }
        // Callbacks have a line each; figures share one.
        for line in label.lines where line.face == .code {
            shapes.append(
                .label(line.text, at: Point(32 + line.indent, y), size: line.size, face: .code, ink: line.ink))
            y += 15
        }
        var mark = 0.0
        if let ink = label.mark {
            shapes += Marks.onEdge(at: Point(38, y - 4), ink: ink)
            mark = EdgeLabel.markWidth
        }
        let figures = label.lines.filter { $0.face != .code }.map(\.text).joined(separator: " · ")
        if !figures.isEmpty {
            for (number, line) in TextFit.wrapped(figures, to: room - mark, lines: 8, size: 11.5, face: .text)
                .enumerated()
            {
                shapes.append(.label(line, at: Point(32 + (number == 0 ? mark : 0), y), size: 11.5, ink: edge.ink))
                y += 15
            }
        }
        return (shapes, y + 3)
    }
}
