/// The part of a ``Step`` that repeats: a few hundred different ones describe millions of steps.
public struct StepKind: Sendable, Hashable {
    /// What a step is.
    public enum Role: String, Sendable, CaseIterable {
        /// A recognised event.
        case event
        /// A further line of the same execution, a copy of a line, or what a line says of a version: kept as a fact,
        /// shown in no view.
        case folded
        /// A change of state that follows from events of another instance (the app of a scene-based run).
        case derived
    }

    /// Kind of a folded line that tells that a callback's method returned.
    public static let end = "end"
    /// Kind of a mark beside an event: its line is the only one of the callback, and says that the method returned.
    public static let saidEnd = "said end"

    public var role: Role
    /// Id of the model that the instance follows, and the layer it draws.
    public var model: String
    public var layer: String
    /// `callback`, or the origin of evidence; ``end`` and ``saidEnd`` for folded lines; the version that a line tells.
    public var kind: String
    /// Canonical id of the callback; `nil` for evidence.
    public var callback: String?
    /// What evidence proves; `nil` for callbacks.
    public var proves: Proof?
    /// State of the instance before and after; `nil` when unknown.
    public var stateBefore: String?
    public var stateAfter: String?
    /// Judgement on (before, callback, after); `nil` when the step changes no state and breaks no rule.
    public var verdict: Verdict?
    /// Whether a line shows this very change (`observed`), or it follows from the model. A folded line is `observed` to be
    /// a copy, or `inferred` to be of the same execution.
    public var evidence: EvidenceKind
    /// Of the visit that the step ends: what is known of its ends (the weaker one), and which end the log cuts.
    public var closedEvidence: EvidenceKind
    public var closedCensoring: Censoring
    /// How the line of an event names its process.
    public var naming: Naming

    public init(
        role: Role, model: String, layer: String, kind: String, callback: String? = nil, proves: Proof? = nil,
        stateBefore: String? = nil, stateAfter: String? = nil, verdict: Verdict? = nil,
        evidence: EvidenceKind = .observed, closedEvidence: EvidenceKind = .observed,
        closedCensoring: Censoring = .neither, naming: Naming = []
    ) {
        self.role = role
        self.model = model
        self.layer = layer
        self.kind = kind
        self.callback = callback
        self.proves = proves
        self.stateBefore = stateBefore
        self.stateAfter = stateAfter
        self.verdict = verdict
        self.evidence = evidence
        self.closedEvidence = closedEvidence
        self.closedCensoring = closedCensoring
        self.naming = naming
    }

    /// Whether it is what a line proves without being a callback, or a copy of such a line.
    public var isEvidence: Bool { role != .derived && proves != nil }

    /// Whether it is a line whose text repeats that of another one, at the same time.
    public var isCopy: Bool { role == .folded && evidence == .observed && kind != Self.end && kind != Self.saidEnd }

    /// Whether the step ends a visit, and so is a transition.
    public var endsVisit: Bool {
        guard let stateBefore, stateBefore != stateAfter else { return false }
        return stateBefore != "not_running" && stateBefore != "unknown"
    }
}
