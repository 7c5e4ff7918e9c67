import LifecycleReplay
import TraceRecords

extension ReplayOptions {
    /// Keeps what was once said of runs that are replayed again, and that no line says.
    ///
    /// - Parameter again: the runs among them that are derived again, so that their lines tell what bundles they are of.
    mutating func remember(_ runs: [RunRecord], derivedAgain again: Set<Int64>) {
        for run in runs {
            if let bundle = run.bundle, let app = run.app, !again.contains(run.id),
                app != RunRecord.process(ofBundle: bundle)
            {
                processesOfBundles[bundle] = app
            }
            appVersions[run.key] = run.appVersion
        }
    }
}
