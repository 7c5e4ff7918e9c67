/// One event with what it did: the transition it caused and the visit it ended, in one narrow row.
///
/// A visit belongs to the step that ends it, because only then is everything about it known; the visit that is still
/// open at the end of an instance is in its ``InstanceRecord``. The source of its line is that of its batch.
public struct Step: Sendable, Hashable, Codable {
    /// Row id; grows in the order of the log.
    public var id: Int64
    /// ``InstanceRecord/id``.
    public var instance: Int64
    /// For a callback, the index of the kind of the previous one in the life of the instance; -1 for the first one and for
    /// all other steps.
    public var previousCallback: Int32
    /// Line of the source, counted from 1.
    public var line: Int64
    /// Nanoseconds since 1970 UTC; `nil` when the line carries no time.
    public var time: Int64?
    /// Index of the ``StepKind`` in ``ReplayBatch/kinds``.
    public var kind: Int32
    /// How long the ended visit lasted, in nanoseconds: its dwell when both ends are known, a lower bound when it is
    /// censored; `nil` without times or across a step back of the clock.
    public var dwell: Int64?
    /// Id of the step that began the ended visit; `nil` when the log begins inside it or the step ends none.
    public var opener: Int64?

    public init(
        id: Int64, instance: Int64, line: Int64, time: Int64?, kind: Int32, dwell: Int64? = nil,
        opener: Int64? = nil, previousCallback: Int32 = -1
    ) {
        self.id = id
        self.instance = instance
        self.previousCallback = previousCallback
        self.line = line
        self.time = time
        self.kind = kind
        self.dwell = dwell
        self.opener = opener
    }
}

/// The part of a ``Step`` that repeats: a few hundred different ones describe millions of steps.
public struct StepKind: Sendable, Hashable {
    /// What a step is.
    public enum Role: String, Sendable, CaseIterable, Codable {
        case event
        /// A change of state that follows from events of another instance (the app of a scene-based run).
        case derived
    }

    public var role: Role
    /// Id of the model that the instance follows, and the layer it draws.
    public var model: String
    public var layer: String
    /// `callback`, or the origin of evidence.
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
    /// Whether a line shows exactly this change (`observed`), or it follows from the model.
    public var evidence: EvidenceKind
    /// For the visit that the step ends: the evidence of its ends (the weaker one), and which end the log cuts off.
    public var closedEvidence: EvidenceKind
    public var closedCensoring: Censoring

    public init(
        role: Role, model: String, layer: String, kind: String, callback: String? = nil, proves: Proof? = nil,
        stateBefore: String? = nil, stateAfter: String? = nil, verdict: Verdict? = nil,
        evidence: EvidenceKind = .observed, closedEvidence: EvidenceKind = .observed,
        closedCensoring: Censoring = .neither
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
    }

    /// Whether the step ends a visit, and so is a transition.
    public var endsVisit: Bool {
        guard let stateBefore, stateBefore != stateAfter else { return false }
        return stateBefore != "not_running" && stateBefore != "unknown"
    }
}

/// Whether the model knows a change of state: the words of the column `verdict`.
public enum Verdict: String, Sendable, Codable, CaseIterable {
    case documented, undocumented
}

/// Whether a line shows it, or it follows from the model: the words of the column `evidence`.
public enum EvidenceKind: String, Sendable, Codable, CaseIterable {
    case observed, inferred
}

/// Which ends of a visit the log does not show: the words of the column `censored`.
public enum Censoring: String, Sendable, Codable, CaseIterable {
    case neither = ""
    case left, right, both
}
