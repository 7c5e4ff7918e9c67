/// The size that all states of a diagram share, and what it is made of.
struct StateBox: Sendable {
    var width: Double
    var height: Double
    /// Number of lines for titles and for figures.
    var titleLines: Int
    var figureLines: Int
    var endLines: Int

    static let titleSize = 15.0
    static let titleHeight = 19.0
    static let figureSize = 12.0
    static let figureHeight = 16.0
    /// Widest text inside a state.
    static let widest = 190.0

    init(graph: StateGraph, labels: DiagramLabels, sides: [DiagramComposer.Side]) {
        var widest = 96.0
        var titleLines = 1
        var figureLines = 1
        var endLines = 0
        for state in graph.states {
            let lines = Self.title(state)
            titleLines = max(titleLines, lines.count)
            for line in lines { widest = max(widest, TextMeasure.width(line, size: Self.titleSize, face: .bold) + 36) }
            if sides != [.documented] {
                let figures = labels.figures(state, in: graph)
                figureLines = max(figureLines, figures.count)
                let ends = labels.endings(state)
                endLines = max(endLines, ends.count)
                for line in figures + ends.map(\.text) {
                    widest = max(widest, TextMeasure.width(line, size: Self.figureSize, face: .text))
                }
            }
            widest = max(widest, min(TextMeasure.width(state.id, size: 11, face: .code), 150))
        }
        self.endLines = endLines
        self.titleLines = titleLines
        self.figureLines = figureLines
        width = min(widest, Self.widest + 36) + 24
        height =
            Double(titleLines) * Self.titleHeight + Double(figureLines) * Self.figureHeight
            + Double(endLines) * Self.figureHeight + 20
    }

    /// The title on at most two lines.
    static func title(_ state: StateGraph.State) -> [String] {
        TextFit.wrapped(state.title, to: widest, lines: 2, size: titleSize, face: .bold)
    }
}
