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
        /// Ranks of the quantiles that the estimate gives, in the order of ``survivalShares``, among `ended`.
        var survivalRanks: [Int64?] = []
        var ended = DwellSample()
        var cut = 0
    }

    private static let survivalShares = [0.25, 0.5, 0.75, 0.9]

    private struct Kind {
        var layer: String
        var isVisit: Bool
        var isTransition: Bool
        var isComplete: Bool
        var isCensored: Bool
        /// Whether the end of the log cuts such visits, of which the beginning is known.
        var isCut: Bool
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
        try DwellLedger.tidy(in: db)
        var summary = Summary()
        try summary.readKinds(db)
        try summary.count(db)
        try summary.estimate(db)
        try summary.resolve(db)
        try summary.store(in: db)
        try PartSummary.make(in: db)
        try db.execute(sql: "UPDATE raw_summary_state SET is_current = 1")
    }

    private mutating func readKinds(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM raw_kinds WHERE is_visit OR is_transition") {
            let layer: String = try row.value("layer")
            let before: String? = try row.value("state_before")
            let censoring: String = try row.value("closed_censoring")
            try kinds[row.value("kind_id")] = Kind(
                layer: layer, isVisit: row.value("is_visit"), isTransition: row.value("is_transition"),
                isComplete: censoring.isEmpty && row.value("closed_evidence") == "observed",
                isCensored: !censoring.isEmpty,
                isCut: censoring == "right",
                state: [layer, before],
                transition: [
                    layer, before, row.value("state_after"), row.value("callback"), row.value("verdict"),
                    row.value("evidence"),
                ])
        }
        // The visits that are still open have no dwell; they are counted where they are.
        let open = "SELECT kind, count(*) FROM raw_steps WHERE step_id < 0 GROUP BY kind"
        for row in try Row.fetchAll(db, sql: open) { try kinds[row.value(0)]?.steps &+= row.value(1) as Int64 }
    }

    private mutating func count(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT kind, sign * steps FROM raw_dwells") {
            try kinds[row.value(0)]?.steps &+= row.value(1) as Int64
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

    /// Finds the ranks of the quantiles that take the cut visits into account.
    private mutating func estimate(_ db: Database) throws {
        let cuts = try cutStays(db)
        var samples: [[String?]: SurvivalSample] = [:]
        var states: [Int64: [String?]] = [:]
        for (state, group) in self.states {
            var sample = SurvivalSample(cuts: cuts[state] ?? [])
            for kind in group.kinds {
                guard let histogram = histograms[kind] else { continue }
                sample.add(histogram)
                if cuts[state] != nil { states[kind] = state }
            }
            samples[state] = sample
        }
        if !states.isEmpty {
            try forEachBlob(db) { kind, sign, values in
                if let state = states[kind] { samples[state]?.add(values, sign: sign) }
            }
        }
        for (state, sample) in samples {
            self.states[state]?.cut = cuts[state]?.count ?? 0
            self.states[state]?.survivalRanks = Self.survivalShares.map(sample.rank)
        }
    }

    /// The lower bounds of the visits that the end of the log cuts, by state.
    private func cutStays(_ db: Database) throws -> [[String?]: [Int64]] {
        var cuts: [[String?]: [Int64]] = [:]
        let open = try Row.fetchCursor(
            db, sql: "SELECT kind, stay FROM raw_steps WHERE step_id < 0 AND stay IS NOT NULL")
        while let row = try open.next() {
            if let kind = kinds[try row.value(0)], kind.isCut { try cuts[kind.state, default: []].append(row.value(1)) }
        }
        return cuts
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
        for (key, group) in states {
            states[key]?.ended.prepare(
                group.kinds, histograms, ranks: Set(group.survivalRanks.compactMap(\.self)), &wanted)
        }
        var found: [Int64: DwellSample.Found] = [:]
        try forEachBlob(db) { kind, sign, values in
            if let wanted = wanted[kind] { found[kind, default: .init()].collect(values, sign: sign, wanted) }
        }
        for key in states.keys {
            states[key]?.sample.take(found)
            states[key]?.ended.take(found)
        }
        for key in transitions.keys { transitions[key]?.sample.take(found) }
    }

    private func forEachBlob(
        _ db: Database, _ body: (Int64, Int64, UnsafeBufferPointer<Int64>) -> Void
    ) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT kind, sign, stays FROM raw_dwells ORDER BY dwells_id")
        while let row = try rows.next() {
            let kind: Int64 = try row.value(0)
            let sign = try (row.value(1) as Int64).signum()
            try row.withUnsafeData(atIndex: 2) { data in
                data?.withUnsafeBytes { body(kind, sign, $0.bindMemory(to: Int64.self)) }
            }
        }
    }

    private func store(in db: Database) throws {
        try db.execute(sql: "DELETE FROM raw_dwell_summary; DELETE FROM raw_survival_summary")
        try db.execute(sql: "DELETE FROM raw_transition_summary")
        for (key, group) in states {
            let members = group.kinds.compactMap { kinds[$0] }
            let sample = group.sample
            try db.execute(
                sql: "INSERT INTO raw_dwell_summary VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    key[0], key[1], members.reduce(0) { $0 &+ $1.steps },
                    members.reduce(0) { $0 &+ ($1.isComplete ? $1.steps : 0) },
                    members.reduce(0) { $0 &+ ($1.isCensored ? $1.steps : 0) }, sample.total, sample.mean,
                    sample.quantile(0), sample.quantile(0.5), sample.quantile(0.9), sample.quantile(0.99),
                    sample.quantile(1),
                ])
        }
        for (key, group) in states where group.ended.count + Int64(group.cut) > 0 {
            let stays = group.survivalRanks.map { $0.flatMap(group.ended.value) }
            try db.execute(
                sql: "INSERT INTO raw_survival_summary VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [key[0], key[1], group.ended.count, group.cut, stays[0], stays[1], stays[2], stays[3]])
        }
        for (key, group) in transitions {
            let count = group.kinds.reduce(0) { $0 &+ (kinds[$1]?.steps ?? 0) }
            try db.execute(
                sql: "INSERT INTO raw_transition_summary VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [key[0], key[1], key[2], key[3], key[4], key[5], count, group.sample.quantile(0.5)])
        }
    }
}
