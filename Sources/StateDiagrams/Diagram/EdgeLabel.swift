/// The text on an edge: lines that were measured.
struct EdgeLabel: Sendable {
    struct Line: Sendable {
        var text: String
        var face: Typeface
        var size: Double
        var ink: Ink
        var width: Double

        init(_ text: String, face: Typeface, size: Double, ink: Ink) {
            self.text = text
            self.face = face
            self.size = size
            self.ink = ink
            width = TextMeasure.width(text, size: size, face: face)
        }
    }

    var lines: [Line] = []
    /// Severity of the worst finding, drawn as a mark before the first line.
    var mark: Ink?

    static let lineHeight = 15.0
    /// Widest line of a callback's name between neighbours, where there is room, and beside a long way, where every
    /// point makes the picture wider; longer names go on to a further line.
    static let wide = 134.0
    static let narrow = 94.0
    static let markWidth = 17.0

    var width: Double {
        let widest = lines.enumerated().map { $1.width + ($0 == 0 && mark != nil ? Self.markWidth : 0) }
        return (widest.max() ?? 0) + 8
    }

    var height: Double { Double(max(lines.count, 1)) * Self.lineHeight + 6 }
}
