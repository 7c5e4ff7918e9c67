/// What the steps say of the visits and transitions of one kind: the summaries must say the same.
struct KindTally {
    private(set) var steps: Int64 = 0
    /// The visits with a dwell that the steps end.
    private(set) var dwells = DwellTally()
    /// How many visits that are still open have a lower bound.
    private(set) var open: Int64 = 0

    @inline(__always)
    mutating func add(_ stay: Int64?) {
        steps += 1
        if let stay { dwells.add(stay) }
    }

    /// Adds a visit that is still open.
    mutating func addOpen(_ stay: Int64?) {
        steps += 1
        if stay != nil { open += 1 }
    }
}
