/// Draws a ``Timeline`` as a ``Picture``: swim lanes below each other on one axis.
struct TimelineComposer {
    let timeline: Timeline
    let words: Words
    let language: PictureLanguage
    let idPrefix: String
    let hasClock: Bool
    /// Number of lanes that the caller has, drawn or not.
    let allLanes: Int
    let scale: TimeScale
    let states: [String: Timeline.State]
    /// Room for the names of the lanes, and for the axis beside them.
    let names: Double
    let plot: Double

    static let width = 1_280.0
    static let margin = 28.0
    static let laneHeight = 26.0
    static let lanePitch = 34.0
    static let groupHeight = 30.0
    static let breakWidth = 16.0
    /// Stays drawn narrower than this are widened to it, and left out where one stands already.
    static let hair = 1.2
    /// Free space right of the last stay.
    static let ending = 18.0

    var left: Double { Self.margin + names }

    init(_ input: Timeline, language: PictureLanguage, idPrefix: String) {
        let (timeline, hasClock) = input.timed()
        self.timeline = timeline
        self.hasClock = hasClock
        allLanes = input.lanes.count
        self.language = language
        self.idPrefix = idPrefix
        words = Words.of(language)
        states = Dictionary(timeline.states.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let longest = timeline.lanes.enumerated().map { place, lane in
            timeline.isAlone(place)
                ? TextMeasure.width(String(Self.parts(lane.group).who.prefix(80)), size: 12.5, face: .bold) + 22
                : TextMeasure.width(String(lane.title.prefix(80)), size: 12.5, face: .text) + 36
        }
        names = min(290, max(190, (longest.max() ?? 0).rounded(.up)))
        plot = Self.width - names
        let marks = hasClock ? timeline.lanes.flatMap { $0.marks.compactMap(\.time) } : []
        scale = TimeScale(
            stays: hasClock ? timeline.awakeSpans : [], marks: timeline.borders + marks,
            left: Self.margin + names, width: plot, breakWidth: hasClock ? Self.breakWidth : .infinity)
    }

    func picture() -> Picture {
        let width = 2 * Self.margin + Self.width + Self.ending
        var shapes: [Picture.Shape] = []
        var y = Self.margin + 20
        let room = width - 2 * Self.margin
        shapes.append(
            .text(
                .init(
                    x: Self.margin, y: y, text: TextFit.shortened(timeline.title, to: room, size: 23, face: .bold),
                    size: 23, face: .bold)))
        if !timeline.subtitle.isEmpty {
            y += 24
            let line = TextFit.shortened(timeline.subtitle, to: room, size: 14, face: .text)
            shapes.append(.text(.init(x: Self.margin, y: y, text: line, size: 14, ink: .muted)))
        }
        y += 22
        let top = y
        var rows: [Picture.Shape] = []
        var hidden = 0
        for (place, lane) in timeline.lanes.enumerated() {
            if timeline.isAlone(place) {
                // A run with one lane is named beside it.
                y += place == 0 ? 12 : timeline.isAlone(place - 1) ? 4 : 14
                rows += name(lane.group, y: y)
            } else if timeline.isFirst(place) {
                y += place == 0 ? 6 : 14
                let title = TextFit.shortened(lane.group, to: Self.width - 20, size: 13, face: .bold)
                rows.append(.text(.init(x: Self.margin + 12, y: y + 15, text: title, size: 13, face: .bold)))
                y += Self.groupHeight
            }
            let (shape, left) = row(lane, isNamed: !timeline.isAlone(place), y: y)
            rows.append(shape)
            hidden += left
            y += Self.lanePitch
        }
        y += 6
        let axis = ticks(from: top, to: y)
        shapes.append(
            .box(
                .init(
                    x: Self.margin, y: top, width: room, height: y - top + 34, radius: 12, fill: .panel,
                    stroke: .frame)))
        shapes += axis + rows + breaks(from: top, to: y - 4)
        y += 34 + 24
        y = legend(into: &shapes, y: y, width: room, hidden: hidden)
        let height = y + Self.margin - 8
        let paper = Picture.Box(x: 0, y: 0, width: width, height: height, fill: .paper)
        return Picture(
            width: width, height: height, title: TextFit.line(timeline.title), description: description,
            language: language, idPrefix: idPrefix, shapes: [.box(paper)] + shapes)
    }

    private static func parts(_ group: String) -> (who: String, when: String?) {
        let parts = group.split(separator: " · ", maxSplits: 1).map(String.init)
        return (parts.first ?? group, parts.count > 1 ? parts[1] : nil)
    }

    /// The name of a run on two lines left of its lane: who, and when.
    private func name(_ group: String, y: Double) -> [Picture.Shape] {
        let parts = Self.parts(group)
        let room = names - 20
        let who = TextFit.shortened(parts.who, to: room, size: 12.5, face: .bold)
        var shapes: [Picture.Shape] = [
            .text(
                .init(x: Self.margin + 12, y: y + (parts.when == nil ? 17 : 11), text: who, size: 12.5, face: .bold))
        ]
        if let when = parts.when {
            let when = TextFit.shortened(when, to: room, size: 11, face: .text)
            shapes.append(.text(.init(x: Self.margin + 12, y: y + 25, text: when, size: 11, ink: .muted)))
        }
        return shapes
    }

    /// The lanes in sentences; long ones are summed up.
    private var description: String {
        var parts = timeline.subtitle.isEmpty ? [] : [TextFit.line(timeline.subtitle)]
        for lane in timeline.lanes.prefix(20) {
            let stays = lane.stays.prefix(12).map { stay in
                TextFit.line(states[stay.state]?.title ?? stay.state) + dwell(stay).map { " \($0)" }.joined()
            }
            let more = lane.stays.count > 12 ? ", …" : ""
            parts.append(
                "\(TextFit.line(lane.group)), \(TextFit.line(lane.title)): " + stays.joined(separator: ", ") + more)
        }
        return parts.joined(separator: ". ")
    }

    /// How long a stay lasted, in at most one text; none without a clock.
    func dwell(_ stay: Timeline.Stay) -> [String] {
        guard hasClock, let from = stay.from, let until = stay.until else { return [] }
        let least = stay.isCutLeft || stay.isCutRight ? "≥ " : ""
        return [least + DurationText.of(until - from)]
    }
}
