import Foundation
import LifeStatsKit

/// Reads lines from a person at a terminal, who can edit them; or plain lines where there is no such terminal.
struct Prompt {
    private static let label = "lifestats> "

    /// Whether a person sits at a terminal that can move its cursor.
    static var isInteractive: Bool {
        isatty(STDIN_FILENO) == 1 && Console.outputIsTerminal
            && ProcessInfo.processInfo.environment["TERM"].map { !$0.isEmpty && $0 != "dumb" } ?? false
    }

    private var editor: LineEditor
    private var decoder = KeyDecoder()
    private var keys: [Key] = []

    init(history: [String]) {
        editor = LineEditor(history: history) { Completion.of($0) }
    }

    /// The next line; `nil` when there is no more.
    mutating func line() -> String? {
        guard Self.isInteractive else {
            if Console.outputIsTerminal { Console.write(Self.label) }
            return readLine()
        }
        guard let saved = Self.enterRawMode() else { return readLine() }
        defer { Self.leaveRawMode(saved) }
        draw()
        while true {
            guard let key = nextKey() else { return nil }
            // Keys that come together are drawn together, and the whole line before it is asked.
            if key == .enter { draw() }
            switch editor.press(key) {
            case .none: break
            case .submit(let line):
                Console.write("\r\n")
                return line
            case .dropped: Console.write("^C\r\n")
            case .leave:
                Console.write("\r\n")
                return nil
            case .clearScreen: Console.write("\u{1B}[H\u{1B}[2J")
            case .show(let words): Console.write("\r\n" + Self.columns(words) + "\r\n")
            }
            if keys.isEmpty { draw() }
        }
    }

    private mutating func nextKey() -> Key? {
        while keys.isEmpty {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            keys = decoder.keys(from: Array(bytes.prefix(count)))
        }
        return keys.removeFirst()
    }

    private func draw() {
        let (text, cursor) = editor.window(cells: Console.width - Self.label.count)
        Console.write("\r\(Self.label)\(text)\u{1B}[K\r\u{1B}[\(Self.label.count + cursor)C")
    }

    /// Words side by side, as many as fit.
    private static func columns(_ words: [String]) -> String {
        let width = (words.map(\.count).max() ?? 0) + 2
        let perLine = max(1, Console.width / width)
        return stride(from: 0, to: words.count, by: perLine).map { start in
            words[start..<min(words.count, start + perLine)]
                .map { $0.padding(toLength: width, withPad: " ", startingAt: 0) }.joined()
        }.joined(separator: "\r\n")
    }

    // MARK: - The terminal

    /// Hands every key over as it is pressed, with pasted text marked; the state before, or `nil` when that fails.
    private static func enterRawMode() -> termios? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var raw = before
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(ICRNL | IXON)
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0 else { return nil }
        Console.write("\u{1B}[?2004h")
        return before
    }

    private static func leaveRawMode(_ before: termios) {
        var before = before
        Console.write("\u{1B}[?2004l")
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
    }
}
