/// The part of a background stay in which the process ran no code: a row of the view `suspensions`.
public struct Suspension: Sendable, Hashable {
    public var run: Int64
    public var instance: Int64
    /// Id of the step that began the background stay; `nil` when the log begins inside it.
    public var opener: Int64?
    /// Begin and end, in nanoseconds since 1970 UTC; an end of `nil` lies after the log.
    public var from: Int64
    public var until: Int64?
    /// `observed` when a line says so, `inferred` when the silence of the process does.
    public var evidence: EvidenceKind
    /// State that the instance was in when it was over: the one of the visit when a line shows that the process ran on
    /// in it, else the one that followed; `nil` without an end.
    public var leadsTo: String?
    /// What it rests on, in plain words (`silence beyond 5 s grace`, `runningboard: running-suspended`).
    public var basis: String

    public init(
        run: Int64, instance: Int64, opener: Int64?, from: Int64, until: Int64?, leadsTo: String?,
        evidence: EvidenceKind, basis: String
    ) {
        self.run = run
        self.instance = instance
        self.opener = opener
        self.from = from
        self.until = until
        self.leadsTo = leadsTo
        self.evidence = evidence
        self.basis = basis
    }
}
