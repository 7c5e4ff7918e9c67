extension TimelineComposer {
    /// Draws a lane; returns how many of its stays were too short to be drawn.
    func row(_ lane: Timeline.Lane, isNamed: Bool, y: Double) -> (Picture.Shape, hidden: Int) {
        let name = TextFit.shortened(lane.title, to: names - 34, size: 12.5, face: .text)
        var shapes: [Picture.Shape] = []
        if isNamed { shapes.append(.text(.init(x: Self.margin + 24, y: y + 17, text: name, size: 12.5, ink: .text))) }
        let label = TextFit.line(lane.group) + ", " + TextFit.line(lane.title)
        if lane.stays.count > max(60, Self.mostBars / max(timeline.lanes.count, 1)) {
            shapes += dense(lane, y: y) + marks(lane, y: y)
            let short = lane.stays.filter { scale.x($0.until ?? 0) - scale.x($0.from ?? 0) < Self.column }.count
            return (
                .group(
                    .init(
                        classes: "lane dense \(layerClass(lane.layer))", role: "img",
                        label: DiagramComposer.short(label) + ", "
                            + Words.counted(lane.stays.count, one: words.visit, many: words.visits), shapes: shapes)),
                short
            )
        }
        var hidden = 0
        var drawnTo = -Double.infinity
        var longest: Int64?
        for stay in lane.stays {
            guard let from = stay.from, let until = stay.until else { continue }
            let start = scale.x(from)
            let end = max(scale.x(until), start + Self.hair)
            let isHair = end - start <= Self.hair
            if isHair, start < drawnTo {
                // Of stays that fall on one hair, the longest is seen.
                hidden += 1
                guard let longest, until - from > longest else { continue }
                shapes.removeLast()
            }
            longest = isHair ? until - from : nil
            drawnTo = max(drawnTo, end)
            shapes.append(bar(stay, from: start, to: end, y: y, lane: lane))
        }
        shapes += marks(lane, y: y)
        return (
            .group(
                .init(
                    classes: "lane \(layerClass(lane.layer))", role: "group",
                    label: DiagramComposer.short(label), shapes: shapes)), hidden
        )
    }

    /// Bars drawn one by one at most, in all lanes together; a lane with more than its part is drawn in columns.
    private static let mostBars = 6_000
    private static let column = 2.0

    /// A lane with too many stays for a bar each: columns in the colour of the stay that fills most of them, all
    /// columns of a colour in one path.
    private func dense(_ lane: Timeline.Lane, y: Double) -> [Picture.Shape] {
        let columns = lane.columns(
            scale, count: Int(plot / Self.column), left: left, width: Self.column
        ).map { stay in stay.map { states[$0.state]?.tone ?? .outside } }
        var paths: [Timeline.Tone: [Picture.Path.Step]] = [:]
        var start = 0
        for place in 1...columns.count where place == columns.count || columns[place] != columns[start] {
            if let tone = columns[start] {
                let (from, to) = (left + Double(start) * Self.column, left + Double(place) * Self.column)
                paths[tone, default: []] += [
                    .move(Point(x: from, y: y)), .line(Point(x: to, y: y)),
                    .line(Point(x: to, y: y + Self.laneHeight)), .line(Point(x: from, y: y + Self.laneHeight)), .close,
                ]
            }
            start = place
        }
        return Timeline.Tone.allCases.compactMap { tone in
            paths[tone].map { .path(.init(steps: $0, fill: Self.inks(of: tone).fill)) }
        }
    }

    /// Class names come from a fixed alphabet: the id of a user's model may hold anything.
    private func layerClass(_ layer: String) -> String {
        ["app", "scene", "view"].contains(layer) ? layer : "model"
    }

    private func bar(
        _ stay: Timeline.Stay, from left: Double, to right: Double, y: Double, lane: Timeline.Lane
    ) -> Picture.Shape {
        let tone = states[stay.state]?.tone ?? .outside
        let width = right - left
        let (fill, ink) = Self.inks(of: tone)
        var shapes: [Picture.Shape] = [
            .box(
                .init(
                    x: left, y: y, width: max(width - (width > 4 ? 1 : 0), Self.hair), height: Self.laneHeight,
                    radius: width > 8 ? 3 : 0, fill: fill, stroke: tone == .outside && width > 4 ? .faint : nil))
        ]
        if stay.isInferred || tone == .suspended {
            shapes.append(
                .path(
                    Self.hatching(
                        left: left, top: y, width: width - 1, height: Self.laneHeight,
                        ink: stay.isInferred ? .stateFrame : .muted, step: stay.isInferred ? 6 : 12)))
        }
        // What has no length to show was not seen to begin outside the log either.
        let isSeen = stay.from != stay.until || stay.isCutRight
        // Two torn edges of a bar that is hardly wider than they are would be a scribble.
        if stay.isCutLeft, isSeen, width > 8 || !stay.isCutRight { shapes.append(.path(Self.tear(x: left, y: y))) }
        if stay.isCutRight { shapes.append(.path(Self.tear(x: right - 1, y: y))) }
        let title = states[stay.state]?.title ?? stay.state
        let duration = dwell(stay).first
        let full = [title, duration].compactMap { $0 }.joined(separator: " · ")
        let free = freePart(from: left, to: right)
        for text in [full, title] where TextMeasure.width(text, size: 11.5, face: .text) + 14 <= free.width {
            if stay.isInferred || tone == .suspended {
                // Text on hatching gets ground of its own.
                let size = TextMeasure.width(text, size: 11.5, face: .text) + 6
                shapes.append(
                    .box(.init(x: free.left + 4, y: y + 5, width: size, height: 16, radius: 3, fill: fill)))
            }
            shapes.append(.text(.init(x: free.left + 7, y: y + 17, text: TextFit.line(text), size: 11.5, ink: ink)))
            break
        }
        return .group(
            .init(
                classes: "stay \(tone.rawValue)", role: "img", label: tooltip(stay, title: title),
                data: [("state", stay.state)], shapes: shapes))
    }

    /// The widest part of a bar that no break cuts.
    private func freePart(from left: Double, to right: Double) -> (left: Double, width: Double) {
        var best = (left: left, width: 0.0)
        var start = left
        let cuts = hasClock ? scale.pieces.filter { $0.isBreak && $0.right > left && $0.left < right } : []
        for cut in cuts {
            let middle = (cut.left + cut.right) / 2
            if middle - 8 - start > best.width { best = (start, middle - 8 - start) }
            start = middle + 8
        }
        return right - start > best.width ? (start, right - start) : best
    }

    /// Fill and text of a tone.
    static func inks(of tone: Timeline.Tone) -> (fill: Ink, text: Ink) {
        switch tone {
        case .active: (.toneActive, .onActive)
        case .transit: (.toneTransit, .onTone)
        case .background: (.toneBackground, .onTone)
        case .suspended: (.toneSuspended, .onTone)
        case .outside: (.toneOutside, .onTone)
        }
    }

    /// Slanting lines, cut off at the rectangle.
    static func hatching(
        left: Double, top: Double, width: Double, height: Double, ink: Ink, step: Double
    ) -> Picture.Path {
        var steps: [Picture.Path.Step] = []
        // A line per step, at most a few hundred: a wide bar is hatched more widely.
        let step = max(step, (width + height) / 300)
        var start = step / 2
        while start < width + height {
            let from = Point(x: left + min(start, width), y: top + max(0, start - width))
            let to = Point(x: left + max(0, start - height), y: top + min(start, height))
            steps += [.move(from), .line(to)]
            start += step
        }
        return Picture.Path(steps: steps, stroke: ink, lineWidth: 0.9, opacity: 0.55)
    }

    /// A torn edge: the log begins or ends here, not the stay.
    static func tear(x: Double, y: Double, teeth: Int = 6) -> Picture.Path {
        var steps: [Picture.Path.Step] = [.move(Point(x: x, y: y - 2))]
        for place in 1...teeth {
            steps.append(.line(Point(x: x + (place % 2 == 1 ? 3 : -3), y: y - 2 + Double(place) * 5)))
        }
        return Picture.Path(steps: steps, stroke: .text, lineWidth: 1.3)
    }

    /// The findings of a lane; those that fall on one place become one mark.
    private func marks(_ lane: Timeline.Lane, y: Double) -> [Picture.Shape] {
        guard hasClock else { return [] }
        var groups: [(x: Double, marks: [Timeline.Mark])] = []
        for mark in lane.marks.sorted(by: { ($0.time ?? 0, $0.rule) < ($1.time ?? 0, $1.rule) }) {
            guard let time = mark.time else { continue }
            let x = scale.x(time)
            if let last = groups.indices.last, x - groups[last].x <= 8 {
                groups[last].marks.append(mark)
            } else {
                groups.append((x, [mark]))
            }
        }
        return groups.map { x, marks in
            var lines = marks.prefix(5).map { tooltip($0) }
            if marks.count > 5 { lines.append(Words.filled(words.more, NumberText.count(marks.count - 5))) }
            let worst = Self.ink(of: marks)
            let stem = ChartFrame.line(
                Point(x: x, y: y - 3), Point(x: x, y: y + Self.laneHeight), ink: worst, width: 1.4)
            return .group(
                .init(
                    classes: "finding \(worst.rawValue)", role: "img", label: lines.joined(separator: "\n"),
                    shapes: [stem] + DiagramComposer.findingMark(x: x, y: y - 3, ink: worst)))
        }
    }

    /// The colour of the worst of some findings.
    static func ink(of marks: [Timeline.Mark]) -> Ink {
        marks.contains { $0.severity == "error" }
            ? .error : marks.contains { $0.severity == "warning" } ? .warning : .info
    }

    private func tooltip(_ mark: Timeline.Mark) -> String {
        let place = mark.source.isEmpty ? "" : " (\(DiagramComposer.short(mark.source)))"
        return "\(words.finding): \(DiagramComposer.short(mark.rule)) \(DiagramComposer.short(mark.message))\(place)"
    }

    private func tooltip(_ stay: Timeline.Stay, title: String) -> String {
        var lines = [DiagramComposer.short(title)]
        if hasClock, let from = stay.from, let until = stay.until {
            lines.append("\(ClockText.full(from)) – \(ClockText.full(until))")
            lines += dwell(stay)
        }
        if stay.isInferred { lines.append(words.inferredStay) }
        if stay.isCutLeft || stay.isCutRight { lines.append(words.cut) }
        if !stay.source.isEmpty { lines.append("\(words.source): \(DiagramComposer.short(stay.source))") }
        return lines.joined(separator: "\n")
    }
}
