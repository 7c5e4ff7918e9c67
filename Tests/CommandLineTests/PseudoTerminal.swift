import Foundation

/// A program at a terminal that the test types into and reads from.
final class PseudoTerminal {
    let process = Process()
    private let keyboard: Int32
    private var seen: [UInt8] = []
    /// Longer than anything takes on a busy machine.
    private let lastMoment = ContinuousClock.now + .seconds(180)

    init(_ program: Program, _ arguments: [String]) throws {
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        guard openpty(&ours, &theirs, nil, nil, nil) == 0 else { throw CocoaError(.featureUnsupported) }
        keyboard = ours
        // Programs started by other tests must not inherit this terminal.
        for descriptor in [ours, theirs] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let terminal = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
        process.executableURL = Program.executable
        process.arguments = arguments
        process.currentDirectoryURL = program.folder.url
        var variables = ["TERM": "xterm", "NO_COLOR": "1", "XDG_STATE_HOME": program.folder.url.path]
        // Options of the sanitizers from `make sanitize`.
        for name in ["LSAN_OPTIONS", "TSAN_OPTIONS"] { variables[name] = ProcessInfo.processInfo.environment[name] }
        process.environment = variables
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = terminal
        try process.run()
        try terminal.close()
    }

    deinit {
        if process.isRunning { process.terminate() }
        close(keyboard)
    }

    /// Types at a prompt, as soon as it takes single keys: libedit shows a prompt a moment before.
    func type(_ text: String) {
        var settings = termios()
        while tcgetattr(keyboard, &settings) == 0, settings.c_lflag & tcflag_t(ICANON) != 0, process.isRunning,
            ContinuousClock.now < lastMoment
        {
            sched_yield()
        }
        let bytes = Array(text.utf8)
        _ = write(keyboard, bytes, bytes.count)
    }

    /// Waits until the terminal shows a text, and returns everything shown since the last call.
    @discardableResult
    func shows(_ text: String) -> String {
        let wanted = Array(text.utf8)
        var searched = 0
        while true {
            while searched + wanted.count <= seen.count {
                if seen[searched...].starts(with: wanted) {
                    defer { seen.removeFirst(searched + wanted.count) }
                    return String(decoding: seen[..<(searched + wanted.count)], as: UTF8.self)
                }
                searched += 1
            }
            guard readMore() else { return rest() + "<the end, without \(text)>" }
        }
    }

    /// Waits until the program ends, and returns everything shown since the last call.
    @discardableResult
    func ends() -> String {
        while readMore() {}
        process.waitUntilExit()
        return rest()
    }

    private func rest() -> String {
        defer { seen = [] }
        return String(decoding: seen, as: UTF8.self)
    }

    /// Reads what the program writes; `false` when it has ended. A program that never ends is killed.
    private func readMore() -> Bool {
        var waiting = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 1_000) == 0 || ContinuousClock.now > lastMoment {
            if ContinuousClock.now > lastMoment, process.isRunning { kill(process.processIdentifier, SIGKILL) }
            if !process.isRunning { return false }
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(keyboard, &bytes, bytes.count)
        seen += bytes.prefix(max(0, count))
        return count > 0
    }
}
