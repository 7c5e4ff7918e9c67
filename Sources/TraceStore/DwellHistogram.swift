/// How many dwells lie in each of some thousand buckets, each less than 1 % wide.
struct DwellHistogram {
    /// Buckets: one per value below 128, then 128 per power of two.
    static let size = 56 * 128 + 128

    private(set) var counts = [Int64](repeating: 0, count: size)
    private(set) var total: Int128 = 0

    var count: Int64 { counts.reduce(0, +) }

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

    mutating func add(_ values: UnsafeBufferPointer<Int64>, sign: Int64) {
        var sum: Int128 = 0
        counts.withUnsafeMutableBufferPointer { counts in
            for value in values {
                counts[Self.bucket(value)] += sign
                sum += Int128(value)
            }
        }
        total += Int128(sign) * sum
    }
}
