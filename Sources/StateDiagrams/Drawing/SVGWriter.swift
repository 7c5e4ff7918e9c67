internal import TraceRecords

/// Writes a ``Picture`` as SVG: well-formed, without scripts and external files, equal bytes for equal pictures.
///
/// The elements carry colours for a light background, so that every viewer shows them. A style sheet replaces them for
/// `prefers-color-scheme: dark`, on screens only: paper stays white. A part of a page has neither, because the page has the
/// colours of all its pictures once; it leaves out what the page or a default says, and is precise to a tenth of a point.
struct SVGWriter {
    private let isPart: Bool
    private var text = ""
    private var depth = 1
    /// Inks that the picture uses; only those get a rule in the style sheet.
    private var fills: Set<Ink> = []
    private var strokes: Set<Ink> = []

    private init(isPart: Bool) { self.isPart = isPart }

    /// - Parameters:
    ///   - isPart: Whether the picture is a part of a page that has ``PictureStyle/page``.
    ///   - isBare: Whether most of its margin is left out: on a phone the screen has one.
    static func write(_ picture: Picture, isPart: Bool = false, isBare: Bool = false) -> String {
        var writer = SVGWriter(isPart: isPart)
        for shape in picture.shapes { writer.write(shape) }
        return writer.document(picture, cut: isBare ? PictureSheet.margin - 8 : 0)
    }

    private func document(_ picture: Picture, cut: Double) -> String {
        let width = Coordinate.text(picture.width - 2 * cut)
        let height = Coordinate.text(picture.height - 2 * cut)
        let corner = Coordinate.text(cut)
        let id = XMLText.escaped(picture.idPrefix)
        let head = isPart ? "" : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let own = isPart ? "font-size=\"\(number(PictureStyle.size))\"" : "xmlns=\"http://www.w3.org/2000/svg\""
        let style = isPart ? "" : "  <style>\n\(styleSheet(scope: id))  </style>\n"
        return """
            \(head)<svg \(own) id="\(id)" class="lifestats" width="\(width)" height="\(height)" \
            viewBox="\(corner) \(corner) \(width) \(height)" xml:lang="\(picture.language.rawValue)" role="graphics-document" \
            aria-roledescription="diagram" aria-labelledby="\(id)-title \(id)-desc">
              <title id="\(id)-title">\(XMLText.escaped(picture.title))</title>
              <desc id="\(id)-desc">\(XMLText.escaped(picture.description))</desc>
            \(style)\(text)</svg>

            """
    }

    private func styleSheet(scope: String) -> String {
        var rules = ""
        for face in Typeface.allCases {
            let weight = face == .bold ? " font-weight: 600;" : ""
            rules += "    #\(scope) .\(face.rawValue) { font-family: \(face.families);\(weight) }\n"
        }
        rules += "    @media screen and (prefers-color-scheme: dark) {\n"
        for ink in Ink.allCases {
            if fills.contains(ink) { rules += "      #\(scope) .f-\(ink.rawValue) { fill: \(ink.colours.dark); }\n" }
            if strokes.contains(ink) {
                rules += "      #\(scope) .s-\(ink.rawValue) { stroke: \(ink.colours.dark); }\n"
            }
        }
        return rules + "    }\n"
    }

    private mutating func write(_ shape: Picture.Shape) {
        switch shape {
        case .box(let box): write(box)
        case .path(let path): write(path)
        case .text(let line): write(line)
        case .group(let group): write(group)
        }
    }

    private mutating func write(_ group: Picture.Group) {
        var head = "<g class=\"\(XMLText.escaped(group.classes))\""
        if let role = group.role { head += " role=\"\(role)\"" }
        // In a page the title is enough of a name.
        if !group.label.isEmpty, group.role != nil, !isPart {
            head += " aria-label=\"\(XMLText.escaped(group.label))\""
        }
        for (name, value) in group.data { head += " data-\(name)=\"\(XMLText.escaped(value))\"" }
        line(head + ">")
        depth += 1
        // Labels have the titles of their lines, which the script of a page copies.
        if !group.label.isEmpty, !(isPart && group.role == nil) {
            line("<title>\(XMLText.escaped(group.label))</title>")
        }
        for shape in group.shapes { write(shape) }
        depth -= 1
        line("</g>")
    }

