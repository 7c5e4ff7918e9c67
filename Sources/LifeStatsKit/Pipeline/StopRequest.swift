import Synchronization

/// The person's wish to stop: made once, seen by all threads.
final class StopRequest: Sendable {
    private let flag = Atomic<Bool>(false)

    func make() { flag.store(true, ordering: .relaxed) }

    var isMade: Bool { flag.load(ordering: .relaxed) }
}
