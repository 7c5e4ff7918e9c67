import TraceRecords

/// A ``Timeline`` for a terminal: one line of characters for each lane.
package struct TimelineText: Sendable {
    package var timeline: Timeline
    package var language: PictureLanguage
    /// Width of the terminal.
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

    /// The lines, without line ends. No text from a log reaches the terminal as a control sequence.
    package func lines() -> [String] {
        let words = Words(language)
        let (timed, hasClock) = timeline.timed()
        let names = min(
            max(26, width / 3), max(6, timed.lanes.map { CellWidth.of(VisibleText.line($0.title)) }.max() ?? 6))
        let plot = max(20, width - names - 4)
        // One column is one point of the axis.
        let scale = TimeScale(
            spans: hasClock ? timed.awakeSpans : [], marks: timed.borders, left: 0, width: Double(plot),
            breakWidth: hasClock ? 1 : .infinity)
        let states = Dictionary(timed.states.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

        var lines = [VisibleText.line(timeline.title)]
        if !timeline.subtitle.isEmpty { lines.append(VisibleText.line(timeline.subtitle)) }
        var last: Timeline.Lane?
        for lane in timed.lanes {
            defer { last = lane }
            if lane.group != last?.group || lane.run != last?.run {
                lines += ["", VisibleText.shortened(VisibleText.line(lane.group), to: width)]
            }
            let name = VisibleText.shortened(VisibleText.line(lane.title), to: names)
            let padding = String(repeating: " ", count: names - CellWidth.of(name))
            lines.append(
                "  \(name)\(padding)  " + row(lane, scale: scale, plot: plot, states: states, hasClock: hasClock))
            lines += findings(lane, scale: scale, plot: plot, indent: names + 4, hasClock: hasClock)
        }
        return lines + [""] + closing(timed, scale: scale, hasClock: hasClock, words: words)
    }

    private func row(
        _ lane: Timeline.Lane, scale: TimeScale, plot: Int, states: [String: Timeline.State], hasClock: Bool
    ) -> String {
        let cells = lane.columns(scale, count: plot, left: 0, width: 1)
        var text = cells.map { visit -> String in
            guard let visit else { return " " }
            let tone = states[visit.state]?.tone ?? .outside
            return painted(visit.isInferred && tone != .suspended ? "╱" : Self.sign(of: tone), tone)
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
            return space + VisibleText.shortened(VisibleText.line(text), to: room)
        }
    }

    private func closing(_ timed: Timeline, scale: TimeScale, hasClock: Bool, words: Words) -> [String] {
        let used = Set(timed.lanes.flatMap { $0.visits.map(\.state) })
        var legend = timed.states.filter { used.contains($0.id) }.map {
            painted(Self.sign(of: $0.tone), $0.tone) + " " + VisibleText.line($0.title)
        }
        if timed.lanes.contains(where: { $0.visits.contains(where: \.isInferred) }) {
            legend.append("╱ \(words[.inferredVisit])")
        }
        let left = scale.pieces.filter(\.isBreak).reduce(Int64(0)) { $0 + ($1.until - $1.from) }
        if hasClock, left > 0 { legend.append("\(Self.breakSign) \(words[.leftOutTime]) (Σ \(DurationText.of(left)))") }
        var lines = [legend.joined(separator: "  ")]
        if hasClock, let first = scale.pieces.first?.from, let last = scale.pieces.last?.until {
            lines.append("\(CivilTime.readable(nanoseconds: first)) – \(CivilTime.readable(nanoseconds: last)) UTC")
        } else if !timed.lanes.isEmpty {
            lines.append(words[.orderOnly])
        }
        if timeline.lanes.count > timed.lanes.count {
            let drawn = NumberText.grouped(timed.lanes.count)
            lines.append(words.filled(.lanesLeftOut, drawn, NumberText.grouped(timeline.lanes.count)))
        }
        return lines + timed.notes.map { VisibleText.line($0) }
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

    /// The signs differ in density, so that colour is not needed.
    package static func sign(of tone: Timeline.Tone) -> String {
        switch tone {
        case .active: "█"
        case .transit: "▓"
        case .background: "░"
        case .suspended: "·"
        case .outside: "─"
        }
    }
}
