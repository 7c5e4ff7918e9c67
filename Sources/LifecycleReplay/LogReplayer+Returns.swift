import LifecycleModel
import TraceRecords

/// Lines that tell that a callback's method returns: they end what the line of the callback began.
extension LogReplayer {
    /// The instance whose last callback is the one that a line says to return; `nil` when none is, so that the line is
    /// the only one that the log has of the callback.
    mutating func executing(_ run: Int32, _ place: CompiledCatalog.Place, _ event: Event) -> Int32? {
        guard let callback = event.callback, runs[Int(run)].id != 0 else { return nil }
        let app = runs[Int(run)].app
        if Int(place.model) == plan.catalog.app { return app >= 0 && isOpen(callback, app) ? app : nil }
        let label = symbols.caseless(symbols.number(event.instance))
        return runs[Int(run)].others.last { other in
            instances[Int(other)].model == place.model && isOpen(callback, other)
                && (label == 0 || instances[Int(other)].foldedLabel == label)
        }
    }

    private func isOpen(_ callback: UInt16, _ instance: Int32) -> Bool {
        memories[Int(instance)].previous == callback && !memories[Int(instance)].saidEnd
    }

    /// Marks, for the facts that the store keeps, that the line of the event that follows says that its method returns.
    mutating func keepSaidEnd(_ event: Event, instance: Int64, _ place: CompiledCatalog.Place) {
        var key = KindKey(
            role: .folded, model: place.model, subject: place.callback, before: CompiledModel.unknown,
            after: CompiledModel.unknown, verdict: .none, inferred: true)
        key.saysEnd = true
        out.steps.append(
            Step(
                id: next.step, instance: instance, source: source, line: event.line, time: event.time,
                kind: number(of: key)))
        next.step += 1
    }

    /// Keeps the line as part of the execution, and measures how long the method took.
    mutating func noteReturn(_ target: Int32, _ run: Int32, _ place: CompiledCatalog.Place, _ event: Event) {
        let time = Time.plain(event.time)
        // The method ran all the time, however silently.
        if time != Time.none { runs[Int(run)].lastSign = time }
        sign(run, at: time, line: event.line)
        revive(run)
        lastSpoken = run
        remember(event, of: target, at: time)
        keepFolded(
            event, instance: instances[Int(target)].id, label: instances[Int(target)].label, model: place.model,
            subject: place.callback, origin: 0, isCopy: false, saysEnd: true)
        guard let callback = event.callback else { return }
        measureReturn(
            Judged(
                run: run, instance: target, callback: callback, before: CompiledModel.unknown, time: time,
                line: event.line, isSupplementary: true))
    }
}
