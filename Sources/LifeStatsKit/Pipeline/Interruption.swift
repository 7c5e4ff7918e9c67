import Dispatch
import Foundation
import Synchronization

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
