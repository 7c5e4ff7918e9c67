/// Sets the entries of a legend side by side, as many on a line as fit, and notes below them.
struct LegendFlow {
    private(set) var shapes: [Picture.Shape] = []
    private let left: Double
    private let width: Double
    private var x: Double
    private(set) var y: Double

    init(left: Double, y: Double, width: Double) {
        self.left = left
        self.width = width
        self.y = y
        x = left
    }

    /// Adds an entry: a sample of the given width, drawn around the height it is handed, and its text.
    mutating func place(sample: Double, text: String, draw: (Double, Double) -> [Picture.Shape]) {
        let needed = sample + 8 + TextMeasure.width(text, size: 12.5, face: .text)
        if x > left, x + needed > left + width {
            x = left
            y += 24
        }
        shapes += draw(x, y)
        shapes.append(.text(.init(x: x + sample + 8, y: y + 4, text: text, size: 12.5, ink: .text)))
        x += needed + 26
    }

    /// Writes notes below the entries; returns the lower end.
    func write(notes: [String], into shapes: inout [Picture.Shape]) -> Double {
        var y = y
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
            y += 23
            for line in TextFit.wrapped(note, to: width, lines: 3, size: 12, face: .text) {
                shapes.append(.text(.init(x: left, y: y + 4, text: line, size: 12, ink: .muted)))
                y += 17
            }
            y -= 17
        }
        return y + 16
    }
}
