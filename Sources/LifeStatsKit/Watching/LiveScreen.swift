import Foundation
import LifecycleModel
import Reports
import StateDiagrams
import TraceRecords
import TraceStore

/// A live view as lines of a terminal: runs with their present states, transitions, findings.
struct LiveScreen {
    /// What the strips show: the last five minutes.
    private static let window: Int64 = 300_000_000_000

    let style: TextStyle
    private let tones: [String: Timeline.Tone]
    /// The callbacks of each layer.
    private let names: [String: CallbackNames]
    let models: [LifecycleModel]

    init(style: TextStyle, models: [LifecycleModel]) {
        (self.style, self.models) = (style, models)
        var tones: [String: Timeline.Tone] = [:]
        for model in models {
            for (place, state) in model.states.enumerated() {
                tones["\(model.layer)/\(state.id)"] = TimelineTones.tone(of: state, at: place, in: model)
            }
        }
        self.tones = tones
        names = Dictionary(
            models.map { ($0.layer, CallbackNames($0.edges.map(\.callback))) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The lines of the screen, as many as fit: where there is too little room, runs that are over have a line each.
    ///
    /// - Parameters:
    ///   - now: the present in the time of the log; `nil` where its lines carry no time.
    ///   - heading: what is watched, and how fast its lines come.
    ///   - empty: what is said where there is no run.
    ///   - footer: the keys, or a question to the user.
    func lines(
        _ snapshot: LiveSnapshot, now: Int64?, heading: String, empty: String = "", footer: String, width: Int,
        height: Int
    ) -> [String] {
        let room = max(6, height - 3)
        let entries = snapshot.findings.map { LiveLines.lines($0, style, newest: snapshot.lastTime, width: width - 2) }
        let needed = entries.isEmpty ? 0 : entries.reduce(2) { $0 + $1.count }
        let rows = changes(snapshot.changes, newest: snapshot.lastTime, width: width - 2)
        let least = rows.isEmpty ? 0 : min(room / 3, rows.reduce(2) { $0 + $1.count })
        let columns = Columns(snapshot, models: models, hasTime: now != nil, width: width)
        var states = states(snapshot, now: now, columns, areEndsShort: false)
        if states.count + needed + least > room {
            let most = max(3, min(room * 3 / 5, room - least - min(needed, room / 3)))
            states = Array(
                self.states(snapshot, now: now, columns, areEndsShort: true, room: most).prefix(most))
        }
        let findings = Self.whole(entries, height: max(3, room - states.count - least - 2))
        let below = findings.isEmpty ? 0 : findings.count + 2
        let changes = Self.whole(rows, height: max(1, room - states.count - below - 2))
        var lines = [style.bold(heading), style.dim(columns.scale)] + states
        if snapshot.runs.isEmpty { lines += WrappedList.lines(of: empty, room: width) }
        if !changes.isEmpty { lines += ["", style.bold("Transitions")] + changes.map { "  " + $0 } }
        if !findings.isEmpty {
            let title = style.bold("Findings") + style.dim(Self.share(of: findings.count, in: entries))
            lines += ["", title] + findings.map { "  " + $0 }
        }
        lines = lines.prefix(height - 1).map { ClippedText.line($0, to: width) }
        lines += Array(repeating: "", count: max(0, height - 1 - lines.count))
        return lines + [style.dim(ClippedText.line(footer, to: width))]
    }

    /// What is said where there is no run.
    ///
    /// - Parameter isLate: whether a callback should have come by now.
    static func empty(_ snapshot: LiveSnapshot, app: String, isLate: Bool) -> String {
        if snapshot.events > 0, !app.isEmpty { return "no app with “\(VisibleText.neutralised(app))” in its name" }
        guard isLate, snapshot.lines > 0, snapshot.events == 0 else { return "waiting for lifecycle events …" }
        return
            "\(Plural.text(snapshot.lines, "line")) without a callback: `lifestats formats explain FILE` shows how a "
            + "log is read, and --aliases takes your own words for callbacks"
    }

    /// The keys with a message before them, which is cut where there is too little room.
    static func footer(_ message: String?, width: Int) -> String {
        let keys = [
            "p pause   f filter by app   s save picture and report   q quit", "p pause   f filter   s save   q quit",
        ]
        guard let message else { return keys[CellWidth.of(keys[0]) <= width ? 0 : 1] }
        let isShort = CellWidth.of(message) + 3 + CellWidth.of(keys[0]) > width
        let end = keys[isShort ? 1 : 0]
        return VisibleText.shortened(message, to: max(12, width - 3 - CellWidth.of(end))) + "   " + end
    }

    /// How many of the findings are shown, unless all are.
    private static func share(of lines: Int, in entries: [[String]]) -> String {
        var (shown, used) = (0, 0)
        for entry in entries where used < lines { (shown, used) = (shown + 1, used + entry.count) }
        let isMore = entries.count == LiveSnapshot.mostFindings
        guard shown < entries.count || isMore else { return "" }
        return "  the latest \(shown) of \(entries.count)\(isMore ? " or more" : "")"
    }

    /// The latest changes in columns, with callbacks as a whole: where a line has no room for one, it has a line of its
    /// own, with the verdict before it.
    private func changes(_ latest: [LiveSnapshot.Change], newest: Int64?, width: Int) -> [[String]] {
        let isOne = Set(latest.map(\.app)).count < 2
        let rows = latest.map {
            LiveLines.Parts(
                $0, subject: isOne ? $0.lane : "\($0.app) \($0.lane)", callback: shortName(of: $0), newest: newest)
        }
        let longest = rows.map { CellWidth.of($0.subject) }.max() ?? 0
        let rest = rows.map { CellWidth.of($0.move) + 2 + CellWidth.of($0.said) }
        let clock = rows.map(\.time.count).max() ?? 0
        let used = clock + 4
        // The usual ones have room, whatever a few need.
        let usual = rest.sorted()[max(0, rest.count * 3 / 4 - 1)...].first ?? 0
        let subject = min(longest, max(20, width - used - usual))
        let room = width - used - subject
        let fitting = rows.filter { CellWidth.of($0.move) + 2 + CellWidth.of($0.said) <= room }
        let widest = fitting.map { CellWidth.of($0.said) }.max() ?? 0
        let move = fitting.map { CellWidth.of($0.move) }.filter { $0 + 2 + widest <= room }.max() ?? 0
        return rows.map { row in
            let name = padded(Self.shortened(row.subject, to: subject), subject)
            let time = String(repeating: " ", count: clock - row.time.count) + style.dim(row.time)
            let first = "\(time)  \(name)  \(row.painted(row.move, style))"
            if row.said.isEmpty { return [first] }
            let said = [row.verdict.map { row.painted($0, style) } ?? "", row.callback].filter { !$0.isEmpty }
                .joined(separator: "  ")
            let cells = CellWidth.of(row.move)
            if cells + 2 + CellWidth.of(row.said) <= room {
                let blanks = min(max(move - cells, 0), room - cells - 2 - CellWidth.of(row.said))
                return [first + String(repeating: " ", count: blanks + 2) + said]
            }
            return [first, String(repeating: " ", count: used + subject) + said]
        }
    }

    /// A callback without `application` or `scene`, as in pictures.
    private func shortName(of change: LiveSnapshot.Change) -> String {
        change.callback.map { names[change.layer]?.shown($0) ?? $0 } ?? ""
    }

    /// A name in at most so many cells. What tells it from others of its class, such as an address, stays.
    private static func shortened(_ name: String, to cells: Int) -> String {
        guard CellWidth.of(name) > cells, let space = name.lastIndex(of: " ") else {
            return VisibleText.shortened(name, to: cells)
        }
        let end = String(name[space...])
        guard CellWidth.of(end) <= cells * 3 / 5 else { return VisibleText.shortened(name, to: cells) }
        return VisibleText.shortened(String(name[..<space]), to: cells - CellWidth.of(end)) + end
    }

    /// As many entries as have room, each with all of its lines.
    private static func whole(_ entries: some Sequence<[String]>, height: Int) -> [String] {
        var lines: [String] = []
        for next in entries {
            guard lines.isEmpty || lines.count + next.count <= height else { break }
            lines += next
        }
        return Array(lines.prefix(height))
    }

    // MARK: - States

    /// How wide the columns of the states are; the strip has what they leave.
    private struct Columns {
        let name: Int
        let state: Int
        /// Zero where there is too little room, or no time.
        let strip: Int
        /// The ends of the strip, above it.
        let scale: String

        init(_ snapshot: LiveSnapshot, models: [LifecycleModel], hasTime: Bool, width: Int) {
            let lanes = snapshot.runs.flatMap(\.lanes)
            let layers = Set(lanes.map(\.layer))
            // Those of all states, so that the columns stay where they are.
            let states = models.filter { layers.contains($0.layer) }.flatMap(\.states).map { $0.title["en"] }
            name = min(36, width * 3 / 10, lanes.map { CellWidth.of(LiveScreen.name(of: $0)) }.max() ?? 0)
            state = min(19, states.map(CellWidth.of).max() ?? 0) + 2
            let left = name + state + LiveScreen.timeWidth + 5
            let (from, until) = ("5 min ago", "now")
            let room = width - left - from.count - until.count
            strip = hasTime && room > 0 && !lanes.isEmpty ? width - left : 0
            scale =
                strip > 0
                ? String(repeating: " ", count: left) + from + String(repeating: " ", count: room) + until : ""
        }
    }

    /// As wide as `59 min 59 s`.
    private static let timeWidth = 11

    /// The runs with their states. Of a run for which there is too little room, the app comes first, then what is in use,
    /// then what changed last, and the title says how many are shown.
    private func states(
        _ snapshot: LiveSnapshot, now: Int64?, _ columns: Columns, areEndsShort: Bool, room: Int = .max
    ) -> [String] {
        let lanes = snapshot.runs.map { $0.end != nil && (areEndsShort || columns.strip == 0) ? [] : $0.lanes }
        var spare = room - lanes.reduce(0) { $0 + 1 + min(1, $1.count) }
        return zip(snapshot.runs, lanes).flatMap { run, lanes in
            let more = min(max(0, lanes.count - 1), max(0, spare))
            spare -= more
            let shown = min(lanes.count, more + 1)
            let isCut = shown < lanes.count
            let name = VisibleText.neutralised(run.title)
            let title = run.end.map { style.dim("\(name)  \($0)") } ?? style.bold(name)
            let chosen = isCut ? lanes.sorted { precedence(of: $0) < precedence(of: $1) } : lanes
            return [title + (isCut ? style.dim("  \(shown) of \(lanes.count)") : "")]
                + chosen.prefix(shown).map { row($0, of: run, now: now, columns) }
        }
    }

    private func precedence(of lane: LiveSnapshot.Lane) -> (Int, Int64) {
        guard let visit = lane.visits.last else { return (3, 0) }
        let isIdle = [.background, .suspended, .outside].contains(tone(lane.layer, visit.state))
        return (lane.layer == "app" ? 0 : visit.left == nil && !isIdle ? 1 : 2, -(visit.entered ?? visit.left ?? 0))
    }

    private static func name(of lane: LiveSnapshot.Lane) -> String {
        VisibleText.neutralised(lane.layer == "app" || lane.label.isEmpty ? lane.layer : lane.label)
    }

    /// `  app  █ Active  1 min 23 s  ▓▓████░░░░████`: the sign before the state is that in the strip. A run that is over is
    /// in no state.
    private func row(_ lane: LiveSnapshot.Lane, of run: LiveSnapshot.Run, now: Int64?, _ columns: Columns) -> String {
        guard let visit = lane.visits.last else { return "" }
        let isOver = run.end != nil || visit.left != nil
        let since = visit.entered ?? visit.left
        // The screen is drawn once a second.
        let time =
            isOver
            ? nil
            : since.flatMap { since in
                now.map { HumanDuration.text(seconds: Double(max(0, $0 &- since) / 1_000_000_000)) }
            }
        let tone = tone(lane.layer, visit.state)
        let title = models.title(of: visit.state, in: lane.layer)
        let sign = isOver ? " " : String(TimelineText.sign(of: tone))
        let state = run.end == nil ? VisibleText.shortened("\(sign) \(title)", to: columns.state) : ""
        let parts = [
            "  " + padded(Self.shortened(Self.name(of: lane), to: columns.name), columns.name),
            padded(painted(state, isOver ? .outside : tone), columns.state, cells: state),
            padded(time ?? "", Self.timeWidth),
        ]
        guard columns.strip > 0, let now else { return parts.joined(separator: " ") }
        return parts.joined(separator: " ") + " " + strip(lane, until: run.over ?? .max, now: now, cells: columns.strip)
    }

    /// - Parameter shown: the text as it is seen, where it has codes of colour.
    private func padded(_ text: String, _ width: Int, cells shown: String? = nil) -> String {
        text + String(repeating: " ", count: max(0, width - CellWidth.of(shown ?? text)))
    }

    /// The last minutes, one character for the end of each part of them, so that the last one shows the present state; nothing
    /// after the end of the run.
    private func strip(_ lane: LiveSnapshot.Lane, until over: Int64, now: Int64, cells: Int) -> String {
        var text = ""
        var place = 0
        for cell in 0..<cells {
            let time = now - Self.window + Self.window * Int64(cell + 1) / Int64(cells)
            while place < lane.visits.count, let left = lane.visits[place].left, left <= time { place += 1 }
            guard time <= over, place < lane.visits.count, let entered = lane.visits[place].entered, entered <= time
            else {
                text += " "
                continue
            }
            let tone = tone(lane.layer, lane.visits[place].state)
            text += painted(String(TimelineText.sign(of: tone)), tone)
        }
        return text
    }

    private func tone(_ layer: String, _ state: String) -> Timeline.Tone { tones["\(layer)/\(state)"] ?? .transit }

    private func painted(_ text: String, _ tone: Timeline.Tone) -> String {
        switch tone {
        case .active: style.green(text)
        case .transit: style.yellow(text)
        case .background: style.blue(text)
        case .suspended, .outside: style.dim(text)
        case .own1, .own2, .own3, .own4: text
        }
    }
}

/// Lines with codes of colour, cut to a width.
enum ClippedText {
    static func line(_ text: String, to width: Int) -> String {
        guard CellWidth.of(text.replacing(/\u{1B}\[[0-9;]*m/, with: "")) > width else { return text }
        var shown = ""
        var used = 0
        var rest = text[...]
        while let next = rest.first {
            if next == "\u{1B}", let end = rest.firstIndex(of: "m") {
                shown += rest[...end]
                rest = rest[rest.index(after: end)...]
                continue
            }
            let cells = CellWidth.of(String(next))
            if used + cells >= width { return shown + "…" + (text.contains("\u{1B}") ? "\u{1B}[0m" : "") }
            used += cells
            shown.append(next)
            rest = rest.dropFirst()
        }
        return shown
    }
}

/// A terminal that shows a view in place and gives single keys. Where standard input is the log, the keys come from the
/// controlling terminal.
final class LiveTerminal {
    private let keyboard: Int32
    private var before = termios()
    /// Keys that came with one before them.
    private var pending: [Character] = []

    init() {
        keyboard = isatty(STDIN_FILENO) == 1 ? dup(STDIN_FILENO) : open("/dev/tty", O_RDWR | O_CLOEXEC)
        if keyboard >= 0, tcgetattr(keyboard, &before) == 0 {
            // Single keys without an echo; Ctrl-C still interrupts.
            var single = before
            single.c_lflag &= ~tcflag_t(ICANON | ECHO)
            _ = tcsetattr(keyboard, TCSANOW, &single)
        }
        // The other screen, so that what was on this one comes back; the cursor is hidden.
        Terminal.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    }

    /// Puts the terminal back as it was.
    func leave() {
        Terminal.write("\u{1B}[?25h\u{1B}[?1049l")
        guard keyboard >= 0 else { return }
        _ = tcsetattr(keyboard, TCSANOW, &before)
        close(keyboard)
    }

    var size: (width: Int, height: Int) { Terminal.size.flatMap { $0.height > 5 ? $0 : nil } ?? (80, 24) }

    /// The next key; `nil` when none is pressed in time.
    func key(within milliseconds: Int) -> Character? {
        if !pending.isEmpty { return pending.removeFirst() }
        guard keyboard >= 0 else {
            usleep(UInt32(milliseconds) * 1_000)
            return nil
        }
        var waiting = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(milliseconds)) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(keyboard, &bytes, bytes.count)
        guard count > 0 else {
            usleep(UInt32(milliseconds) * 1_000)
            return nil
        }
        pending += String(decoding: bytes.prefix(count), as: UTF8.self)
        return pending.isEmpty ? nil : pending.removeFirst()
    }

    /// Replaces what is shown. Each line is written over the one before, so that nothing flickers.
    func show(_ lines: [String]) {
        let body = lines.map { TerminalText.safe($0, allowsColors: true) + "\u{1B}[K" }.joined(separator: "\r\n")
        Terminal.write("\u{1B}[H" + body + "\u{1B}[J")
    }
}
