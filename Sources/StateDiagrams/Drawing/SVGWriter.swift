internal import TraceRecords

/// Writes a ``Picture`` as SVG: well-formed, without scripts and external files, equal bytes for equal pictures.
///
/// The elements carry colours for a light background, so that every viewer shows them. A style sheet replaces them for
/// `prefers-color-scheme: dark`, on screens only: paper stays white.
struct SVGWriter {
    private var text = ""
    private var depth = 1
    /// Inks that the picture uses; only those get a rule in the style sheet.
    private var fills: Set<Ink> = []
    private var strokes: Set<Ink> = []

    static func write(_ picture: Picture) -> String {
        var writer = SVGWriter()
        for shape in picture.shapes { writer.write(shape) }
        return writer.document(picture)
    }

    private func document(_ picture: Picture) -> String {
        let width = Coordinate.text(picture.width)
        let height = Coordinate.text(picture.height)
        let id = XMLText.escaped(picture.idPrefix)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" id="\(id)" class="lifestats" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" xml:lang="\(picture.language.rawValue)" role="graphics-document" \
            aria-roledescription="diagram" aria-labelledby="\(id)-title \(id)-desc">
              <title id="\(id)-title">\(XMLText.escaped(picture.title))</title>
              <desc id="\(id)-desc">\(XMLText.escaped(picture.description))</desc>
              <style>
            \(styleSheet(scope: id))  </style>
            \(text)</svg>

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
        if !group.label.isEmpty, group.role != nil { head += " aria-label=\"\(XMLText.escaped(group.label))\"" }
        for (name, value) in group.data { head += " data-\(name)=\"\(XMLText.escaped(value))\"" }
        line(head + ">")
        depth += 1
        if !group.label.isEmpty { line("<title>\(XMLText.escaped(group.label))</title>") }
        for shape in group.shapes { write(shape) }
        depth -= 1
        line("</g>")
    }

    private mutating func write(_ box: Picture.Box) {
        var element = "<rect x=\"\(number(box.x))\" y=\"\(number(box.y))\""
        element += " width=\"\(number(box.width))\" height=\"\(number(box.height))\""
        if box.radius > 0 { element += " rx=\"\(number(box.radius))\"" }
        element += paint(
            fill: box.fill, stroke: box.stroke, width: box.lineWidth, dash: box.dash, opacity: box.opacity)
        line(element + "/>")
    }

    private mutating func write(_ path: Picture.Path) {
        var data = ""
        for step in path.steps {
            switch step {
            case .move(let p): data += "M\(pair(p))"
            case .line(let p): data += "L\(pair(p))"
            case .curve(let a, let b, let p): data += "C\(pair(a)) \(pair(b)) \(pair(p))"
            case .close: data += "Z"
            }
        }
        var element = "<path d=\"\(data)\""
        element += paint(
            fill: path.fill, stroke: path.stroke, width: path.lineWidth, dash: path.dash, opacity: path.opacity)
        line(element + "/>")
    }

    private mutating func write(_ text: Picture.Text) {
        fills.insert(text.ink)
        var element = "<text x=\"\(number(text.x))\" y=\"\(number(text.y))\""
        element += " class=\"\(text.face.rawValue) f-\(text.ink.rawValue)\" fill=\"\(text.ink.colours.light)\""
        element += " font-size=\"\(number(text.size))\""
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
            classes.append("f-\(fill.rawValue)")
            attributes += " fill=\"\(fill.colours.light)\""
        } else {
            attributes += " fill=\"none\""
        }
        if let stroke {
            strokes.insert(stroke)
            classes.append("s-\(stroke.rawValue)")
            attributes += " stroke=\"\(stroke.colours.light)\" stroke-width=\"\(number(width))\""
            if !dash.isEmpty {
                attributes += " stroke-dasharray=\"\(dash.map(number).joined(separator: " "))\""
            }
        }
        if opacity < 1 { attributes += " opacity=\"\(number(opacity))\"" }
        return (classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\"") + attributes
    }

    private mutating func line(_ element: String) {
        text += String(repeating: " ", count: depth * 2) + element + "\n"
    }

    private func number(_ value: Double) -> String { Coordinate.text(value) }

    private func pair(_ point: Point) -> String { "\(number(point.x)) \(number(point.y))" }
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
