/// What the steps say of the visits and transitions of one kind: the summaries must say the same.
struct KindTally {
    var steps: Int64 = 0
    /// How many visits with a dwell the steps end, and of the dwells the sum and the bounds.
    var dwells: Int64 = 0
    var total: Int128 = 0
    var shortest: Int64?
    var longest: Int64?
    /// How many visits that are still open have a lower bound.
    var open: Int64 = 0

    @inline(__always)
    mutating func add(_ stay: Int64?) {
        steps += 1
        guard let stay else { return }
        dwells += 1
        total += Int128(stay)
        shortest = min(shortest ?? stay, stay)
        longest = max(longest ?? stay, stay)
    }

    /// Adds a visit that is still open.
    mutating func addOpen(_ stay: Int64?) {
        steps += 1
        if stay != nil { open += 1 }
    }
}
