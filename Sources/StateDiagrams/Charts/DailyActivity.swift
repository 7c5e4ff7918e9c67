import TraceRecords

/// How the time of each day is spent: one bar per day, one layer per state.
package struct DailyActivity: Sendable, Hashable, ChartContent {
    package var title: String
    package var subtitle: String
    /// The states, lowest layer first.
    package var states: [Timeline.State]
    /// The days, in order; empty days may be left out.
    package var days: [Day]

    package init(title: String, subtitle: String = "", states: [Timeline.State], days: [Day]) {
        self.title = title
        self.subtitle = subtitle
        self.states = states
        self.days = days
    }

    package struct Day: Sendable, Hashable {
        /// `2026-03-14`.
        package var date: String
        /// Nanoseconds by id of the state.
        package var time: [String: Int64]

        package init(date: String, time: [String: Int64]) {
            self.date = date
            self.time = time
        }
    }

    func panel(_ words: Words) -> ChartPanel {
        let (width, height) = (ChartPanel.usualWidth, 380.0)
        let (left, right, top, bottom) = (86.0, width - 24, 28.0, height - 42)
        let most = days.map(total).max() ?? 0
        let step = Self.step(most)
        let limit = max(step, ((most + step - 1) / step) * step)
        func y(_ time: Int64) -> Double { bottom - (bottom - top) * Double(time) / Double(limit) }
        var shapes = stride(from: 0, through: limit, by: Int64.Stride(step)).flatMap { mark -> [Picture.Shape] in
            [
                .line(Point(left, y(mark)), Point(right, y(mark)), ink: .frame),
                .label(DurationText.of(mark), at: Point(left - 10, y(mark) + 4), anchor: .end),
            ]
        }
        let pitch = min(90, (right - left) / Double(max(days.count, 1)))
        var occupied = -Double.infinity
        for (place, day) in days.enumerated() {
            let x = left + 8 + Double(place) * pitch
            var base = bottom
            var layers: [Picture.Shape] = []
            for state in states {
                guard let time = day.time[state.id], time > 0 else { continue }
                let part = bottom - y(time)
                base -= part
                layers.append(
                    .box(
                        .init(
                            x: x, y: base, width: max(1, pitch * 0.78), height: max(part - 0.7, 0.3),
                            radius: pitch > 12 ? 2 : 0, fill: state.tone.fill)))
            }
            shapes.append(.group(.init(classes: "day", role: "img", label: summary(day), shapes: layers)))
            let text = String(day.date.dropFirst(5).prefix(20))
            let half = TextMeasure.width(text, size: 11, face: .text) / 2
            let middle = x + pitch * 0.39
            guard middle - half > occupied + 10, middle + half < width - 4 else { continue }
            occupied = middle + half
            shapes.append(.label(text, at: Point(middle, bottom + 18), anchor: .middle))
        }
        return ChartPanel(
            height: height, shapes: shapes, legend: states.map(TimelineComposer.entry),
            description: days.prefix(31).map(summary).joined(separator: ". "))
    }

    private func total(_ day: Day) -> Int64 {
        states.reduce(0) { sum, state in
            let (result, overflow) = sum.addingReportingOverflow(max(0, day.time[state.id] ?? 0))
            return overflow ? .max / 4 : min(result, .max / 4)
        }
    }

    private func summary(_ day: Day) -> String {
        let parts = states.compactMap { state in
            day.time[state.id].map { "\(TextFit.short(state.title)) \(DurationText.of($0))" }
        }
        return "\(VisibleText.line(String(day.date.prefix(40)))): " + parts.joined(separator: ", ")
    }

    /// A round distance between the lines of the grid that gives four to seven of them.
    private static func step(_ most: Int64) -> Int64 {
        let second: Int64 = 1_000_000_000
        let steps = [
            1, 2, 5, 10, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 43_200, 86_400,
            172_800, 432_000, 864_000,
        ].map { $0 * second }
        return steps.first { most / $0 < 6 } ?? max(second, most / 5)
    }
}