    private mutating func write(_ box: Picture.Box) {
        var element: String
        if box.radius > 0, box.width == box.height, box.width == 2 * box.radius {
            let middle = (number(box.x + box.radius), number(box.y + box.radius))
            element = "<circle cx=\"\(middle.0)\" cy=\"\(middle.1)\" r=\"\(number(box.radius))\""
        } else {
            element = "<rect x=\"\(number(box.x))\" y=\"\(number(box.y))\""
            element += " width=\"\(number(box.width))\" height=\"\(number(box.height))\""
            if box.radius > 0 { element += " rx=\"\(number(box.radius))\"" }
        }
        element += paint(
            fill: box.fill, stroke: box.stroke, width: box.lineWidth, dash: box.dash, opacity: box.opacity)
        line(element + "/>")
    }

    private mutating func write(_ path: Picture.Path) {
        var data = ""
        var last: Point?
        for step in path.steps {
            switch step {
            case .move(let p): data += "M\(pair(p))"
            // The steps of curves are many, and most are horizontal or vertical.
            case .line(let p) where p.y == last?.y: data += "H\(number(p.x))"
            case .line(let p) where p.x == last?.x: data += "V\(number(p.y))"
            case .line(let p): data += "L\(pair(p))"
            case .curve(let a, let b, let p): data += "C\(pair(a)) \(pair(b)) \(pair(p))"
            case .close: data += "Z"
            }
            last = step.end
        }
        var element = "<path d=\"\(data)\""
        element += paint(
            fill: path.fill, stroke: path.stroke, width: path.lineWidth, dash: path.dash, opacity: path.opacity)
        line(element + "/>")
    }

    private mutating func write(_ text: Picture.Text) {
        fills.insert(text.ink)
        var element = "<text x=\"\(number(text.x))\" y=\"\(number(text.y))\""
        element += " class=\"\(text.face.rawValue) f-\(name(text.ink))\"" + colour("fill", text.ink)
        if !isPart || text.size != PictureStyle.size { element += " font-size=\"\(number(text.size))\"" }
        if text.anchor != .start { element += " text-anchor=\"\(text.anchor.rawValue)\"" }
        line(element + ">\(XMLText.escaped(text.text))</text>")
    }

    private mutating func paint(
        fill: Ink?, stroke: Ink?, width: Double, dash: [Double], opacity: Double
    ) -> String {
        var classes: [String] = []
        var attributes = ""
        if let fill {
            fills.insert(fill)
            classes.append("f-\(name(fill))")
            attributes += colour("fill", fill)
        } else {
            if !isPart { attributes += " fill=\"none\"" }
        }
        if let stroke {
            strokes.insert(stroke)
            classes.append("s-\(name(stroke))")
            attributes += colour("stroke", stroke)
            if !isPart || width != 1 { attributes += " stroke-width=\"\(number(width))\"" }
            if !dash.isEmpty {
                attributes += " stroke-dasharray=\"\(dash.map(number).joined(separator: " "))\""
            }
        }
        if opacity < 1 { attributes += " opacity=\"\(number(opacity))\"" }
        return (classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\"") + attributes
    }

    private mutating func line(_ element: String) {
        text += (isPart ? "" : String(repeating: " ", count: depth * 2)) + element + "\n"
    }

    private func colour(_ attribute: String, _ ink: Ink) -> String {
        isPart ? "" : " \(attribute)=\"\(ink.colours.light)\""
    }

    private func name(_ ink: Ink) -> String { isPart ? String(ink.number) : ink.rawValue }

    private func number(_ value: Double) -> String {
        Coordinate.text(isPart ? (value * 10).rounded() / 10 : value)
    }

    private func pair(_ point: Point) -> String { "\(number(point.x)) \(number(point.y))" }
}

/// The colours and typefaces of pictures that are parts of a page.
package enum PictureStyle {
    /// The size of texts that say none.
    static let size = 11.0

    /// A style sheet for the page, with the colours for light and for dark screens.
    package static var page: String {
        let faces = Typeface.allCases.map { face in
            ".lifestats .\(face.rawValue) { font-family: \(face.families);\(face == .bold ? " font-weight: 600;" : "") }"
        }
        func colours(_ value: (Ink) -> String) -> [String] {
            Ink.allCases.flatMap { ink in
                [("f", "fill"), ("s", "stroke")].map { ".lifestats .\($0)-\(ink.number) { \($1): \(value(ink)); }" }
            }
        }
        let dark = ["@media screen and (prefers-color-scheme: dark) {"] + colours(\.colours.dark) + ["}"]
        // Classes of pictures have another meaning in the text of a page.
        let shapes = [".lifestats :is(rect, circle, path) { fill: none; }", ".lifestats g { font-size: inherit; }"]
        return (faces + shapes + colours(\.colours.light) + dark).joined(separator: "\n") + "\n"
    }
}

