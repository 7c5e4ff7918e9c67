import Synchronization

/// Stops the running query of a ``TraceReader``, from any thread.
package final class Interrupter: Sendable {
    private let flag = Atomic<Bool>(false)

    init() {}

    /// Stops the query that runs, or the next one.
    package func interrupt() {
        flag.store(true, ordering: .relaxed)
    }

    /// Whether a query is to stop.
    var isSet: Bool { flag.load(ordering: .relaxed) }

    func reset() {
        flag.store(false, ordering: .relaxed)
    }
}
