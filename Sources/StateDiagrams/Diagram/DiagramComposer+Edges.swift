extension DiagramComposer {
    /// Draws the line of an edge with its arrow.
    func line(of place: Int, on side: Side, origin: Point) -> Picture.Shape {
        let edge = graph.edges[place]
        let way = layout(of: side).edges[place]
        let width = side == .documented ? 1.7 : strokeWidth(of: edge)
        var steps: [Picture.Path.Step] = [.move(origin + way.points[0])]
        for piece in stride(from: 1, to: way.points.count, by: 3) {
            steps.append(
                .curve(origin + way.points[piece], origin + way.points[piece + 1], origin + way.points[piece + 2]))
        }
        let ink = labels.ink(of: edge.kind)
        let path = Picture.Path(steps: steps, stroke: ink, lineWidth: width, dash: Self.dash(edge.kind, width: width))
        let arrow = Self.arrow(from: origin + (way.points.last ?? way.tip), to: origin + way.tip, width: width)
        return .group(
            .init(
                classes: "edge \(edge.kind.rawValue)", role: "img", label: tooltip(edge, withDetails: true),
                data: [("from", edge.from), ("to", edge.to)],
                shapes: [.path(path), .path(.init(steps: arrow, fill: ink))]))
    }

    /// The dash of each kind, longer on thicker lines; solid for what is documented and occurs.
    static func dash(_ kind: StateGraph.EdgeKind, width: Double) -> [Double] {
        let unit = max(1, width / 2.2)
        switch kind {
        case .documented: return []
        case .undocumented: return [9 * unit, 5 * unit]
        case .neverOccurred: return [2, 4]
        case .silent: return [9 * unit, 4 * unit, 2 * unit, 4 * unit]
        }
    }

    private func strokeWidth(of edge: StateGraph.Edge) -> Double {
        graph.strokeWidth(of: edge)
    }

    /// Length of an arrow's head.
    static let arrowLength = 11.0

    /// A triangle whose tip touches the state.
    static func arrow(from base: Point, to tip: Point, width: Double) -> [Picture.Path.Step] {
        let way = tip - base
        let length = way.length
        guard length > 0.01 else { return [] }
        let along = way * (1 / length)
        let across = Point(x: -along.y, y: along.x)
        let half = 3.6 + width * 0.75
        // The triangle overlaps the line a little, so that no gap shows.
        let start = base - along * 0.6
        return [.move(start + across * half), .line(tip), .line(start - across * half), .close]
    }

    /// Draws the label of an edge beside its line.
    func labelShape(_ label: EdgeLabel, of place: Int, on side: Side, origin: Point) -> Picture.Shape? {
        let way = layout(of: side).edges[place]
        guard !label.lines.isEmpty, let room = way.label else { return nil }
        let middle = origin + room
        // The room may fit the longer label of both panels; a shorter one moves to the line that it belongs to.
        let widest = graph.states.count > DiagramLayout.longestColumn ? roomWidth(of: place) : label.width
        let nearest = way.samples.min { ($0 - room).length < ($1 - room).length } ?? room
        let slack = (widest - label.width) / 2
        let isRight = nearest.x <= room.x
        let left = middle.x - label.width / 2 + (isRight ? -slack : slack)
        let height = label.height
        let top = middle.y - height / 2
        var shapes: [Picture.Shape] = [
            .box(
                .init(
                    x: left, y: top, width: label.width, height: height, radius: 4, fill: .panel, opacity: 0.88))
        ]
        for (number, line) in label.lines.enumerated() {
            let y = top + 3 + Double(number) * EdgeLabel.lineHeight + 11.5
            // Text begins or ends at its line: other fonts are narrower than the one that was measured.
            let mark = number == 0 ? label.mark : nil
            let aside = mark == nil ? 0 : EdgeLabel.markWidth
            let x = isRight ? left + 4 + aside : left + label.width - 4 - aside
            if let mark {
                shapes += Self.findingMark(x: isRight ? left + 10 : x + aside - 6, y: y - 4, ink: mark)
            }
            shapes.append(
                .text(
                    .init(
                        x: x, y: y, text: line.text, size: line.size, face: line.face,
                        anchor: isRight ? .start : .end, ink: line.ink)))
        }
        let edge = graph.edges[place]
        return .group(
            .init(
                classes: "label \(edge.kind.rawValue)", role: nil, label: tooltip(edge, withDetails: true),
                data: [("from", edge.from), ("to", edge.to)], shapes: shapes))
    }

    private func roomWidth(of place: Int) -> Double {
        let edge = graph.edges[place]
        return sides.compactMap { Self.label(of: edge, on: $0, sides: sides, labels: labels)?.width }.max() ?? 0
    }

    /// A triangle with an exclamation mark.
    static func findingMark(x: Double, y: Double, ink: Ink) -> [Picture.Shape] {
        [
            .path(
                .init(
                    steps: [
                        .move(Point(x: x, y: y - 6.5)), .line(Point(x: x + 7, y: y + 5.5)),
                        .line(Point(x: x - 7, y: y + 5.5)), .close,
                    ], fill: ink)),
            .path(
                .init(
                    steps: [.move(Point(x: x, y: y - 2.2)), .line(Point(x: x, y: y + 1.6))], stroke: .panel,
                    lineWidth: 1.6)),
            .path(
                .init(
                    steps: [.move(Point(x: x, y: y + 2.9)), .line(Point(x: x, y: y + 4.3))], stroke: .panel,
                    lineWidth: 1.6)),
        ]
    }

    /// What a pointer shows on an edge: names in full, figures, citations, examples, findings.
    func tooltip(_ edge: StateGraph.Edge, withDetails: Bool) -> String {
        let kind =
            switch edge.kind {
            case .documented: words.edgeDocumented
            case .undocumented: words.edgeUndocumented
            case .neverOccurred: words.edgeNever
            case .silent: words.edgeSilent
            }
        var lines = ["\(title(edge.from)) → \(title(edge.to)) (\(kind))"]
        if !edge.callbacks.isEmpty {
            lines.append(edge.callbacks.map(Self.short).joined(separator: ", "))
        }
        if let seen = edge.seen {
            var figures = NumberText.count(seen.count) + "×"
            if let probability = edge.probability { figures += " · " + NumberText.percent(probability) }
            if let median = seen.median { figures += " · \(words.median) " + DurationText.of(median) }
            if let p90 = seen.p90 { figures += " · \(words.p90) " + DurationText.of(p90) }
            if let total = seen.total { figures += " · \(words.total) " + DurationText.of(total) }
            lines.append(figures)
        }
        if let estimated = edge.estimated {
            lines.append(Words.filled(words.estimated, NumberText.count(estimated)))
        }
        guard withDetails else { return lines.joined(separator: "\n") }
        lines += edge.findings.map {
            "\(words.finding): \(Self.short($0.rule)) (\($0.severity), \($0.count)×) \(Self.short($0.message))"
        }
        lines += edge.citations.map { "\(words.source): \(Self.short($0))" }
        lines += edge.examples.prefix(5).map { "\(words.example): \(Self.short($0))" }
        return lines.joined(separator: "\n")
    }

    private func title(_ id: String) -> String {
        let title = graph.states.first { $0.id == id }?.title ?? id
        return Self.short(title)
    }

    /// A text of a tooltip: on one line, and no longer than a person reads.
    static func short(_ text: String) -> String {
        text.count > 400 ? TextFit.line(String(text.prefix(400))) + "…" : TextFit.line(text)
    }
}
