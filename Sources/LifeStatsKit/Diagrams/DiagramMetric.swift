/// A figure that may stand on a state or an edge: the words of `--state-metric` and `--edge-metric`.
public enum DiagramMetric: String, Sendable, CaseIterable {
    /// Number of visits, or of transitions.
    case count
    /// Part of the time of all states, or of all transitions.
    case share
    /// Part of the transitions out of the state; edges only.
    case probability
    /// Median and ninetieth percentile of the dwell.
    case median, p90
    /// Sum of the dwell.
    case total
}
