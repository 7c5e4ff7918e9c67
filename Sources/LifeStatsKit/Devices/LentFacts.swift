import TraceStore

/// What other logs of a device tell of a process.
struct LentFacts {
    /// Evidence with its place among the lines of those logs: stream by stream, in the order of each.
    var evidence: [(fact: StoredFact, place: Int, time: Int64)] = []
    /// Stretches in which the process wrote other lines, in any order.
    var life: [StoredFact] = []
}
