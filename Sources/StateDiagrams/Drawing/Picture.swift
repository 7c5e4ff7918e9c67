/// A drawing independent of its file format: a canvas with the origin at the top left, in points.
///
/// The same picture is written as SVG, and as PNG and PDF through Graphviz's renderers, so that all look alike.
struct Picture: Sendable {
    var width: Double
    var height: Double
    /// Read by a screen reader, and shown as the title of the window.
    var title: String
    var description: String
    var language: PictureLanguage
    var idPrefix: String
    var shapes: [Shape]

    indirect enum Shape: Sendable {
        case box(Box)
        case path(Path)
        case text(Text)
        case group(Group)
    }

    /// A rectangle, perhaps with rounded corners.
    struct Box: Sendable {
        var x: Double, y: Double, width: Double, height: Double
        var radius = 0.0
        var fill: Ink?
        var stroke: Ink?
        var lineWidth = 1.0
        var dash: [Double] = []
        var opacity = 1.0
    }

    /// Straight and cubic pieces, one after the other.
    struct Path: Sendable {
        enum Step: Sendable {
            case move(Point)
            case line(Point)
            case curve(Point, Point, Point)
            case close
        }
        var steps: [Step]
        var fill: Ink?
        var stroke: Ink?
        var lineWidth = 1.0
        var dash: [Double] = []
        var opacity = 1.0
    }

    /// One line of text; `x`, `y` are on its base line.
    struct Text: Sendable {
        enum Anchor: String, Sendable { case start, middle, end }
        var x: Double, y: Double
        var text: String
        var size: Double
        var face = Typeface.text
        var anchor = Anchor.start
        var ink = Ink.text
    }

    /// Shapes that belong together, with a text for screen readers and tooltips.
    struct Group: Sendable {
        /// Class names for style sheets and scripts.
        var classes: String
        /// Role for screen readers; `nil` when the group has no meaning of its own.
        var role: String?
        /// The text for screen readers and for the tooltip.
        var label = ""
        /// Attributes for scripts (`data-…`), in order.
        var data: [(name: String, value: String)] = []
        var shapes: [Shape]
    }
}

/// A place on the canvas, in points.
struct Point: Sendable, Hashable {
    var x: Double
    var y: Double

    init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

    static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
    static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
    static func * (a: Point, b: Double) -> Point { Point(a.x * b, a.y * b) }

    var length: Double { (x * x + y * y).squareRoot() }

    /// A point of a cubic curve, 0 to 1 along it.
    static func onCurve(_ a: Point, _ b: Point, _ c: Point, _ d: Point, at t: Double) -> Point {
        let u = 1 - t
        return a * (u * u * u) + b * (3 * u * u * t) + c * (3 * u * t * t) + d * (t * t * t)
    }
}

extension Picture.Shape {
    /// One line of text.
    static func label(
        _ text: String, at place: Point, size: Double = 11, face: Typeface = .text,
        anchor: Picture.Text.Anchor = .start, ink: Ink = .muted
    ) -> Picture.Shape {
        .text(.init(x: place.x, y: place.y, text: text, size: size, face: face, anchor: anchor, ink: ink))
    }

    static func line(
        _ from: Point, _ to: Point, ink: Ink, width: Double = 1, dash: [Double] = []
    ) -> Picture.Shape {
        .polyline([from, to], ink: ink, width: width, dash: dash)
    }

    static func polyline(_ points: [Point], ink: Ink, width: Double = 1, dash: [Double] = []) -> Picture.Shape {
        .path(.init(steps: .along(points), stroke: ink, lineWidth: width, dash: dash))
    }

    static func polygon(_ points: [Point], fill: Ink) -> Picture.Shape {
        .path(.init(steps: .along(points) + [.close], fill: fill))
    }

    static func circle(_ middle: Point, diameter: Double, fill: Ink?, stroke: Ink? = nil, width: Double = 1) -> Self {
        let half = diameter / 2
        return .box(
            .init(
                x: middle.x - half, y: middle.y - half, width: diameter, height: diameter, radius: half, fill: fill,
                stroke: stroke, lineWidth: width))
    }

    /// The shape at another place.
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

extension [Picture.Path.Step] {
    /// Straight from point to point.
    static func along(_ points: [Point]) -> Self {
        points.enumerated().map { $0 == 0 ? .move($1) : .line($1) }
    }
}
