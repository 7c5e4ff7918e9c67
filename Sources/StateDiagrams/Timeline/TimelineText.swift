/// A ``Timeline`` for a terminal: one line of characters for each lane.
package struct TimelineText: Sendable {
    package var timeline: Timeline
    package var language: PictureLanguage
    /// Columns of the terminal.
    package var width: Int
    /// Whether colours may be used.
    package var isColoured: Bool

    package init(_ timeline: Timeline, language: PictureLanguage = .english, width: Int = 100, isColoured: Bool = false)
    {
        self.timeline = timeline
        self.language = language
        self.width = width
        self.isColoured = isColoured
    }

    private static let breakSign: Character = "⫽"
    private static let findingSign: Character = "▲"

    /// The lines, without line ends. Nothing from a log reaches the terminal as a control sequence.
    package func lines() -> [String] {
        let words = Words.of(language)
        let (timed, hasClock) = timeline.timed()
        let names = min(max(26, width / 3), max(6, timed.lanes.map { Self.columns(TextFit.line($0.title)) }.max() ?? 6))
        let plot = max(20, width - names - 4)
        // One column is one point of the axis.
        let scale = TimeScale(
            stays: hasClock ? timed.awakeSpans : [], marks: timed.borders, left: 0, width: Double(plot),
            breakWidth: hasClock ? 1 : .infinity)
        let states = Dictionary(timed.states.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

        var lines = [TextFit.line(timeline.title)]
        if !timeline.subtitle.isEmpty { lines.append(TextFit.line(timeline.subtitle)) }
        var last: Timeline.Lane?
        for lane in timed.lanes {
            defer { last = lane }
            if lane.group != last?.group || lane.run != last?.run {
                lines += ["", Self.cut(TextFit.line(lane.group), to: width)]
            }
            let name = Self.padded(Self.cut(TextFit.line(lane.title), to: names), to: names)
            lines.append("  \(name)  " + row(lane, scale: scale, plot: plot, states: states, hasClock: hasClock))
            lines += findings(lane, scale: scale, plot: plot, indent: names + 4, hasClock: hasClock)
        }
        return lines + [""] + closing(timed, scale: scale, hasClock: hasClock, words: words)
    }

    private func row(
        _ lane: Timeline.Lane, scale: TimeScale, plot: Int, states: [String: Timeline.State], hasClock: Bool
    ) -> String {
        let cells = lane.columns(scale, count: plot, left: 0, width: 1)
        var text = cells.map { stay -> String in
            guard let stay else { return " " }
            let tone = states[stay.state]?.tone ?? .outside
            return painted(stay.isInferred && tone != .suspended ? "╱" : Self.sign(of: tone), tone)
        }
        if hasClock {
            for piece in scale.pieces where piece.isBreak {
                let cell = Int(piece.left)
                if text.indices.contains(cell) { text[cell] = String(Self.breakSign) }
            }
        }
        var joined = text.joined()
        while joined.last == " " { joined.removeLast() }
        return joined
    }

    private func findings(
        _ lane: Timeline.Lane, scale: TimeScale, plot: Int, indent: Int, hasClock: Bool
    ) -> [String] {
        guard hasClock else { return [] }
        let marks = lane.marks.filter { $0.time != nil }.sorted { ($0.time ?? 0, $0.rule) < ($1.time ?? 0, $1.rule) }
        return marks.prefix(5).map { mark in
            let cell = min(plot - 1, max(0, Int(scale.x(mark.time ?? 0))))
            let space = String(repeating: " ", count: indent + cell)
            let text =
                "\(Self.findingSign) \(mark.rule) \(mark.message)" + (mark.source.isEmpty ? "" : " \(mark.source)")
            let room = max(12, width - indent - cell)
            return space + Self.cut(TextFit.line(text), to: room)
        }
    }

    private func closing(_ timed: Timeline, scale: TimeScale, hasClock: Bool, words: Words) -> [String] {
        let used = Set(timed.lanes.flatMap { $0.stays.map(\.state) })
        var legend = timed.states.filter { used.contains($0.id) }.map {
            painted(Self.sign(of: $0.tone), $0.tone) + " " + TextFit.line($0.title)
        }
        if timed.lanes.contains(where: { $0.stays.contains(where: \.isInferred) }) {
            legend.append("╱ \(words.inferredStay)")
        }
        let left = scale.pieces.filter(\.isBreak).reduce(Int64(0)) { $0 + ($1.until - $1.from) }
        if hasClock, left > 0 { legend.append("\(Self.breakSign) \(words.leftOutTime) (Σ \(DurationText.of(left)))") }
        var lines = [legend.joined(separator: "  ")]
        if hasClock, let first = scale.pieces.first?.from, let last = scale.pieces.last?.until {
            lines.append("\(ClockText.full(first)) – \(ClockText.full(last)) UTC")
        } else if !timed.lanes.isEmpty {
            lines.append(words.orderOnly)
        }
        if timeline.lanes.count > timed.lanes.count {
            let drawn = NumberText.count(timed.lanes.count)
            lines.append(Words.filled(words.lanesLeftOut, drawn, NumberText.count(timeline.lanes.count)))
        }
        return lines + timed.notes.map { TextFit.line($0) }
    }

    private func painted(_ sign: String, _ tone: Timeline.Tone) -> String {
        guard isColoured else { return sign }
        let colour =
            switch tone {
            case .active: 34
            case .transit: 33
            case .background: 37
            case .suspended, .outside: 90
            }
        return "\u{1B}[\(colour)m\(sign)\u{1B}[0m"
    }

    /// The signs differ in blackness, so that colour is never needed.
    private static func sign(of tone: Timeline.Tone) -> String {
        switch tone {
        case .active: "█"
        case .transit: "▓"
        case .background: "░"
        case .suspended: "·"
        case .outside: "─"
        }
    }

    /// Columns that a text takes in a terminal.
    private static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    private static func columns(_ character: Character) -> Int {
        let advance = TextMeasure.advance(of: character, face: .code)
        return advance == 0 ? 0 : advance >= 1000 ? 2 : 1
    }

    private static func cut(_ text: String, to room: Int) -> String {
        guard columns(String(text.prefix(room + 1))) > room || text.count > room else { return text }
        var used = 0
        return String(
            text.prefix { character in
                used += columns(character)
                return used < room
            }) + "…"
    }

    private static func padded(_ text: String, to room: Int) -> String {
        text + String(repeating: " ", count: max(0, room - columns(text)))
    }
}
