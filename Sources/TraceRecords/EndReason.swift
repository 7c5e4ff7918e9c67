/// How a run ended: the words of the column `runs.end_reason`.
public enum EndReason: String, Sendable, Codable, CaseIterable {
    case terminated
    case killedInBackground = "killed_in_background"
    case abnormalInForeground = "abnormal_in_foreground"
    case launchFailure = "launch_failure"
    case watchdog, jetsam, crash
    case logEnd = "log_end"
}
