import GRDBSQLite
import Synchronization

/// Stops the running query of a ``TraceReader``, from any thread: when somebody asks for it, or when its time is up.
package final class Interrupter: Sendable {
    /// What is known of the query that runs.
    private struct State {
        /// The connection's address; 0 when it is closed.
        var connection: UInt
        var deadline: ContinuousClock.Instant?
        var isWanted = false
        var hasTimedOut = false
        /// When it was first told to stop.
        var toldAt: ContinuousClock.Instant?
        /// Since when an answer is being written, which nobody can hurry who does not read it.
        var writesSince: ContinuousClock.Instant?
    }

    private let state: Mutex<State>

    init(connection: OpaquePointer) {
        state = Mutex(State(connection: UInt(bitPattern: connection)))
    }

    /// Stops the query that runs, or the next one.
    package func interrupt() {
        state.withLock {
            $0.isWanted = true
            Self.stop(&$0)
        }
    }

    /// Stops the query if its time is up. A statement asks by itself only after thousands of its steps, and one step can
    /// take long; so somebody with a clock should ask now and then.
    ///
    /// - Returns: for how long the query has not obeyed; `nil` when it was not told to stop.
    @discardableResult
    package func checkTime() -> Duration? {
        state.withLock {
            guard $0.writesSince == nil else { return nil }
            if !$0.isWanted, let deadline = $0.deadline, ContinuousClock.now > deadline { $0.hasTimedOut = true }
            guard $0.isWanted || $0.hasTimedOut else { return nil }
            Self.stop(&$0)
            return $0.toldAt.map { ContinuousClock.now - $0 }
        }
    }

    /// Whether the query was stopped because its time was up.
    package var hasTimedOut: Bool { state.withLock(\.hasTimedOut) }

    /// Does something that takes no time of the query: a reader of the answer may be slow.
    package func whileWriting(_ write: () throws -> Void) rethrows {
        state.withLock { $0.writesSince = ContinuousClock.now }
        defer {
            state.withLock {
                if let since = $0.writesSince { $0.deadline = $0.deadline.map { $0 + (ContinuousClock.now - since) } }
                $0.writesSince = nil
            }
        }
        try write()
    }

    /// Prepares for the next query.
    func begin(timeout: Double?) {
        state.withLock {
            $0.deadline = timeout.map { ContinuousClock.now + .seconds($0) }
            $0.hasTimedOut = false
            $0.toldAt = nil
        }
    }

    func end() {
        state.withLock {
            $0.deadline = nil
            $0.isWanted = false
            $0.toldAt = nil
        }
    }

    /// The connection is closed; nothing may refer to it.
    func forget() {
        state.withLock { $0.connection = 0 }
    }

    private static func stop(_ state: inout State) {
        if state.toldAt == nil { state.toldAt = ContinuousClock.now }
        if let connection = OpaquePointer(bitPattern: state.connection) { sqlite3_interrupt(connection) }
    }
}
