import LifecycleModel
import TraceRecords

/// What the replay itself has to say of an event.
extension LogReplayer {
    /// A callback that the model does not know in the present state.
    mutating func report(
        _ callback: UInt16, in state: UInt8, leadingTo after: UInt8, of slot: Int32, _ event: Event
    ) {
        let instance = instances[Int(slot)]
        let model = catalog.models[Int(instance.model)]
        let name = model.callbacks[Int(callback)]
        let here = model.states[Int(state)]
        let missing = model.missingCallbacks(before: callback, in: state)
        let isRepeated = instance.lastCallback == callback
        let repair: String?
        if state == after, isRepeated || missing == nil || (missing?.count ?? 0) > 1 {
            repair = "without this line"
        } else {
            repair = missing.map { "with \($0.joined(separator: ", ")) before this line" }
        }
        let moves = state != after
        out.findings.append(
            Finding(
                run: runs[Int(instance.run)].id, instance: instance.id, layer: model.layer,
                rule: moves ? "undocumented-transition" : "illegal-callback",
                deviation: isRepeated ? "duplicate" : missing == nil ? "illegal-transition" : "missing-callback",
                severity: .error, time: event.time,
                message: moves
                    ? "\(name) in state \(here) leads to \(model.states[Int(after)]), which is not documented"
                    : "\(name) is not documented in state \(here)",
                repair: repair, source: source, line: event.line))
    }

    /// Evidence of a change that the model does not know.
    mutating func report(_ proof: Proof, from: UInt8, to: UInt8, of slot: Int32, _ event: Event) {
        let instance = instances[Int(slot)]
        let model = catalog.models[Int(instance.model)]
        out.findings.append(
            Finding(
                run: runs[Int(instance.run)].id, instance: instance.id, layer: model.layer,
                rule: "undocumented-transition", deviation: "illegal-transition", severity: .warning, time: event.time,
                message: "the line proves \(proof.rawValue), but no documented way leads from "
                    + "\(model.states[Int(from)]) to \(model.states[Int(to)])",
                source: source, line: event.line))
    }

    /// The clock of the log went back between two events of an instance.
    mutating func reportRegression(_ slot: Int32, from: Int64, to: Int64, line: Int64) {
        let instance = instances[Int(slot)]
        let model = catalog.models[Int(instance.model)]
        out.findings.append(
            Finding(
                run: runs[Int(instance.run)].id, instance: instance.id, layer: model.layer, rule: "clock-regression",
                deviation: "clock-regression", severity: from - to > 1_000_000_000 ? .warning : .info, time: to,
                message: "the time is \(Self.seconds(from - to)) s earlier than that of the event before",
                source: source, line: line))
    }

    /// What the end of a run has to be said about.
    mutating func reportEnd(_ slot: Int32) {}
}
