/// One process lifetime: a row of the view `runs`.
public struct RunRecord: Sendable, Hashable {
    /// Row id.
    public var id: Int64
    /// Number of the source in which the run begins.
    public var source: Int32
    public var device: String?
    /// Process name; `nil` when the log names none.
    public var app: String?
    public var pid: Int32?
    /// Profile of rules that the run follows (`ios12-`, `ios13+` …).
    public var profile: String
    /// Version of the system, from a report of the run's end.
    public var osVersion: String?
    /// Version of the app, as given by the user.
    public var appVersion: String?
    /// Time of the launch, when a line shows it; nanoseconds since 1970 UTC.
    public var started: Int64?
    /// Time of the end, when a line shows it.
    public var ended: Int64?
    public var endReason: EndReason
    public var endEvidence: EvidenceKind
    /// First and last sign of life, and the first sign of the run that follows.
    public var firstSeen: Int64?
    public var lastSeen: Int64?
    public var nextSeen: Int64?
    /// Equal whenever the same lines are ingested.
    public var key: String
    /// Identifier of the bundle, when a line names the process by it: the first one.
    public var bundle: String?
    /// Whether any line of the run is a callback, not only evidence, and has the process id: such a run takes in the
    /// evidence of the device's other logs.
    public var hasCallbacks: Bool
    /// Version of the app, from a report of the run's end.
    public var reportedVersion: String?
    /// Code and explanation of the end, as printed.
    public var endDetail: String?
    /// How it ended by its last state alone, where no line of its log says more than that it ended.
    public var silentReason: EndReason?
    /// Why a background launch happened, where a line says it.
    public var launchCause: String?

    public init(
        id: Int64, source: Int32, device: String? = nil, app: String? = nil, pid: Int32? = nil, profile: String,
        osVersion: String? = nil, appVersion: String? = nil, started: Int64? = nil, ended: Int64? = nil,
        endReason: EndReason = .logEnd, endEvidence: EvidenceKind = .inferred, firstSeen: Int64? = nil,
        lastSeen: Int64? = nil, nextSeen: Int64? = nil, key: String, bundle: String? = nil,
        hasCallbacks: Bool = false, reportedVersion: String? = nil, endDetail: String? = nil,
        silentReason: EndReason? = nil, launchCause: String? = nil
    ) {
        self.id = id
        self.source = source
        self.device = device
        self.app = app
        self.pid = pid
        self.profile = profile
        self.osVersion = osVersion
        self.appVersion = appVersion
        self.started = started
        self.ended = ended
        self.endReason = endReason
        self.endEvidence = endEvidence
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.nextSeen = nextSeen
        self.key = key
        self.bundle = bundle
        self.hasCallbacks = hasCallbacks
        self.reportedVersion = reportedVersion
        self.endDetail = endDetail
        self.silentReason = silentReason
        self.launchCause = launchCause
    }

    /// The name of a process as long as lines name only its bundle: the last component of the identifier.
    public static func process(ofBundle bundle: String) -> String {
        bundle.split(separator: ".").last.map(String.init) ?? bundle
    }

    /// What the name of a process and the last component of its bundle's identifier have in common: an identifier is
    /// made of the name with dashes in place of blanks and underscores, and people write it in lower case.
    public static func foldedName(_ name: String) -> String {
        String(name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " })
    }
}

/// How a run ended: the words of the column `runs.end_reason`.
public enum EndReason: String, Sendable, Codable, CaseIterable {
    case terminated
    case killedInBackground = "killed_in_background"
    case abnormalInForeground = "abnormal_in_foreground"
    case launchFailure = "launch_failure"
    case watchdog, jetsam, crash
    case logEnd = "log_end"

    /// What a finding says of an end for which a line gives the reason.
    public var words: String? {
        switch self {
        case .crash: "a crash"
        case .jetsam: "the system took its memory (jetsam)"
        case .watchdog: "the watchdog ended it"
        default: nil
        }
    }
}

/// Something that has a state: the app of a run, a scene session, a view controller. Also has the visit that is still
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
        /// Whether the model documents that silent transition; `nil` without one.
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
