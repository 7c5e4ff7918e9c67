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

            /// Where it ends; `nil` where that depends on other steps.
            var end: Point? {
                switch self {
                case .move(let point), .line(let point), .curve(_, _, let point): point
                case .close: nil
                }
            }
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
    static func along(_ points: [Point]) -> Self {
        points.enumerated().map { $0 == 0 ? .move($1) : .line($1) }
    }
}

/// The colours of all pictures by their meaning, each for a light and a dark background.
///
/// The colours of edges follow Okabe and Ito, which all kinds of colour blindness can distinguish; every kind of edge
/// also has its own dash. Text colours keep a contrast of 4.5 to 1.
enum Ink: String, Sendable, CaseIterable {
    case paper, panel, frame, text, muted, faint
    case state, stateFrame, ghost
    case model, documented, undocumented, never, estimated
    case error, warning, info
    case heat0, heat1, heat2, heat3, heat4, heat5
    case toneActive, toneTransit, toneBackground, toneSuspended, toneOutside, onActive, onTone
    case lineTransit, lineBackground
    case toneOwn1, toneOwn2, toneOwn3, toneOwn4, lineOwn2, lineOwn3, lineOwn4
    case series0, series1, series2, series3, series4, series5

    /// The steps of a scale, from low to high.
    static let shades: [Ink] = [.heat0, .heat1, .heat2, .heat3, .heat4, .heat5]

    /// Its name in a page, which names colours thousands of times.
    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// What B has more of, or less of, than A: neither colour says that it is better, or whether a change is documented.
    static let (more, less) = (Ink.series3, Ink.series4)

    /// The colour of the worst of some findings; `nil` when there are none.
    static func worst(of severities: some Collection<String>) -> Ink? {
        if severities.isEmpty { return nil }
        return severities.contains("error") ? .error : severities.contains("warning") ? .warning : .info
    }

    /// Hexadecimal colour on a light and on a dark background.
    var colours: (light: String, dark: String) {
        switch self {
        case .paper: ("#ffffff", "#12161c")
        case .panel: ("#f7f8fa", "#1a2029")
        case .frame: ("#dfe3e8", "#333c48")
        case .text: ("#1b1f24", "#eceff3")
        case .muted: ("#57606a", "#a5b0bd")
        case .faint: ("#c9d0d8", "#465160")
        case .state: ("#ffffff", "#252d38")
        case .stateFrame: ("#3b4654", "#b4c0ce")
        case .ghost: ("#5f6973", "#8793a1")
        case .model: ("#3b4654", "#b4c0ce")
        case .documented: ("#0a6cae", "#5cb6f0")
        case .undocumented: ("#c24e00", "#ff9a4d")
        case .never: ("#5f6973", "#8793a1")
        case .estimated: ("#8a3b80", "#dc9ad2")
        case .error: ("#b42318", "#ff8a80")
        case .warning: ("#8f5b00", "#f0c04c")
        case .info: ("#3b4654", "#b4c0ce")
        case .heat0: ("#ffffff", "#252d38")
        case .heat1: ("#edf4fa", "#1e2f3f")
        case .heat2: ("#dceaf5", "#1d374d")
        case .heat3: ("#c8dff0", "#1c405c")
        case .heat4: ("#b2d3ea", "#1b4a6c")
        case .heat5: ("#9ac6e4", "#1a547c")
        case .toneActive: ("#0a6cae", "#3f9fdc")
        case .toneTransit: ("#f2b84b", "#c98e1d")
        case .toneBackground: ("#aab6c2", "#66727f")
        case .toneSuspended: ("#d9dfe5", "#2f3843")
        case .toneOutside: ("#eef1f4", "#222932")
        case .onActive: ("#ffffff", "#0b1016")
        case .onTone: ("#1b1f24", "#eceff3")
        case .lineTransit: ("#b07400", "#e0a63a")
        case .lineBackground: ("#66727f", "#98a5b3")
        // Steps of lightness and of hue, which stay apart where only one of them is seen.
        case .toneOwn1: ("#1f665b", "#63c6b4")
        case .toneOwn2: ("#429686", "#2c7566")
        case .toneOwn3: ("#c4aee1", "#543f79")
        case .toneOwn4: ("#d9edc4", "#2a3618")
        case .lineOwn2: ("#3b8a7b", "#46a08f")
        case .lineOwn3: ("#7a5bb0", "#a083d6")
        case .lineOwn4: ("#62823c", "#8aa65c")
        case .series0: ("#0a6cae", "#5cb6f0")
        case .series1: ("#c24e00", "#ff9a4d")
        case .series2: ("#00795a", "#3fcf9f")
        case .series3: ("#8a3b80", "#dc9ad2")
        case .series4: ("#8f6a00", "#e5c04a")
        case .series5: ("#57606a", "#a5b0bd")
        }
    }
}

