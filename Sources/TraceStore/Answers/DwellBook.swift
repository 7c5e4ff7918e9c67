import GRDB

/// The dwells of all visits of a database, kind by kind: exact figures and distributions without a sort.
///
/// The first pass over the steps counts dwells in fine buckets. Each question for percentiles takes another one, which
/// collects the values of the few buckets in which the wanted ranks lie.
package struct DwellBook {
    /// What steps of one kind have in common.
    package struct Kind: Sendable, Hashable {
        package var layer: String
        package var before: String?
        package var after: String?
        package var callback: String?
        package var verdict: String?
        package var evidence: String
        package var isVisit: Bool
        package var isTransition: Bool
        /// Whether both ends of the visit that ends are observed.
        package var isComplete: Bool
        /// `left`, `right`, `both`, or empty.
        package var censoring: String
        /// How many steps there are.
        package var steps: Int64 = 0
        /// In which the steps have their times, in nanoseconds.
        var unit: Int64 = 1

        package var isDocumented: Bool { verdict != "undocumented" }
        /// Whether a line shows the step.
        package var isObserved: Bool { evidence == "observed" }
    }

    /// A range of durations, and how many visits are in it.
    package struct Bucket: Sendable, Hashable {
        package init(duration: Int64, count: Int) {
            self.duration = duration
            self.count = count
        }

        /// Middle of the range, which is less than 1% wide, in nanoseconds.
        package var duration: Int64
        package var count: Int
    }

    package private(set) var kinds: [Int64: Kind] = [:]
    private var histograms: [Int64: DwellHistogram] = [:]
    private let source: any StepSource
    private var units = StepUnits()

    package init(_ reader: TraceReader) throws { try self.init(of: reader) }

    init(of source: any StepSource) throws {
        self.source = source
        for row in try source.rows("SELECT * FROM raw_kinds WHERE is_visit OR is_transition") {
            kinds[try row.number("kind_id") ?? 0] = try Kind(row)
        }
        for (id, kind) in kinds { units.note(id, kind.unit) }
        // Ids of kinds are small numbers: arrays find them faster than dictionaries.
        let slots = Int(min(kinds.keys.max() ?? 0, 1 << 20)) + 1
        var counts = [Int64](repeating: 0, count: slots)
        var own = [DwellHistogram?](repeating: nil, count: slots)
        for id in kinds.keys where kinds[id]?.isVisit == true && id >= 0 && id < slots {
            own[Int(id)] = DwellHistogram()
        }
        try source.forEachDwell { kind, dwell in
            guard kind >= 0, kind < slots else { return }
            counts[Int(kind)] += 1
            if let dwell { own[Int(kind)]?.add(dwell &* units.of(kind)) }
        }
        for id in kinds.keys where id >= 0 && id < slots {
            kinds[id]?.steps = counts[Int(id)]
            if let histogram = own[Int(id)], histogram.count > 0 {
                histograms[id] = histogram
            }
        }
    }

    /// The exact figures of groups of kinds.
    package func figures(of groups: [[Int64]], shares: [Double]) throws -> [DwellFigures] {
        var samples = groups.map { Sample(kinds: $0, histograms, shares) }
        var wanted: [Int64: Set<Int>] = [:]
        for sample in samples {
            for kind in sample.kinds { wanted[kind, default: []].formUnion(sample.buckets) }
        }
        let found = try collect(wanted)
        return samples.indices.map { place in
            samples[place].pick(from: found)
            return samples[place].figures(shares)
        }
    }

    /// The values in some buckets, kind by kind.
    private func collect(_ wanted: [Int64: Set<Int>]) throws -> [Int64: [Int: [Int64]]] {
        guard !wanted.isEmpty else { return [:] }
        let slots = Int(wanted.keys.max() ?? 0) + 1
        var masks = [[Bool]](repeating: [], count: slots)
        for (kind, buckets) in wanted {
            masks[Int(kind)] = [Bool](repeating: false, count: DwellHistogram.size)
            for bucket in buckets { masks[Int(kind)][bucket] = true }
        }
        var found: [Int64: [Int: [Int64]]] = [:]
        try source.forEachDwell { kind, dwell in
            guard let dwell, kind >= 0, kind < slots, !masks[Int(kind)].isEmpty else { return }
            let length = dwell &* units.of(kind)
            let bucket = DwellHistogram.bucket(length)
            if masks[Int(kind)][bucket] { found[kind, default: [:]][bucket, default: []].append(length) }
        }
        return found
    }

    /// How the dwells of some kinds are distributed, shortest first; with the lower bounds of visits that are still open,
    /// where the kinds are those.
    package func distribution(of group: [Int64]) -> [Bucket] {
        var all = DwellHistogram()
        for kind in group { if let histogram = histograms[kind] { all.add(histogram) } }
        var buckets: [Bucket] = []
        all.forEachBucket { bucket, count in
            buckets.append(Bucket(duration: DwellHistogram.middle(of: bucket), count: Int(count)))
        }
        return buckets
    }

    /// The same without rounding, for databases whose dwell times all fit into memory.
    package func lengths(of groups: [[Int64]]) throws -> [[Bucket]] {
        let wanted = Set(groups.joined()).filter { histograms[$0] != nil }
        var dwells = [[Int64]](repeating: [], count: Int(wanted.max() ?? -1) + 1)
        for kind in wanted { dwells[Int(kind)].reserveCapacity(Int(histograms[kind]?.count ?? 0)) }
        try source.forEachDwell { kind, dwell in
            guard let dwell, kind >= 0, kind < dwells.count, wanted.contains(kind) else { return }
            dwells[Int(kind)].append(dwell &* units.of(kind))
        }
        return groups.map { group in
            var buckets: [Bucket] = []
            for dwell in group.flatMap({ wanted.contains($0) ? dwells[Int($0)] : [] }).sorted() {
                if let last = buckets.indices.last, buckets[last].duration == dwell {
                    buckets[last].count += 1
                } else {
                    buckets.append(Bucket(duration: dwell, count: 1))
                }
            }
            return buckets
        }
    }

    /// The exact values at a few ranks among the dwells of some kinds.
    private struct Sample {
        let kinds: [Int64]
        private var count: Int64 = 0
        private var total: Double?
        /// For each wanted rank its bucket, and how many values are in the buckets before it.
        private var places: [Int64: (bucket: Int, before: Int64)] = [:]
        private var values: [Int64: Int64] = [:]

        var buckets: Set<Int> { Set(places.values.map(\.bucket)) }

        init(kinds: [Int64], _ histograms: [Int64: DwellHistogram], _ shares: [Double]) {
            self.kinds = kinds.filter { histograms[$0] != nil }
            var all = DwellHistogram()
            for kind in self.kinds { if let histogram = histograms[kind] { all.add(histogram) } }
            count = all.count
            guard count > 0 else { return }
            total = Double(all.total)
            let ranks = Set(shares.flatMap { Quantile.ranks($0, all.count).map(\.rank) }).sorted()
            var before: Int64 = 0
            var next = 0
            all.forEachBucket { bucket, n in
                while next < ranks.count, ranks[next] < before + n {
                    places[ranks[next]] = (bucket, before)
                    next += 1
                }
                before += n
            }
        }

        mutating func pick(from found: [Int64: [Int: [Int64]]]) {
            for bucket in buckets {
                let present = kinds.flatMap { found[$0]?[bucket] ?? [] }.sorted()
                for (rank, place) in places where place.bucket == bucket {
                    let index = Int(rank - place.before)
                    if present.indices.contains(index) { values[rank] = present[index] }
                }
            }
        }

        func figures(_ shares: [Double]) -> DwellFigures {
            DwellFigures(
                count: count, total: total,
                quantiles: shares.map { share in
                    guard count > 0 else { return nil }
                    var sum = 0.0
                    for (rank, weight) in Quantile.ranks(share, count) {
                        guard let value = values[rank] else { return nil }
                        sum += Double(value) * weight
                    }
                    return sum
                })
        }
    }
}

