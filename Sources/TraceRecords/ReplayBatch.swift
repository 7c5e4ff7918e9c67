/// What the replay hands to the store: complete rows, ready to be written in one transaction.
///
/// Rows with an id that the store already has replace the old row (a run that went on); rows of ``forgottenRuns`` are
/// removed first, with everything that came from them.
public struct ReplayBatch: Sendable {
    /// Runs of which every stored row is removed before the rest is written.
    public var forgottenRuns: [Int64] = []
    /// Kinds that occur for the first time, in order of their numbers; a kind's number is its place among all kinds
    /// that this replay has handed over, counted from 0.
    public var kinds: [StepKind] = []
    /// New steps, in the order of the log.
    public var steps: [Step] = []
    /// Steps handed over before that have changed since (a launch that turned out to be into the background).
    public var revisedSteps: [Step] = []
    /// Runs and instances that are new or have changed.
    public var runs: [RunRecord] = []
    public var instances: [InstanceRecord] = []
    public var life: [LifeRecord] = []
    /// All signs of life of processes without a run, in place of those handed over before.
    public var earlyLife: [EarlyLife] = []
    public var suspensions: [Suspension] = []
    public var findings: [Finding] = []
    public var scenarios: [ScenarioMatch] = []
    /// Messages of steps, where messages are kept.
    public var messages: [(step: Int64, text: String)] = []
    /// How the lines of steps name their process and device, where the run is kept under other names.
    public var otherNames: [OtherNames] = []

    public init() {}

    public var isEmpty: Bool {
        forgottenRuns.isEmpty && steps.isEmpty && revisedSteps.isEmpty && runs.isEmpty && instances.isEmpty
            && life.isEmpty && suspensions.isEmpty && findings.isEmpty && scenarios.isEmpty && messages.isEmpty
    }
}
