import TraceRecords

/// Which share of visits still goes on after a time, for several groups: Kaplan and Meier's estimate, in which a visit
/// that the end of the log cuts counts for as long as it was seen.
package struct SurvivalCurve: Sendable, Hashable, ChartContent {
    package var title: String
    package var series: [Series]

    package init(title: String, series: [Series]) {
        self.title = title
        self.series = series
    }

    /// A point of a curve.
    package struct Step: Sendable, Hashable {
        /// Nanoseconds since the beginning of the visit.
        package var time: Int64
        /// Share that still goes on after it (0...1).
        package var share: Double
        /// Where the share lies with a probability of 95%, if that was computed.
        package var band: ClosedRange<Double>?

        package init(time: Int64, share: Double, band: ClosedRange<Double>? = nil) {
            self.time = time
            self.share = share
            self.band = band
        }
    }

    /// The visits of one kind (a build, a device, a state).
    package struct Series: Sendable, Hashable {
        package var title: String
        package var count: Int
        package var steps: [Step]
        /// Id of the state, so that a page can highlight it.
        package var state: String
        /// The colour of its state; `nil` for a colour by its place.
        package var tone: Timeline.Tone?
        /// The place of its state in the model, so that its dash is the same in all charts; `nil` for a dash by its place here.
        package var place: Int?
        /// The median; `nil` when fewer than half were seen to end, and when rounded durations would give another figure
        /// than a table of the same visits.
        package private(set) var median: Int64?
        /// Whether some visits were cut, so that the median is another figure than that of the complete visits.
        package private(set) var hasCut = false

        /// Visits of one length, in nanoseconds.
        package typealias Visits = (duration: Int64, isComplete: Bool, count: Int)

        /// - Parameter visits: Visits by length, and whether the end was seen; a visit that was cut counts as going on
        ///   up to its length.
        ///
        /// - Parameter isExact: Whether the durations are those of the visits, and not rounded ones.
        package init(
            title: String, visits: some Sequence<Visits>, state: String = "", tone: Timeline.Tone? = nil,
            place: Int? = nil, isExact: Bool = true
        ) {
            self.title = title
            (self.tone, self.place) = (tone, place)
            self.state = state
            var ends: [Int64: (ended: Int, cut: Int)] = [:]
            for visit in visits {
                ends[visit.duration, default: (0, 0)].ended += visit.isComplete ? visit.count : 0
                ends[visit.duration, default: (0, 0)].cut += visit.isComplete ? 0 : visit.count
            }
            count = ends.values.reduce(0) { $0 + $1.ended + $1.cut }
            steps = []
            var left = count
            var share = 1.0
            for (time, number) in ends.sorted(by: { $0.key < $1.key }) {
                if number.ended > 0 {
                    share *= 1 - Double(number.ended) / Double(left)
                    steps.append(Step(time: time, share: share))
                }
                left -= number.ended + number.cut
            }
            hasCut = ends.values.contains { $0.cut > 0 }
            if isExact { median = hasCut ? Self.firstHalf(of: steps) : Self.middle(of: ends.mapValues(\.ended)) }
        }

        /// A curve that is known.
        package init(title: String, count: Int, steps: [Step]) {
            (self.title, self.count, self.steps, state) = (title, count, steps, "")
            median = Self.firstHalf(of: steps)
        }

        /// The shortest time after which at most half go on.
        ///
        /// The small constant catches a half that is exact on paper but a little more in binary.
        private static func firstHalf(of steps: [Step]) -> Int64? {
            steps.first { $0.share <= 0.5 + 1e-12 }?.time
        }

        /// The median of durations with their counts, as in tables: between the two in the middle of an even number.
        private static func middle(of counts: [Int64: Int]) -> Int64? {
            let all = counts.values.reduce(0, +)
            guard all > 0 else { return nil }
            var (left, low) = ((all + 1) / 2, Int64?.none)
            for (time, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
                if let low { return low + (time - low) / 2 }
                left -= count
                if left < 0 || (left == 0 && all % 2 == 1) { return time }
                if left == 0 { low = time }
            }
            return low
        }
    }

    /// Most curves that are drawn; there are no more styles.
    package static let mostSeries = 6

    /// The first two are those of A and B, in the colours that a map has for what differs between them.
    private static let styles: [(ink: Ink, dash: [Double])] = [
        (.less, []), (.more, [8, 4]), (.series0, [2, 3]), (.series1, [8, 3, 2, 3]), (.series2, [14, 4]),
        (.series5, [4, 2]),
    ]

    func panel(_ words: Words) -> ChartPanel {
        panel(words, width: ChartPanel.usualWidth, legend: ChartPanel.usualWidth - 34)
    }

    /// - Parameter legend: room for a line of the legend.
    func panel(_ words: Words, width: Double, legend: Double) -> ChartPanel {
        let drawn = series.prefix(Self.mostSeries)
        guard let bins = LogHistogram(drawn.flatMap(\.steps).map(\.time)).range else { return .empty(words) }
        let height = 250.0
        let (left, right, top, bottom) = (52.0, width - 22, 20.0, height - 56)
        let axis = DurationAxis(bins: bins, left: left, width: right - left)
        var shapes = axis.grid(top: top, bottom: bottom)
        for percent in [0, 25, 50, 75, 100] {
            let y = bottom - (bottom - top) * Double(percent) / 100
            let isHalf = percent == 50
            shapes.append(
                .line(Point(left, y), Point(right, y), ink: isHalf ? .faint : .frame, width: isHalf ? 1.4 : 1))
            shapes.append(.label("\(percent)%", at: Point(left - 10, y + 4), anchor: .end))
        }
        if title != words[.inProgress] { shapes.append(.label(words[.inProgress], at: Point(12, top - 8))) }
        shapes.append(.label(words[.sinceVisitBegan], at: Point(right, height - 10), anchor: .end))
        let styles = zip(drawn, Self.styles).map { one, style -> (ink: Ink, dash: [Double]) in
            let own = one.place.map { Self.styles[$0 % Self.styles.count] } ?? style
            return (ink: one.tone?.line ?? style.ink, dash: own.dash)
        }
        for (place, one) in drawn.enumerated() {
            shapes.append(curve(one, style: styles[place], axis: axis, height: top...bottom, words: words))
        }
        let leftOut = words.filled(
            .curvesLeftOut, NumberText.grouped(drawn.count), NumberText.grouped(series.count))
        return ChartPanel(
            width: width, height: height, shapes: shapes,
            legend: drawn.enumerated().map { place, one in
                .init(
                    text: TextFit.shortened(summary(one, words), to: legend, size: 12.5, face: .text),
                    draw: ChartPanel.stroke(styles[place].ink, width: 2.4, dash: styles[place].dash))
            },
            notes: (drawn.contains { $0.hasCut && $0.median != nil } ? [words[.medianWithCut]] : [])
                + (series.count > drawn.count ? [leftOut] : []),
            description: drawn.map { summary($0, words) }.joined(separator: ". "))
    }

    private func summary(_ one: Series, _ words: Words) -> String {
        let median =
            one.median.map {
                ", "
                    + (one.hasCut ? words.filled(.halfOver, words.duration($0)) : words.duration(.median, $0))
            } ?? ""
        return "\(TextFit.short(one.title)): \(words.counted(one.count, .visits))\(median)"
    }

    private func curve(
        _ one: Series, style: (ink: Ink, dash: [Double]), axis: DurationAxis, height: ClosedRange<Double>, words: Words
    ) -> Picture.Shape {
        func y(_ share: Double) -> Double { height.upperBound - (height.upperBound - height.lowerBound) * share }
        var points = [Point(axis.left, y(1))]
        var last = points[0]
        for step in one.steps {
            let next = Point(axis.x(step.time), y(step.share))
            // Steps closer together than a point look the same: the lower one is enough.
            if next.x - last.x < 1 {
                last = Point(last.x, next.y)
                if points.count > 2, points.suffix(2).allSatisfy({ $0.x == last.x }) { points.removeLast() }
                points.append(last)
                continue
            }
            points += [Point(next.x, last.y), next]
            last = next
        }
        if (one.steps.last?.share ?? 1) > 0 { points.append(Point(axis.left + axis.width, last.y)) }
        var shapes = band(one, ink: style.ink, axis: axis, y: y)
        shapes.append(.polyline(points, ink: style.ink, width: 2.4, dash: style.dash))
        if let median = one.median {
            shapes.append(
                .circle(Point(axis.x(median), y(0.5)), diameter: 8, fill: .panel, stroke: style.ink, width: 2))
        }
        return .group(
            .init(
                classes: "curve", role: "img", label: summary(one, words),
                data: one.state.isEmpty ? [] : [("state", one.state)], shapes: shapes))
    }

    /// The area in which the curve lies with a probability of 95% at each time.
    private func band(_ one: Series, ink: Ink, axis: DurationAxis, y: (Double) -> Double) -> [Picture.Shape] {
        var (upper, lower) = ([Point(axis.left, y(1))], [Point(axis.left, y(1))])
        for step in one.steps {
            guard let band = step.band, let last = upper.last, let low = lower.last else { continue }
            let x = axis.x(step.time)
            upper += [Point(x, last.y), Point(x, y(band.upperBound))]
            lower += [Point(x, low.y), Point(x, y(band.lowerBound))]
        }
        guard upper.count > 1 else { return [] }
        return [.path(.init(steps: .along(upper + lower.reversed()) + [.close], fill: ink, opacity: 0.18))]
    }
}