/// The typefaces of all pictures. Each is a list of fonts; the first installed one is used.
enum Typeface: String, Sendable, CaseIterable {
    case text, bold, code

    /// The value of `font-family`.
    var families: String {
        switch self {
        case .text, .bold:
            "'Inter', 'Helvetica Neue', 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', 'PingFang SC', 'PingFang TC', "
                + "'Noto Sans CJK SC', 'Microsoft YaHei', 'DejaVu Sans', sans-serif"
        case .code:
            "'SF Mono', Menlo, 'DejaVu Sans Mono', Consolas, 'Noto Sans Mono CJK SC', monospace"
        }
    }

    /// The font for formats that name only one (PNG, PDF).
    var printFamily: String { self == .code ? "DejaVu Sans Mono" : "Helvetica" }
}

/// Small drawings that several pictures share.
enum Marks {
    /// A finding: a triangle with an exclamation mark; for a remark, a disc with an i.
    static func finding(at place: Point, ink: Ink) -> [Picture.Shape] {
        func point(_ x: Double, _ y: Double) -> Point { place + Point(x, y) }
        if ink == .info {
            return [
                .circle(place, diameter: 13, fill: ink),
                .line(point(0, -3.8), point(0, -2.2), ink: .panel, width: 1.6),
                .line(point(0, -0.8), point(0, 3.8), ink: .panel, width: 1.6),
            ]
        }
        return [
            .polygon([point(0, -6.5), point(7, 5.5), point(-7, 5.5)], fill: ink),
            .line(point(0, -2.2), point(0, 1.6), ink: .panel, width: 1.6),
            .line(point(0, 2.9), point(0, 4.3), ink: .panel, width: 1.6),
        ]
    }

    /// A diamond: a difference beyond chance.
    static func significant(at place: Point, ink: Ink) -> [Picture.Shape] {
        [.polygon([Point(0, -6.5), Point(6.5, 0), Point(0, 6.5), Point(-6.5, 0)].map { place + $0 }, fill: ink)]
    }

    /// The mark on a label: a finding in the colour of its severity, or a difference.
    static func onEdge(at place: Point, ink: Ink) -> [Picture.Shape] {
        ink == .more || ink == .less ? significant(at: place, ink: ink) : finding(at: place, ink: ink)
    }

    /// Slanting lines, clipped to a box; those of neighbouring boxes continue each other.
    static func hatching(in box: Picture.Box, ink: Ink, step: Double) -> Picture.Path {
        var steps: [Picture.Path.Step] = []
        // At most a few hundred lines: a wide box is hatched more widely.
        let step = max(step, (box.width + box.height) / 300)
        var start = step - (box.x + box.y).truncatingRemainder(dividingBy: step)
        while start < box.width + box.height {
            let from = Point(box.x + min(start, box.width), box.y + max(0, start - box.width))
            let to = Point(box.x + max(0, start - box.height), box.y + min(start, box.height))
            steps += [.move(from), .line(to)]
            start += step
        }
        return Picture.Path(steps: steps, stroke: ink, lineWidth: 0.9, opacity: 0.55)
    }

    /// A torn edge: the log begins or ends here, not the visit.
    static func tear(at place: Point, teeth: Int = 6) -> Picture.Shape {
        let points = (1...teeth).map { tooth in place + Point(tooth % 2 == 1 ? 3 : -3, Double(tooth) * 5 - 2) }
        return .polyline([place + Point(0, -2)] + points, ink: .text, width: 1.3)
    }

    /// An initial state: a dot.
    static func initial(at place: Point) -> [Picture.Shape] { [.circle(place, diameter: 8, fill: .stateFrame)] }

    /// A final state: a dot in a ring.
    static func final(at place: Point) -> [Picture.Shape] {
        [
            .circle(place, diameter: 10, fill: nil, stroke: .stateFrame, width: 1.4),
            .circle(place, diameter: 5, fill: .stateFrame),
        ]
    }

    /// A filled sample for a legend.
    static func swatch(at place: Point, fill: Ink?, stroke: Ink? = nil) -> Picture.Box {
        .init(x: place.x, y: place.y - 7, width: 26, height: 14, radius: 3, fill: fill, stroke: stroke)
    }
}