/// Coordinates as text, independent of the locale.
enum Coordinate {
    /// At most two decimals, no trailing zeros, never `-0`.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        // Clamped far outside any canvas, so that the conversion cannot trap.
        let hundredths = Int64((max(-1e12, min(1e12, value)) * 100).rounded())
        let (whole, fraction) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        if fraction == 0 { return "\(sign)\(whole)" }
        return "\(sign)\(whole).\(fraction % 10 == 0 ? "\(fraction / 10)" : (fraction < 10 ? "0" : "") + "\(fraction)")"
    }
}

/// The parts that all pictures have: paper, heading, panels, legend and notes, from top to bottom.
struct PictureSheet {
    /// An entry of a legend: a sample, drawn from the left at the given height, and its text.
    struct Entry {
        var text: String
        var sample = 26.0
        var draw: (Point) -> [Picture.Shape]
    }

    static let margin = 20.0

    private let title: String
    private let width: Double
    private var shapes: [Picture.Shape] = []
    /// The upper edge of the next part.
    private(set) var y = margin + 20

    /// - Parameters:
    ///   - width: Width between the margins.
    ///   - hasHeading: Whether the title is drawn; it is always there for a screen reader.
    init(title: String, subtitle: String, width: Double, hasHeading: Bool = true) {
        self.title = title
        self.width = width
        guard hasHeading else {
            y = Self.margin
            return
        }
        let size = width > 700 ? 23.0 : 17
        for (place, line) in TextFit.wrapped(title, to: width, lines: 3, size: size, face: .bold).enumerated() {
            y += place > 0 ? size + 5 : 0
            shapes.append(.label(line, at: Point(Self.margin, y), size: size, face: .bold, ink: .text))
        }
        if !subtitle.isEmpty {
            for (place, line) in TextFit.wrapped(subtitle, to: width, lines: 3, size: 14, face: .text).enumerated() {
                y += place == 0 ? 24 : 19
                shapes.append(.label(line, at: Point(Self.margin, y), size: 14))
            }
        }
        y += 22
    }

    /// Adds shapes and moves below them.
    mutating func add(_ shapes: [Picture.Shape], height: Double) {
        self.shapes += shapes
        y += height + 24
    }

    /// Adds a legend, as many entries on a line as fit, and notes below it.
    mutating func close(legend: [Entry], notes: [String]) {
        if legend.isEmpty, notes.isEmpty {
            y -= 16
            return
        }
        var samples: [Picture.Shape] = []
        var x = Self.margin
        for entry in legend {
            let beside = entry.sample + 8
            let lines = TextFit.wrapped(entry.text, to: width - beside, lines: 3, size: 12.5, face: .text)
            let needed = beside + (lines.map { TextMeasure.width($0, size: 12.5, face: .text) }.max() ?? 0)
            if x > Self.margin, x + needed > Self.margin + width {
                x = Self.margin
                y += 24
            }
            samples += entry.draw(Point(x, y))
            for (place, line) in lines.enumerated() {
                y += place > 0 ? 16 : 0
                samples.append(.label(line, at: Point(x + beside, y + 4), size: 12.5, ink: .text))
            }
            x += needed + 26
        }
        if !legend.isEmpty { shapes.append(.group(.init(classes: "legend", role: "group", shapes: samples))) }
        write(notes)
        y += 16
    }

    private mutating func write(_ notes: [String]) {
        // Short notes share a line.
        var lines: [String] = []
        for note in notes {
            // Sentences follow each other, phrases are set apart.
            let joined =
                (lines.last.map { $0 + ($0.hasSuffix(".") ? " " : $0.hasSuffix("。") ? "" : " · ") } ?? "") + note
            if let last = lines.indices.last, TextMeasure.width(joined, size: 12, face: .text) <= width {
                lines[last] = joined
            } else {
                lines.append(note)
            }
        }
        for note in lines {
            y += 6
            for line in TextFit.wrapped(note, to: width, lines: 3, size: 12, face: .text) {
                y += 17
                shapes.append(.label(line, at: Point(Self.margin, y + 4), size: 12))
            }
        }
    }

    func picture(description: String, language: PictureLanguage, idPrefix: String) -> Picture {
        let (width, height) = (width + 2 * Self.margin, y + Self.margin - 8)
        let paper = Picture.Box(x: 0, y: 0, width: width, height: height, fill: .paper)
        return Picture(
            width: width, height: height, title: VisibleText.line(title), description: VisibleText.line(description),
            language: language, idPrefix: idPrefix, shapes: [.box(paper)] + shapes)
    }
}
