import Foundation

/// What the process makes of the circumstances that it is started in.
enum Signals {
    /// Failures of writing become errors that can be told, instead of signals that end the process: of a reader that has
    /// gone away (`lifestats query … | head`), and of a file that may not grow further (`ulimit -f`).
    static func ignoreFailuresOfWriting() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// At a prompt, Ctrl-C is for the line or the statement. One that comes a moment too late ends nothing else.
    static func ignoreInterruption() { signal(SIGINT, SIG_IGN) }

    /// Where standard input, output or error is closed, the next file that is opened would take its number, and be
    /// written into by every message. A file that only fails takes it instead.
    static func occupyClosedStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
