import TraceRecords

/// What reports say of the versions of the app and of the system.
extension LogReplayer {
    /// How many origins of evidence there can be, versions included: their numbers have twelve bits in a ``KindKey``.
    private static let mostOrigins = 4000

    /// Takes a version for the run that a report tells the end of. Recognition hands it over behind the line that tells
    /// the end, so that the run is known.
    mutating func note(_ proof: Proof, _ event: ResolvedEvent) {
        guard let number = plan.catalog.app else { return }
        guard origins.names.count < Self.mostOrigins else { return }
        let slot = runOf(event.speaker)
        materialise(slot, event)
        if proof == .appVersion {
            runs[Int(slot)].appVersion = event.origin
        } else {
            runs[Int(slot)].systemVersion = event.origin
        }
        runs[Int(slot)].dirty = true
        _ = ofRun(slot, plan.catalog.models[number])
    }
}
