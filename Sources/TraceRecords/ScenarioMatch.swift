/// A documented sequence of callbacks found in a run: a row of the view `scenarios`.
public struct ScenarioMatch: Sendable, Hashable {
    public var run: Int64
    /// Id of the scenario; of the first member when only its class is known.
    public var scenario: String
    /// Class of the scenarios that callbacks alone cannot tell apart (`EQ-1` …); `nil` when unambiguous.
    public var equivalenceClass: String?
    /// Ids of the first and last step.
    public var firstStep: Int64
    public var lastStep: Int64
    /// When the run was seen last, in nanoseconds since 1970 UTC, where its end without a word belongs to the sequence;
    /// `nil` where the time of the last step is the end.
    public var ended: Int64?

    public init(
        run: Int64, scenario: String, equivalenceClass: String?, firstStep: Int64, lastStep: Int64, ended: Int64? = nil
    ) {
        self.run = run
        self.scenario = scenario
        self.equivalenceClass = equivalenceClass
        self.firstStep = firstStep
        self.lastStep = lastStep
        self.ended = ended
    }
}
