/// How many dwells lie in each of some thousand buckets, each less than 1 % wide.
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

    /// Hands over the buckets that are not empty, the shortest dwells first, and how many lie in each.
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

    /// The one or two ranks that a quantile lies between, counted from 0, and how they are weighed.
    static func ranks(_ share: Double, _ count: Int64) -> [(rank: Int64, weight: Double)] {
        let place = Double(count - 1) * share
        let below = place.rounded(.down)
        let part = place - below
        let lower = (rank: Int64(below), weight: 1 - part)
        return part > 0 ? [lower, (Int64(below) + 1, part)] : [lower]
    }
}
