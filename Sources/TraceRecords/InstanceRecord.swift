/// What has a state: the app of a run, one scene session, one view controller. Also tells the visit that is still
/// open when the log of the instance ends.
public struct InstanceRecord: Sendable, Hashable {
    /// The visit that no event ended.
    public struct Tail: Sendable, Hashable {
        public var state: String
        /// When the visit began; `nil` when unknown.
        public var entered: Int64?
        /// Id of the step that began it; `nil` when the log begins inside it.
        public var opener: Int64?
        public var evidence: EvidenceKind
        /// `right` or `both`.
        public var censoring: Censoring
        /// Lower bound of its length, in nanoseconds, up to the last sign of life.
        public var atLeast: Int64?
        /// State that the instance went to without a line (a silent end of the process); `nil` at the log's end.
        public var silentlyTo: String?
        /// Whether the model knows that silent way; `nil` without one.
        public var verdict: Verdict?

        public init(
            state: String, entered: Int64?, opener: Int64?, evidence: EvidenceKind, censoring: Censoring,
            atLeast: Int64?, silentlyTo: String? = nil, verdict: Verdict? = nil
        ) {
            self.state = state
            self.entered = entered
            self.opener = opener
            self.evidence = evidence
            self.censoring = censoring
            self.atLeast = atLeast
            self.silentlyTo = silentlyTo
            self.verdict = verdict
        }
    }

    /// Row id.
    public var id: Int64
    /// ``RunRecord/id``.
    public var run: Int64
    public var layer: String
    public var model: String
    /// Label as shown: a repeated one is `label#2`, `label#3`.
    public var label: String
    /// Label as the log prints it.
    public var printedLabel: String
    /// The visit that is still open; `nil` once the instance is in a final state.
    public var tail: Tail?

    public init(
        id: Int64, run: Int64, layer: String, model: String, label: String, printedLabel: String, tail: Tail? = nil
    ) {
        self.id = id
        self.run = run
        self.layer = layer
        self.model = model
        self.label = label
        self.printedLabel = printedLabel
        self.tail = tail
    }
}
