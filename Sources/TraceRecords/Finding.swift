/// A located deviation: a row of the view `findings`.
public struct Finding: Sendable, Hashable, Codable {
    /// Row id.
    public var id: Int64
    public var run: Int64
    /// `nil` when the finding is about the run as a whole.
    public var instance: Int64?
    public var layer: String
    /// Rule id of the model (`R-APP-15`, `TL-01` …) or of the replay itself (`clock-regression` …).
    public var rule: String
    public var deviation: Deviation
    public var severity: Severity
    /// Time of the line, in nanoseconds since 1970 UTC.
    public var time: Int64?
    /// What happened, in words.
    public var message: String
    /// The smallest change to the log that would make it conform; `nil` when there is none to name.
    public var repair: String?
    /// Number of the source, and the line in it.
    public var source: Int32
    public var line: Int64
    /// Step of the instance at that line; `nil` when there is none.
    public var step: Int64?
    /// For an exceeded limit, in nanoseconds: the time it allows, and the time taken; `nil` when the answer never came.
    public var limit: Int64?
    public var taken: Int64?
    /// Of a finding about how a run ended: the words of the message that only guess at why, empty where a line says it;
    /// `nil` for other findings.
    public var guess: String?
    /// Whether it counts only if another log shows that the run has ended: this one ends before.
    public var awaitsEnd = false

    /// The rule of a crash about whose state no rule is.
    public static let abnormalEnd = "abnormal-end"

    public init(
        id: Int64 = 0, run: Int64, instance: Int64?, layer: String, rule: String, deviation: Deviation,
        severity: Severity, time: Int64?,
        message: String, repair: String? = nil, source: Int32, line: Int64, step: Int64?,
        limit: Int64? = nil, taken: Int64? = nil, guess: String? = nil
    ) {
        self.id = id
        self.run = run
        self.instance = instance
        self.layer = layer
        self.rule = rule
        self.deviation = deviation
        self.severity = severity
        self.time = time
        self.message = message
        self.repair = repair
        self.source = source
        self.line = line
        self.step = step
        self.limit = limit
        self.taken = taken
        self.guess = guess
    }
}

/// How much a finding matters, least first: the words of the column `findings.severity`.
public enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
    case info, warning, error

    public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// Classes of deviations: the words of the column `findings.deviation`.
public enum Deviation: String, Sendable, Codable, CaseIterable {
    case illegalTransition = "illegal-transition"
    case missingCallback = "missing-callback"
    case duplicate
    case reorderedTie = "reordered-tie"
    case clockRegression = "clock-regression"
    case truncation
    case unknownCallback = "unknown-callback"
    case limitOverrun = "limit-overrun"
    case ruleViolation = "rule-violation"
}

/// What a piece of evidence proves about its subject. The raw values are the words of the column `events.proves`.
public enum Proof: String, Sendable, CaseIterable, Codable, BitwiseCopyable {
    case launching, launched, running, activating, active, inactive, foreground, background, suspended
    case terminating
    case notRunning = "not_running"
    case exitedByWatchdog = "exited:watchdog"
    case exitedByJetsam = "exited:jetsam"
    case exitedBySignal = "exited:signal"
    case memoryLimit = "memory-limit"
    case unknown, appeared
    /// The system refused to launch the app.
    case exitedAtLaunch = "exited:launch"
    /// Versions of the app and of the system, from a report. Such lines are facts that no view shows as events.
    case appVersion = "app-version"
    case systemVersion = "os-version"

    /// What the line of an end says, and why the system launched a process. Such facts belong to the event before.
    case endDetail = "end-detail"
    case launchCause = "launch-cause"
    /// Version of the system, from the head of a log; it holds for all its processes from there on.
    case systemOfLog = "os-version-of-log"
    /// A signal ended it that no crash sends but the system, a user or a tool; why is not known.
    case exitedByKill = "exited:kill"
    /// The device was started: no process goes on. Such a line is a fact that no view shows as an event.
    case systemBoot = "system-boot"
    /// The log says that lines are lost here: of its process or, where it names none, of all. No view shows it either.
    case linesLost = "lines-lost"

    /// Whether it is a version, and says nothing about the life of the process.
    public var isVersion: Bool { self == .appVersion || self == .systemVersion || self == .systemOfLog }
    /// Whether it only tells something of runs: no view shows it as an event.
    public var isDetail: Bool {
        isVersion || self == .endDetail || self == .launchCause || self == .systemBoot || self == .linesLost
    }
}
