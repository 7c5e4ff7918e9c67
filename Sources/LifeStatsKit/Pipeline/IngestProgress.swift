import Dispatch
import Foundation
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

    /// Notes that a file was cut back or rewritten while it was read: the rest of it is gone.
    func noteCut(_ path: String) {
        let message = "was cut back or rewritten while it was read"
        noteChange(path, message)
        state.withLock { $0.problems.append(ReadingDiagnostic(.warning, path: path, message: message)) }
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

/// Turns SIGINT and SIGTERM into a request to stop at the next safe place.
///
/// The handler writes into a pipe, which is read as soon as there is a listener: however early a signal comes, it is not
/// lost.
struct Interruption {
    private static let numbers = [SIGINT, SIGTERM]
    private static let pipe: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }()

    /// The interruption that handles the signals: the last one that was made.
    private struct Use {
        var count = 0
        var request: (@Sendable () -> Void)?
        /// The handlers before the first one; `nil` while none is installed.
        var before: [Int32: sig_t]?
    }

    private static let use = Mutex(Use())

    private let number: Int
    private let source: any DispatchSourceRead

    init(_ request: @escaping @Sendable () -> Void) {
        let pipe = Self.pipe
        _ = Self.drain(pipe.reading)
        number = Self.use.withLock { use in
            var before: [Int32: sig_t] = [:]
            for number in Self.numbers {
                before[number] = signal(number) { _ in
                    let error = errno
                    var mark: UInt8 = 1
                    _ = write(Interruption.pipe.writing, &mark, 1)
                    errno = error
                }
            }
            if use.before == nil { use.before = before }
            use.request = request
            use.count += 1
            return use.count
        }
        // The parent process may have blocked them.
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for number in Self.numbers { sigaddset(&wanted, number) }
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
        // A queue of its own gets a thread at once, also while the stages keep every processor busy.
        source = DispatchSource.makeReadSource(
            fileDescriptor: pipe.reading, queue: DispatchQueue(label: "lifestats.interruption"))
        source.setEventHandler { if Self.drain(pipe.reading) { Self.use.withLock(\.request)?() } }
        source.resume()
    }

    /// Restores the former handlers, unless another interruption was made meanwhile.
    func cancel() {
        Self.use.withLock { use in
            guard number == use.count else { return }
            for number in Self.numbers { signal(number, use.before?[number] ?? SIG_DFL) }
            (use.before, use.request) = (nil, nil)
        }
        source.cancel()
    }

    /// Empties the pipe. Returns whether there was something in it.
    private static func drain(_ end: Int32) -> Bool {
        var marks = [UInt8](repeating: 0, count: 64)
        var found = false
        while read(end, &marks, marks.count) > 0 { found = true }
        return found
    }
}

/// The user's request to stop: made once, seen by all threads.
final class StopRequest: Sendable {
    private let flag = Atomic<Bool>(false)

    func make() { flag.store(true, ordering: .relaxed) }

    var isMade: Bool { flag.load(ordering: .relaxed) }
}
