/// The events of runs as dots, one row a run, on the time since the run began or on the clock.
package struct DottedChart: Sendable, Hashable, Codable {
    package var title: String
    package var subtitle: String
    /// The states, for colours and legend.
    package var states: [Timeline.State]
    /// The runs, first one on top.
    package var rows: [Row]
    /// Whether times are counted from the begin of each run.
    package var isRelative: Bool
    /// Runs there are in all, when `rows` holds only some of them.
    package var allRows: Int

    package init(
        title: String, subtitle: String = "", states: [Timeline.State], rows: [Row], isRelative: Bool = true,
        allRows: Int? = nil
    ) {
        self.allRows = max(rows.count, allRows ?? 0)
        self.title = title
        self.subtitle = subtitle
        self.states = states
        self.rows = rows
        self.isRelative = isRelative
    }

    package struct Row: Sendable, Hashable, Codable {
        package var title: String
        package var dots: [Dot]

        package init(title: String, dots: [Dot]) {
            self.title = title
            self.dots = dots
        }
    }

    package struct Dot: Sendable, Hashable, Codable {
        /// Nanoseconds since 1970 UTC.
        package var time: Int64
        /// Id of the state that was entered.
        package var state: String

        package init(time: Int64, state: String) {
            self.time = time
            self.state = state
        }
    }

    /// Runs drawn at most; more are a grey mass in which nobody sees anything.
    package static let mostRows = 250

    private static let names = 284.0

    func frame(_ words: ChartWords) -> ChartFrame {
        let drawn = rows.prefix(Self.mostRows)
        let pitch = max(5, min(22, 900 / Double(max(drawn.count, 1))))
        let width = ChartFrame.usualWidth
        let (top, left, room) = (22.0, Self.names, width - Self.names - 34)
        let bottom = top + pitch * Double(max(drawn.count, 1))
        let tones = Dictionary(states.map { ($0.id, $0.tone) }, uniquingKeysWith: { first, _ in first })
        let limit: Int64 = 1 << 61
        var shapes: [Picture.Shape] = []
        let spans = drawn.compactMap { row -> (first: Int64, last: Int64)? in
            let times = row.dots.map { max(-limit, min(limit, $0.time)) }
            guard let first = times.min(), let last = times.max() else { return nil }
            return (first, last)
        }
        let from = isRelative ? 0 : spans.map(\.first).min() ?? 0
        let until = isRelative ? spans.map { $0.last - $0.first }.max() ?? 0 : spans.map(\.last).max() ?? 0
        let scale = TimeScale(stays: [(from, max(until, from + 1))], left: left, width: room, breakWidth: 1)
        for piece in scale.pieces {
            let step = TimeScale.step(for: piece, room: 90)
            for time in TimeScale.ticks(of: piece, step: step) {
                let x = scale.x(time)
                shapes.append(ChartFrame.line(Point(x: x, y: top - 8), Point(x: x, y: bottom + 4), ink: .frame))
                let text = isRelative ? DurationText.of(time) : ClockText.time(time, step: step)
                shapes.append(.text(.init(x: x, y: bottom + 20, text: text, size: 11, anchor: .middle, ink: .muted)))
            }
        }
        for (place, row) in drawn.enumerated() {
            let y = top + (Double(place) + 0.5) * pitch
            shapes.append(draw(row, y: y, pitch: pitch, scale: scale, tones: tones, words: words))
        }
        if isRelative {
            shapes.append(
                .text(.init(x: width - 30, y: bottom + 40, text: words.start, size: 11, anchor: .end, ink: .muted)))
        }
        return ChartFrame(
            title: title, subtitle: subtitle, width: width, height: bottom + 52, shapes: shapes,
            legend: states.map { state in
                .init(text: TextFit.shortened(state.title, to: 200, size: 12.5, face: .text), sample: 12) { x, y in
                    [Self.dot(x: x + 6, y: y, size: 10, tone: state.tone)]
                }
            },
            notes: allRows > drawn.count
                ? [Words.filled(words.leftOut, NumberText.count(drawn.count), NumberText.count(allRows))] : [],
            description: drawn.prefix(50).map { row in
                "\(DiagramComposer.short(row.title)): \(Words.filled(words.events, NumberText.count(row.dots.count)))"
            }.joined(separator: ". "))
    }

    private func draw(
        _ row: Row, y: Double, pitch: Double, scale: TimeScale, tones: [String: Timeline.Tone], words: ChartWords
    ) -> Picture.Shape {
        var shapes: [Picture.Shape] = []
        if pitch >= 12 {
            let name = TextFit.shortened(row.title, to: Self.names - 44, size: 11.5, face: .text)
            shapes.append(.text(.init(x: 24, y: y + 4, text: name, size: 11.5)))
        }
        let limit: Int64 = 1 << 61
        let dots = row.dots.map { (time: max(-limit, min(limit, $0.time)), state: $0.state) }
        let start = isRelative ? dots.map(\.time).min() ?? 0 : 0
        let size = max(3, min(9, pitch * 0.55))
        var drawn: Set<[Int]> = []
        for dot in dots.sorted(by: { ($0.time, $0.state) < ($1.time, $1.state) }) {
            let x = scale.x(dot.time - start)
            let tone = tones[dot.state] ?? .outside
            // Dots that fall on one place are drawn once.
            guard drawn.insert([Int(x * 2), Timeline.Tone.allCases.firstIndex(of: tone) ?? 0]).inserted else {
                continue
            }
            shapes.append(Self.dot(x: x, y: y, size: size, tone: tone))
        }
        let label =
            "\(DiagramComposer.short(row.title)): \(Words.filled(words.events, NumberText.count(row.dots.count)))"
        return .group(.init(classes: "run", role: "img", label: label, shapes: shapes))
    }

    private static func dot(x: Double, y: Double, size: Double, tone: Timeline.Tone) -> Picture.Shape {
        // Shapes differ too, for those who see no colours: what is in front is round, what is on the way is square.
        let isRound = tone != .transit
        return .box(
            .init(
                x: x - size / 2, y: y - size / 2, width: size, height: size, radius: isRound ? size / 2 : 0,
                fill: TimelineComposer.inks(of: tone).fill,
                stroke: tone == .suspended || tone == .outside ? .muted : nil, lineWidth: 0.8))
    }
}
