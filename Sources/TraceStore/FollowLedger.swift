import GRDB
import TraceRecords

/// How often each callback comes right after each other one in a batch of steps: what the directly-follows graph is
/// made from.
struct FollowLedger {
    /// The callbacks by row id of their first kind; the first of them, 0, stands for "none".
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

    /// Adds the counts to those of the database.
    func store(in db: Database) throws {
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO raw_follows (previous, next, count) VALUES (?, ?, ?)
                ON CONFLICT (previous, next) DO UPDATE SET count = count + excluded.count
                """)
        for (place, count) in counts.enumerated() where count > 0 {
            let (previous, next) = place.quotientAndRemainder(dividingBy: callbacks.count)
            try insert.execute(arguments: [callbacks[previous], callbacks[next], count])
        }
    }

    /// Takes what steps that are about to go have counted for off the database. They are all steps of their instances.
    ///
    /// - Parameter range: the condition on the steps.
    static func takeBack(steps range: String, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO raw_follows (previous, next, count)
                SELECT coalesce(f.previous, 0), f.next, -count(*)
                FROM (
                    SELECT k.callback_id AS next,
                        lag(k.callback_id) OVER (PARTITION BY s.instance ORDER BY s.step_id) AS previous
                    FROM raw_steps AS s JOIN raw_kinds AS k ON k.kind_id = s.kind
                    WHERE k.callback_id IS NOT NULL AND s.step_id \(range)
                ) AS f
                GROUP BY 1, 2
                ON CONFLICT (previous, next) DO UPDATE SET count = count + excluded.count;
                DELETE FROM raw_follows WHERE count = 0;
                """)
    }
}
