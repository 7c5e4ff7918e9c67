import GRDB
import GRDBSQLite

/// The unfiltered answers about dwell times and transitions, made from the ledger of dwells.
///
/// Percentiles are exact, without a sort and without holding all values: a first pass over the ledger counts the
/// values in fine buckets, a second collects those of the few buckets in which the wanted ranks lie.
struct Summary {
    /// What is asked about together: kinds that end visits in one state, or that are one transition.
    private struct Group {
        var kinds: [Int64] = []
        var sample = DwellSample()
    }

    private struct Kind {
        var layer: String
        var isVisit: Bool
        var isTransition: Bool
        var isComplete: Bool
        var isCensored: Bool
        var state: [String?]
        var transition: [String?]
        var steps: Int64 = 0
    }

    private var kinds: [Int64: Kind] = [:]
    private var histograms: [Int64: DwellHistogram] = [:]
    private var states: [[String?]: Group] = [:]
    private var transitions: [[String?]: Group] = [:]

    /// Makes the summary anew when the steps have changed since it was made.
    static func bringUpToDate(in db: Database) throws {
        guard try Bool.fetchOne(db, sql: "SELECT is_current FROM raw_summary_state") == false else { return }
        var summary = Summary()
        try summary.readKinds(db)
        try summary.count(db)
        try summary.resolve(db)
        try summary.store(in: db)
    }

    private mutating func readKinds(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM raw_kinds WHERE is_visit OR is_transition") {
            let layer: String = row["layer"]
            let before: String? = row["state_before"]
            let censoring: String = row["closed_censoring"]
            kinds[row["kind_id"]] = Kind(
                layer: layer, isVisit: row["is_visit"], isTransition: row["is_transition"],
                isComplete: censoring.isEmpty && row["closed_evidence"] == "observed", isCensored: !censoring.isEmpty,
                state: [layer, before],
                transition: [layer, before, row["state_after"], row["callback"], row["verdict"], row["evidence"]])
        }
        // The visits that are still open have no dwell; they are counted where they are.
        let open = "SELECT kind, count(*) FROM raw_steps WHERE step_id < 0 GROUP BY kind"
        for row in try Row.fetchAll(db, sql: open) { kinds[row[0]]?.steps += row[1] as Int64 }
    }

    private mutating func count(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT kind, sum(sign * steps) FROM raw_dwells GROUP BY kind") {
            kinds[row[0]]?.steps += row[1] as Int64
        }
        for (id, kind) in kinds where !kind.isCensored { histograms[id] = DwellHistogram() }
        try forEachBlob(db) { kind, sign, values in
            if let index = histograms.index(forKey: kind) { histograms.values[index].add(values, sign: sign) }
        }
        for (id, kind) in kinds where kind.steps > 0 {
            if kind.isVisit { states[kind.state, default: Group()].kinds.append(id) }
            if kind.isTransition { transitions[kind.transition, default: Group()].kinds.append(id) }
        }
    }

    /// Collects the values around the wanted ranks.
    private mutating func resolve(_ db: Database) throws {
        var wanted: [Int64: DwellSample.Wanted] = [:]
        for (key, group) in states {
            states[key]?.sample.prepare(
                group.kinds.filter { kinds[$0]?.isComplete == true }, histograms, [0, 0.5, 0.9, 0.99, 1], &wanted)
        }
        for (key, group) in transitions {
            transitions[key]?.sample.prepare(group.kinds, histograms, [0.5], &wanted)
        }
        var found: [Int64: DwellSample.Found] = [:]
        try forEachBlob(db) { kind, sign, values in
            if let wanted = wanted[kind] { found[kind, default: .init()].collect(values, sign: sign, wanted) }
        }
        for key in states.keys { states[key]?.sample.take(found) }
        for key in transitions.keys { transitions[key]?.sample.take(found) }
    }

    private func forEachBlob(
        _ db: Database, _ body: (Int64, Int64, UnsafeBufferPointer<Int64>) -> Void
    ) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT kind, sign, stays FROM raw_dwells ORDER BY dwells_id")
        while let row = try rows.next() {
            try row.withUnsafeData(atIndex: 2) { data in
                data?.withUnsafeBytes { body(row[0], row[1], $0.bindMemory(to: Int64.self)) }
            }
        }
    }

    private func store(in db: Database) throws {
        try db.execute(sql: "DELETE FROM raw_dwell_summary; DELETE FROM raw_transition_summary")
        for (key, group) in states {
            let members = group.kinds.compactMap { kinds[$0] }
            let sample = group.sample
            try db.execute(
                sql: "INSERT INTO raw_dwell_summary VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    key[0], key[1], members.reduce(0) { $0 + $1.steps },
                    members.reduce(0) { $0 + ($1.isComplete ? $1.steps : 0) },
                    members.reduce(0) { $0 + ($1.isCensored ? $1.steps : 0) }, sample.total, sample.mean,
                    sample.quantile(0), sample.quantile(0.5), sample.quantile(0.9), sample.quantile(0.99),
                    sample.quantile(1),
                ])
        }
        for (key, group) in transitions {
            let count = group.kinds.reduce(0) { $0 + (kinds[$1]?.steps ?? 0) }
            try db.execute(
                sql: "INSERT INTO raw_transition_summary VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [key[0], key[1], key[2], key[3], key[4], key[5], count, group.sample.quantile(0.5)])
        }
        try db.execute(sql: "UPDATE raw_summary_state SET is_current = 1")
    }
}
