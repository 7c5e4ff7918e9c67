import GRDB
import TraceRecords

/// The unrestricted answers of `dwell_times` and `transition_counts`, which are asked again and again: made when an ingest
/// closes, and read by the queries as long as they hold.
enum KeptAnswers {
    private static let shares = [0, 0.5, 0.9, 0.99, 1]

    /// Computes the answers again.
    static func update(in db: Database) throws {
        let book = try DwellBook(of: db)
        let visits = groups(book) { $0.isVisit ? [$0.layer, $0.before] : nil }
        let transitions = groups(book) {
            $0.isTransition ? [$0.layer, $0.before, $0.after, $0.callback, $0.verdict, $0.evidence] : nil
        }
        // One pass over the steps answers both.
        let figures = try book.figures(
            of: visits.map { $0.kinds.filter { book.kinds[$0]?.isComplete == true } }
                + transitions.map { $0.kinds.filter { book.kinds[$0]?.censoring.isEmpty == true } }, shares: shares)
        try db.execute(sql: "DELETE FROM raw_dwell_answers; DELETE FROM raw_transition_answers")
        for (group, figures) in zip(visits, figures) {
            let members = group.kinds.compactMap { book.kinds[$0] }
            let quantiles = figures.quantiles
            try db.execute(
                sql: "INSERT INTO raw_dwell_answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    group.key[0], group.key[1], members.reduce(0) { $0 + $1.steps }, figures.count,
                    members.reduce(0) { $0 + ($1.censoring.isEmpty ? 0 : $1.steps) }, figures.total,
                    figures.total.map { $0 / Double(figures.count) }, quantiles[0], quantiles[1], quantiles[2],
                    quantiles[3], quantiles[4],
                ])
        }
        for (group, figures) in zip(transitions, figures.dropFirst(visits.count)) {
            let count = group.kinds.reduce(0) { $0 + (book.kinds[$1]?.steps ?? 0) }
            try db.execute(
                sql: "INSERT INTO raw_transition_answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: StatementArguments(group.key) + [count, figures.quantiles[1]])
        }
        try db.execute(sql: "UPDATE raw_answers_state SET is_current = 1")
    }

    /// The kinds of steps that occur, grouped by a key and in the order of their keys.
    private static func groups(
        _ book: DwellBook, _ key: (DwellBook.Kind) -> [String?]?
    ) -> [(key: [String?], kinds: [Int64])] {
        var groups: [[String?]: [Int64]] = [:]
        for (id, kind) in book.kinds where kind.steps > 0 {
            if let key = key(kind) { groups[key, default: []].append(id) }
        }
        return groups.map { ($0.key, $0.value) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) { ($0 ?? "") < ($1 ?? "") } }
    }
}

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
