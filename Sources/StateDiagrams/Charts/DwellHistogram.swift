/// How long stays last, one row for each state, on one logarithmic axis, with median and ninetieth percentile.
package struct DwellHistogram: Sendable, Hashable, Codable {
    package var title: String
    package var subtitle: String
    package var rows: [Row]

    package init(title: String, subtitle: String = "", rows: [Row]) {
        self.title = title
        self.subtitle = subtitle
        self.rows = rows
    }

    /// The completed stays in one state. Durations in nanoseconds.
    package struct Row: Sendable, Hashable, Codable {
        package var title: String
        package var stays: LogHistogram
        package var median: Int64?
        package var p90: Int64?
        /// Id of the state, for a page that highlights it.
        package var state: String

        package init(
            title: String, stays: LogHistogram, median: Int64? = nil, p90: Int64? = nil, state: String = ""
        ) {
            self.state = state
            self.title = title
            self.stays = stays
            self.median = median
            self.p90 = p90
        }
    }

    private static let names = 220.0
    private static let pitch = 96.0

    func frame(_ words: ChartWords) -> ChartFrame {
        let width = ChartFrame.usualWidth
        let height = Double(max(rows.count, 1)) * Self.pitch + 54
        let bins = rows.compactMap(\.stays.range)
        var shapes: [Picture.Shape] = []
        if let low = bins.map(\.lowerBound).min(), let high = bins.map(\.upperBound).max() {
            let axis = DurationAxis(bins: low...high, left: Self.names, width: width - Self.names - 30)
            let hasZero = rows.contains { $0.stays.bins[0] != nil }
            shapes += axis.grid(top: 16, bottom: height - 40, hasZero: hasZero)
            if hasZero { shapes += axis.zero(bottom: height - 40) }
            shapes.append(
                .text(
                    .init(
                        x: width - 30, y: height - 8, text: words.dwell, size: 11, anchor: .end, ink: .muted)))
            for (place, row) in rows.enumerated() {
                shapes.append(draw(row, axis: axis, base: Double(place + 1) * Self.pitch + 4, words: words))
            }
        } else {
            shapes.append(.text(.init(x: 24, y: 40, text: words.none, size: 13, ink: .muted)))
        }
        return ChartFrame(
            title: title, subtitle: subtitle, width: width, height: height, shapes: shapes,
            legend: [
                .init(text: words.median, draw: ChartFrame.stroke(.text, width: 2)),
                .init(text: words.p90, draw: ChartFrame.stroke(.undocumented, width: 2, dash: [5, 3])),
            ],
            description: rows.map { summary($0, words) }.joined(separator: ". "))
    }

    private func summary(_ row: Row, _ words: ChartWords) -> String {
        var parts = [
            DiagramComposer.short(row.title), Words.filled(words.stays, NumberText.count(row.stays.count)),
        ]
        if let median = row.median { parts.append("\(words.median) \(DurationText.of(median))") }
        if let p90 = row.p90 { parts.append("\(words.p90) \(DurationText.of(p90))") }
        return parts.joined(separator: ", ")
    }

    private func draw(_ row: Row, axis: DurationAxis, base: Double, words: ChartWords) -> Picture.Shape {
        let room = Self.names - 44
        var y = base - 50
        var shapes: [Picture.Shape] = []
        for line in TextFit.wrapped(row.title, to: room, lines: 2, size: 14, face: .bold) {
            shapes.append(.text(.init(x: 24, y: y, text: line, size: 14, face: .bold)))
            y += 18
        }
        shapes.append(
            .text(
                .init(
                    x: 24, y: y, text: Words.filled(words.stays, NumberText.count(row.stays.count)), size: 12,
                    ink: .muted)))
        shapes.append(
            ChartFrame.line(
                Point(x: axis.left, y: base), Point(x: axis.left + axis.width, y: base), ink: .faint, width: 1.2))
        let most = row.stays.bins.values.max() ?? 1
        let step = 1 / Double(LogHistogram.perDecade)
        for (bin, count) in row.stays.bins.sorted(by: { $0.key < $1.key }) {
            let width = axis.x(exponent: Double(bin + 1) * step) - axis.x(exponent: Double(bin) * step)
            let left = max(axis.left, axis.x(exponent: Double(bin) * step))
            let right = left + width
            let height = max(1.5, 62 * Double(count) / Double(most))
            shapes.append(
                .box(
                    .init(
                        x: left + 0.75, y: base - height, width: right - left - 1.5, height: height, radius: 1.5,
                        fill: .series0, opacity: 0.8)))
        }
        shapes += markers(row, axis: axis, base: base, words: words)
        return .group(
            .init(
                classes: "row", role: "img", label: summary(row, words),
                data: row.state.isEmpty ? [] : [("state", row.state)], shapes: shapes))
    }

    /// Lines at median and percentile, with their figures above; the figure moves aside where they are close.
    private func markers(_ row: Row, axis: DurationAxis, base: Double, words: ChartWords) -> [Picture.Shape] {
        var shapes: [Picture.Shape] = []
        if let p90 = row.p90 {
            let x = max(axis.left, axis.x(p90))
            shapes.append(
                ChartFrame.line(
                    Point(x: x, y: base), Point(x: x, y: base - 66), ink: .undocumented, width: 2, dash: [5, 3]))
            let text = DurationText.of(p90)
            // At the right edge the figure goes to the other side, above that of the median.
            let fits = x + 5 + TextMeasure.width(text, size: 11.5, face: .text) < axis.left + axis.width + 24
            shapes.append(
                .text(
                    .init(
                        x: fits ? x + 5 : x - 5, y: fits ? base - 67 : base - 80, text: text, size: 11.5,
                        anchor: fits ? .start : .end, ink: .undocumented)))
        }
        if let median = row.median {
            let x = max(axis.left, axis.x(median))
            shapes.append(ChartFrame.line(Point(x: x, y: base), Point(x: x, y: base - 66), ink: .text, width: 2))
            shapes.append(
                .text(
                    .init(
                        x: x - 5, y: base - 67, text: DurationText.of(median), size: 11.5, face: .bold, anchor: .end)))
        }
        return shapes
    }
}
