/// What a piece of evidence proves about its subject. The raw values are the words of the column `events.proves`.
public enum Proof: String, Sendable, CaseIterable, Codable {
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

    /// What the line of an end says of it, and why the system launched a process. Such facts belong to the event before.
    case endDetail = "end-detail"
    case launchCause = "launch-cause"

    /// Whether it is a version, and says nothing about the life of the process.
    public var isVersion: Bool { self == .appVersion || self == .systemVersion }
    /// Whether it only adds a text to a run: no view shows it as an event.
    public var isDetail: Bool { isVersion || self == .endDetail || self == .launchCause }
}

/// Who wrote a piece of evidence: the words of the column `events.kind` other than `callback`.
///
/// An open set: a user's own dialect may add one.
public struct EvidenceOrigin: RawRepresentable, Sendable, Hashable, Codable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
