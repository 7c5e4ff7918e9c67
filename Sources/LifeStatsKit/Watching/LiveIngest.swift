import Foundation
import Synchronization

/// An ingest on a thread of its own, while others look at the database.
final class LiveIngest: Sendable {
    private struct State {
        var outcome: Result<IngestReport, LifeStatsError>?
        var notices: [String] = []
    }

    private let state = Mutex(State())
    private let stop = StopRequest()

    /// Begins to read.
    static func start(_ options: IngestOptions) -> LiveIngest {
        let ingest = LiveIngest()
        let thread = Thread {
            let outcome = Result { () throws(LifeStatsError) in
                do {
                    return try IngestPipeline(options: options).run(stop: ingest.stop) { notice in
                        ingest.state.withLock { $0.notices.append(notice) }
                    }
                } catch let error as LifeStatsError {
                    throw error
                } catch {
                    throw LifeStatsError("\(error)")
                }
            }
            ingest.state.withLock { $0.outcome = outcome }
        }
        thread.stackSize = 8 << 20
        thread.start()
        return ingest
    }

    /// What it did; `nil` while it goes on.
    var outcome: Result<IngestReport, LifeStatsError>? { state.withLock(\.outcome) }

    /// Whether the user has asked to stop.
    var isStopping: Bool { stop.isMade }

    /// What the user should know, once.
    func takeNotices() -> [String] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }

    /// Stops it, and waits until what was read is stored.
    func end() -> Result<IngestReport, LifeStatsError> {
        stop.make()
        while true {
            if let outcome { return outcome }
            usleep(10_000)
        }
    }
}
