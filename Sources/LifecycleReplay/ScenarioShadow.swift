/// What the sequences looked at so far contain of later and shorter ones.
///
/// Sequences come in the order of ``ScenarioCandidate/longestFirst(_:_:)``, so that one number stands for all of them:
/// the furthest end.
struct ScenarioShadow {
    /// Furthest end of all, and of those that the silent end of the run belongs to.
    private var furthest = Int64.min
    private var furthestToEnd = Int64.min
    /// Steps of the sequence added last, and the shadow before any of just these steps.
    private var first = Int64.min
    private var last = Int64.min
    private var before = (furthest: Int64.min, toEnd: Int64.min)

    /// Whether a longer sequence contains one.
    mutating func contains(_ one: ScenarioCandidate) -> Bool {
        if one.firstStep != first || one.lastStep != last {
            (first, last) = (one.firstStep, one.lastStep)
            before = (furthest, furthestToEnd)
        }
        return (one.reachesEnd ? before.toEnd : before.furthest) >= one.lastStep
    }

    /// Adds the sequence that was asked about last.
    mutating func add(_ one: ScenarioCandidate) {
        furthest = max(furthest, one.lastStep)
        if one.reachesEnd { furthestToEnd = max(furthestToEnd, one.lastStep) }
    }
}
