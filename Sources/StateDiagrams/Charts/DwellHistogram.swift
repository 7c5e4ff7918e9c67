/// How long visits last: one row per state on a common logarithmic axis, with median and ninetieth percentile.
package struct DwellHistogram: Sendable, Hashable, ChartContent {
    package var title: String
    package var rows: [Row]

    package init(title: String, rows: [Row]) {
        self.title = title
        self.rows = rows
    }

    /// The complete visits of one state. Durations in nanoseconds.
    package struct Row: Sendable, Hashable {
        package var title: String
        package var visits: LogHistogram
        /// Quantiles of the same visits.
        package var median: Int64?
        package var p90: Int64?
        /// Id of the state, so that a page can highlight it.
        package var state: String
        package var tone: Timeline.Tone

        package init(
            title: String, visits: LogHistogram, median: Int64? = nil, p90: Int64? = nil, state: String = "",
            tone: Timeline.Tone = .active
        ) {
            self.tone = tone
            self.title = title
            self.visits = visits
            self.median = median
            self.p90 = p90
            self.state = state
        }
    }

    private static let (edge, pitch, barHeight) = (22.0, 82.0, 34.0)

    func panel(_ words: Words) -> ChartPanel {
        let bins = rows.compactMap(\.visits.range)
        guard let low = bins.map(\.lowerBound).min(), let high = bins.map(\.upperBound).max() else {
            return .empty(words)
        }
        let width = ChartPanel.usualWidth
        let height = Double(rows.count) * Self.pitch + 54
        let axis = DurationAxis(bins: low...high, left: Self.edge, width: width - 2 * Self.edge)
        var shapes = axis.grid(top: 16, bottom: height - 40, hasZero: rows.contains { $0.visits.bins[0] != nil })
        shapes.append(.label(words[.dwell], at: Point(width - Self.edge, height - 8), anchor: .end))
        for (place, row) in rows.enumerated() {
            shapes.append(draw(row, axis: axis, base: Double(place + 1) * Self.pitch + 4, words: words))
        }
        return ChartPanel(
            height: height, shapes: shapes,
            legend: [.init(text: words[.median], draw: ChartPanel.stroke(.text, width: 2))]
                + (rows.allSatisfy { $0.p90 == nil }
                    ? [] : [.init(text: words[.p90], draw: ChartPanel.stroke(.muted, width: 2, dash: [5, 3]))]),
            description: rows.map { summary($0, words) }.joined(separator: ". "))
    }

    private func summary(_ row: Row, _ words: Words) -> String {
        var parts = [TextFit.short(row.title), words.counted(row.visits.count, .completeVisits)]
        if let median = row.median { parts.append(words.duration(.median, median)) }
        if let p90 = row.p90 { parts.append(words.duration(.p90, p90)) }
        return parts.joined(separator: ", ")
    }

    private func draw(_ row: Row, axis: DurationAxis, base: Double, words: Words) -> Picture.Shape {
        let count = words.counted(row.visits.count, .completeVisits)
        let right = axis.left + axis.width
        let room = axis.width - 16 - TextMeasure.width(count, size: 12, face: .text)
        let title = TextFit.shortened(row.title, to: room, size: 13.5, face: .bold)
        var shapes: [Picture.Shape] = [
            .label(title, at: Point(axis.left, base - 66), size: 13.5, face: .bold, ink: .text),
            .label(count, at: Point(right, base - 66), size: 12, anchor: .end),
        ]
        shapes.append(
            .line(Point(axis.left, base), Point(axis.left + axis.width, base), ink: .faint, width: 1.2))
        let most = row.visits.bins.values.max() ?? 1
        let step = 1 / Double(LogHistogram.perDecade)
        let width = axis.x(exponent: axis.from + step) - axis.left
        for (bin, count) in row.visits.bins.sorted(by: { $0.key < $1.key }) {
            let left = max(axis.left, axis.x(exponent: Double(bin) * step))
            let height = max(1.5, Self.barHeight * Double(count) / Double(most))
            shapes.append(
                .box(
                    .init(
                        x: left + 0.75, y: base - height, width: width - 1.5, height: height, radius: 1.5,
                        fill: row.tone.fill, stroke: row.tone.line, lineWidth: 0.8)))
        }
        shapes += markers(row, axis: axis, base: base)
        return .group(
            .init(
                classes: "row", role: "img", label: summary(row, words),
                data: row.state.isEmpty ? [] : [("state", row.state)], shapes: shapes))
    }

    /// Lines at median and percentile with their figures, which step aside where the lines are close together.
    private func markers(_ row: Row, axis: DurationAxis, base: Double) -> [Picture.Shape] {
        var shapes: [Picture.Shape] = []
        if let p90 = row.p90 {
            let x = axis.x(p90)
            shapes.append(
                .line(Point(x, base), Point(x, base - Self.barHeight - 4), ink: .muted, width: 2, dash: [5, 3]))
            let text = DurationText.of(p90)
            // At the right edge the figure moves to the other side, above that of the median.
            let fits = x + 5 + TextMeasure.width(text, size: 11.5, face: .text) < axis.left + axis.width + 14
            let place = fits ? Point(x + 5, base - Self.barHeight - 5) : Point(x - 5, base - Self.barHeight - 17)
            shapes.append(.label(text, at: place, size: 11.5, anchor: fits ? .start : .end))
        }
        if let median = row.median {
            let x = axis.x(median)
            shapes.append(.line(Point(x, base), Point(x, base - Self.barHeight - 4), ink: .text, width: 2))
            let text = DurationText.of(median)
            let isLeft = x - 5 - TextMeasure.width(text, size: 11.5, face: .bold) > 8
            shapes.append(
                .label(
                    text, at: Point(isLeft ? x - 5 : x + 5, base - Self.barHeight - (isLeft ? 5 : 17)), size: 11.5,
                    face: .bold,
                    anchor: isLeft ? .end : .start, ink: .text))
        }
        return shapes
    }
}
