import TraceRecords

/// The bars and findings of a lane.
extension TimelineComposer {
    /// Visits narrower than this are widened to it, at the expense of what follows, and left out where another one is
    /// already drawn.
    static let hair = 3.0
    /// Least width of the visit at the end of a long bar whose own end is not known.
    private static let openEnd = 8.0
    /// Most bars in all lanes together; a lane with more than its share is drawn in columns of this width.
    private static let mostBars = 800
    private static let column = 2.0

    /// A lane, and the number of its visits that are too short to be drawn.
    func row(_ lane: Timeline.Lane, isNamed: Bool, y: Double) -> (shape: Picture.Shape, hidden: Int) {
        var shapes: [Picture.Shape] = []
        if isNamed {
            // A long name takes two lines, and only a very long one is cut.
            let isLong = TextMeasure.width(lane.title, size: 12.5, face: .text) > names - 34
            let size = isLong ? 11.0 : 12.5
            let lines = TextFit.wrapped(lane.title, to: names - 34, lines: 2, size: size, face: .text)
            for (place, line) in lines.enumerated() {
                let height = y + (lines.count > 1 ? 11 + Double(place) * 13 : 17)
                shapes.append(.label(line, at: Point(PictureSheet.margin + 24, height), size: size, ink: .text))
            }
        }
        // Class names have a fixed alphabet: the id of a user's model may contain anything.
        let layer = ["app", "scene", "view"].contains(lane.layer) ? lane.layer : "model"
        var group = Picture.Group(
            classes: "lane \(layer)", role: "group", label: TextFit.short("\(lane.group), \(lane.title)"),
            data: [("run", String(lane.run))], shapes: [])
        var hidden = 0
        let scale = scale(of: lane)
        if isDense(lane) {
            group.classes = "lane dense \(layer)"
            group.role = "img"
            group.label += ", " + words.counted(lane.visits.count, .visits)
            shapes += dense(lane, scale, y: y)
            hidden = lane.narrow(scale, width: Self.column)
        } else {
            let bars = bars(lane, scale)
            shapes += bars.map { self.bar($0, of: lane, scale, y: y) }
            hidden = lane.hidden(showing: bars.map(\.place))
        }
        group.shapes = shapes
        return (.group(group), hidden)
    }

    func isDense(_ lane: Timeline.Lane) -> Bool {
        lane.visits.count > max(60, Self.mostBars / max(timeline.lanes.count, 1))
    }

    /// A visit as it is drawn.
    private struct Bar {
        var place: Int
        var start: Double
        var end: Double
        var length: Int64
        /// Whether it is widened.
        var isHair: Bool
    }

    /// The visits that are drawn. Of hairs at the same place the longest visit is shown, or the last, or that in which the log
    /// or the lane ends; a bar that would not be much wider than a hair beside it takes its place. A lane that is hardly
    /// wider than a hair shows its longest visit. A last one of unknown length, in which the process may have died, is
    /// always seen: beside the longest, or as the end of a long bar.
    private func bars(_ lane: Timeline.Lane, _ scale: TimeScale) -> [Bar] {
        var bars: [Bar] = []
        for (place, visit) in lane.visits.enumerated() {
            guard let from = visit.from, let until = visit.until else { continue }
            let (start, end) = (scale.x(from), scale.x(until))
            let isHair = end - start <= Self.hair
            var bar = Bar(
                place: place, start: start, end: max(end, start + Self.hair), length: until - from, isHair: isHair)
            guard let last = bars.last, last.start <= start, start <= last.end else {
                bars.append(bar)
                continue
            }
            let isSmall = last.end - last.start <= 3 * Self.hair
            let isLast = place == lane.visits.count - 1
            let isEnd = visit.isCutRight || bars.count > 1 && isLast
            let isOpen = isLast && (visit.isAtLeast || visit.isCutRight)
            switch (isHair, last.isHair) {
            case (true, true) where start < last.end && isOpen && bars.count == 1:
                (bar.start, bar.end) = (last.end, last.end + Self.hair)
            case (true, true) where start < last.end:
                guard bar.length >= last.length || isEnd else { continue }
                bars.removeLast()
                (bar.start, bar.end) = (last.start, last.start + Self.hair)
            case (true, false) where start < last.end || isSmall && !isEnd: continue
            case (true, false) where isOpen && !isSmall:
                bar.start = bar.end - Self.openEnd
                bars[bars.count - 1].end = bar.start
            case (false, true):
                let isShort = end - last.end < 2 * Self.hair
                if isShort { bars.removeLast() }
                bar.start = isShort ? last.start : last.end
            default: break
            }
            bars.append(bar)
        }
        return bars
    }

