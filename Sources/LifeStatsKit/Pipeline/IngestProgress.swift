import Dispatch
import LogReading
import Reports
import Synchronization

/// What the threads of an ingest share: how far it is, what went wrong, whether to stop.
final class IngestProgress: Sendable {
    private struct State {
        var bytesDone: Int64 = 0
        /// How far each file is that is being read.
        var offsets: [String: Int64] = [:]
        var problems: [ReadingDiagnostic] = []
        var changes: [ReadingDiagnostic] = []
        var isAbandoned = false
        var shown: UInt64 = 0
    }

    private static let nanosecondsBetweenLines: UInt64 = 150_000_000

    private let state = Mutex(State())
    private let began = DispatchTime.now().uptimeNanoseconds
    private let bytesInAll: Int64?
    private let stop: StopRequest

    /// - Parameters:
    ///   - bytesInAll: how much there is to read; `nil` when unknown.
    ///   - stop: the user's request to stop.
    init(bytesInAll: Int64?, stop: StopRequest) {
        self.bytesInAll = bytesInAll
        self.stop = stop
    }

    /// Notes where the reading of a file begins.
    func begin(_ path: String, at offset: Int64) { state.withLock { $0.offsets[path] = offset } }

    /// Notes how far the reading of a file is.
    func advance(to offset: Int64, of path: String) {
        state.withLock { state in
            let before = state.offsets.updateValue(offset, forKey: path) ?? 0
            state.bytesDone += max(0, offset - before)
        }
    }

    /// Notes that a file has been read.
    func end(_ path: String) { state.withLock { _ = $0.offsets.removeValue(forKey: path) } }

    /// Keeps an error of a file for the summary.
    func report(_ error: ReadingError, path: String) {
        state.withLock { $0.problems.append(ReadingDiagnostic(.error, path: path, message: error.message)) }
    }

    /// Notes that a file changed while it was read, so that its log has to be looked at again.
    func noteChange(_ path: String, _ message: String) {
        state.withLock { $0.changes.append(ReadingDiagnostic(.error, path: path, message: message)) }
    }

    var problems: [ReadingDiagnostic] { state.withLock { $0.problems } }
    var changes: [ReadingDiagnostic] { state.withLock { $0.changes } }

    /// Tells the threads that nothing they make is taken any more.
    func abandon() { state.withLock { $0.isAbandoned = true } }

    /// Whether to stop at the next safe place.
    var isInterrupted: Bool { stop.isMade || state.withLock { $0.isAbandoned } }

    /// One line for the terminal; `nil` when the last one was shown a moment ago.
    func line() -> String? {
        let now = DispatchTime.now().uptimeNanoseconds
        let done: Int64? = state.withLock { state in
            guard now - state.shown > Self.nanosecondsBetweenLines else { return nil }
            state.shown = now
            return state.bytesDone
        }
        return done.map {
            ProgressLine(bytes: $0, totalBytes: bytesInAll, seconds: Double(now - began) / 1e9).text(width: 79)
        }
    }
}
