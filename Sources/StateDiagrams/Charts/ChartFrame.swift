/// What all charts have around them: heading, panel, legend, notes.
struct ChartFrame {
    var title: String
    var subtitle: String
    /// Size of the panel.
    var width: Double
    var height: Double
    /// What stands in the panel; its origin is the panel's upper left corner.
    var shapes: [Picture.Shape]
    var legend: [Entry] = []
    var notes: [String] = []
    /// The chart in sentences, for a screen reader.
    var description: String

    struct Entry {
        var text: String
        var sample: Double = 26
        var draw: (Double, Double) -> [Picture.Shape]
    }

    static let margin = 28.0
    /// Width of the panel of most charts, the same as that of a timeline.
    static let usualWidth = 1_298.0

    func picture(_ language: PictureLanguage, idPrefix: String) -> Picture {
        var all: [Picture.Shape] = []
        var y = Self.margin + 20
        let heading = TextFit.shortened(title, to: width, size: 23, face: .bold)
        all.append(.text(.init(x: Self.margin, y: y, text: heading, size: 23, face: .bold)))
        if !subtitle.isEmpty {
            y += 24
            let line = TextFit.shortened(subtitle, to: width, size: 14, face: .text)
            all.append(.text(.init(x: Self.margin, y: y, text: line, size: 14, ink: .muted)))
        }
        y += 22
        all.append(
            .box(
                .init(
                    x: Self.margin, y: y, width: width, height: height, radius: 12, fill: .panel, stroke: .frame)))
        all += shapes.map { $0.moved(by: Point(x: Self.margin, y: y)) }
        y += height + 24
        var flow = LegendFlow(left: Self.margin, y: y, width: width)
        for entry in legend { flow.place(sample: entry.sample, text: entry.text, draw: entry.draw) }
        if !legend.isEmpty {
            all.append(.group(.init(classes: "legend", role: "group", shapes: flow.shapes)))
        }
        let bottom = legend.isEmpty && notes.isEmpty ? y - 16 : flow.write(notes: notes, into: &all)
        let whole = (width: width + 2 * Self.margin, height: bottom + Self.margin - 8)
        let paper = Picture.Box(x: 0, y: 0, width: whole.width, height: whole.height, fill: .paper)
        return Picture(
            width: whole.width, height: whole.height, title: TextFit.line(title),
            description: TextFit.line(description), language: language, idPrefix: idPrefix,
            shapes: [.box(paper)] + all)
    }

    /// A filled sample for a legend.
    static func swatch(_ fill: Ink, stroke: Ink? = nil) -> (Double, Double) -> [Picture.Shape] {
        { x, y in [.box(.init(x: x, y: y - 7, width: 26, height: 14, radius: 3, fill: fill, stroke: stroke))] }
    }

    /// A line for a legend.
    static func stroke(_ ink: Ink, width: Double, dash: [Double] = []) -> (Double, Double) -> [Picture.Shape] {
        { x, y in
            [
                .path(
                    .init(
                        steps: [.move(Point(x: x, y: y)), .line(Point(x: x + 26, y: y))], stroke: ink,
                        lineWidth: width, dash: dash))
            ]
        }
    }

    static func line(_ from: Point, _ to: Point, ink: Ink, width: Double = 1, dash: [Double] = []) -> Picture.Shape {
        .path(.init(steps: [.move(from), .line(to)], stroke: ink, lineWidth: width, dash: dash))
    }
}

extension Picture.Shape {
    /// The shape elsewhere.
    func moved(by move: Point) -> Picture.Shape {
        switch self {
        case .box(var box):
            box.x += move.x
            box.y += move.y
            return .box(box)
        case .text(var text):
            text.x += move.x
            text.y += move.y
            return .text(text)
        case .path(var path):
            path.steps = path.steps.map { step in
                switch step {
                case .move(let p): .move(p + move)
                case .line(let p): .line(p + move)
                case .curve(let a, let b, let p): .curve(a + move, b + move, p + move)
                case .close: .close
                }
            }
            return .path(path)
        case .group(var group):
            group.shapes = group.shapes.map { $0.moved(by: move) }
            return .group(group)
        }
    }
}
