import TraceRecords

/// A ``Timeline`` for a terminal: one line of characters for each lane.
package struct TimelineText: Sendable {
    package var timeline: Timeline
    package var language: PictureLanguage
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
    private static let inferredSign = "╱"
    private static let estimatedSign = "┈"
    private static let partSign = "▂"

    /// The sign for what no line shows; `nil` for other visits. Beside an estimated suspension the state itself is observed.
    private static func doubt(_ visit: Timeline.Visit, _ tone: Timeline.Tone) -> String? {
        if visit.isEstimated { return tone == .suspended ? estimatedSign : nil }
        return visit.isInferred ? inferredSign : nil
    }

    /// The lines, without line ends. No text from a log reaches the terminal as a control sequence.
    package func lines() -> [String] {
        let words = Words(language)
        let (timed, hasClock) = timeline.timed()
        let names = min(
            max(26, width / 3), max(6, timed.lanes.map { CellWidth.of(VisibleText.line($0.title)) }.max() ?? 6))
        let lengths = hasClock ? timed.lengths(words) : [:]
        let plot = max(20, width - names - 5 - (lengths.values.map(CellWidth.of).max() ?? -1))
        // One column is one point of the axis.
        let exact = timed.scales(left: 0, width: Double(plot), hasClock: hasClock) {
            // With a cell of what is broken on either side.
            Double(Self.gap($0).count + 2)
        }
        let scales = exact.mapValues { $0.inCells() }
        let signs = signs(of: timed)
        var hidden = 0
        let cells = timed.lanes.map { lane in
            guard let scale = scales[lane.key] else { return [Timeline.Visit?]() }
            var cells = lane.columns(scale, count: plot, left: 0, width: 1)
            if lane.visits.count <= plot { lane.showShort(in: &cells, scale) }
            hidden += lane.visits.count - Set(cells.compactMap(\.self)).count
            return cells
        }

        var lines = [VisibleText.line(timeline.title)]
        if !timeline.subtitle.isEmpty { lines.append(VisibleText.line(timeline.subtitle)) }
        var last: Timeline.Lane?
        let active = timed.states.active
        var (hasBreaks, inParts) = (false, [Timeline.Lane]())
        for (place, lane) in timed.lanes.enumerated() {
            defer { last = lane }
            guard let scale = scales[lane.key] else { continue }
            if lane.key != last?.key {
                lines += [""] + Self.wrapped(VisibleText.line(lane.group), to: width)
            }
            // A name that is too long for its column has lines of its own.
            var name = VisibleText.line(lane.title)
            if CellWidth.of(name) > names {
                lines += Self.wrapped(name, to: width - 2).map { "  " + $0 }
                name = ""
            }
            let padding = String(repeating: " ", count: names - CellWidth.of(name))
            let parts = lane.shares(of: active, scale, count: plot, left: 0, width: 1)
            let row = row(
                cells[place], parts, isDense: lane.visits.count > plot, scale: scale, signs: signs, hasClock: hasClock)
            hasBreaks = hasBreaks || row.contains(Self.breakSign)
            if row.contains(Self.partSign) { inParts.append(lane) }
            let length = lane.key == last?.key ? nil : lengths[lane.key]
            lines.append("  \(name)\(padding)  \(row)\(length.map { " \($0)" } ?? "")")
            let end = cells[place].lastIndex { $0 != nil } ?? 0
            lines += findings(lane, scale: scale, plot: plot, end: end, indent: names + 4, hasClock: hasClock)
        }
        if hasClock, !timed.isAligned, let scale = scales.values.first {
            lines.append(String(repeating: " ", count: names + 4) + Self.ticks(scale, plot: plot))
            hasBreaks = hasBreaks || lines.last?.contains(Self.breakSign) == true
        }
        let part = timed.states.activeTitles(in: inParts).map {
            painted(Self.partSign, .active) + " " + words.filled(.inPart, $0)
        }
        return lines + [""]
            + legend(
                timed, cells.joined().compactMap(\.self), part: part, hasBreaks: hasBreaks, signs: signs
            )
            + closing(timed, scales: exact, hasClock: hasClock, words: words)
            + (hidden > 0 ? [words.counted(hidden, .tooShort)] : [])
    }

    /// What a break leaves out, as short as it can be said: `⫽2h10m⫽`.
    private static func gap(_ length: Int64?) -> String {
        let text = length.map { HumanDuration.compact(HumanDuration.text(nanoseconds: $0)) } ?? "?"
        return "\(breakSign)\(text)\(breakSign)"
    }

    /// The times below the lanes: both ends, and as many between them as there is room for, each to the right of its tick.
    private static func ticks(_ scale: TimeScale, plot: Int) -> String {
        var row = [Character](repeating: " ", count: plot)
        func write(_ text: String, at cell: Int) -> Bool {
            let room = max(0, cell - 1)..<min(plot, cell + text.count + 1)
            guard cell >= 0, cell + text.count <= plot, row[room].allSatisfy({ $0 == " " }) else { return false }
            row.replaceSubrange(cell..<cell + text.count, with: text)
            return true
        }
        let ends = scale.ends(room: 16)
        for (place, end) in ends.enumerated() {
            _ = place == 0 ? write("╵" + end.text, at: 0) : write(end.text + "╵", at: plot - end.text.count - 1)
        }
        for piece in scale.pieces where piece.isBreak { _ = write(gap(piece.length), at: Int(piece.left) + 1) }
        var day = ends.first?.date ?? ""
        for piece in scale.pieces where !piece.isBreak {
            let step = TimeScale.step(for: piece, room: 16)
            for time in TimeScale.ticks(of: piece, step: step)
            where write("╵" + TimeScale.label(clock: time, step: step, after: day), at: Int(scale.x(time))) {
                day = ClockText.date(time)
            }
        }
        return String(row)
    }

    /// - Parameters:
    ///   - parts: how much of each cell the active state has. Where no cell near shows it, a sign of its own does.
    ///   - isDense: whether there are more visits than cells.
    private func row(
        _ cells: [Timeline.Visit?], _ parts: [Double], isDense: Bool, scale: TimeScale,
        signs: [String: (sign: String, tone: Timeline.Tone)], hasClock: Bool
    ) -> String {
        func toneOf(_ place: Int) -> Timeline.Tone? {
            cells.indices.contains(place) ? cells[place].flatMap { signs[$0.state]?.tone } : nil
        }
        var text = cells.enumerated().map { place, visit -> String in
            guard let visit else { return " " }
            let (sign, tone) = signs[visit.state] ?? ("─", .outside)
            let isHidden =
                isDense
                ? tone != .active
                : [.background, .suspended].contains(tone)
                    && !(place - 1...place + 1).contains { toneOf($0) == .active }
            // Where the other state only has a cell that is mostly active, its own sign is seen.
            if parts[place] > 0, parts[place] < 0.5, isHidden { return painted(Self.partSign, .active) }
            return painted(Self.doubt(visit, tone) ?? sign, tone)
        }
        // Only where the lane has something to interrupt.
        if hasClock, let first = cells.firstIndex(where: { $0 != nil }),
            let last = cells.lastIndex(where: { $0 != nil })
        {
            for piece in scale.pieces where piece.isBreak && first <= Int(piece.left) && Int(piece.left) < last {
                let gap = Self.gap(piece.length).map(String.init)
                let cut = Int(piece.left) + 1..<min(text.count, Int(piece.left) + 1 + gap.count)
                text.replaceSubrange(cut, with: gap.prefix(cut.count))
            }
        }
        var joined = text.joined()
        while joined.last == " " { joined.removeLast() }
        return joined
    }

    /// - Parameter end: The last cell of the lane: what marks the end of a run is not drawn after it.
    private func findings(
        _ lane: Timeline.Lane, scale: TimeScale, plot: Int, end: Int, indent: Int, hasClock: Bool
    ) -> [String] {
        guard hasClock, let last = lane.visits.compactMap(\.until).max() else { return [] }
        let marks = lane.marks.filter { $0.time != nil }.sorted { ($0.time ?? 0, $0.rule) < ($1.time ?? 0, $1.rule) }
        return marks.prefix(5).flatMap { mark -> [String] in
            let time = mark.time ?? 0
            let cell = min(time > last ? plot - 1 : end, max(0, Int(scale.x(time))))
            let place = mark.source.split(separator: "/").last.map { " (\($0))" } ?? ""
            let text = VisibleText.line("\(mark.rule) \(mark.message)\(place)")
            // The text is on the side of the sign where there is more room.
            let (left, right) = (indent + cell - 3, width - indent - cell - 2)
            let size = CellWidth.of(text)
            let space = String(repeating: " ", count: indent + cell)
            if size <= right { return ["\(space)\(Self.findingSign) \(text)"] }
            if size <= left { return ["\(space.dropLast(size + 1))\(text) \(Self.findingSign)"] }
            // A long one goes below the sign, on as many lines as it needs.
            let below = String(repeating: " ", count: indent)
            return ["\(space)\(Self.findingSign)"] + Self.wrapped(text, to: width - indent).map { below + $0 }
        }
    }

    /// The words of a text on lines of at most `room` cells; a longer word continues on the next line.
    private static func wrapped(_ text: String, to room: Int) -> [String] {
        text.split(separator: " ").reduce(into: [String]()) { lines, word in
            if let last = lines.last, CellWidth.of("\(last) \(word)") <= room {
                lines[lines.count - 1] = "\(last) \(word)"
                return
            }
            lines.append("")
            for character in word {
                if CellWidth.of("\(lines[lines.count - 1])\(character)") > max(room, 2) { lines.append("") }
                lines[lines.count - 1].append(character)
            }
        }
    }

    /// What the signs mean: those that occur, and no others.
    private func legend(
        _ timed: Timeline, _ drawn: [Timeline.Visit], part: String?, hasBreaks: Bool,
        signs: [String: (sign: String, tone: Timeline.Tone)]
    ) -> [String] {
        let words = Words(language)
        let doubts = Dictionary(grouping: drawn) { Self.doubt($0, signs[$0.state]?.tone ?? .outside) }
        let used = Set((doubts[nil] ?? []).map(\.state))
        // A sign is listed once, with all states that share it.
        var order: [String] = []
        var titles: [String: [String]] = [:]
        for state in timed.states where used.contains(state.id) {
            let (sign, tone) = signs[state.id] ?? ("─", .outside)
            let (painted, title) = (painted(sign, tone), VisibleText.line(state.title))
            if titles[painted] == nil { order.append(painted) }
            if titles[painted]?.contains(title) != true { titles[painted, default: []].append(title) }
        }
        var legend = order.map { "\($0) \((titles[$0] ?? []).joined(separator: ", "))" }
        if let part { legend.append(part) }
        for (sign, word) in [(Self.inferredSign, Word.inferredVisit), (Self.estimatedSign, .estimatedVisit)] {
            guard let visits = doubts[sign] else { continue }
            let states = Set(visits.map(\.state))
            let titles = timed.states.filter { states.contains($0.id) }.map { VisibleText.line($0.title) }
            legend.append("\(sign) \(words[word]): \(titles.joined(separator: ", "))")
        }
        if hasBreaks { legend.append("\(Self.breakSign) \(words[.leftOutTime])") }
        return filled(legend)
    }

    private func closing(
        _ timed: Timeline, scales: [Timeline.RunKey: TimeScale], hasClock: Bool, words: Words
    ) -> [String] {
        var lines: [String] = []
        if hasClock, timed.isAligned {
            lines.append(words[TimeScale.isOne(scales.values) ? .fromLaunch : .ownScales])
        } else if hasClock, let pieces = scales.values.first?.pieces, let first = pieces.first?.from,
            let last = pieces.last?.until
        {
            let ends = (last - first > 1 ? [first, last] : [first]).map(ClockText.readable)
            lines.append(ends.joined(separator: " – ") + (first < ClockText.dated ? "" : " UTC"))
        } else if !timed.lanes.isEmpty {
            lines.append(words[.orderOnly])
        }
        if timeline.lanes.count > timed.lanes.count {
            let drawn = NumberText.grouped(timed.lanes.count)
            lines.append(words.filled(.lanesLeftOut, drawn, NumberText.grouped(timeline.lanes.count)))
        }
        return lines + timed.notes.map { VisibleText.line($0) }
    }

    /// Entries of a legend, as many on a line as fit.
    private func filled(_ entries: [String]) -> [String] {
        var lines: [(text: String, width: Int)] = []
        for entry in entries {
            // Colours take no room.
            let own = CellWidth.of(entry.replacing(/\u{1B}\[[0-9]+m/, with: ""))
            if let last = lines.last, last.width + 2 + own <= width {
                lines[lines.count - 1] = (last.text + "  " + entry, last.width + 2 + own)
            } else {
                lines.append((entry, own))
            }
        }
        return lines.map(\.text)
    }

    private func painted(_ sign: String, _ tone: Timeline.Tone) -> String {
        guard isColoured else { return sign }
        let colour =
            switch tone {
            case .active: 34
            case .transit: 33
            case .background: 37
            case .suspended, .outside: 90
            case .own1, .own2, .own3, .own4: 36
            }
        return "\u{1B}[\(colour)m\(sign)\u{1B}[0m"
    }

    /// The usual sign of a tone, where one line has no room for a sign of each state.
    package static func sign(of tone: Timeline.Tone) -> String { signs[tone]?.first ?? "─" }

    /// The signs of each tone, which differ in density, so that colour is not needed; the first is the usual one.
    private static let signs: [Timeline.Tone: [String]] = [
        .active: ["█", "▉"], .transit: ["▓", "▒", "◇"], .background: ["░", "○"], .suspended: ["·", "∙"],
        .outside: ["─", "╌"], .own1: ["█"], .own2: ["▓"], .own3: ["▒"], .own4: ["░"],
    ]

    /// A sign for every state, which no other state of the same layer has as long as there are enough.
    private func signs(of timed: Timeline) -> [String: (sign: String, tone: Timeline.Tone)] {
        var layers: [String: Set<String>] = [:]
        for lane in timed.lanes {
            for visit in lane.visits { layers[visit.state, default: []].insert(lane.layer) }
        }
        var taken: Set<[String]> = []
        var result: [String: (sign: String, tone: Timeline.Tone)] = [:]
        for state in timed.states {
            let own = layers[state.id] ?? []
            let signs = Self.signs[state.tone] ?? []
            let sign = signs.first { sign in own.allSatisfy { !taken.contains([$0, sign]) } } ?? signs.last ?? "─"
            taken.formUnion(own.map { [$0, sign] })
            result[state.id] = (sign, state.tone)
        }
        return result
    }
}
