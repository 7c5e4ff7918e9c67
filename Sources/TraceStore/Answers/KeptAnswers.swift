import GRDB

/// The unrestricted answers of `dwell_times` and `transition_counts`, which are asked again and again: made when an ingest
/// closes, and read by the queries as long as they hold.
enum KeptAnswers {
    private static let shares = [0, 0.5, 0.9, 0.99, 1]

    /// Makes the answers anew.
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
