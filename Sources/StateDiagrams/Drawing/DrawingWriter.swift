/// Writes a ``Picture`` as drawing operations of Graphviz (xdot), whose renderers make the same picture as PNG or PDF.
///
/// Graphviz has no custom dashes, so lines are cut here. Colours are those for a light background.
struct DrawingWriter {
    private var operations = ""
    private let height: Double

    /// The picture as the background of an otherwise empty graph.
    static func dot(_ picture: Picture, dotsPerInch: Int) -> String {
        var writer = DrawingWriter(height: picture.height)
        for shape in picture.shapes { writer.write(shape) }
        let width = Coordinate.text(picture.width)
        let height = Coordinate.text(picture.height)
        // One invisible node as large as the canvas: Graphviz clips the drawing to its nodes.
        return """
            digraph picture {
              graph [bb="0,0,\(width),\(height)", pad=0, margin=0, dpi=\(dotsPerInch), charset="UTF-8", \
            _background=\(quoted(writer.operations))]
              canvas [shape=none, label="", fixedsize=true, style=invis, \
            width=\(fine(picture.width / 72)), height=\(fine(picture.height / 72)), \
            pos="\(fine(picture.width / 2)),\(fine(picture.height / 2))"]
            }

            """
    }

    private init(height: Double) { self.height = height }

    private static func fine(_ value: Double) -> String { String(format: "%.6f", value) }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private mutating func write(_ shape: Picture.Shape) {
        switch shape {
        case .box(let box): write(Self.outline(of: box))
        case .path(let path): write(path)
        case .text(let text): write(text)
        case .group(let group): for inner in group.shapes { write(inner) }
        }
    }

    private mutating func write(_ path: Picture.Path) {
        let lines = PathFlattening.polylines(path.steps)
        if let fill = path.fill {
            colour("C", fill, path.opacity)
            colour("c", fill, 0)
            for line in lines where line.count > 2 { points("P", line) }
        }
        guard let stroke = path.stroke else { return }
        colour("c", stroke, path.opacity)
        let style = "setlinewidth(\(Coordinate.text(path.lineWidth)))"
        operations += "S \(style.utf8.count) -\(style) "
        for line in lines {
            for piece in PathFlattening.dashes(of: line, pattern: path.dash) where piece.count > 1 {
                points("L", piece)
            }
        }
    }

    private mutating func write(_ text: Picture.Text) {
        // Graphviz leaves out everything behind an empty text.
        guard !text.text.isEmpty else { return }
        colour("c", text.ink, 1)
        let font = text.face.printFamily
        let anchor = text.anchor == .start ? -1 : text.anchor == .middle ? 0 : 1
        let width = TextMeasure.width(text.text, size: text.size, face: text.face)
        operations += "F \(Coordinate.text(text.size)) \(font.utf8.count) -\(font) "
        operations += "t \(text.face == .bold ? 1 : 0) "
        // Graphviz raises text above the given line by a fifth of its size.
        operations += "T \(pair(Point(text.x, text.y + 0.2 * text.size))) \(anchor) \(Coordinate.text(width)) "
        operations += "\(text.text.utf8.count) -\(text.text) "
    }

    private mutating func points(_ operation: String, _ line: [Point]) {
        operations += "\(operation) \(line.count) " + line.map(pair).joined(separator: " ") + " "
    }

    private mutating func colour(_ operation: String, _ ink: Ink, _ opacity: Double) {
        let alpha = String(Int((max(0, min(1, opacity)) * 255).rounded()), radix: 16)
        let text = ink.colours.light + (alpha.count == 1 ? "0" + alpha : alpha)
        operations += "\(operation) \(text.utf8.count) -\(text) "
    }

    private func pair(_ point: Point) -> String {
        "\(Coordinate.text(point.x)) \(Coordinate.text(height - point.y))"
    }

    /// The outline of a rectangle with rounded corners.
    private static func outline(of box: Picture.Box) -> Picture.Path {
        let radius = min(box.radius, box.width / 2, box.height / 2)
        let (left, top, right, bottom) = (box.x, box.y, box.x + box.width, box.y + box.height)
        // Distance from the corner to the control points of a quarter of a circle.
        let handle = radius * 0.4477
        var steps: [Picture.Path.Step] = [.move(Point(left + radius, top)), .line(Point(right - radius, top))]
        steps.append(.curve(Point(right - handle, top), Point(right, top + handle), Point(right, top + radius)))
        steps.append(.line(Point(right, bottom - radius)))
        steps.append(
            .curve(Point(right, bottom - handle), Point(right - handle, bottom), Point(right - radius, bottom)))
        steps.append(.line(Point(left + radius, bottom)))
        steps.append(.curve(Point(left + handle, bottom), Point(left, bottom - handle), Point(left, bottom - radius)))
        steps.append(.line(Point(left, top + radius)))
        steps.append(.curve(Point(left, top + handle), Point(left + handle, top), Point(left + radius, top)))
        steps.append(.close)
        return Picture.Path(
            steps: steps, fill: box.fill, stroke: box.stroke, lineWidth: box.lineWidth, dash: box.dash,
            opacity: box.opacity)
    }
}

/// Turns paths into straight lines, and lines into dashes.
enum PathFlattening {
    static func polylines(_ steps: [Picture.Path.Step]) -> [[Point]] {
        var lines: [[Point]] = []
        var line: [Point] = []
        for step in steps {
            switch step {
            case .move(let p):
                if line.count > 1 { lines.append(line) }
                line = [p]
            case .line(let p): line.append(p)
            case .curve(let a, let b, let d):
                guard let start = line.last else { continue }
                let length = (a - start).length + (b - a).length + (d - b).length
                let pieces = max(4, min(64, Int(length / 4)))
                for piece in 1...pieces {
                    line.append(.onCurve(start, a, b, d, at: Double(piece) / Double(pieces)))
                }
            case .close:
                if let first = line.first { line.append(first) }
            }
        }
        if line.count > 1 { lines.append(line) }
        return lines
    }

    /// The drawn pieces of a line. The lengths of the pattern are drawn and left out in turn.
    static func dashes(of line: [Point], pattern: [Double]) -> [[Point]] {
        guard pattern.reduce(0, +) > 0.1, let first = line.first else { return [line] }
        var pieces: [[Point]] = []
        var piece = [first]
        var place = 0
        var left = pattern[0]
        for (start, end) in zip(line, line.dropFirst()) {
            let length = (end - start).length
            var done = 0.0
            while length - done > left {
                done += left
                let point = start + (end - start) * (done / length)
                if place % 2 == 0 { pieces.append(piece + [point]) }
                piece = [point]
                place += 1
                left = pattern[place % pattern.count]
            }
            left -= length - done
            if place % 2 == 0 { piece.append(end) }
        }
        if place % 2 == 0, piece.count > 1 { pieces.append(piece) }
        return pieces
    }
}
