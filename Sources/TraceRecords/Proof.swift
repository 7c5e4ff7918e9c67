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
    /// What a report says of the process beside its life: the version of the app, and that of the system. Such lines are
    /// facts that no view shows as events.
    case appVersion = "app-version"
    case systemVersion = "os-version"

    /// Whether it tells a version and nothing of the life of the process.
    public var isVersion: Bool { self == .appVersion || self == .systemVersion }
}
