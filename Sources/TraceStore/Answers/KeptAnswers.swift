import GRDB

/// The unrestricted answers of `dwell_times` and `transition_counts`, which are asked again and again: made when an ingest
/// closes, and read by the queries as long as they hold.
enum KeptAnswers {
    private static let shares = [0, 0.5, 0.9, 0.99, 1]

    /// Makes the answers anew.
    static func update(in db: Database) throws {
        let book = try DwellBook(of: db)
        try db.execute(sql: "DELETE FROM raw_dwell_answers; DELETE FROM raw_transition_answers")
        try storeDwells(book, in: db)
        try storeTransitions(book, in: db)
        try db.execute(sql: "UPDATE raw_answers_state SET is_current = 1")
    }

    private static func storeDwells(_ book: DwellBook, in db: Database) throws {
        var groups: [[String?]: [Int64]] = [:]
        for (id, kind) in book.kinds where kind.isVisit && kind.steps > 0 {
            groups[[kind.layer, kind.before], default: []].append(id)
        }
        let keys = groups.keys.sorted { $0.lexicographicallyPrecedes($1) { ($0 ?? "") < ($1 ?? "") } }
        let figures = try book.figures(
            of: keys.map { (groups[$0] ?? []).filter { book.kinds[$0]?.isComplete == true } }, shares: shares)
        for (key, figures) in zip(keys, figures) {
            let members = (groups[key] ?? []).compactMap { book.kinds[$0] }
            let quantiles = figures.quantiles
            try db.execute(
                sql: "INSERT INTO raw_dwell_answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    key[0], key[1], members.reduce(0) { $0 + $1.steps }, figures.count,
                    members.reduce(0) { $0 + ($1.censoring.isEmpty ? 0 : $1.steps) }, figures.total,
                    figures.total.map { $0 / Double(figures.count) }, quantiles[0], quantiles[1], quantiles[2],
                    quantiles[3], quantiles[4],
                ])
        }
    }

    private static func storeTransitions(_ book: DwellBook, in db: Database) throws {
        var groups: [[String?]: [Int64]] = [:]
        for (id, kind) in book.kinds where kind.isTransition && kind.steps > 0 {
            let key = [kind.layer, kind.before, kind.after, kind.callback, kind.verdict, kind.evidence]
            groups[key, default: []].append(id)
        }
        let keys = groups.keys.sorted { $0.lexicographicallyPrecedes($1) { ($0 ?? "") < ($1 ?? "") } }
        let figures = try book.figures(
            of: keys.map { (groups[$0] ?? []).filter { book.kinds[$0]?.censoring.isEmpty == true } }, shares: [0.5])
        for (key, figures) in zip(keys, figures) {
            let count = (groups[key] ?? []).reduce(0) { $0 + (book.kinds[$1]?.steps ?? 0) }
            try db.execute(
                sql: "INSERT INTO raw_transition_answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: StatementArguments(key) + [count, figures.quantiles[0]])
        }
    }
}