/// Figures of some dwells.
package struct DwellFigures: Sendable, Hashable {
    /// Number of dwells that are known.
    package var count: Int64 = 0
    /// Their sum in nanoseconds; `nil` without any.
    package var total: Double?
    /// The quantiles that were asked for, in nanoseconds, R type 7; `nil` without any dwell.
    package var quantiles: [Double?]

    package init(count: Int64, total: Double?, quantiles: [Double?]) {
        self.count = count
        self.total = total
        self.quantiles = quantiles
    }

    /// The figures of dwells that are at hand.
    package init(_ dwells: [Int64], shares: [Double]) {
        let sorted = dwells.sorted().map(Double.init)
        count = Int64(sorted.count)
        total = sorted.isEmpty ? nil : sorted.reduce(0, +)
        quantiles = shares.map { sorted.isEmpty ? nil : Quantile.r7(sorted, $0) }
    }
}

/// Where steps are read for a ``DwellBook``.
protocol StepSource {
    func rows(_ sql: String) throws -> [any NamedColumns]

    /// Hands over the kind of every step and how long the visit that it ended lasted, in the unit of the kind.
    func forEachDwell(_ body: (_ kind: Int64, _ dwell: Int64?) -> Void) throws
}

extension DwellBook.Kind {
    fileprivate init(_ row: some NamedColumns) throws {
        func flag(_ column: String) throws -> Bool { try row.number(column) == 1 }
        try self.init(
            layer: row.text("layer") ?? "", before: row.text("state_before"), after: row.text("state_after"),
            callback: row.text("callback"), verdict: row.text("verdict"), evidence: row.text("evidence") ?? "",
            isVisit: flag("is_visit"), isTransition: flag("is_transition"), isComplete: flag("is_observed"),
            censoring: row.text("closed_censoring") ?? "", unit: row.number("unit_ns") ?? 1)
    }
}

