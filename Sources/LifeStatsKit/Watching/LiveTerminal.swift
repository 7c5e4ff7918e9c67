import Foundation

/// A terminal that shows a view in place and gives single keys. Where standard input is the log, the keys come from the
/// controlling terminal.
final class LiveTerminal {
    /// Whether standard output is a terminal that can move its cursor.
    static var isUsable: Bool {
        isatty(STDOUT_FILENO) == 1
            && ProcessInfo.processInfo.environment["TERM"].map { !$0.isEmpty && $0 != "dumb" } ?? false
    }

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
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    }

    /// Puts the terminal back as it was.
    func leave() {
        write("\u{1B}[?25h\u{1B}[?1049l")
        guard keyboard >= 0 else { return }
        _ = tcsetattr(keyboard, TCSANOW, &before)
        close(keyboard)
    }

    /// Columns and rows.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20, size.ws_row > 5 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

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
        write("\u{1B}[H" + body + "\u{1B}[J")
    }

    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
