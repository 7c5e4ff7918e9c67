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
}
