import Dispatch
import Foundation

/// Turns SIGINT and SIGTERM into a request to stop at the next safe place.
struct Interruption {
    private let sources: [any DispatchSourceSignal]

    init(_ request: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: request)
            source.resume()
            return source
        }
    }

    /// Gives the signals their usual meaning back.
    func cancel() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
