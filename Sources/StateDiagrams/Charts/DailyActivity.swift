import TraceRecords

/// How the time of each day is spent: one bar per day, one layer per state.
package struct DailyActivity: Sendable, Hashable, ChartContent {
    package var title: String
    /// The states, lowest layer first.
    package var states: [Timeline.State]
    /// The days, in order; empty days may be left out.
    package var days: [Day]

    package init(title: String, states: [Timeline.State], days: [Day]) {
        self.title = title
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
        let (width, height) = (ChartPanel.usualWidth, 280.0)
        let (left, right, top, bottom) = (76.0, width - 22, 24.0, height - 42)
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
        let places = Self.places(of: days)
        let slots = places.last.map { $0.slot + 1 } ?? 1
        let pitch = min(60, (right - left - 8) / Double(slots))
        // The highest and the last day have a label, whatever others have.
        let highest = days.indices.max { (total(days[$0]), $1) < (total(days[$1]), $0) }
        func range(of text: String, at place: Int) -> ClosedRange<Double> {
            let half = TextMeasure.width(text, size: 11, face: .text) / 2
            let wanted = left + 8 + (Double(places[place].slot) + 0.39) * pitch
            let middle = max(left - 30 + half, min(wanted, width - 5 - half))
            return middle - half - 5...middle + half + 5
        }
        var taken: [Int: ClosedRange<Double>] = [:]
        for place in [highest, days.indices.last].compactMap(\.self) where taken[place] == nil {
            let own = range(of: String(days[place].date.prefix(24)), at: place)
            if !taken.values.contains(where: own.overlaps) { taken[place] = own }
        }
        var year = Substring()
        for (number, (place, day)) in zip(places, days).enumerated() {
            let x = left + 8 + Double(place.slot) * pitch
            let layers = layers(of: day, at: x, pitch: pitch, bottom: bottom) { bottom - y($0) }
            shapes.append(.group(.init(classes: "day", role: "img", label: summary(day), shapes: layers)))
            if place.isAfterBreak { shapes += Self.gap(at: x - pitch * 0.6, bottom: bottom) }
            // The year stands where it begins, and on the first label behind a gap.
            let own = day.date.prefix(4)
            let isNew = own != year || place.isAfterBreak
            let isKept = taken[number] != nil
            let text = isNew || isKept ? String(day.date.prefix(24)) : String(day.date.dropFirst(5).prefix(20))
            let room = range(of: text, at: number)
            guard isKept || !taken.values.contains(where: room.overlaps) else { continue }
            (taken[number], year) = (room, own)
            let middle = (room.lowerBound + room.upperBound) / 2
            shapes.append(.label(text, at: Point(middle, bottom + 18), anchor: .middle))
        }
        return ChartPanel(
            height: height, shapes: shapes, legend: states.byTone.map(TimelineComposer.entry),
            description: days.prefix(31).map(summary).joined(separator: ". "))
    }

    /// The column of a day: its times in the states, one above the other.
    private func layers(
        of day: Day, at x: Double, pitch: Double, bottom: Double, height: (Int64) -> Double
    ) -> [Picture.Shape] {
        var base = bottom
        return states.compactMap { state in
            guard let time = day.time[state.id], time > 0 else { return nil }
            base -= height(time)
            return .box(
                .init(
                    x: x, y: base, width: max(1, pitch * 0.78), height: max(height(time) - 0.7, 0.3),
                    radius: pitch > 12 ? 2 : 0, fill: state.tone.fill))
        }
    }

    /// Longest run of days without any visit that is drawn to scale.
    private static let longestGap: Int64 = 6

    /// Where each day is drawn: days without a visit keep their place, longer gaps are broken.
    private static func places(of days: [Day]) -> [(slot: Int, isAfterBreak: Bool)] {
        var result: [(slot: Int, isAfterBreak: Bool)] = []
        var last: Int64?
        for day in days {
            let number = CivilTime.day(ofDate: day.date)
            let slot = result.last?.slot ?? -1
            let distance = number.flatMap { number in last.map { number - $0 } } ?? 1
            let isBroken = distance > longestGap + 1
            result.append((slot + (isBroken ? 2 : max(1, Int(distance))), isBroken))
            last = number
        }
        return result
    }

    /// Two slanting strokes across the axis.
    private static func gap(at x: Double, bottom: Double) -> [Picture.Shape] {
        [-2.5, 2.5].map { .line(Point(x + $0 - 2, bottom + 5), Point(x + $0 + 2, bottom - 5), ink: .muted, width: 1.4) }
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
