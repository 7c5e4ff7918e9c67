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
    /// Their times, in nanoseconds since 1970 UTC.
    public var started: Int64?
    public var ended: Int64?

    public init(
        run: Int64, scenario: String, equivalenceClass: String?, firstStep: Int64, lastStep: Int64, started: Int64?,
        ended: Int64?
    ) {
        self.run = run
        self.scenario = scenario
        self.equivalenceClass = equivalenceClass
        self.firstStep = firstStep
        self.lastStep = lastStep
        self.started = started
        self.ended = ended
    }
}
