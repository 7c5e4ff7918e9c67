import LifecycleModel

/// The documented way from where an instance is to where a callback belongs.
extension CompiledModel {
    /// Stands for the beginning of an instance where a callback that came before is asked for.
    var beginning: UInt16 { UInt16(callbacks.count) }

    /// Where an instance is: its state, and the callback that brought it there.
    private struct Position: Hashable {
        var state: UInt8
        /// ``beginning`` before the first one, ``noCallback`` where it is not known.
        var last: UInt16
    }

    /// The shortest documented way to where a callback belongs: the callbacks that are missing in the log.
    ///
    /// - Parameter previous: the callback before, ``beginning`` when there was none, ``noCallback`` when it tells nothing.
    /// - Returns: `nil` when there is none.
    func missingCallbacks(before callback: UInt16, in state: UInt8, after previous: UInt16) -> [String]? {
        guard state != Self.unknown else { return nil }
        let start = Position(state: state, last: previous)
        var steps: [Position: Position] = [:]
        var queue = [start]
        var head = 0
        while head < queue.count {
            let here = queue[head]
            head += 1
            if here != start, action(of: callback, in: here.state).isLegal, mayFollow(callback, here.last) {
                var way: [String] = []
                var place = here
                while place != start, let step = steps[place] {
                    way.append(callbacks[Int(place.last)])
                    place = step
                }
                return way.reversed()
            }
            for next in searchOrder where !traits[next].contains(.isSupplementary) {
                let action = action(of: UInt16(next), in: here.state)
                guard action.isLegal, mayFollow(UInt16(next), here.last) else { continue }
                var targets = action.alternatives | 1 << UInt64(action.after)
                while targets != 0 {
                    let there = Position(state: UInt8(targets.trailingZeroBitCount), last: UInt16(next))
                    targets &= targets - 1
                    // A process or a controller begins once; a scene connects again.
                    guard there.state != initial || isPerScene, there != start, steps[there] == nil else { continue }
                    steps[there] = here
                    queue.append(there)
                }
            }
        }
        return nil
    }

    private func mayFollow(_ callback: UInt16, _ previous: UInt16) -> Bool {
        guard Int(previous) < followers.count, let followers = followers[Int(previous)] else { return true }
        return followers.contains(callback)
    }
}

extension StepPattern {
    /// The callbacks that it asks for: not those that may be missing.
    var asked: [String] {
        switch self {
        case .callback(let callback): callback.names
        case .unordered(let steps): steps.flatMap(\.asked)
        case .repeated(let steps, let atLeast): atLeast == 0 ? [] : steps.flatMap(\.asked)
        case .silent, .later, .newRun, .scenario, .optional: []
        }
    }
}
