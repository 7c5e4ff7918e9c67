import GRDB
import TraceRecords

/// How often each callback comes right after each other one in a batch of steps: the directly-follows graph is made from
/// it.
struct FollowCounts {
    /// The callbacks by row id of their first kind; the first of them, 0, means that there is none.
    private var callbacks: [Int64] = [0]
    /// Places among ``callbacks``, by number of the kind in the replay.
    private let places: [Int]
    /// How often, by the places of both.
    private var counts: [Int64]

    init(_ traits: [KindTraits]) {
        var known: [Int64: Int] = [0: 0]
        var callbacks = callbacks
        places = traits.map { kind in
            let callback = kind.callback ?? 0
            if let place = known[callback] { return place }
            known[callback] = callbacks.count
            callbacks.append(callback)
            return callbacks.count - 1
        }
        self.callbacks = callbacks
        counts = Array(repeating: 0, count: callbacks.count * callbacks.count)
    }

    @inline(__always)
    mutating func add(_ step: Step) {
        let place = places[Int(step.kind)]
        guard place != 0 else { return }
        let previous = step.previousCallback < 0 ? 0 : places[Int(step.previousCallback)]
        counts[previous * callbacks.count + place] += 1
    }

    /// Adds the counts to those of the log.
    func store(log: Int32, isProvisional: Bool, in db: Database) throws {
        let seen = counts.enumerated().filter { $0.element > 0 }
        try Tables.follows.insert(seen, in: db) { seen, row in
            let (previous, next) = seen.offset.quotientAndRemainder(dividingBy: callbacks.count)
            row.integer(Int64(log))
            row.integer(isProvisional ? 1 : 0)
            row.integer(callbacks[previous])
            row.integer(callbacks[next])
            row.integer(seen.element)
        }
    }
}