extension Database: StepSource {
    func rows(_ sql: String) throws -> [any NamedColumns] { try Row.fetchAll(self, sql: sql) }

    func forEachDwell(_ body: (Int64, Int64?) -> Void) throws {
        if let sqliteConnection, let walk = TableWalk("raw_steps", of: sqliteConnection) {
            return try walk.forEachRow(columns: 3) { _, row in body(row[1] ?? 0, row[2]) }
        }
        let rows = try Row.fetchCursor(self, sql: "SELECT kind, dwell FROM raw_steps")
        while let row = try rows.next() { body(try row.value(0), try row.value(1)) }
    }
}

extension TraceReader: StepSource {
    func forEachDwell(_ body: (Int64, Int64?) -> Void) throws {
        try forEachStep(columns: 3) { _, row in body(row[1] ?? 0, row[2]) }
    }
}

/// The units in which the steps of each kind have their times.
struct StepUnits {
    private var units: [Int64] = []
    private static let mostKinds: Int64 = 1 << 20

    mutating func note(_ kind: Int64, _ unit: Int64) {
        guard kind >= 0, kind < Self.mostKinds else { return }
        while units.count <= kind { units.append(1) }
        units[Int(kind)] = unit
    }

    @inline(__always)
    func of(_ kind: Int64) -> Int64 { kind >= 0 && kind < units.count ? units[Int(kind)] : 1 }
}

/// How many dwell times are in each of some thousand buckets, each less than 1% wide.
struct DwellHistogram {
    /// Buckets: one per value below 128, then 128 per power of two.
    static let size = 56 * 128 + 128

    private var counts = [Int64](repeating: 0, count: size)
    /// One bit for each 128 buckets in which dwells lie: most have none.
    private var occupied: UInt64 = 0
    private(set) var total: Int128 = 0
    private(set) var count: Int64 = 0

    /// The bucket of a dwell.
    @inline(__always)
    static func bucket(_ dwell: Int64) -> Int {
        guard dwell >= 128 else { return Int(max(0, dwell)) }
        let shift = 56 - dwell.leadingZeroBitCount
        return shift << 7 + Int(dwell >> Int64(shift))
    }

    /// A dwell in the middle of a bucket.
    static func middle(of bucket: Int) -> Int64 {
        guard bucket >= 256 else { return Int64(bucket) }
        let shift = Int64(bucket >> 7) - 1
        return (Int64(128 + bucket & 127) << shift) + (1 << shift) / 2
    }

    @inline(__always)
    mutating func add(_ value: Int64) {
        let bucket = Self.bucket(value)
        counts[bucket] += 1
        occupied |= 1 << UInt64(truncatingIfNeeded: bucket >> 7)
        total += Int128(value)
        count += 1
    }

    /// Adds what another histogram holds.
    mutating func add(_ other: DwellHistogram) {
        other.forEachBucket { counts[$0] += $1 }
        occupied |= other.occupied
        total += other.total
        count += other.count
    }

    /// Passes on the buckets that are not empty, the shortest dwell times first, and how many are in each.
    func forEachBucket(_ body: (_ bucket: Int, _ count: Int64) -> Void) {
        var rest = occupied
        while rest != 0 {
            let first = rest.trailingZeroBitCount << 7
            rest &= rest - 1
            var bucket = first
            while bucket < first + 128 {
                let count = counts[bucket]
                if count != 0 { body(bucket, count) }
                bucket += 1
            }
        }
    }
}

/// Quantiles by R's type 7, the default of R, NumPy and spreadsheets.
package enum Quantile {
    /// The quantile of sorted values.
    ///
    /// - Parameters:
    ///   - sorted: values in ascending order, at least one.
    ///   - share: between 0 and 1.
    package static func r7(_ sorted: [Double], _ share: Double) -> Double {
        ranks(share, Int64(sorted.count)).reduce(0) { $0 + sorted[Int($1.rank)] * $1.weight }
    }

    /// The one or two ranks around a quantile, counted from 0, and their weights.
    static func ranks(_ share: Double, _ count: Int64) -> [(rank: Int64, weight: Double)] {
        let place = Double(count - 1) * share
        let below = place.rounded(.down)
        let part = place - below
        let lower = (rank: Int64(below), weight: 1 - part)
        return part > 0 ? [lower, (Int64(below) + 1, part)] : [lower]
    }
}
