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
    private static let strip = (least: 12, most: 60)

    let style: TextStyle
    private let tones: [String: Timeline.Tone]
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
    }

    /// The lines of the screen, as many as fit.
    ///
    /// - Parameters:
    ///   - now: the present in the time of the log; `nil` where its lines carry no time.
    ///   - heading: what is watched, and how fast its lines come.
    ///   - footer: the keys, or a question to the user.
    func lines(
        _ snapshot: LiveSnapshot, now: Int64?, heading: String, footer: String, width: Int, height: Int
    ) -> [String] {
        let room = max(6, height - 3)
        let findings = findings(snapshot.findings, width: width - 2, height: max(3, room / 3))
        let below = findings.isEmpty ? 0 : findings.count + 2
        let most = max(3, min(room * 3 / 5, room - below - 3))
        let states = Array(self.states(snapshot, now: now, width: width).prefix(most))
        let changes = snapshot.changes.prefix(max(1, room - states.count - below - 2)).map {
            "  " + LiveLines.text($0, style)
        }
        var lines = [style.bold(heading), ""] + states
        if snapshot.runs.isEmpty { lines.append("waiting for lifecycle events …") }
        if !changes.isEmpty { lines += ["", style.bold("Transitions")] + changes }
        if !findings.isEmpty { lines += ["", style.bold("Findings")] + findings.map { "  " + $0 } }
        lines = lines.prefix(height - 1).map { ClippedText.line($0, to: width) }
        lines += Array(repeating: "", count: max(0, height - 1 - lines.count))
        return lines + [style.dim(ClippedText.line(footer, to: width))]
    }

    /// The latest findings as a whole, as many as have room.
    private func findings(_ latest: [LiveSnapshot.Finding], width: Int, height: Int) -> [String] {
        var lines: [String] = []
        for finding in latest {
            let next = LiveLines.lines(finding, style, width: width)
            guard lines.isEmpty || lines.count + next.count <= height else { break }
            lines += next
        }
        return Array(lines.prefix(height))
    }

    // MARK: - States

    private func states(_ snapshot: LiveSnapshot, now: Int64?, width: Int) -> [String] {
        let lanes = snapshot.runs.flatMap(\.lanes)
        let names = min(28, lanes.map { CellWidth.of(name(of: $0)) }.max() ?? 0)
        let plot = min(Self.strip.most, width - names - 34)
        return snapshot.runs.flatMap { run in
            let name = VisibleText.neutralised(run.title)
            let title = run.end.map { style.dim("\(name)  \($0)") } ?? style.bold(name)
            return [title] + run.lanes.map { lane in row(lane, of: run, now: now, names: names, plot: plot) }
        }
    }

    private func name(of lane: LiveSnapshot.Lane) -> String {
        VisibleText.neutralised(lane.layer == "app" || lane.label.isEmpty ? lane.layer : lane.label)
    }

    /// `  app  Active  1 min 23 s  ▓▓████░░░░████`.
    private func row(_ lane: LiveSnapshot.Lane, of run: LiveSnapshot.Run, now: Int64?, names: Int, plot: Int) -> String
    {
        guard let visit = lane.visits.last else { return "" }
        let isOver = run.end != nil || visit.left != nil
        let since = visit.entered ?? visit.left
        let time =
            isOver ? nil : since.flatMap { since in now.map { HumanDuration.text(nanoseconds: max(0, $0 &- since)) } }
        let tone = tone(lane.layer, visit.state)
        let state = VisibleText.shortened(models.title(of: visit.state, in: lane.layer), to: 18)
        let columns = [
            "  " + padded(VisibleText.shortened(name(of: lane), to: names), names),
            padded(state, 18, tone: isOver ? .outside : tone),
            padded(time ?? "", 10),
        ]
        guard plot >= Self.strip.least, let now else { return columns.joined(separator: "  ") }
        return columns.joined(separator: " ") + " " + strip(lane, until: run.over ?? .max, now: now, cells: plot)
    }

    private func padded(_ text: String, _ cells: Int, tone: Timeline.Tone? = nil) -> String {
        let blanks = String(repeating: " ", count: max(0, cells - CellWidth.of(text)))
        return (tone.map { painted(text, $0) } ?? text) + blanks
    }

    /// The last minutes, one character for each part of them; nothing after the end of the run.
    private func strip(_ lane: LiveSnapshot.Lane, until over: Int64, now: Int64, cells: Int) -> String {
        var text = ""
        var place = 0
        for cell in 0..<cells {
            let time = now - Self.window + Self.window * Int64(2 * cell + 1) / Int64(2 * cells)
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
