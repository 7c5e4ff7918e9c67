/// The exact values at a few ranks among the dwells of some kinds.
struct DwellSample {
    /// Whether the values of a bucket are wanted, by bucket.
    struct Wanted {
        var isWanted = [Bool](repeating: false, count: DwellHistogram.size)
    }

    /// Values of the wanted buckets of a kind, and those that are gone again.
    struct Found {
        private(set) var present: [Int: [Int64]] = [:]
        private(set) var gone: [Int: [Int64]] = [:]

        mutating func collect(_ values: UnsafeBufferPointer<Int64>, sign: Int64, _ wanted: Wanted) {
            for value in values { collect(value, sign: sign, wanted) }
        }

        @inline(__always)
        mutating func collect(_ value: Int64, sign: Int64, _ wanted: Wanted) {
            let bucket = DwellHistogram.bucket(value)
            guard wanted.isWanted[bucket] else { return }
            if sign > 0 {
                present[bucket, default: []].append(value)
            } else {
                gone[bucket, default: []].append(value)
            }
        }
    }

    private var kinds: [Int64] = []
    /// Number of dwells.
    private(set) var count: Int64 = 0
    /// Sum of the dwells in nanoseconds; `nil` without any.
    private(set) var total: Double?
    /// For each wanted rank its bucket, and how many values lie in the buckets before.
    private var places: [Int64: (bucket: Int, before: Int64)] = [:]
    private var values: [Int64: Int64] = [:]

    /// Mean of the dwells in nanoseconds.
    var mean: Double? { total.map { $0 / Double(count) } }

    /// Finds out in which buckets the quantiles lie.
    mutating func prepare(
        _ kinds: [Int64], _ histograms: [Int64: DwellHistogram], _ shares: [Double], _ wanted: inout [Int64: Wanted]
    ) {
        let count = kinds.reduce(0) { $0 + (histograms[$1]?.count ?? 0) }
        prepare(kinds, histograms, ranks: Set(shares.flatMap { Self.ranks($0, count).map(\.rank) }), &wanted)
    }

    /// Finds out in which buckets the values at some ranks lie.
    mutating func prepare(
        _ kinds: [Int64], _ histograms: [Int64: DwellHistogram], ranks: Set<Int64>, _ wanted: inout [Int64: Wanted]
    ) {
        self.kinds = kinds.filter { histograms[$0] != nil }
        var all = DwellHistogram()
        for kind in self.kinds { if let histogram = histograms[kind] { all.add(histogram) } }
        count = all.count
        guard count > 0 else { return }
        total = Double(all.total)
        let ranks = ranks.sorted()
        var before: Int64 = 0
        var next = 0
        all.forEachBucket { bucket, n in
            guard n > 0 else { return }
            while next < ranks.count, ranks[next] < before + n {
                places[ranks[next]] = (bucket, before)
                for kind in self.kinds { wanted[kind, default: Wanted()].isWanted[bucket] = true }
                next += 1
            }
            before += n
        }
    }

    /// Picks the values at the wanted ranks.
    mutating func take(_ found: [Int64: Found]) {
        for bucket in Set(places.values.map(\.bucket)) {
            var present = kinds.flatMap { found[$0]?.present[bucket] ?? [] }.sorted()
            let gone = kinds.flatMap { found[$0]?.gone[bucket] ?? [] }.sorted()
            if !gone.isEmpty { present = Self.difference(present, gone) }
            for (rank, place) in places where place.bucket == bucket {
                let index = Int(rank - place.before)
                if present.indices.contains(index) { values[rank] = present[index] }
            }
        }
    }

    /// The value at one of the ranks that were asked for, in nanoseconds.
    func value(at rank: Int64) -> Int64? { values[rank] }

    /// The quantile by R's type 7; `nil` without values.
    func quantile(_ share: Double) -> Double? {
        guard count > 0 else { return nil }
        var sum = 0.0
        for (rank, weight) in Self.ranks(share, count) {
            guard let value = values[rank] else { return nil }
            sum += Double(value) * weight
        }
        return sum
    }

    /// The one or two ranks that a quantile lies between, and how they are weighed.
    private static func ranks(_ share: Double, _ count: Int64) -> [(rank: Int64, weight: Double)] {
        let place = Double(count - 1) * share
        let below = place.rounded(.down)
        let part = place - below
        let lower = (rank: Int64(below), weight: 1 - part)
        return part > 0 ? [lower, (Int64(below) + 1, part)] : [lower]
    }

    /// Sorted values without one occurrence each of others, sorted as well.
    private static func difference(_ values: [Int64], _ gone: [Int64]) -> [Int64] {
        var rest: [Int64] = []
        var next = 0
        for value in values {
            if next < gone.count, gone[next] == value {
                next += 1
            } else {
                rest.append(value)
            }
        }
        return rest
    }
}
