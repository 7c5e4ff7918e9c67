/// How the time of each day is spent: one bar a day, one layer a state.
package struct DailyActivity: Sendable, Hashable, Codable {
    package var title: String
    package var subtitle: String
    /// The states, lowest layer first.
    package var states: [Timeline.State]
    /// The days, in order; days without anything may be left out.
    package var days: [Day]

    package init(title: String, subtitle: String = "", states: [Timeline.State], days: [Day]) {
        self.title = title
        self.subtitle = subtitle
        self.states = states
        self.days = days
    }

    package struct Day: Sendable, Hashable, Codable {
        /// `2026-03-14`.
        package var date: String
        /// Nanoseconds by id of the state.
        package var time: [String: Int64]

        package init(date: String, time: [String: Int64]) {
            self.date = date
            self.time = time
        }
    }

    func frame(_ words: ChartWords) -> ChartFrame {
        let (width, height) = (ChartFrame.usualWidth, 380.0)
        let (left, right, top, bottom) = (86.0, 24.0, 28.0, height - 42)
        var shapes: [Picture.Shape] = []
        let most = days.map(total).max() ?? 0
        let step = Self.step(most)
        let limit = max(step, ((most + step - 1) / step) * step)
        var mark: Int64 = 0
        while mark <= limit {
            let y = bottom - (bottom - top) * Double(mark) / Double(limit)
            shapes.append(ChartFrame.line(Point(x: left, y: y), Point(x: width - right, y: y), ink: .frame))
            shapes.append(
                .text(.init(x: left - 10, y: y + 4, text: DurationText.of(mark), size: 11, anchor: .end, ink: .muted)))
            mark += step
        }
        let pitch = min(90, (width - left - right) / Double(max(days.count, 1)))
        var occupied = -Double.infinity
        for (place, day) in days.enumerated() {
            let x = left + 8 + Double(place) * pitch
            var y = bottom
            var layers: [Picture.Shape] = []
            for state in states {
                guard let time = day.time[state.id], time > 0 else { continue }
                let part = (bottom - top) * Double(time) / Double(limit)
                y -= part
                layers.append(
                    .box(
                        .init(
                            x: x, y: y, width: max(1, pitch * 0.78), height: max(part - 0.7, 0.3),
                            radius: pitch > 12 ? 2 : 0, fill: TimelineComposer.inks(of: state.tone).fill)))
            }
            shapes.append(.group(.init(classes: "day", role: "img", label: summary(day), shapes: layers)))
            let text = String(day.date.dropFirst(5).prefix(20))
            let half = TextMeasure.width(text, size: 11, face: .text) / 2
            let middle = x + pitch * 0.39
            if middle - half > occupied + 10, middle + half < width - 4 {
                occupied = middle + half
                shapes.append(
                    .text(.init(x: middle, y: bottom + 18, text: text, size: 11, anchor: .middle, ink: .muted)))
            }
        }
        return ChartFrame(
            title: title, subtitle: subtitle, width: width, height: height, shapes: shapes,
            legend: states.map { state in
                .init(
                    text: TextFit.shortened(state.title, to: 200, size: 12.5, face: .text),
                    draw: ChartFrame.swatch(
                        TimelineComposer.inks(of: state.tone).fill, stroke: state.tone == .outside ? .faint : nil))
            },
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
            day.time[state.id].map { "\(DiagramComposer.short(state.title)) \(DurationText.of($0))" }
        }
        return "\(TextFit.line(String(day.date.prefix(40)))): " + parts.joined(separator: ", ")
    }

    /// Distance of the lines of the grid: a round figure that gives four to seven of them.
    private static func step(_ most: Int64) -> Int64 {
        let second: Int64 = 1_000_000_000
        let steps = [
            1, 2, 5, 10, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 43_200, 86_400,
            172_800, 432_000, 864_000,
        ].map { $0 * second }
        return steps.first { most / $0 < 6 } ?? max(second, most / 5)
    }
}
