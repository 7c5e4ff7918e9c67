/// One row of the summary of dwells as the steps give it.
struct SummaryTally {
    private(set) var visits: Int64 = 0
    private(set) var complete: Int64 = 0
    private(set) var censored: Int64 = 0
    /// Those of the complete visits.
    private(set) var dwells = DwellTally()
    /// Of the estimate: visits that ended, and those that the end of the log cuts.
    private(set) var ended: Int64 = 0
    private(set) var cut: Int64 = 0

    mutating func add(_ tally: KindTally, of kind: KindFacts) {
        visits += tally.steps
        if !kind.censoring.isEmpty { censored += tally.steps } else { ended += tally.dwells.count }
        if kind.censoring == "right" { cut += tally.open }
        guard kind.censoring.isEmpty, !kind.closesInferred else { return }
        complete += tally.steps
        dwells.add(tally.dwells)
    }
}
