import TraceRecords

/// What reports say of the versions of the app and of the system.
extension LogReplayer {
    /// How many origins of evidence there can be, versions included: their numbers have twelve bits in a ``KindKey``.
    private static let mostOrigins = 4000

    /// Takes a version for the run that a report tells the end of. Recognition hands it over behind the line that tells
    /// the end, so that the run is known.
    mutating func note(_ proof: Proof, _ event: Event) {
        guard let number = plan.catalog.app else { return }
        let symbol = symbols.number(event.origin)
        guard let text = symbols.text(symbol), origins.names.count < Self.mostOrigins else { return }
        let process = symbols.number(event.process)
        let pid = event.pid ?? RunState.noPid
        let slot =
            find(process: process, pid: pid, namesBundle: event.namesBundle)
            ?? track(process: process, pid: pid, namesBundle: event.namesBundle, device: device(of: event.device))
        materialise(slot, event)
        if proof == .appVersion { runs[Int(slot)].appVersion = symbol } else { runs[Int(slot)].systemVersion = symbol }
        runs[Int(slot)].dirty = true
        fold(
            ofRun(slot, plan.catalog.models[number]), subject: subject(of: proof),
            origin: origins.number(symbol, name: text), event)
    }
}
