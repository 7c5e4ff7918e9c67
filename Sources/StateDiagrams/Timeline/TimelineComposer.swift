import TraceRecords

/// Draws a ``Timeline`` as a picture.
package struct TimelineDrawing: Sendable {
    package var timeline: Timeline
    package var language: PictureLanguage
    /// Prefix of every id in an SVG, so that one page can contain several pictures.
    package var idPrefix: String
    /// Whether the title is drawn: a page has its own.
    package var hasHeading = true
    /// Width of names and axis.
    package var width = 1_280.0
    package var mostLanes = Timeline.mostLanes

    package init(_ timeline: Timeline, language: PictureLanguage = .english, idPrefix: String = "t") {
        self.timeline = timeline
        self.language = language
        self.idPrefix = idPrefix
    }

    /// The timeline as SVG, self-contained unless it is a part of a page with ``PictureStyle/page``.
    package func svg(isPart: Bool = false) -> String {
        SVGWriter.write(picture, isPart: isPart, isBare: isPart && width < TimelineComposer.leastWidth)
    }

    /// The timeline as SVG, PNG, PDF or JSON. There is no timeline in DOT, which gives SVG.
    package func bytes(_ format: PictureFormat) throws(DiagramError) -> [UInt8] {
        format == .json ? try Picture.json(timeline) : try picture.bytes(format)
    }

    private var picture: Picture {
        TimelineComposer(timeline, language: language, width: width, mostLanes: mostLanes)
            .picture(idPrefix: idPrefix, hasHeading: hasHeading)
    }
}

/// Lays out a ``Timeline`` as swim lanes below each other on one axis.
struct TimelineComposer {
    let timeline: Timeline
    let words: Words
    let hasClock: Bool
    /// Number of lanes of the input, drawn or not.
    private let allLanes: Int
    private let scales: [Timeline.RunKey: TimeScale]
    let states: [String: Timeline.State]
    /// Width of the names of the lanes, and of the axis beside them.
    let names: Double
    let plot: Double

    private let width: Double
    /// Whether names stand above their lanes, because there is no room beside them.
    let isNarrow: Bool
    static let leastWidth = 600.0
    static let laneHeight = 26.0
    private static let lanePitch = 34.0
    private static let groupHeight = 30.0
    private static let narrowName = 16.0
    private static let breakSize = 11.0
    /// How much of a visit is seen on either side of a break in it.
    static let besideBreak = 6.0
    /// Free space to the right of the last visit, which has room for the length of the run.
    private let ending: Double
    private static let leastEnding = 18.0
    private let lengths: [Timeline.RunKey: String]

    var left: Double { PictureSheet.margin + names }

    /// The states that count as in use.
    var active: Set<String> { timeline.states.active }

