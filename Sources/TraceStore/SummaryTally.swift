/// One row of the summary of dwells as the steps give it.
struct SummaryTally {
    var visits: Int64 = 0
    var complete: Int64 = 0
    var censored: Int64 = 0
    /// Of the complete visits.
    var dwells: Int64 = 0
    var total: Int128 = 0
    var shortest: Int64?
    var longest: Int64?
    /// Of the estimate: visits that ended, and those that the end of the log cuts.
    var ended: Int64 = 0
    var cut: Int64 = 0

    mutating func add(_ tally: KindTally, of kind: KindFacts) {
        visits += tally.steps
        if !kind.censoring.isEmpty { censored += tally.steps } else { ended += tally.dwells }
        if kind.censoring == "right" { cut += tally.open }
        guard kind.censoring.isEmpty, !kind.closesInferred else { return }
        complete += tally.steps
        dwells += tally.dwells
        total += tally.total
        shortest = [shortest, tally.shortest].compactMap(\.self).min()
        longest = [longest, tally.longest].compactMap(\.self).max()
    }
}
