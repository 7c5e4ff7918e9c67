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
    /// Versions of the app and of the system, from a report. Such lines are facts that no view shows as events.
    case appVersion = "app-version"
    case systemVersion = "os-version"

    /// Whether it is a version, and says nothing about the life of the process.
    public var isVersion: Bool { self == .appVersion || self == .systemVersion }
}

/// Who wrote a piece of evidence: the words of the column `events.kind` other than `callback`.
///
/// An open set: a user's own dialect may add one.
public struct EvidenceOrigin: RawRepresentable, Sendable, Hashable, Codable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
