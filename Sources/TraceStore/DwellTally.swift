/// How many visits have a dwell, and of the dwells the sum and the bounds, in nanoseconds.
struct DwellTally {
    private(set) var count: Int64 = 0
    private(set) var total: Int128 = 0
    private(set) var shortest: Int64?
    private(set) var longest: Int64?

    @inline(__always)
    mutating func add(_ dwell: Int64) {
        count += 1
        total += Int128(dwell)
        shortest = min(shortest ?? dwell, dwell)
        longest = max(longest ?? dwell, dwell)
    }

    mutating func add(_ other: DwellTally) {
        count += other.count
        total += other.total
        shortest = [shortest, other.shortest].compactMap(\.self).min()
        longest = [longest, other.longest].compactMap(\.self).max()
    }
}