    /// A lane with too many visits for one bar each: columns in the colour of the visit that fills most of them, and at
    /// their foot as much of the active state as they contain. All columns of a colour are one path.
    private func dense(_ lane: Timeline.Lane, _ scale: TimeScale, y: Double) -> [Picture.Shape] {
        let count = Int(plot / Self.column)
        let columns = lane.columns(scale, count: count, left: left, width: Self.column)
        var paths: [Timeline.Tone: [Picture.Path.Step]] = [:]
        func add(_ box: Picture.Box, _ height: Double) -> [Picture.Path.Step] {
            let (right, bottom, top) = (box.x + box.width, box.y + box.height, box.y + box.height - height)
            return .along([Point(box.x, top), Point(right, top), Point(right, bottom), Point(box.x, bottom)]) + [.close]
        }
        let tones = columns.map { visit in visit.map { states[$0.state]?.tone ?? .outside } }
        for (tone, box) in stretches(tones, y: y) { paths[tone, default: []] += add(box, box.height) }
        let shares = lane.shares(of: active, scale, count: count, left: left, width: Self.column)
        let feet = zip(shares, tones).map { share, tone in
            share > 0 && tone != .active ? max(3, (share * Self.laneHeight).rounded()) : nil
        }
        let foot = stretches(feet, y: y).flatMap { add($0.box, $0.value) }
        let doubtful = stretches(columns.map { $0.flatMap(texture) }, y: y)
        let textures = Texture.allCases.map { texture -> Picture.Path in
            var path = texture.path(in: .init(x: left, y: y, width: 0, height: 0))
            path.steps = doubtful.filter { $0.value == texture }.flatMap { texture.path(in: $0.box).steps }
            return path
        }
        let bars = Timeline.Tone.allCases.compactMap { tone in
            paths[tone].map { Picture.Path(steps: $0, fill: tone.fill) }
        }
        let feetPath = Picture.Path(steps: foot, fill: Timeline.Tone.active.fill)
        return (bars + textures + [feetPath]).filter { !$0.steps.isEmpty }.map { .path($0) }
    }

    /// Neighbouring columns of one value as one box.
    private func stretches<Value: Equatable>(_ columns: [Value?], y: Double) -> [(value: Value, box: Picture.Box)] {
        var found: [(value: Value, box: Picture.Box)] = []
        var start = 0
        for place in columns.indices.dropFirst() + [columns.count]
        where place == columns.count || columns[place] != columns[start] {
            if let value = columns[start] {
                found.append(
                    (
                        value,
                        .init(
                            x: left + Double(start) * Self.column, y: y, width: Double(place - start) * Self.column,
                            height: Self.laneHeight)
                    ))
            }
            start = place
        }
        return found
    }

    /// What is inferred is hatched, a suspension that only silence shows is dotted, and nothing else has a texture. Beside
    /// such a suspension the state itself is observed.
    func texture(of visit: Timeline.Visit) -> Texture? {
        guard visit.isEstimated else { return visit.isInferred ? .hatched : nil }
        return states[visit.state]?.tone == .suspended ? .dotted : nil
    }

    enum Texture: CaseIterable {
        case hatched, dotted

        func path(in area: Picture.Box) -> Picture.Path {
            if self == .hatched { return Marks.hatching(in: area, ink: .stateFrame, step: 6) }
            let rows = stride(from: area.y + area.height / 2 - 6, to: area.y + area.height, by: 6).prefix(3)
            let steps = rows.flatMap { y -> [Picture.Path.Step] in
                .along([Point(area.x + 2, y), Point(area.x + max(2, area.width), y)])
            }
            return Picture.Path(steps: steps, stroke: .stateFrame, lineWidth: 1.4, dash: [1.4, 4.6], opacity: 0.7)
        }
    }

    private func bar(_ bar: Bar, of lane: Timeline.Lane, _ scale: TimeScale, y: Double) -> Picture.Shape {
        let (visit, left, right) = (lane.visits[bar.place], bar.start, bar.end)
        // Where the clock was set back, later bars lie over this one, and must not hide its name.
        let covered = lane.visits[bar.place...].compactMap(\.from).filter {
            (visit.from ?? .max) < $0 && $0 < (visit.until ?? .min)
        }.min()
        let free = freeParts(scale, from: left, to: covered.map(scale.x) ?? right, marks: lane.marks)
        let tone = states[visit.state]?.tone ?? .outside
        let width = right - left
        let frame = Picture.Box(
            x: left, y: y, width: max(width - (width > 4 ? 1 : 0), Self.hair), height: Self.laneHeight,
            radius: width > 8 ? 3 : 0, fill: tone.fill, stroke: tone == .outside && width > 4 ? .faint : nil)
        var shapes = [.box(frame)] + Self.stripes(of: states[visit.state], on: frame)
        let texture = texture(of: visit)
        if let texture {
            shapes.append(
                .path(texture.path(in: .init(x: left, y: y, width: width - 1, height: Self.laneHeight))))
        }
        // A torn edge would hide a bar that is narrower.
        let beside = width > 8 ? 0.0 : 2
        if visit.isTornLeft { shapes.append(Marks.tear(at: Point(left - beside, y))) }
        if visit.isCutRight { shapes.append(Marks.tear(at: Point(right - 1 + beside, y))) }
        let title = states[visit.state]?.title ?? visit.state
        let name = texture == .dotted ? "≈ \(title)" : title
        let full = [name, length(of: visit)].compactMap(\.self).joined(separator: " · ")
        for text in [full, name] {
            let size = TextMeasure.width(text, size: 11.5, face: .text)
            guard let free = free.first(where: { size + 14 <= $0.width }) else { continue }
            if texture != nil {
                // Text on a texture gets its own background.
                shapes.append(
                    .box(.init(x: free.left + 4, y: y + 5, width: size + 6, height: 16, radius: 3, fill: tone.fill)))
            }
            shapes.append(
                .label(VisibleText.line(text), at: Point(free.left + 7, y + 17), size: 11.5, ink: tone.ink))
            break
        }
        return .group(
            .init(
                classes: "visit \(tone.rawValue)", role: "img", label: tooltip(visit, title: title),
                data: [("state", visit.state)], shapes: shapes))
    }

