import TraceRecords

/// The sign of a suspension that is estimated.
private let estimatedSign = "┈"

/// A ``Timeline`` for a terminal: one line of characters for each lane.
package struct TimelineText: Sendable {
    package var timeline: Timeline
    package var language: PictureLanguage
    package var width: Int
    /// Whether notes are wrapped at that width: those in a file or pipe are a line each.
    package var isWrapped: Bool
    /// Whether colours may be used.
    package var isColoured: Bool

    /// - Parameter width: The columns of the terminal; `nil` where there is none.
    package init(
        _ timeline: Timeline, language: PictureLanguage = .english, width: Int? = nil, isColoured: Bool = false
    ) {
        self.timeline = timeline
        self.language = language
        self.width = width ?? 100
        isWrapped = width != nil
        self.isColoured = isColoured
    }

    private static let breakSign: Character = "⫽"
    private static let findingSign: Character = "▲"
    private static let (partSign, mostSign, moreSign) = ("▂", "▆", "+")

    /// What a cell of a lane shows: a visit, or in its place a sign that says what else is in the cell.
    private struct Cell {
        var visit: Timeline.Visit
        var sign: String?
    }

    /// How a state is drawn: where lines show it, and where it is inferred.
    private struct Sign {
        var shown: String
        var inferred: String
        var tone: Timeline.Tone

        static let unknown = Sign(shown: "─", inferred: "≈", tone: .outside)

        /// The sign for what no line shows; `nil` for other visits. Beside an estimated suspension the state itself is
        /// observed.
        func doubt(_ visit: Timeline.Visit) -> String? {
            if visit.isEstimated { return tone == .suspended ? estimatedSign : nil }
            return visit.isInferred ? inferred : nil
        }
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
            guard let scale = scales[lane.key] else { return [Cell?]() }
            hidden += lane.narrow(scale, width: 1)
            return self.cells(of: lane, scale, plot: plot, states: timed.states)
        }

        var lines = [VisibleText.line(timeline.title)]
        if !timeline.subtitle.isEmpty { lines.append(VisibleText.line(timeline.subtitle)) }
        var last: Timeline.Lane?
        var hasBreaks = false
        let isOne = TimeScale.isOne(exact.values)
        for (place, lane) in timed.lanes.enumerated() {
            defer { last = lane }
            guard let scale = scales[lane.key] else { continue }
            if lane.key != last?.key { lines += [""] + heading(lane) }
            let name = self.name(lane, to: names)
            lines += name.dropLast()
            let row = row(cells[place], scale: scale, signs: signs, hasClock: hasClock)
            hasBreaks = hasBreaks || row.contains(Self.breakSign)
            let length = lane.key == last?.key ? nil : lengths[lane.key]
            lines.append("\(name.last ?? "")  \(row)\(length.map { " \($0)" } ?? "")")
            let end = cells[place].lastIndex { $0 != nil } ?? 0
            lines += findings(lane, scale: scale, plot: plot, end: end, indent: names + 4)
            // The times stand below the lanes of all runs, or of each with an axis of its own.
            let isLast = place + 1 == timed.lanes.count
            let endsAxis = isLast || (timed.isAligned && !isOne && timed.isFirst(place + 1))
            guard hasClock, endsAxis, !(timed.isAligned && scale.isPoint) else { continue }
            lines.append(
                String(repeating: " ", count: names + 4)
                    + Self.ticks(scale, plot: plot, zero: timed.isAligned ? words.duration(0) : nil))
            hasBreaks = hasBreaks || lines.last?.contains(Self.breakSign) == true
        }
        let mixed = mixed(timed, cells, words)
        let remarks = timed.lanes.flatMap(\.marks).count { $0.severity == "info" }
        let closing =
            self.closing(timed, scales: exact, hasClock: hasClock, words: words)
            + (hidden > 0 ? [words.counted(hidden, .tooShort)] : [])
            + (remarks > 0 ? [words.counted(remarks, .remarksLeftOut)] : [])
        return lines + [""]
            + legend(
                timed, cells.joined().compactMap { $0?.sign == nil ? $0?.visit : nil }, mixed: mixed,
                hasBreaks: hasBreaks, signs: signs)
            + (isWrapped ? closing.flatMap { Self.wrapped($0, to: width) } : closing)
    }

    private func heading(_ lane: Timeline.Lane) -> [String] {
        let heading = VisibleText.line(lane.group)
        // Where both do not fit on a line, the time has its own.
        let parts = CellWidth.of(heading) > width ? heading.split(separator: " · ").map(String.init) : [heading]
        return parts.flatMap { Self.wrapped($0, to: width) }
    }

    /// The name of a lane in its column, after lines of its own if it is too long for that.
    private func name(_ lane: Timeline.Lane, to names: Int) -> [String] {
        let name = VisibleText.line(lane.title)
        let room = names - CellWidth.of(name)
        if room >= 0 { return ["  " + name + String(repeating: " ", count: room)] }
        return (Self.wrapped(name, to: width - 2) + [String(repeating: " ", count: names)]).map { "  " + $0 }
    }

    /// What each cell of a lane shows: the state that fills most of it. Where that is not the active one and this is there,
    /// too, a low bar; where a short visit is all else that a cell has, another sign. The first cell shows the state that the
    /// run began with, the last one that which it ended in, and the one over a finding that which it is about.
    private func cells(
        of lane: Timeline.Lane, _ scale: TimeScale, plot: Int, states: [Timeline.State]
    ) -> [Cell?] {
        var cells = lane.columns(scale, count: plot, left: 0, width: 1).map { $0.map { Cell(visit: $0) } }
        guard let first = cells.firstIndex(where: { $0 != nil }), let last = cells.lastIndex(where: { $0 != nil })
        else { return cells }
        let (active, shares) = (states.active, lane.shares(of: states.active, scale, count: plot, left: 0, width: 1))
        if shares[first] == 0 { cells[first]?.visit = lane.visits[0] }
        var told = [last: lane.visits[lane.visits.count - 1]]
        let titles = Dictionary(states.map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first })
        for mark in Self.marked(lane) {
            told[Self.cell(of: mark, lane, scale, plot: plot, end: last)] = lane.visit(of: mark, titles: titles)
        }
        for (place, visit) in told { cells[place]?.visit = visit }
        let seen = Set(cells.compactMap { $0?.visit })
        for visit in lane.visits where !seen.contains(visit) {
            let (from, until) = (scale.x(visit.from ?? 0), scale.x(visit.until ?? 0))
            let place = min(max(0, Int((from + until) / 2)), plot - 1)
            guard until - from < 1, place != first, told[place] == nil, let cell = cells[place],
                cell.visit.state != visit.state
            else { continue }
            cells[place]?.sign = active.contains(cell.visit.state) ? Self.mostSign : Self.moreSign
        }
        for place in first...last where shares[place] > 0 && shares[place] < 0.5 {
            let isToldOther = told[place].map { !active.contains($0.state) } ?? false
            // A visit that fills a cell beside it is seen there.
            let isSeen = shares[max(0, place - 1)...min(place + 1, plot - 1)].contains { $0 >= 0.5 }
            if !isToldOther, !isSeen { cells[place]?.sign = Self.partSign }
        }
        return cells
    }

    /// The findings that somebody should look at, by their time; others are counted.
    private static func marked(_ lane: Timeline.Lane) -> [Timeline.Mark] {
        lane.marks.filter { $0.time != nil && $0.severity != "info" }
            .sorted { ($0.time ?? 0, $0.rule) < ($1.time ?? 0, $1.rule) }
    }

    /// - Parameter end: The last cell of the lane: what marks the end of a run is not drawn after it.
    private static func cell(
        of mark: Timeline.Mark, _ lane: Timeline.Lane, _ scale: TimeScale, plot: Int, end: Int
    ) -> Int {
        let (time, last) = (mark.time ?? 0, lane.visits.compactMap(\.until).max() ?? 0)
        return min(time > last ? plot - 1 : end, max(0, Int(scale.x(time))))
    }

    /// What the signs of cells with several states mean.
    private func mixed(_ timed: Timeline, _ cells: [[Cell?]], _ words: Words) -> [String] {
        let active = [(Self.mostSign, Word.inMost), (Self.partSign, .inPart)].compactMap { sign, word in
            let lanes = zip(timed.lanes, cells).filter { $1.contains { $0?.sign == sign } }.map(\.0)
            return timed.states.activeTitles(in: lanes).map { painted(sign, .active) + " " + words.filled(word, $0) }
        }
        let hasMore = cells.joined().contains { $0?.sign == Self.moreSign }
        return active + (hasMore ? ["\(Self.moreSign) \(words[.shortVisits])"] : [])
    }

    /// What a break leaves out, as short as it can be said: `⫽2h10m⫽`.
    private static func gap(_ length: Int64?) -> String {
        let text = length.map { HumanDuration.compact(HumanDuration.text(nanoseconds: $0)) } ?? "?"
        return "\(breakSign)\(text)\(breakSign)"
    }

    /// The times below the lanes, as many as there is room for, each to the right of its tick: those of a clock, its two ends
    /// first, or those since a launch.
    ///
    /// - Parameter zero: The label of the launch; `nil` for a clock.
    private static func ticks(_ scale: TimeScale, plot: Int, zero: String?) -> String {
        var row = [Character](repeating: " ", count: plot)
        func write(_ text: String, at cell: Int) -> Bool {
            let room = max(0, cell - 1)..<min(plot, cell + text.count + 1)
            guard cell >= 0, cell + text.count <= plot, row[room].allSatisfy({ $0 == " " }) else { return false }
            row.replaceSubrange(cell..<cell + text.count, with: text)
            return true
        }
        let breaks = scale.pieces.filter(\.isBreak).map { (text: gap($0.length), cell: Int($0.left) + 1) }
        for (place, end) in scale.ends(room: 16, zero: zero).enumerated() {
            // The date is also below all lanes, and a break may be nowhere else.
            let isCut = breaks.contains { $0.cell <= end.text.count + 1 && place == 0 }
            let text = isCut ? end.text.split(separator: " ").last.map(String.init) ?? "" : end.text
            _ = place == 0 ? write("╵" + text, at: 0) : write(text + "╵", at: plot - text.count - 1)
        }
        for piece in breaks { _ = write(piece.text, at: piece.cell) }
        scale.labelTicks(room: 16, zero: zero) { write("╵" + $0, at: Int($1)) }
        return String(row.prefix((row.lastIndex { $0 != " " } ?? -1) + 1))
    }

    private func row(_ cells: [Cell?], scale: TimeScale, signs: [String: Sign], hasClock: Bool) -> String {
        var text = cells.map { cell -> String in
            guard let cell else { return " " }
            if let sign = cell.sign { return sign == Self.moreSign ? sign : painted(sign, .active) }
            let sign = signs[cell.visit.state] ?? .unknown
            return painted(sign.doubt(cell.visit) ?? sign.shown, sign.tone)
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

    private func findings(
        _ lane: Timeline.Lane, scale: TimeScale, plot: Int, end: Int, indent: Int
    ) -> [String] {
        Self.marked(lane).prefix(5).flatMap { mark -> [String] in
            let cell = Self.cell(of: mark, lane, scale, plot: plot, end: end)
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
                let line = lines[lines.count - 1]
                if CellWidth.of("\(line)\(character)") > max(room, 2) {
                    // At the last dot of a name, if there is one.
                    let end = line.lastIndex(of: ".").map(line.index(after:)) ?? line.endIndex
                    lines[lines.count - 1] = String(line[..<end])
                    lines.append(String(line[end...]))
                }
                lines[lines.count - 1].append(character)
            }
        }
    }

    /// What the signs mean: those that occur, and no others.
    private func legend(
        _ timed: Timeline, _ drawn: [Timeline.Visit], mixed: [String], hasBreaks: Bool,
        signs: [String: Sign]
    ) -> [String] {
        let words = Words(language)
        var doubts = Dictionary(grouping: drawn) { (signs[$0.state] ?? .unknown).doubt($0) }
        let used = Set((doubts[nil] ?? []).map(\.state))
        // A sign is listed once, with all states that share it.
        var order: [String] = []
        var titles: [String: [String]] = [:]
        for state in timed.states where used.contains(state.id) {
            let sign = signs[state.id] ?? .unknown
            let (painted, title) = (painted(sign.shown, sign.tone), VisibleText.line(state.title))
            if titles[painted] == nil { order.append(painted) }
            if titles[painted]?.contains(title) != true { titles[painted, default: []].append(title) }
        }
        var legend = order.map { "\($0) \((titles[$0] ?? []).joined(separator: ", "))" }
        legend += mixed
        let inferred = timed.states.compactMap { signs[$0.id] }.map { ($0.inferred, $0.tone, Word.inferredVisit) }
        for (sign, tone, word) in inferred + [(estimatedSign, .suspended, .estimatedVisit)] {
            guard let visits = doubts.removeValue(forKey: sign) else { continue }
            let states = Set(visits.map(\.state))
            let titles = timed.states.filter { states.contains($0.id) }.map { VisibleText.line($0.title) }
            legend.append("\(painted(sign, tone)) \(words[word]): \(titles.joined(separator: ", "))")
        }
        if hasBreaks { legend.append("\(Self.breakSign) \(words[.leftOutTime])") }
        return filled(legend)
    }

    private func closing(
        _ timed: Timeline, scales: [Timeline.RunKey: TimeScale], hasClock: Bool, words: Words
    ) -> [String] {
        var lines: [String] = []
        if hasClock, timed.isAligned {
            if timed.runs.count > 1 { lines.append(words[TimeScale.isOne(scales.values) ? .fromLaunch : .ownScales]) }
        } else if hasClock, let pieces = scales.values.first?.pieces, let first = pieces.first?.from,
            let last = pieces.last?.until
        {
            let ends = last - first > 1 ? [first, last] : [first]
            let isWithinSecond = Set(ends.map(ClockText.readable)).count < ends.count
            let texts = ends.map(isWithinSecond ? ClockText.exact : ClockText.zoned)
            lines.append(texts.joined(separator: " – ").replacing(" UTC –", with: " –"))
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
    package static func sign(of tone: Timeline.Tone) -> String { signs[tone]?.first?.shown ?? Sign.unknown.shown }

    /// The signs of each tone, which differ in density, so that colour is not needed; the first is the usual one. Beside
    /// each stands its hatched form, for states that are inferred.
    private static let signs: [Timeline.Tone: [(shown: String, inferred: String)]] = [
        .active: [("█", "▞"), ("▉", "▚")], .transit: [("▓", "╳"), ("▒", "╲"), ("◇", "◈")],
        .background: [("░", "╱"), ("○", "◌")], .suspended: [("·", "╎"), ("∙", "┆")],
        .outside: [("─", "≈"), ("╌", "∼")], .own1: [("█", "▞")], .own2: [("▓", "╳")], .own3: [("▒", "╲")],
        .own4: [("░", "╱")],
    ]

    /// Signs for what the tones have none left for.
    private static let spareSigns = ["◆", "□", "●", "△", "▣", "◎", "▽", "■", "◍", "◫", "▤", "▥", "▦", "▧", "▨", "▩"]

    /// A sign for every state, which no other state of the same layer has as long as there are enough.
    private func signs(of timed: Timeline) -> [String: Sign] {
        var layers: [String: Set<String>] = [:]
        for lane in timed.lanes {
            for visit in lane.visits { layers[visit.state, default: []].insert(lane.layer) }
        }
        var taken: Set<[String]> = []
        var result: [String: Sign] = [:]
        for state in timed.states {
            let own = layers[state.id] ?? []
            let signs = Self.signs[state.tone] ?? []
            let spare = Self.spareSigns.map { (shown: $0, inferred: signs.last?.inferred ?? Sign.unknown.inferred) }
            let sign =
                (signs + spare).first { sign in own.allSatisfy { !taken.contains([$0, sign.shown]) } } ?? signs.last
            taken.formUnion(own.map { [$0, sign?.shown ?? Sign.unknown.shown] })
            result[state.id] = sign.map { Sign(shown: $0.shown, inferred: $0.inferred, tone: state.tone) } ?? .unknown
        }
        return result
    }
}