/// Survival curves of several states in one picture, two beside each other.
package struct SurvivalSheet: Sendable, Hashable, ChartContent {
    package var title: String
    package var subtitle: String
    package var curves: [SurvivalCurve]
    /// What is compared, such as `devices`.
    package var units: String

    package init(title: String, subtitle: String, curves: [SurvivalCurve], units: String = "devices") {
        (self.title, self.subtitle, self.curves, self.units) = (title, subtitle, curves, units)
    }

    /// Two fit on a page as wide as a README.
    private static let width = 420.0

    func panel(_ words: Words) -> ChartPanel {
        guard !curves.isEmpty else { return .empty(words) }
        let panels = curves.map { $0.panel(words, width: Self.width, legend: Self.width - 110) }
        let rowHeight = (panels.map(\.height).max() ?? 0) + 84
        var shapes: [Picture.Shape] = []
        for (place, (curve, panel)) in zip(curves, panels).enumerated() {
            let origin = Point(Double(place % 2) * Self.width, Double(place / 2) * rowHeight)
            shapes.append(
                .label(
                    TextFit.shortened(curve.title, to: Self.width - 70, size: 14, face: .bold),
                    at: origin + Point(52, 32), size: 14, face: .bold, ink: .text))
            for (line, entry) in panel.legend.enumerated() {
                let y = 54 + Double(line) * 19
                shapes += entry.draw(origin + Point(52, y))
                shapes.append(.label(entry.text, at: origin + Point(86, y + 4), size: 12.5, ink: .text))
            }
            shapes += panel.shapes.map { $0.moved(by: origin + Point(0, 84)) }
        }
        return ChartPanel(
            width: curves.count > 1 ? 2 * Self.width : Self.width,
            height: Double((curves.count + 1) / 2) * rowHeight, shapes: shapes,
            notes: [words[.bandOfCurve].replacing("{units}", with: units)],
            description: panels.map(\.description).joined(separator: ". "))
    }
}
