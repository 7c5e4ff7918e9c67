import Dispatch
import Synchronization

/// A queue between two threads that holds at most a few elements: whoever is faster waits.
final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)
    private let free: DispatchSemaphore

    /// - Parameter capacity: how many elements may wait.
    init(capacity: Int) {
        free = DispatchSemaphore(value: 0)
        for _ in 0..<capacity { free.signal() }
    }

    /// Puts an element in, waiting for room. After ``close()`` the element is dropped.
    ///
    /// - Returns: whether anybody will still take it.
    @discardableResult
    func put(_ element: Element) -> Bool {
        free.wait()
        let accepted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.elements.append(element)
            return true
        }
        if accepted { filled.signal() } else { free.signal() }
        return accepted
    }

    /// Takes the oldest element, waiting for one; `nil` once the queue is closed and empty.
    func take() -> Element? {
        filled.wait()
        return takeFilled()
    }

    private func takeFilled() -> Element? {
        let element = state.withLock { state in state.elements.isEmpty ? nil : state.elements.removeFirst() }
        if element == nil { filled.signal() } else { free.signal() }
        return element
    }

    /// Takes the oldest element; `nil` when there is none at the deadline, or none will come.
    func take(before deadline: DispatchTime) -> Element? {
        filled.wait(timeout: deadline) == .success ? takeFilled() : nil
    }

    /// Says that no element will follow, and wakes everybody who waits.
    func close() {
        state.withLock { $0.isClosed = true }
        filled.signal()
        free.signal()
    }
}
