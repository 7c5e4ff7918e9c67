/// How long visits last: one row per state on a common logarithmic axis, with median and ninetieth percentile.
package struct DwellHistogram: Sendable, Hashable, ChartContent {
    package var title: String
    package var subtitle: String
    package var rows: [Row]

    package init(title: String, subtitle: String = "", rows: [Row]) {
        self.title = title
        self.subtitle = subtitle
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

        package init(
            title: String, visits: LogHistogram, median: Int64? = nil, p90: Int64? = nil, state: String = ""
        ) {
            self.title = title
            self.visits = visits
            self.median = median
            self.p90 = p90
            self.state = state
        }
    }

    private static let names = 220.0
    private static let pitch = 96.0

    func panel(_ words: Words) -> ChartPanel {
        let bins = rows.compactMap(\.visits.range)
        guard let low = bins.map(\.lowerBound).min(), let high = bins.map(\.upperBound).max() else {
            return .empty(words)
        }
        let width = ChartPanel.usualWidth
        let height = Double(rows.count) * Self.pitch + 54
        let axis = DurationAxis(bins: low...high, left: Self.names, width: width - Self.names - 30)
        var shapes = axis.grid(top: 16, bottom: height - 40, hasZero: rows.contains { $0.visits.bins[0] != nil })
        shapes.append(.label(words[.dwell], at: Point(width - 30, height - 8), anchor: .end))
        for (place, row) in rows.enumerated() {
            shapes.append(draw(row, axis: axis, base: Double(place + 1) * Self.pitch + 4, words: words))
        }
        return ChartPanel(
            height: height, shapes: shapes,
            legend: [
                .init(text: words[.median], draw: ChartPanel.stroke(.text, width: 2)),
                .init(text: words[.p90], draw: ChartPanel.stroke(.undocumented, width: 2, dash: [5, 3])),
            ],
            description: rows.map { summary($0, words) }.joined(separator: ". "))
    }

    private func summary(_ row: Row, _ words: Words) -> String {
        var parts = [TextFit.short(row.title), words.counted(row.visits.count, .completeVisits)]
        if let median = row.median { parts.append(words.duration(.median, median)) }
        if let p90 = row.p90 { parts.append(words.duration(.p90, p90)) }
        return parts.joined(separator: ", ")
    }

    private func draw(_ row: Row, axis: DurationAxis, base: Double, words: Words) -> Picture.Shape {
        var y = base - 50
        var shapes: [Picture.Shape] = []
        for line in TextFit.wrapped(row.title, to: Self.names - 44, lines: 2, size: 14, face: .bold) {
            shapes.append(.label(line, at: Point(24, y), size: 14, face: .bold, ink: .text))
            y += 18
        }
        shapes.append(.label(words.counted(row.visits.count, .completeVisits), at: Point(24, y), size: 12))
        shapes.append(
            .line(Point(axis.left, base), Point(axis.left + axis.width, base), ink: .faint, width: 1.2))
        let most = row.visits.bins.values.max() ?? 1
        let step = 1 / Double(LogHistogram.perDecade)
        let width = axis.x(exponent: axis.from + step) - axis.left
        for (bin, count) in row.visits.bins.sorted(by: { $0.key < $1.key }) {
            let left = max(axis.left, axis.x(exponent: Double(bin) * step))
            let height = max(1.5, 62 * Double(count) / Double(most))
            shapes.append(
                .box(
                    .init(
                        x: left + 0.75, y: base - height, width: width - 1.5, height: height, radius: 1.5,
                        fill: .series0, opacity: 0.8)))
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
            shapes.append(.line(Point(x, base), Point(x, base - 66), ink: .undocumented, width: 2, dash: [5, 3]))
            let text = DurationText.of(p90)
            // At the right edge the figure moves to the other side, above that of the median.
            let fits = x + 5 + TextMeasure.width(text, size: 11.5, face: .text) < axis.left + axis.width + 24
            let place = fits ? Point(x + 5, base - 67) : Point(x - 5, base - 80)
            shapes.append(.label(text, at: place, size: 11.5, anchor: fits ? .start : .end, ink: .undocumented))
        }
        if let median = row.median {
            let x = axis.x(median)
            shapes.append(.line(Point(x, base), Point(x, base - 66), ink: .text, width: 2))
            shapes.append(
                .label(
                    DurationText.of(median), at: Point(x - 5, base - 67), size: 11.5, face: .bold, anchor: .end,
                    ink: .text))
        }
        return shapes
    }
}
