import Dispatch
import Foundation
import Synchronization

/// A query on a thread of its own, for a program that goes on whatever the query does.
///
/// SQLite looks only between the steps of a statement whether it is to stop, and one call of a function may take for
/// hours. A query that does not obey is then left behind: it has a connection of its own and only reads, what it still
/// says is not heard, and it ends when the function returns.
enum ObedientQuery {
    private struct State {
        var outcome: Result<[String], LifeStatsError>?
        var isLeft = false
    }

    /// Room for patterns with many groups in one another, for which the C library calls itself.
    private static let stackSize = 8 << 20

    /// Runs a query as ``QueryRunner`` does, and returns when it has ended or does not obey.
    static func run(_ request: QueryRequest, output: @escaping @Sendable ([UInt8]) -> Void) throws -> [String] {
        let state = Shared(State())
        let ended = DispatchSemaphore(value: 0)
        var request = request
        request.giveUp = { error in
            let isFirst = state.value.withLock { state in
                guard state.outcome == nil, !state.isLeft else { return false }
                state = State(outcome: .failure(error), isLeft: true)
                return true
            }
            if isFirst { ended.signal() }
        }
        let asked = request
        let thread = Thread {
            let outcome = Result { () throws(LifeStatsError) in
                do {
                    return try QueryRunner.run(asked) { bytes in
                        // Held while it is written, so that nothing appears after the query was left.
                        state.value.withLock { state in
                            if !state.isLeft { output(bytes) }
                        }
                    }
                } catch let error as LifeStatsError {
                    throw error
                } catch {
                    throw LifeStatsError("\(error)")
                }
            }
            let isHeard = state.value.withLock { state in
                guard !state.isLeft else { return false }
                state.outcome = outcome
                return true
            }
            if isHeard { ended.signal() }
        }
        thread.stackSize = stackSize
        thread.start()
        ended.wait()
        return try state.value.withLock { try $0.outcome?.get() ?? [] }
    }

    /// A value that threads share.
    private final class Shared: Sendable {
        let value: Mutex<State>
        init(_ state: State) { value = Mutex(state) }
    }
}
