import Dispatch
import LogReading
import Reports
import Synchronization
import TraceRecords

/// What the threads of an ingest tell each other and the person: how far it is, what went wrong, whether to stop.
final class IngestProgress: Sendable {
    private struct State {
        var bytesDone: Int64 = 0
        var current = ""
        var bytesOfCurrent: Int64 = 0
        var problems: [ReadingDiagnostic] = []
        var abandoned: [(plan: LogPlan, change: ReadingDiagnostic)] = []
        var isAbandoned = false
        var began = DispatchTime.now().uptimeNanoseconds
    }

    private let state = Mutex(State())
    private let bytesInAll: Int64?
    private let stop: StopRequest

    /// - Parameters:
    ///   - bytesInAll: how much there is to read; `nil` when nobody knows.
    ///   - stop: the person's wish to stop.
    init(bytesInAll: Int64?, stop: StopRequest) {
        self.bytesInAll = bytesInAll
        self.stop = stop
    }

    /// Says how far the reading of a source is.
    func advance(to position: SourcePosition, of path: String) {
        state.withLock { state in
            if state.current != path {
                state.current = path
                state.bytesOfCurrent = position.byteOffset
            }
            state.bytesDone += max(0, position.byteOffset - state.bytesOfCurrent)
            state.bytesOfCurrent = position.byteOffset
        }
    }

    /// Keeps what went wrong with a source for the summary.
    func report(_ error: any Error, path: String) {
        let message = (error as? ReadingError)?.message ?? "\(error)"
        state.withLock { $0.problems.append(ReadingDiagnostic(.error, path: path, message: message)) }
    }

    /// Keeps what a person should know of a source for the summary.
    func report(_ diagnostic: ReadingDiagnostic) {
        state.withLock { $0.problems.append(diagnostic) }
    }

    /// Says that a log was given up, because a source of it changed while it was read.
    func report(_ change: ReadingDiagnostic, of plan: LogPlan) {
        state.withLock { $0.abandoned.append((plan, change)) }
    }

    /// The logs that were given up.
    var abandoned: [(plan: LogPlan, change: ReadingDiagnostic)] { state.withLock { $0.abandoned } }

    var problems: [ReadingDiagnostic] { state.withLock { $0.problems } }

    /// Tells the threads that nobody takes what they make any more.
    func abandon() { state.withLock { $0.isAbandoned = true } }

    /// Whether to stop at the next safe place.
    var isInterrupted: Bool { stop.isMade || state.withLock { $0.isAbandoned } }

    /// One line for the terminal.
    var line: String {
        let (done, began) = state.withLock { ($0.bytesDone, $0.began) }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
        return ProgressLine(bytes: done, totalBytes: bytesInAll, seconds: seconds).text(width: 79)
    }
}
