import LifecycleModel
import TraceRecords

/// What the replay itself has to say of an event.
extension LogReplayer {
    /// What is wrong with a callback that the model does not document in a state: its class and its smallest repair.
    func deviation(
        _ callback: UInt16, in state: UInt8, leadingTo after: UInt8, of slot: Int32, at time: Int64
    ) -> (name: String, repair: String?) {
        let model = catalog.models[Int(instances[Int(slot)].model)]
        let memory = memories[Int(slot)]
        let isRepeated = memory.previous != CompiledModel.noCallback && isSame(memory.previous, callback, model)
        if isRepeated, state == after { return ("duplicate", "without this line") }
        if isTie(callback, model, memory, at: time) { return ("reordered-tie", "before the line before") }
        guard let missing = model.missingCallbacks(before: callback, in: state) else {
            return (isRepeated ? "duplicate" : "illegal-transition", "without this line")
        }
        if state == after, missing.count > 1 { return ("illegal-transition", "without this line") }
        return ("missing-callback", "with \(missing.joined(separator: ", ")) before this line")
    }

    private func isSame(_ number: UInt16, _ callback: UInt16, _ model: CompiledModel) -> Bool {
        guard Int(number) < catalog.places.count else { return false }
        let place = catalog.places[Int(number)]
        return place.model == model.number && place.callback == callback
    }

    /// Whether two lines of one time would be documented the other way round.
    private func isTie(_ callback: UInt16, _ model: CompiledModel, _ memory: RuleMemory, at time: Int64) -> Bool {
        guard time != Time.none, memory.previousTime == time, Int(memory.previous) < catalog.places.count,
            memory.previousBefore != CompiledModel.unknown
        else { return false }
        let place = catalog.places[Int(memory.previous)]
        guard place.model == model.number else { return false }
        let first = model.action(of: callback, in: memory.previousBefore)
        return first.isLegal && model.action(of: place.callback, in: first.after).isLegal
    }

    /// A callback that the model does not know in the present state, and that no rule names.
    mutating func report(
        _ callback: UInt16, in state: UInt8, leadingTo after: UInt8, of slot: Int32,
        _ deviation: (name: String, repair: String?), _ event: Event
    ) {
        let instance = instances[Int(slot)]
        let model = catalog.models[Int(instance.model)]
        let name = model.callbacks[Int(callback)]
        let here = model.states[Int(state)]
        let moves = state != after
        out.findings.append(
            Finding(
                run: runs[Int(instance.run)].id, instance: instance.id, layer: model.layer,
                rule: moves ? "undocumented-transition" : "illegal-callback", deviation: deviation.name,
                severity: .error, time: event.time,
                message: moves
                    ? "\(name) in state \(here) leads to \(model.states[Int(after)]), which is not documented"
                    : "\(name) is not documented in state \(here)",
                repair: deviation.repair, source: source, line: event.line))
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

}
