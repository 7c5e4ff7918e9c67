import Foundation
import TraceRecords

/// The events of runs as dots, one row per run, by the time since the run began on a logarithmic axis.
package struct DottedChart: Sendable, Hashable, ChartContent {
    package var title: String
    /// The states, for colours and legend.
    package var states: [Timeline.State]
    /// The runs, the first one at the top.
    package var rows: [Row]
    /// The number of all runs, when `rows` holds only some of them.
    package var allRows: Int
    /// Whether it is as wide as a phone: names are without the times of the runs.
    package var isNarrow = false

    package init(title: String, states: [Timeline.State], rows: [Row], allRows: Int? = nil) {
        self.allRows = max(rows.count, allRows ?? 0)
        self.title = title
        self.states = states
        self.rows = rows
    }

    package struct Row: Sendable, Hashable {
        package var title: String
        package var dots: [Dot]

        package init(title: String, dots: [Dot]) {
            self.title = title
            self.dots = dots
        }

        /// Times so far out that a distance would overflow are limited.
        var limited: [Dot] {
            dots.map { Dot(time: max(-(1 << 61), min(1 << 61, $0.time)), state: $0.state) }
        }
    }

    package struct Dot: Sendable, Hashable {
        /// Nanoseconds since 1970 UTC.
        package var time: Int64
        /// Id of the state that was entered.
        package var state: String

        package init(time: Int64, state: String) {
            self.time = time
            self.state = state
        }
    }

    /// Most runs that are drawn; more could not be distinguished.
    package static let mostRows = 40
    /// Most dots that are drawn of all runs: beyond, those that are close together are drawn once.
    private static let mostDots = 800

    /// Width of the names of the runs.
    private var names: Double {
        let widest =
            rows.prefix(Self.mostRows).map {
                TextMeasure.width(parts(of: $0).joined(), size: 11, face: .text)
            }.max() ?? 0
        return isNarrow
            ? min(130, (widest + 34).rounded(.up)) : min(340, max(120, (widest + 34).rounded(.up)))
    }

    /// `Harbour [530]` and ` · 2026-05-12 05:05:16`.
    private func parts(of row: Row) -> [String] {
        guard let dot = row.title.range(of: " · ") else { return [row.title] }
        return [String(row.title[..<dot.lowerBound])] + (isNarrow ? [] : [String(row.title[dot.lowerBound...])])
    }

    func panel(_ words: Words) -> ChartPanel {
        let drawn = rows.prefix(Self.mostRows)
        let pitch = max(5, min(18, 900 / Double(max(drawn.count, 1))))
        let width = isNarrow ? 332.0 : max(560, names + 300)
        let top = 22.0
        let bottom = top + pitch * Double(max(drawn.count, 1))
        let axis = axis(of: drawn, width: width - names - 26)
        var shapes = axis.grid(top: top - 8, bottom: bottom + 4, hasZero: true)
        let dots = drawn.map { row -> [(x: Double, tone: Timeline.Tone)] in
            let dots = row.limited.sorted { ($0.time, $0.state) < ($1.time, $1.state) }
            let start = dots.first?.time ?? 0
            return dots.map { dot in
                (axis.x(dot.time - start), states.first { $0.id == dot.state }?.tone ?? .outside)
            }
        }
        // Dots at the same place are drawn once.
        var grid = 0.5
        while dots.reduce(0, { $0 + Self.distinct($1, every: grid).count }) > Self.mostDots, grid < 64 { grid *= 1.5 }
        for (place, row) in drawn.enumerated() {
            let dots = Self.distinct(dots[place], every: grid)
            shapes.append(draw(row, dots, y: top + (Double(place) + 0.5) * pitch, pitch: pitch, words: words))
        }
        shapes.append(.label(words[.sinceStart], at: Point(width - 22, bottom + 40), anchor: .end))
        let leftOut = words.filled(.runsLeftOut, NumberText.grouped(drawn.count), NumberText.grouped(allRows))
        return ChartPanel(
            width: width, height: bottom + 52, shapes: shapes,
            legend: states.byTone.map { state in
                .init(text: state.title, sample: 12) {
                    [Self.dot(at: $0 + Point(6, 0), size: 10, tone: state.tone)]
                }
            },
            notes: allRows > drawn.count ? [leftOut] : [],
            description: drawn.prefix(50).map { summary($0, words) }.joined(separator: ". "))
    }

    private func summary(_ row: Row, _ words: Words) -> String {
        "\(TextFit.short(row.title)): \(words.counted(row.dots.count, .events))"
    }

    /// An axis from the launch to the last dot; all before the first second is close to its beginning.
    private func axis(of rows: some Collection<Row>, width: Double) -> DurationAxis {
        let lengths = rows.compactMap { row -> Int64? in
            let times = row.limited.map(\.time)
            guard let first = times.min(), let last = times.max() else { return nil }
            return last - first
        }
        let second: Int64 = 1_000_000_000
        let bins = LogHistogram([second, max(second, lengths.max() ?? 0)]).bins.keys
        let first = bins.min() ?? 0
        return DurationAxis(bins: first - 2...(bins.max() ?? first), left: names, width: width)
    }

    /// One dot of each tone in each piece of the axis.
    private static func distinct(
        _ dots: [(x: Double, tone: Timeline.Tone)], every grid: Double
    ) -> [(x: Double, tone: Timeline.Tone)] {
        var taken: Set<[Int]> = []
        return dots.filter { dot in
            taken.insert([Int(dot.x / grid), Timeline.Tone.allCases.firstIndex(of: dot.tone) ?? 0]).inserted
        }
    }

    private func draw(
        _ row: Row, _ dots: [(x: Double, tone: Timeline.Tone)], y: Double, pitch: Double, words: Words
    ) -> Picture.Shape {
        var shapes: [Picture.Shape] = []
        if pitch >= 12 {
            // A long name is cut, and the time behind it is not.
            let parts = parts(of: row)
            let time = parts.dropFirst().joined()
            let room = names - 34 - TextMeasure.width(time, size: 11, face: .text)
            let name = TextFit.keepingEnd(parts[0], to: room, lines: 1, size: 11, face: .text).joined() + time
            shapes.append(.label(name, at: Point(18, y + 4), size: 11, ink: .text))
        }
        let size = max(3, min(9, pitch * 0.55))
        shapes += dots.map { Self.dot(at: Point($0.x, y), size: size, tone: $0.tone) }
        return .group(.init(classes: "run", role: "img", label: summary(row, words), shapes: shapes))
    }

    /// States in between are squares, so that the shape also shows what the colour does.
    private static func dot(at place: Point, size: Double, tone: Timeline.Tone) -> Picture.Shape {
        .box(
            .init(
                x: place.x - size / 2, y: place.y - size / 2, width: size, height: size,
                radius: tone == .transit ? 0 : size / 2, fill: tone.fill,
                stroke: tone == .suspended || tone == .outside ? .muted : nil, lineWidth: 0.8))
    }
}
