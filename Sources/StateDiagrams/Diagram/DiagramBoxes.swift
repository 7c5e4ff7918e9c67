/// The text on an edge, as measured lines.
struct EdgeLabel: Sendable {
    struct Line: Sendable {
        var text: String
        var face: Typeface
        var size: Double
        var ink: Ink
        var width: Double

        init(_ text: String, face: Typeface = .text, size: Double = 11, ink: Ink) {
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
    /// Widest line of a callback's name between neighbours, where there is room, and beside a long edge, where every
    /// point makes the picture wider. Longer names continue on another line.
    static let wide = 134.0
    static let narrow = 74.0
    /// The same in the list below a large graph.
    static let listed = 280.0
    static let markWidth = 17.0

    var width: Double {
        let widest = lines.enumerated().map { $1.width + ($0 == 0 && mark != nil ? Self.markWidth : 0) }
        return (widest.max() ?? 0) + 8
    }

    var height: Double { Double(max(lines.count, 1)) * Self.lineHeight + 6 }
}

/// The size that all states of a diagram share.
struct StateBox: Sendable {
    var width: Double
    var height: Double

    static let titleSize = 15.0
    static let titleHeight = 19.0
    static let figureSize = 12.0
    static let figureHeight = 16.0
    /// Widest title inside a state, and the width that short texts share a line of.
    static let (widest, usual) = (190.0, 140.0)

    init(graph: StateGraph, labels: DiagramLabels) {
        let hasFigures = labels.options.view != .documented
        var widest = 110.0
        var lines = (title: 1, figures: 1, ends: 0)
        for state in graph.states {
            let title = Self.title(state)
            lines.title = max(lines.title, title.count)
            for line in title { widest = max(widest, TextMeasure.width(line, size: Self.titleSize, face: .bold) + 22) }
            widest = max(widest, min(TextMeasure.width(state.id, size: 11, face: .code), 150))
            guard hasFigures else { continue }
            let (figures, ends) = (labels.figures(state, in: graph), labels.endings(state))
            lines.figures = max(lines.figures, figures.count)
            lines.ends = max(lines.ends, ends.count)
            for line in figures + ends.map(\.text) {
                widest = max(widest, TextMeasure.width(line, size: Self.figureSize, face: .text))
            }
        }
        width = min(widest, Self.widest + 110) + 24
        height = Double(lines.title) * Self.titleHeight + Double(lines.figures + lines.ends) * Self.figureHeight + 26
    }

    /// The title; only a very long one is cut.
    static func title(_ state: StateGraph.State) -> [String] {
        TextFit.wrapped(state.title, to: widest, lines: 4, size: titleSize, face: .bold)
    }
}