    /// The parts of a bar between its breaks and the stems of findings.
    private func freeParts(
        _ scale: TimeScale, from left: Double, to right: Double, marks: [Timeline.Mark]
    ) -> [(left: Double, width: Double)] {
        var parts: [(left: Double, width: Double)] = []
        var start = left
        let breaks = scale.pieces.filter { $0.isBreak && $0.right > left && $0.cut < right }
            .map { (middle: ($0.cut + $0.right) / 2, half: ($0.right - $0.cut) / 2) }
        let stems = marks.compactMap(\.time).map { (middle: scale.x($0), half: 1.0) }
            .filter { left < $0.middle && $0.middle < right }
        for cut in (breaks + stems).sorted(by: { $0.middle < $1.middle }) {
            parts.append((start, cut.middle - cut.half - start))
            start = cut.middle + cut.half
        }
        return parts + [(start, right - start)]
    }

    /// The findings of a lane; findings at the same place become one mark.
    func marks(_ lane: Timeline.Lane, y: Double) -> [Picture.Shape] {
        let scale = scale(of: lane)
        let ends = lane.visits.flatMap { [$0.from, $0.until].compactMap { $0.map(scale.x) } }
        let (first, last) = (ends.min() ?? 0, ends.max() ?? 0)
        // A stem would hide a lane that is hardly wider than it.
        let stem = last - first < 4 ? 0 : Self.laneHeight
        var groups: [(x: Double, marks: [Timeline.Mark])] = []
        for mark in lane.marks.sorted(by: { ($0.time ?? 0, $0.rule) < ($1.time ?? 0, $1.rule) }) {
            guard var x = mark.time.map(scale.x) else { continue }
            // What marks the end of a lane is drawn on it, and not after it.
            if abs(x - last) < 1 { x = max(first, last - 1) }
            if let last = groups.indices.last, x - groups[last].x <= 8 {
                groups[last].marks.append(mark)
            } else {
                groups.append((x, [mark]))
            }
        }
        return groups.map { x, marks in
            var lines = marks.prefix(5).map(tooltip)
            if marks.count > 5 { lines.append(words.filled(.more, words.grouped(marks.count - 5))) }
            let worst = Ink.worst(of: marks.map(\.severity)) ?? .info
            let stem = Picture.Shape.line(Point(x, y - 3), Point(x, y + stem), ink: worst, width: 1.4)
            return .group(
                .init(
                    classes: "finding \(worst.rawValue)", role: "img", label: lines.joined(separator: "\n"),
                    shapes: [stem] + Marks.finding(at: Point(x, y - 3), ink: worst)))
        }
    }

    private func tooltip(_ mark: Timeline.Mark) -> String {
        let place = mark.source.isEmpty ? "" : " (\(TextFit.short(mark.source)))"
        return "\(words[.finding]): \(TextFit.short(mark.rule)) \(TextFit.short(mark.message))\(place)"
    }

    private func tooltip(_ visit: Timeline.Visit, title: String) -> String {
        var lines = [TextFit.short(title)]
        if hasClock, !isNarrow, let from = visit.from, let until = visit.until {
            let ends = [from, until].map(ClockText.readable)
            let isSameDay = ends[0].prefix(11) == ends[1].prefix(11)
            lines.append("\(ends[0]) – \(ends[1].dropFirst(isSameDay ? 11 : 0))")
        }
        lines += [length(of: visit)].compactMap(\.self)
        if visit.isInferred { lines.append(words[visit.isEstimated ? .estimatedVisit : .inferredVisit]) }
        if visit.isCutLeft || visit.isCutRight { lines.append(words[.cut]) }
        if !isNarrow, !visit.source.isEmpty { lines.append("\(words[.source]): \(TextFit.short(visit.source))") }
        return lines.joined(separator: "\n")
    }
}
