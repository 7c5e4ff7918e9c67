internal import TraceRecords

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
            let needed = entry.sample + 8 + TextMeasure.width(entry.text, size: 12.5, face: .text)
            if x > Self.margin, x + needed > Self.margin + width {
                x = Self.margin
                y += 24
            }
            samples += entry.draw(Point(x, y))
            samples.append(.label(entry.text, at: Point(x + entry.sample + 8, y + 4), size: 12.5, ink: .text))
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
            let joined = (lines.last.map { $0 + " · " } ?? "") + note
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

    /// The finished picture.
    func picture(description: String, language: PictureLanguage, idPrefix: String) -> Picture {
        let (width, height) = (width + 2 * Self.margin, y + Self.margin - 8)
        let paper = Picture.Box(x: 0, y: 0, width: width, height: height, fill: .paper)
        return Picture(
            width: width, height: height, title: VisibleText.line(title), description: VisibleText.line(description),
            language: language, idPrefix: idPrefix, shapes: [.box(paper)] + shapes)
    }
}
