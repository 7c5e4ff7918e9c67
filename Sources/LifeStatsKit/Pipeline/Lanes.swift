import Dispatch
import Foundation
import Synchronization
import TraceRecords

/// Works on logs side by side: each lane on its own thread, and what they make is written in a fixed rotation. The ids and
/// the order of what is written therefore do not depend on which thread is faster.
struct Lanes: Sendable {
    /// Items go to the writer in pieces of about so many facts, so that small logs share a piece.
    private static let factsTogether = 4_096

    /// Makes what is to be stored of one log, with ids from the blocks of its lane.
    typealias Work = @Sendable (LogPlan, inout BlockSequence, @escaping (StoreItem) -> Void) -> Void

    let count: Int
    let firstBlock: Int64
    let progress: IngestProgress

    /// Works on all logs.
    ///
    /// - Parameter write: gets a function that returns what comes next, waiting for it; `nil` at the end.
    /// - Throws: what `write` throws; the lanes are stopped then.
    func run(
        _ logs: [LogPlan], _ work: @escaping Work, write: (_ next: () -> [StoreItem]?) throws -> Void
    ) throws {
        let lanes = divide(logs)
        let queues = lanes.map { _ in BoundedQueue<[StoreItem]>(capacity: 2) }
        for (number, lane) in lanes.enumerated() {
            queues[number].fill { runLane(lane, number: number, of: lanes.count, into: queues[number], work) }
        }
        defer {
            // Where writing failed, the lanes must neither go on nor wait for ever.
            progress.abandon()
            for queue in queues { queue.stop() }
        }
        var open = queues[...]
        try write {
            while let queue = open.first {
                open.removeFirst()
                if let items = queue.take() {
                    open.append(queue)
                    return items
                }
            }
            return nil
        }
    }

    private func runLane(
        _ logs: [LogPlan], number: Int, of count: Int, into queue: BoundedQueue<[StoreItem]>, _ work: Work
    ) {
        let collector = Collector(queue)
        var blocks = BlockSequence(first: firstBlock + Int64(number), stride: Int64(count))
        for log in logs where !progress.isInterrupted {
            // A pipe may be silent for long: what was read before it is stored at once.
            if log.isLive { collector.flush() }
            work(log, &blocks) { collector.add($0) }
        }
        collector.flush()
    }

    /// Divides the logs by size: the largest first, each to the lane that has least. The members of an archive stay
    /// together, because it is read from front to back.
    private func divide(_ logs: [LogPlan]) -> [[LogPlan]] {
        let groups = Dictionary(grouping: logs.indices) { logs[$0].archive ?? "\($0)" }.values
            .map { places in (places: places.sorted(), bytes: places.reduce(0) { $0 + logs[$1].bytesToRead }) }
            .sorted { ($1.bytes, $0.places[0]) < ($0.bytes, $1.places[0]) }
        var lanes = Array(repeating: (places: [Int](), bytes: Int64(0)), count: max(1, min(count, groups.count)))
        for group in groups {
            let least = lanes.indices.min { (lanes[$0].bytes, $0) < (lanes[$1].bytes, $1) } ?? 0
            lanes[least].places += group.places
            lanes[least].bytes += group.bytes + 1
        }
        return lanes.map { lane in lane.places.sorted().map { logs[$0] } }
    }

    /// Puts items together.
    private final class Collector {
        private let queue: BoundedQueue<[StoreItem]>
        private var items: [StoreItem] = []
        private var facts = 0

        init(_ queue: BoundedQueue<[StoreItem]>) { self.queue = queue }

        func add(_ item: StoreItem) {
            items.append(item)
            switch item {
            case .batch(let batch): facts += (batch.facts?.count ?? 0) + 16
            case .consistent(_, isPause: true): return flush()
            default: break
            }
            if facts >= Lanes.factsTogether { flush() }
        }

        func flush() {
            guard !items.isEmpty else { return }
            queue.put(items)
            (items, facts) = ([], 0)
        }
    }
}

/// A queue between two threads that holds at most a few elements: the faster thread waits.
final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)
    private let free = DispatchSemaphore(value: 0)
    private let threads = DispatchGroup()

    /// - Parameter capacity: how many elements may wait.
    init(capacity: Int) {
        for _ in 0..<capacity { free.signal() }
    }

    /// Puts an element in, waiting for room. After ``close()`` the element is dropped.
    func put(_ element: Element) {
        free.wait()
        let isAccepted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.elements.append(element)
            return true
        }
        if isAccepted { filled.signal() } else { free.signal() }
    }

    /// Takes the oldest element, waiting for one; `nil` once the queue is closed and empty.
    func take() -> Element? {
        filled.wait()
        let element = state.withLock { state in state.elements.isEmpty ? nil : state.elements.removeFirst() }
        if element == nil { filled.signal() } else { free.signal() }
        return element
    }

    /// Starts a thread that puts elements in, and closes the queue when it is done.
    func fill(_ body: @escaping @Sendable () -> Void) {
        threads.enter()
        let thread = Thread { [self] in
            body()
            close()
            threads.leave()
        }
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Drops everything until the thread that fills the queue is done.
    func stop() {
        close()
        while take() != nil {}
        threads.wait()
    }

    /// Says that no element will follow, and wakes every thread that waits.
    private func close() {
        state.withLock { $0.isClosed = true }
        filled.signal()
        free.signal()
    }
}
