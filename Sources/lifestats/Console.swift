import Foundation
import LifeStatsKit
import Synchronization

/// Standard output for data, standard error for messages to the user.
enum Console {
    /// Whether standard error is a terminal, which may show progress.
    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether standard output is a terminal.
    static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard output may be coloured (`NO_COLOR` is obeyed).
    static var colorsOutput: Bool {
        outputIsTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Columns for text; 100 where nothing says how many there are.
    static var width: Int { Terminal.width ?? 100 }

    /// Columns that a table may take; `nil` where nothing limits it.
    static var terminalWidth: Int? { outputIsTerminal ? width : Terminal.width }

    /// Writes data to standard output; a terminal gets no control characters except colours. If the program that reads it
    /// is gone, lifestats ends quietly, unless ``goOnUnread()`` says otherwise.
    static func write(_ bytes: [UInt8]) {
        let all =
            outputIsTerminal
            ? Array(TerminalText.safe(String(decoding: bytes, as: UTF8.self), allowsColors: colorsOutput).utf8) : bytes
        if !all.isEmpty { hasBegun.withLock { $0 = true } }
        guard let failure = Terminal.write(all) else { return }
        if failure == EPIPE {
            if goesOnUnread.withLock(\.self) { return }
            Foundation.exit(0)
        }
        error(LifeStatsError("cannot write to standard output", why: String(cString: strerror(failure))))
        Foundation.exit(2)
    }

    /// Ends quietly, as ``write(_:)-(String)`` does, if the program that reads standard output is gone.
    static func endIfUnread() {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        if poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR) != 0 { Foundation.exit(0) }
    }

    /// Finishes the command if the program that reads standard output is gone: its exit code is a verdict, or it does more
    /// than print.
    static func goOnUnread() { goesOnUnread.withLock { $0 = true } }

    private static let goesOnUnread = Mutex(false)

    /// Whether a part of the result is on standard output.
    private static let hasBegun = Mutex(false)

    static func write(_ text: String) { write(Array(text.utf8)) }

    /// Prints a message to the user. If standard error is closed, the work continues.
    static func say(_ text: String) { print(Terminal.message(text) + "\n") }

    /// Shows a line that the next one replaces; only on a terminal.
    static func progress(_ text: String?) {
        guard errorIsTerminal else { return }
        print("\r\u{1B}[K\(TerminalText.safe(text ?? ""))")
    }

    private static func print(_ text: String) { Terminal.write(Array(text.utf8), to: STDERR_FILENO) }

    static func error(_ error: LifeStatsError) {
        say("lifestats: \(error.description)")
    }

    /// Prints the error that ends a command, and says so when a part of its result has been printed.
    static func failure(_ failure: LifeStatsError) {
        error(failure)
        if hasBegun.withLock(\.self) { say("  → what was printed before is not the whole result") }
    }

    /// Prints an error and ends the program at once, from any thread.
    @Sendable static func end(with error: LifeStatsError) {
        failure(error)
        TemporaryFiles.removeAll()
        _exit(2)
    }
}
