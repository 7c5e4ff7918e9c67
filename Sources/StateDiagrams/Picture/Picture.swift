/// A drawing of our own, independent of the format it is written in: a canvas with the origin at the top left, in
/// points.
///
/// One picture is written as SVG, and through Graphviz's renderers as PNG and PDF, so that all look alike.
struct Picture: Sendable {
    var width: Double
    var height: Double
    /// Read out by a screen reader, and shown as the title of the window.
    var title: String
    var description: String
    var language: PictureLanguage
    var idPrefix: String
    var shapes: [Shape]

    /// A thing that is drawn.
    indirect enum Shape: Sendable {
        case box(Box)
        case path(Path)
        case text(Text)
        case group(Group)
    }

    /// A rectangle, with rounded corners.
    struct Box: Sendable {
        var x: Double, y: Double, width: Double, height: Double
        var radius = 0.0
        var fill: Ink?
        var stroke: Ink?
        var lineWidth = 1.0
        var dash: [Double] = []
        var opacity = 1.0
    }

    /// Straight or cubic pieces, one after the other.
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

    /// Things that belong together, with what a screen reader says and a pointer shows.
    struct Group: Sendable {
        /// Class names for style sheets and scripts.
        var classes: String
        /// Role for screen readers; `nil` when the group means nothing by itself.
        var role: String?
        /// What a screen reader says, and the tooltip.
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

    static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
    static func * (a: Point, b: Double) -> Point { Point(x: a.x * b, y: a.y * b) }

    var length: Double { (x * x + y * y).squareRoot() }
}
