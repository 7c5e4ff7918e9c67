import LifecycleModel
import TraceRecords

/// Lines that tell that a callback's method returns: they end what the line of the callback began.
extension LogReplayer {
    /// The instance whose last callback is the one that a line says to return; `nil` when none is, so that the line is
    /// the only one that the log has of the callback.
    mutating func executing(_ run: Int32, _ place: CompiledCatalog.Place, _ event: ResolvedEvent) -> Int32? {
        guard runs[Int(run)].id != 0 else { return nil }
        let callback = event.callback
        let app = runs[Int(run)].app
        if Int(place.model) == plan.catalog.app { return app >= 0 && isOpen(callback, app) ? app : nil }
        let label = symbols.caseless(event.speaker.label)
        return runs[Int(run)].others.last { other in
            instances[Int(other)].model == place.model && isOpen(callback, other)
                && (label == 0 || instances[Int(other)].foldedLabel == label)
        }
    }

    private func isOpen(_ callback: UInt16, _ instance: Int32) -> Bool {
        memories[Int(instance)].previous == callback && !memories[Int(instance)].saidEnd
    }

    /// Keeps the line as part of the execution, and measures how long the method took.
    mutating func noteReturn(_ target: Int32, _ run: Int32, _ event: ResolvedEvent) {
        let time = event.time
        // The method ran all the time, however silently.
        if time != Time.none { runs[Int(run)].lastSign = time }
        sign(run, at: time, line: event.line)
        revive(run)
        lastSpoken = run
        measureReturn(
            Judged(
                run: run, instance: target, callback: event.callback, before: CompiledModel.unknown, time: time,
                line: event.line, isSupplementary: true))
    }
}
