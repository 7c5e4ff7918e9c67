import Foundation

/// Writes a ``Picture`` as drawing operations of Graphviz (xdot), so that its renderers make the same picture as PNG
/// or PDF.
///
/// Graphviz knows no dash of our own, so dashes are cut here; colours are those for a light background.
struct DrawingWriter {
    private var operations = ""
    private let height: Double

    /// The picture as a graph with nothing in it but a background.
    static func dot(_ picture: Picture, dotsPerInch: Int) -> String {
        var writer = DrawingWriter(height: picture.height)
        for shape in picture.shapes { writer.write(shape) }
        let width = NumberText.coordinate(picture.width)
        let height = NumberText.coordinate(picture.height)
        // One invisible node as large as the canvas: Graphviz draws no larger than what its nodes take.
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
        let style = "setlinewidth(\(NumberText.coordinate(path.lineWidth)))"
        operations += "S \(style.utf8.count) -\(style) "
        for line in lines {
            for piece in PathFlattening.dashes(of: line, pattern: path.dash) where piece.count > 1 {
                points("L", piece)
            }
        }
    }

    private mutating func write(_ text: Picture.Text) {
        colour("c", text.ink, 1)
        let font = text.face.printFamily
        let anchor = text.anchor == .start ? -1 : text.anchor == .middle ? 0 : 1
        let width = TextMeasure.width(text.text, size: text.size, face: text.face)
        operations += "F \(NumberText.coordinate(text.size)) \(font.utf8.count) -\(font) "
        operations += "t \(text.face == .bold ? 1 : 0) "
        operations += "T \(pair(Point(x: text.x, y: text.y))) \(anchor) \(NumberText.coordinate(width)) "
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
        "\(NumberText.coordinate(point.x)) \(NumberText.coordinate(height - point.y))"
    }

    /// The outline of a rectangle with rounded corners.
    private static func outline(of box: Picture.Box) -> Picture.Path {
        let radius = min(box.radius, box.width / 2, box.height / 2)
        let (left, top, right, bottom) = (box.x, box.y, box.x + box.width, box.y + box.height)
        // How far the control points of a quarter of a circle stand from its corner.
        let handle = radius * 0.4477
        func at(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }
        var steps: [Picture.Path.Step] = [.move(at(left + radius, top)), .line(at(right - radius, top))]
        steps.append(.curve(at(right - handle, top), at(right, top + handle), at(right, top + radius)))
        steps.append(.line(at(right, bottom - radius)))
        steps.append(.curve(at(right, bottom - handle), at(right - handle, bottom), at(right - radius, bottom)))
        steps.append(.line(at(left + radius, bottom)))
        steps.append(.curve(at(left + handle, bottom), at(left, bottom - handle), at(left, bottom - radius)))
        steps.append(.line(at(left, top + radius)))
        steps.append(.curve(at(left, top + handle), at(left + handle, top), at(left + radius, top)))
        steps.append(.close)
        return Picture.Path(
            steps: steps, fill: box.fill, stroke: box.stroke, lineWidth: box.lineWidth, dash: box.dash,
            opacity: box.opacity)
    }
}
