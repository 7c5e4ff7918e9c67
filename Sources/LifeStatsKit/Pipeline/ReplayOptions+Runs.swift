import LifecycleReplay
import TraceRecords

extension ReplayOptions {
    /// Keeps what was once said of runs that are replayed again, and that no line says.
    mutating func remember(_ runs: [RunRecord]) {
        for run in runs {
            guard let version = run.appVersion else { continue }
            appVersions[run.key] = version
            appVersionsOfSources[run.source] = version
        }
    }
}
