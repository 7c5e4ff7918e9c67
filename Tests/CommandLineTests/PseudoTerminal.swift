import Foundation

/// A program at a terminal that the test types into and reads from.
final class PseudoTerminal {
    let process = Process()
    private let keyboard: Int32
    private var seen: [UInt8] = []

    init(_ program: Program, _ arguments: [String]) throws {
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        guard openpty(&ours, &theirs, nil, nil, nil) == 0 else { throw CocoaError(.featureUnsupported) }
        keyboard = ours
        let terminal = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
        process.executableURL = Program.executable
        process.arguments = arguments
        process.currentDirectoryURL = program.folder.url
        process.environment = ["TERM": "xterm", "NO_COLOR": "1", "XDG_STATE_HOME": program.folder.url.path]
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

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(keyboard, bytes, bytes.count)
    }

    /// Waits until the terminal shows a text, and returns everything shown since the last call.
    @discardableResult
    func shows(_ text: String) -> String {
        let wanted = Data(text.utf8)
        while true {
            if let range = Data(seen).range(of: wanted) {
                let shown = String(decoding: seen[..<range.upperBound], as: UTF8.self)
                seen.removeFirst(range.upperBound)
                return shown
            }
            // A program that says nothing for so long hangs.
            var waiting = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = poll(&waiting, 1, 30_000) == 1 ? read(keyboard, &bytes, bytes.count) : 0
            guard count > 0 else {
                defer { seen = [] }
                return String(decoding: seen, as: UTF8.self) + "<the end, without \(text)>"
            }
            seen += bytes.prefix(count)
        }
    }
}
