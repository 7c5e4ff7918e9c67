import Foundation

/// What the process does about signals.
enum Signals {
    /// A reader that goes away (`lifestats query … | head`) is no fault: writing fails with EPIPE instead of a signal.
    static func ignoreBrokenPipe() {
        signal(SIGPIPE, SIG_IGN)
    }
}
