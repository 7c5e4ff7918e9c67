/// Which part of stays is still going on after a time: Kaplan and Meier's estimate, which also learns from stays that
/// the end of the log cuts.
package struct SurvivalCurve: Sendable, Hashable, Codable {
    package var title: String
    package var subtitle: String
    package var series: [Series]

    package init(title: String, subtitle: String = "", series: [Series]) {
        self.title = title
        self.subtitle = subtitle
        self.series = series
    }

    /// A point of a curve.
    package struct Step: Sendable, Hashable, Codable {
        /// Nanoseconds since the begin of the stay.
        package var time: Int64
        /// Part still going on after it (0...1).
        package var share: Double
    }

    /// The stays of one kind (a build, a device, a state).
    package struct Series: Sendable, Hashable, Codable {
        package var title: String
        package var count: Int
        package var steps: [Step]
        /// Id of the state, for a page that highlights it.
        package var state: String

        /// Stays of one length, in nanoseconds.
        package typealias Stays = (duration: Int64, isComplete: Bool, count: Int)

        /// - Parameter stays: Stays by length, and whether the end was seen; one that was cut counts as going on up to
        ///   its length.
        package init(title: String, stays: some Sequence<Stays>, state: String = "") {
            self.title = title
            self.state = state
            var ends: [Int64: (ended: Int, cut: Int)] = [:]
            var all = 0
            for stay in stays {
                all += stay.count
                if stay.isComplete {
                    ends[stay.duration, default: (0, 0)].ended += stay.count
                } else {
                    ends[stay.duration, default: (0, 0)].cut += stay.count
                }
            }
            count = all
            steps = []
            var left = all
            var share = 1.0
            for (time, number) in ends.sorted(by: { $0.key < $1.key }) {
                if number.ended > 0 {
                    share *= 1 - Double(number.ended) / Double(left)
                    steps.append(Step(time: time, share: share))
                }
                left -= number.ended + number.cut
            }
        }

        /// The shortest time after which at most half go on; `nil` when more than half were never seen to end.
        /// A hair's breadth is added, so that a half that is exact on paper is not missed by rounding.
        package var median: Int64? { steps.first { $0.share <= 0.5 + 1e-12 }?.time }
    }

    /// Curves drawn at most: beyond the styles one would look like another.
    package static let mostSeries = 6

    private static let styles: [(ink: Ink, dash: [Double])] = [
        (.series0, []), (.series1, [8, 4]), (.series2, [2, 3]), (.series3, [8, 3, 2, 3]), (.series4, [14, 4]),
        (.series5, [4, 2]),
    ]

    func frame(_ words: ChartWords) -> ChartFrame {
        let (width, height) = (ChartFrame.usualWidth, 440.0)
        let (left, right, top, bottom) = (70.0, 30.0, 24.0, height - 56)
        var shapes: [Picture.Shape] = []
        var histogram = LogHistogram()
        let drawn = series.prefix(Self.mostSeries)
        for step in drawn.flatMap(\.steps) { histogram.add(step.time) }
        guard let bins = histogram.range else {
            return ChartFrame(
                title: title, subtitle: subtitle, width: width, height: 80,
                shapes: [.text(.init(x: 24, y: 44, text: words.none, size: 13, ink: .muted))], description: words.none)
        }
        let axis = DurationAxis(bins: bins, left: left, width: width - left - right)
        shapes += axis.grid(top: top, bottom: bottom)
        for percent in [0, 25, 50, 75, 100] {
            let y = bottom - (bottom - top) * Double(percent) / 100
            shapes.append(
                ChartFrame.line(
                    Point(x: left, y: y), Point(x: width - right, y: y), ink: percent == 50 ? .faint : .frame,
                    width: percent == 50 ? 1.4 : 1))
            shapes.append(
                .text(
                    .init(
                        x: left - 10, y: y + 4, text: "\(percent)\u{A0}%", size: 11, anchor: .end, ink: .muted)))
        }
        shapes.append(
            .text(
                .init(
                    x: width - right, y: height - 10, text: words.stillGoing, size: 11, anchor: .end, ink: .muted)))
        for (place, one) in drawn.enumerated() {
            shapes.append(curve(one, place: place, axis: axis, top: top, bottom: bottom, words: words))
        }
        return ChartFrame(
            title: title, subtitle: subtitle, width: width, height: height, shapes: shapes,
            legend: drawn.enumerated().map { place, one in
                .init(
                    text: TextFit.shortened(summary(one, words), to: 420, size: 12.5, face: .text),
                    draw: ChartFrame.stroke(Self.styles[place].ink, width: 2.4, dash: Self.styles[place].dash))
            },
            notes: series.count > drawn.count
                ? [Words.filled(words.curvesLeftOut, NumberText.count(drawn.count), NumberText.count(series.count))]
                : [],
            description: drawn.map { summary($0, words) }.joined(separator: ". "))
    }

    private func summary(_ one: Series, _ words: ChartWords) -> String {
        let count = Words.filled(words.stays, NumberText.count(one.count))
        let median = one.median.map { ", \(words.median) \(DurationText.of($0))" } ?? ""
        return "\(DiagramComposer.short(one.title)): \(count)\(median)"
    }

    private func curve(
        _ one: Series, place: Int, axis: DurationAxis, top: Double, bottom: Double, words: ChartWords
    ) -> Picture.Shape {
        let style = Self.styles[place]
        func y(_ share: Double) -> Double { bottom - (bottom - top) * share }
        var steps: [Picture.Path.Step] = [.move(Point(x: axis.left, y: top))]
        var last = 1.0
        var lastX = axis.left
        for step in one.steps {
            let x = max(axis.left, axis.x(step.time))
            // Steps closer together than half a point look the same: the lower one is enough.
            if x - lastX < 0.5 {
                last = step.share
                steps.append(.line(Point(x: lastX, y: y(last))))
                continue
            }
            steps += [.line(Point(x: x, y: y(last))), .line(Point(x: x, y: y(step.share)))]
            (last, lastX) = (step.share, x)
        }
        if last > 0 { steps.append(.line(Point(x: axis.left + axis.width, y: y(last)))) }
        var shapes: [Picture.Shape] = [.path(.init(steps: steps, stroke: style.ink, lineWidth: 2.4, dash: style.dash))]
        if let median = one.median {
            let x = max(axis.left, axis.x(median))
            shapes.append(
                .box(
                    .init(
                        x: x - 4, y: y(0.5) - 4, width: 8, height: 8, radius: 4, fill: .panel, stroke: style.ink,
                        lineWidth: 2)))
        }
        return .group(
            .init(
                classes: "curve", role: "img", label: summary(one, words),
                data: one.state.isEmpty ? [] : [("state", one.state)], shapes: shapes))
    }
}
