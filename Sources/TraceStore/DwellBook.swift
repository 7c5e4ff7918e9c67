/// The dwells of all visits of a database, kind by kind, read from the ledger that every ingest leaves: exact figures
/// and distributions without a look at the steps.
package struct DwellBook {
    /// What steps of one kind have in common.
    package struct Kind: Sendable, Hashable {
        package var layer: String
        package var before: String?
        package var after: String?
        package var callback: String?
        package var isDocumented: Bool
        /// Whether a line shows the step.
        package var isObserved: Bool
        package var isVisit: Bool
        package var isTransition: Bool
        /// Whether both ends of the visit that ends are observed.
        package var isComplete: Bool
        /// `left`, `right`, `both`, or empty.
        package var censoring: String
        /// How many steps there are.
        package var steps: Int64 = 0
    }

    /// A stretch of durations, and how many stays lie in it.
    package struct Bucket: Sendable, Hashable {
        package init(duration: Int64, count: Int) {
            self.duration = duration
            self.count = count
        }

        /// Middle of the stretch, which is less than 1 % wide, in nanoseconds.
        package var duration: Int64
        package var count: Int
    }

    package private(set) var kinds: [Int64: Kind] = [:]
    private var histograms: [Int64: DwellHistogram] = [:]
    private let reader: TraceReader

    package init(_ reader: TraceReader) throws {
        self.reader = reader
        try readKinds()
        for id in kinds.keys { histograms[id] = DwellHistogram() }
        try Self.forEachPage(reader) { kind, sign, values in
            if let index = histograms.index(forKey: kind) { histograms.values[index].add(values, sign: sign) }
        }
    }

    private mutating func readKinds() throws {
        let sql = """
            SELECT k.kind_id, k.layer, k.state_before, k.state_after, k.callback, k.verdict, k.evidence, k.is_visit,
                k.is_transition, k.closed_evidence, k.closed_censoring
            FROM raw_kinds AS k WHERE k.is_visit OR k.is_transition
            """
        try reader.query(sql, limits: QueryLimits(timeout: nil)) { row in
            let censoring = row.text(10) ?? ""
            kinds[row.integer(0) ?? 0] = Kind(
                layer: row.text(1) ?? "", before: row.text(2), after: row.text(3), callback: row.text(4),
                isDocumented: row.text(5) != "undocumented", isObserved: row.text(6) == "observed",
                isVisit: row.integer(7) == 1, isTransition: row.integer(8) == 1,
                isComplete: censoring.isEmpty && row.text(9) == "observed", censoring: censoring)
        }
        try addSteps("SELECT kind, sign * steps FROM raw_dwells")
        // The visits that are still open are not in the ledger.
        try addSteps("SELECT kind, count(*) FROM raw_steps WHERE step_id < 0 GROUP BY kind")
    }

    private mutating func addSteps(_ sql: String) throws {
        try reader.query(sql, limits: QueryLimits(timeout: nil)) { row in
            let (id, more) = (row.integer(0) ?? 0, row.integer(1) ?? 0)
            guard let steps = kinds[id]?.steps else { return }
            // More than any log has: whatever a damaged database says, what is summed up from it stays a number.
            kinds[id]?.steps = min(max(steps + min(max(more, -1 << 40), 1 << 40), -1 << 40), 1 << 40)
        }
    }

    /// The exact figures of groups of kinds.
    package func figures(of groups: [[Int64]], shares: [Double]) throws -> [DwellFigures] {
        var samples = groups.map { _ in DwellSample() }
        var wanted: [Int64: DwellSample.Wanted] = [:]
        for (place, group) in groups.enumerated() { samples[place].prepare(group, histograms, shares, &wanted) }
        var found: [Int64: DwellSample.Found] = [:]
        try Self.forEachPage(reader) { kind, sign, values in
            if let wanted = wanted[kind] { found[kind, default: .init()].collect(values, sign: sign, wanted) }
        }
        return samples.indices.map { place in
            samples[place].take(found)
            let sample = samples[place]
            return DwellFigures(count: sample.count, total: sample.total, quantiles: shares.map { sample.quantile($0) })
        }
    }

    /// How the dwells of some kinds are distributed, shortest first; with the lower bounds of the visits that are
    /// still open, where the kinds are those.
    package func distribution(of group: [Int64]) throws -> [Bucket] {
        var all = DwellHistogram()
        for kind in group { if let histogram = histograms[kind] { all.add(histogram) } }
        let open = group.filter { kinds[$0]?.censoring.isEmpty == false }
        if !open.isEmpty {
            let list = open.map(String.init).joined(separator: ", ")
            let sql = "SELECT stay FROM raw_steps WHERE step_id < 0 AND kind IN (\(list)) AND stay IS NOT NULL"
            try reader.query(sql, limits: QueryLimits(timeout: nil)) { row in
                all.add(row.integer(0) ?? 0)
            }
        }
        var buckets: [Bucket] = []
        all.forEachBucket { bucket, count in
            if count > 0 { buckets.append(Bucket(duration: DwellHistogram.middle(of: bucket), count: Int(count))) }
        }
        return buckets
    }

    private static func forEachPage(
        _ reader: TraceReader, _ body: (Int64, Int64, UnsafeBufferPointer<Int64>) -> Void
    ) throws {
        let sql = "SELECT kind, sign, stays FROM raw_dwells ORDER BY dwells_id"
        try reader.query(sql, limits: QueryLimits(timeout: nil)) { row in
            row.withIntegers(2) { body(row.integer(0) ?? 0, (row.integer(1) ?? 0).signum(), $0) }
        }
    }
}