    init(_ input: Timeline, language: PictureLanguage, width: Double, mostLanes: Int = Timeline.mostLanes) {
        self.width = width
        isNarrow = width < Self.leastWidth
        let (timeline, hasClock) = input.timed(mostLanes: mostLanes)
        self.timeline = timeline
        self.hasClock = hasClock
        allLanes = input.lanes.count
        let words = Words(language)
        self.words = words
        lengths = hasClock ? timeline.lengths(words) : [:]
        let widest = lengths.values.map { TextMeasure.width($0, size: 11, face: .bold) }.max() ?? 0
        ending = isNarrow ? Self.leastEnding : max(Self.leastEnding, widest + 16)
        states = Dictionary(timeline.states.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let longest = timeline.lanes.enumerated().map { place, lane in
            timeline.isAlone(place)
                ? TextMeasure.width(String(Self.parts(lane.group).app.prefix(80)), size: 12.5, face: .bold) + 22
                : TextMeasure.width(String(lane.title.prefix(80)), size: 12.5, face: .text) + 36
        }
        names = isNarrow ? 12 : min(290, max(190, (longest.max() ?? 0).rounded(.up)))
        plot = width + Self.leastEnding - names - ending
        let (lengths, isNarrow) = (lengths, isNarrow)
        func room(_ run: Timeline.RunKey) -> Double { isNarrow ? 0 : lengths[run].map(Self.room) ?? 0 }
        scales = timeline.scales(
            left: PictureSheet.margin + names, width: plot, hasClock: hasClock, ending: room
        ) { length in
            TextMeasure.width(TimeScale.length(length, words), size: Self.breakSize, face: .text) + 12
                + 2 * Self.besideBreak
        }
    }

    func scale(of lane: Timeline.Lane) -> TimeScale {
        scales[lane.key] ?? TimeScale(spans: [], left: left, width: plot, breakWidth: nil)
    }

    func picture(idPrefix: String, hasHeading: Bool) -> Picture {
        let width = width + Self.leastEnding
        let scale = hasHeading && hasOwnScales ? [words[.ownScales]] : []
        var sheet = PictureSheet(
            title: timeline.title, subtitle: ([timeline.subtitle] + scale).joined(separator: " · "), width: width,
            hasHeading: hasHeading)
        let top = sheet.y
        let (rows, uncut, axes, bottom, hidden) = rows(from: top)
        let panel = Picture.Box(
            x: PictureSheet.margin, y: top, width: width, height: bottom - top + 4, radius: 12, fill: .panel,
            stroke: .frame)
        sheet.add([.box(panel)] + axes.flatMap(ticks) + rows + axes.flatMap(breaks) + uncut, height: panel.height)
        sheet.close(
            legend: legend(hasRules: hasHeading && !isNarrow), notes: notes(hidden: hidden, hasHeading: hasHeading))
        return sheet.picture(description: description, language: words.language, idPrefix: idPrefix)
    }

    /// Whether the times of the clock have a date.
    private var isDated: Bool { scales.values.contains { $0.start >= ClockText.dated } }

    private var hasOwnScales: Bool { hasClock && timeline.isAligned && !TimeScale.isOne(scales.values) }

    /// Lanes with one axis below them.
    private struct Axis {
        var scale: TimeScale
        var top: Double
        var bottom: Double
        /// Where each lane is.
        var lanes: [(lane: Timeline.Lane, y: Double)]
    }

    /// Room for the labels of an axis.
    private static let axisHeight = 30.0

    /// The lanes, the names above them and the findings, which no break cuts, their axes, their lower edge, and the number of
    /// visits that are too short to be seen.
    private func rows(
        from top: Double
    ) -> (shapes: [Picture.Shape], uncut: [Picture.Shape], axes: [Axis], bottom: Double, hidden: Int) {
        var (y, shapes, uncut, hidden, axes) = (top, [Picture.Shape](), [Picture.Shape](), 0, [Axis]())
        var (axisTop, ofAxis) = (top, [(lane: Timeline.Lane, y: Double)]())
        for (place, lane) in timeline.lanes.enumerated() {
            let isAlone = timeline.isAlone(place)
            if isAlone, !isNarrow {
                // A run with one lane is named beside it.
                y += place == 0 || timeline.isAligned ? 12 : timeline.isAlone(place - 1) ? 4 : 14
                shapes += name(lane.group, y: y)
            } else if timeline.isFirst(place) {
                y += place == 0 ? 6 : timeline.isAligned ? 8 : 14
                let length = isNarrow ? lengths[lane.key] : nil
                let room = length.map { TextMeasure.width($0, size: 11, face: .bold) + 12 } ?? 0
                if let length {
                    let end = Point(PictureSheet.margin + width + 6, y + 15)
                    shapes.append(.label(length, at: end, face: .bold, anchor: .end, ink: .text))
                }
                let lines = heading(lane.group, to: width - 20 - room)
                for (line, text) in lines.enumerated() {
                    let start = Point(PictureSheet.margin + 12, y + 15 + 15 * Double(line))
                    uncut += self.uncut(text, at: start, size: 13, face: .bold)
                }
                y += Self.groupHeight + 15 * Double(lines.count - 1)
            }
            if isNarrow, !isAlone {
                y += Self.narrowName
                uncut += nameAbove(lane, y: y)
            }
            if timeline.isFirst(place), timeline.isAligned { axisTop = y - 8 }
            let row = row(lane, isNamed: !isAlone && !isNarrow, y: y)
            shapes.append(row.shape)
            ofAxis.append((lane, y))
            uncut += marks(lane, y: y) + (isNarrow || !timeline.isFirst(place) ? [] : total(of: lane, y: y))
            hidden += row.hidden
            y += Self.lanePitch
            let isLast = place + 1 == timeline.lanes.count
            guard isLast || (timeline.isAligned && timeline.isFirst(place + 1)) else { continue }
            axes.append(
                Axis(
                    scale: scale(of: lane), top: axisTop, bottom: timeline.isAligned ? y - 6 : y + 6, lanes: ofAxis))
            ofAxis = []
            guard hasClock else { continue }
            y += (timeline.isAligned ? 20 : 6 + Self.axisHeight) + (isLast && timeline.isAligned ? 8 : 0)
        }
        return (shapes, uncut, axes, max(y, top + 34), hidden)
    }

    /// The length of a run at the end of its first lane, or before it where a break leaves no room there.
    private func total(of lane: Timeline.Lane, y: Double) -> [Picture.Shape] {
        guard let length = lengths[lane.key], let begin = lane.visits.compactMap(\.from).min(),
            let end = lane.visits.compactMap(\.until).max()
        else { return [] }
        let (scale, room) = (scale(of: lane), Self.room(for: length))
        func isFree(_ x: Double) -> Bool {
            x >= left && !scale.pieces.contains { $0.isBreak && $0.cut < x + room && $0.right > x }
        }
        let (before, after) = (scale.x(begin) - room, scale.x(end))
        let x = isFree(after) || !isFree(before) ? after + Self.gap : before
        return uncut(length, at: Point(x, y + 17), size: 11, face: .bold)
    }

    /// Between a bar and the length of its run, and the width of both.
    private static let gap = 10.0
    private static func room(for length: String) -> Double {
        gap + TextMeasure.width(length, size: 11, face: .bold)
    }

    /// A text that no break of the axis strikes through.
    private func uncut(_ text: String, at place: Point, size: Double, face: Typeface) -> [Picture.Shape] {
        let width = TextMeasure.width(text, size: size, face: face)
        return [
            .box(
                .init(
                    x: place.x - 2, y: place.y - size, width: width + 4, height: size + 4, fill: .panel, opacity: 0.88)),
            .label(text, at: place, size: size, face: face, ink: .text),
        ]
    }

    /// `Harbour [530] · 2026-05-12 05:05:16`, at the middle dot.
    private static func parts(_ group: String) -> (app: String, time: String?) {
        let parts = group.split(separator: " · ", maxSplits: 1).map(String.init)
        return (parts.first ?? group, parts.count > 1 ? parts[1] : nil)
    }

    /// The name of a run above its lanes, with the time on a line of its own where both do not fit on one.
    private func heading(_ group: String, to room: Double) -> [String] {
        let parts = Self.parts(group)
        let isWide = TextMeasure.width(group, size: 13, face: .bold) > room
        return (isWide ? [parts.app, parts.time].compactMap(\.self) : [group]).flatMap {
            TextFit.keepingEnd($0, to: room, lines: 1, size: 13, face: .bold)
        }
    }

    /// The name of a run on two lines to the left of its lane: app and time.
    private func name(_ group: String, y: Double) -> [Picture.Shape] {
        let parts = Self.parts(group)
        let x = PictureSheet.margin + 12
        // A long name takes two lines, and only a very long one is cut.
        let isLong = TextMeasure.width(parts.app, size: 12.5, face: .bold) > names - 20
        let size = isLong ? 11.0 : 12.5
        let lines = TextFit.keepingEnd(parts.app, to: names - 20, lines: 2, size: size, face: .bold)
        let height = y + (parts.time == nil ? 17 : isLong ? 4 : 11)
        return lines.enumerated().map { place, line in
            .label(line, at: Point(x, height + 12 * Double(place)), size: size, face: .bold, ink: .text)
        }
            + (parts.time.map { [TextFit.shortened($0, to: names - 20, size: 11, face: .text)] } ?? []).map {
                .label($0, at: Point(x, height + 12 * Double(lines.count - 1) + (isLong ? 12 : 14)))
            }
    }

    /// The name of a lane above it, to the right of the mark of a finding at its begin.
    private func nameAbove(_ lane: Timeline.Lane, y: Double) -> [Picture.Shape] {
        let name = TextFit.shortened(lane.title, to: plot - 20, size: 12.5, face: .text)
        return uncut(name, at: Point(left + 10, y - 8), size: 12.5, face: .text)
    }

    // MARK: - Axis

    /// Ticks and their labels at the lower edge: on a clock the two ends first, then as many round times as there is room
    /// for.
    private func ticks(_ axis: Axis) -> [Picture.Shape] {
        guard hasClock, !(timeline.isAligned && axis.scale.isPoint) else { return [] }
        let (scale, isAligned) = (axis.scale, timeline.isAligned)
        var shapes: [Picture.Shape] = []
        var taken: [ClosedRange<Double>] = []
        func write(_ text: String, at x: Double, _ anchor: Picture.Text.Anchor = .middle) -> Bool {
            let width = TextMeasure.width(text, size: 11, face: .text)
            let from = anchor == .start ? x : anchor == .end ? x - width : x - width / 2
            let range = from - 6...from + width
            guard from + width < left + plot + ending - 2, !taken.contains(where: range.overlaps) else { return false }
            taken.append(range)
            shapes.append(.label(text, at: Point(x, axis.bottom + (isAligned ? 15 : 20)), anchor: anchor))
            return true
        }
        func line(_ x: Double) { shapes.append(.line(Point(x, axis.top + 6), Point(x, axis.bottom + 4), ink: .frame)) }
        let zero = isAligned ? words.duration(0) : nil
        for (place, end) in scale.ends(room: 78, zero: zero).enumerated() {
            line(scale.x(end.time))
            _ = write(end.text, at: scale.x(end.time), place == 0 ? .start : .end)
        }
        scale.labelTicks(room: 78, zero: zero) { text, x in
            // A line without a label tells nothing.
            guard write(text, at: x) else { return false }
            line(x)
            return true
        }
        return shapes
    }

    /// The breaks, drawn over the visits that they cut, and how long they are: in the lanes of the runs that go on meanwhile,
    /// or once where none does.
    private func breaks(_ axis: Axis) -> [Picture.Shape] {
        guard hasClock else { return [] }
        return axis.scale.pieces.filter(\.isBreak).map { piece in
            let length = TimeScale.length(piece.length, words)
            func edge(_ x: Double) -> [Point] {
                (Array(stride(from: axis.top + 4, to: axis.bottom - 2, by: 7)) + [axis.bottom]).enumerated().map {
                    Point(x + ($0 % 2 == 0 ? -2 : 2), $1)
                }
            }
            let (first, second) = (edge(piece.cut + Self.besideBreak), edge(piece.right - Self.besideBreak))
            let cut = axis.lanes.filter { axisLane in
                axisLane.lane.visits.contains { ($0.from ?? .max) < piece.until && ($0.until ?? .min) > piece.from }
            }.map(\.y)
            let places = cut.isEmpty ? [(axis.top + axis.bottom - Self.laneHeight) / 2] : cut
            return .group(
                .init(
                    classes: "break", role: "img",
                    label: "\(words[.leftOutTime]): \(piece.isUnknown ? words[.unknownLength] : length)",
                    shapes: [
                        .polygon(first + second.reversed(), fill: .panel), .polyline(first, ink: .ghost, width: 0.8),
                        .polyline(second, ink: .ghost, width: 0.8),
                    ]
                        + places.map { y in
                            .label(
                                length, at: Point((piece.cut + piece.right) / 2, y + 17), size: Self.breakSize,
                                anchor: .middle)
                        }))
        }
    }

    // MARK: - Legend and notes

    /// - Parameter hasRules: whether the marks are listed with their rules. The page of a report lists its findings.
    private func legend(hasRules: Bool) -> [PictureSheet.Entry] {
        let visits = timeline.lanes.flatMap(\.visits)
        let used = Set(visits.map(\.state))
        var entries = timeline.states.filter { used.contains($0.id) }.byTone.map(Self.entry)
        let textures = Set(visits.compactMap(texture))
        for (texture, word) in [(Texture.hatched, Word.inferredVisit), (.dotted, .estimatedVisit)]
        where textures.contains(texture) {
            entries.append(
                .init(text: words[word]) { place in
                    let box = Marks.swatch(at: place, fill: nil, stroke: .faint)
                    return [.box(box), .path(texture.path(in: box))]
                })
        }
        if let title = timeline.states.activeTitles(in: timeline.lanes.filter(isDense)) {
            entries.append(
                .init(text: words.filled(.inPart, title)) { place in
                    let box = Marks.swatch(at: place, fill: .toneSuspended)
                    var foot = box
                    (foot.y, foot.height, foot.radius, foot.fill) = (box.y + 10, 4, 0, .toneActive)
                    return [.box(box), .box(foot)]
                })
        }
        if visits.contains(where: { $0.isTornLeft || $0.isCutRight }) {
            entries.append(
                .init(text: words[.cut], sample: 10) { [Marks.tear(at: $0 + Point(5, -8), teeth: 4)] })
        }
        let isWidened = timeline.lanes.contains { lane in
            let scale = scale(of: lane)
            return !isDense(lane) && lane.whole.contains { scale.x($0.until) - scale.x($0.from) < Self.hair }
        }
        if hasClock, isWidened {
            entries.append(
                .init(text: words[.narrowVisit], sample: 8) { place in
                    var bar = Marks.swatch(at: place, fill: .toneBackground)
                    (bar.x, bar.width, bar.radius) = (place.x + 2, Self.hair, 0)
                    return [.box(bar)]
                })
        }
        entries += markEntries(hasRules: hasRules)
        if hasClock, scales.values.contains(where: { $0.pieces.contains(where: \.isBreak) }) {
            entries.append(
                .init(text: words[.leftOutTime], sample: 18) { place in
                    [6.0, 12].map { x in
                        let points = [Point(x - 2, -8), Point(x + 2, -3), Point(x - 2, 3), Point(x + 2, 8)]
                        return .polyline(points.map { place + $0 }, ink: .muted)
                    }
                })
        }
        return entries
    }

    /// The marks, with what happened where a severity has so few rules that there is room for it.
    private func markEntries(hasRules: Bool) -> [PictureSheet.Entry] {
        let marks = Dictionary(grouping: timeline.lanes.flatMap(\.marks)) { Ink.worst(of: [$0.severity]) }
        let kinds = [(Ink.error, Word.errorMark), (.warning, .warningMark), (.info, .remarkMark)]
        return kinds.compactMap { ink, word in
            guard let found = marks[ink] else { return nil }
            let rules = Set(found.map(\.rule)).sorted()
            let ids = PictureHeading.names(rules.map(TextFit.short), words)
            let titled = rules.map { rule in
                TextFit.short(rule + (timeline.ruleTitles[rule].map { " \($0)" } ?? ""))
            }
            let text = rules.count > 2 ? ids : titled.joined(separator: " · ")
            return .init(text: words[word] + (hasRules ? ": " + text : ""), sample: 16) {
                Marks.finding(at: $0 + Point(8, 0), ink: ink)
            }
        }
    }

    /// A state with the look of its visits.
    static func entry(_ state: Timeline.State) -> PictureSheet.Entry {
        .init(text: state.title) { place in
            let box = Marks.swatch(at: place, fill: state.tone.fill, stroke: state.tone == .outside ? .faint : nil)
            return [.box(box)] + stripes(of: state, on: box)
        }
    }

    /// The stripes that tell a state from others of its colour.
    static func stripes(of state: Timeline.State?, on bar: Picture.Box) -> [Picture.Shape] {
        (state?.stripes ?? []).map { share in
            let y = bar.y + bar.height * share
            return .line(Point(bar.x, y), Point(bar.x + bar.width, y), ink: state?.tone.ink ?? .text, width: 1.3)
        }
    }

    private func notes(hidden: Int, hasHeading: Bool) -> [String] {
        var notes = timeline.notes
        // That each row has its own scale is said above the rows where there is a heading; a single run begins at zero.
        let isPlain = timeline.isAligned && hasClock && timeline.runs.count == 1
        if !timeline.lanes.isEmpty, !isPlain, !(hasHeading && hasOwnScales) {
            notes.append(
                words[
                    !hasClock
                        ? .orderOnly
                        : hasOwnScales ? .ownScales : timeline.isAligned ? .fromLaunch : isDated ? .utc : .undated])
        }
        if allLanes > timeline.lanes.count {
            let drawn = words.grouped(timeline.lanes.count)
            notes.append(words.filled(.lanesLeftOut, drawn, words.grouped(allLanes)))
        }
        if hidden > 0 {
            notes.append(words.counted(hidden, .tooShort))
            if hasClock, !timeline.isAligned, timeline.runs.count > 1 { notes.append(words[.axisLaunch]) }
        }
        return notes
    }

    /// The first lanes in sentences.
    private var description: String {
        let lanes = timeline.lanes.prefix(20).map { lane in
            let visits = lane.visits.prefix(12).map { visit in
                ([states[visit.state]?.title ?? visit.state] + [length(of: visit)].compactMap(\.self))
                    .joined(separator: " ")
            }
            let more = lane.visits.count > 12 ? ", …" : ""
            return "\(lane.group), \(lane.title): " + visits.joined(separator: ", ") + more
        }
        return ((timeline.subtitle.isEmpty ? [] : [timeline.subtitle]) + lanes).joined(separator: ". ")
    }

    /// How long a visit lasted; `nil` without a clock.
    func length(of visit: Timeline.Visit) -> String? {
        guard hasClock, !visit.hasNoLength, let from = visit.from, let until = visit.until else { return nil }
        return words.duration(until - from, isLeast: visit.isCutLeft || visit.isCutRight || visit.isAtLeast)
    }
}

extension Timeline.Tone {
    /// The colour of a bar, that of a line, where the colour of a bar would be too pale for one, and that of text on a bar.
    private var inks: (fill: Ink, line: Ink, text: Ink) {
        switch self {
        case .active: (.toneActive, .toneActive, .onActive)
        case .transit: (.toneTransit, .lineTransit, .onTone)
        case .background: (.toneBackground, .lineBackground, .onTone)
        case .suspended: (.toneSuspended, .never, .onTone)
        case .outside: (.toneOutside, .never, .onTone)
        case .own1: (.toneOwn1, .toneOwn1, .onActive)
        case .own2: (.toneOwn2, .lineOwn2, .onTone)
        case .own3: (.toneOwn3, .lineOwn3, .onTone)
        case .own4: (.toneOwn4, .lineOwn4, .onTone)
        }
    }

    var fill: Ink { inks.fill }
    var line: Ink { inks.line }
    var ink: Ink { inks.text }
}
