import LifecycleModel
import TraceRecords

/// What the replay itself has to say of an event.
extension LogReplayer {
    /// What is wrong with a callback that the model does not document in a state: its class and its smallest repair.
    func deviation(
        _ callback: UInt16, in state: UInt8, leadingTo after: UInt8, of slot: Int32, at time: Int64
    ) -> (name: String, repair: String?) {
        let model = catalog.models[Int(instances[Int(slot)].model)]
        if model.traits[Int(callback)].contains(.isUnknown) { return ("unknown-callback", "without this line") }
        let memory = memories[Int(slot)]
        let isRepeated = memory.previous != CompiledModel.noCallback && isSame(memory.previous, callback, model)
        if isRepeated, state == after { return ("duplicate", "without this line") }
        if stateAfterTie(callback, of: slot, at: time) != nil { return (Self.reorderedTie, "before the line before") }
        guard let missing = model.missingCallbacks(before: callback, in: state) else {
            return (isRepeated ? "duplicate" : "illegal-transition", "without this line")
        }
        // One callback that was not logged explains more than a line that should not be there; several do not.
        if state == after, missing.count > 1 { return ("illegal-transition", "without this line") }
        return (
            missing.count > 1 ? "illegal-transition" : "missing-callback",
            "with \(missing.joined(separator: ", ")) before this line"
        )
    }

    private func isSame(_ number: UInt16, _ callback: UInt16, _ model: CompiledModel) -> Bool {
        guard Int(number) < catalog.places.count else { return false }
        let place = catalog.places[Int(number)]
        return place.model == model.number && place.callback == callback
    }

    /// Class of two lines of one time that would be documented the other way round.
    static let reorderedTie = "reordered-tie"

    /// The state after a callback that belongs before the one before it, which has the same time; `nil` when it does
    /// not.
    func stateAfterTie(_ callback: UInt16, of slot: Int32, at time: Int64) -> UInt8? {
        let model = catalog.models[Int(instances[Int(slot)].model)]
        let memory = memories[Int(slot)]
        guard time != Time.none, memory.previousTime == time, Int(memory.previous) < catalog.places.count
        else { return nil }
        let place = catalog.places[Int(memory.previous)]
        guard place.model == model.number else { return nil }
        let first = model.action(of: callback, in: memory.previousBefore)
        guard first.isLegal else { return nil }
        let second = model.action(of: place.callback, in: first.after)
        return second.isLegal ? second.after : nil
    }

    /// Keeps the findings about a step back until the next callback of the instance, which may have the same time and
    /// show that only the order of the two is wrong.
    mutating func holdBack(_ slot: Int32, _ deviation: String, at line: Int64, since first: Int) {
        // Only what the step brought is touched: a log may deviate in every line.
        let recent = Array(out.findings[first...])
        out.findings.removeSubrange(first...)
        for finding in recent {
            if finding.deviation == deviation, finding.line == line {
                suspects[slot, default: []].append(finding)
            } else {
                out.findings.append(finding)
            }
        }
    }

    /// Hands over findings that were kept back.
    ///
    /// - Parameter isTie: whether they are about a line that only stands in the wrong place.
    mutating func release(suspectsOf slot: Int32, isTie: Bool = false) {
        guard !suspects.isEmpty, let held = suspects.removeValue(forKey: slot) else { return }
        for var finding in held {
            if isTie {
                finding.deviation = Self.reorderedTie
                finding.repair = "after the next line"
            }
            out.findings.append(finding)
        }
    }

    /// A callback that the model does not know in the present state, and that no rule names.
    mutating func report(
        _ callback: UInt16, in state: UInt8, leadingTo after: UInt8, of slot: Int32,
        _ deviation: (name: String, repair: String?), _ event: Event
    ) {
        let instance = instances[Int(slot)]
        let model = catalog.models[Int(instance.model)]
        let name = model.callbacks[Int(callback)]
        let moves = state != after
        if model.traits[Int(callback)].contains(.isUnknown) {
            reportUnknown(
                CompiledCatalog.Place(model: instance.model, callback: callback), of: slot, repair: deviation.repair,
                event)
            return
        }
        let here = model.states[Int(state)]
        out.findings.append(
            Finding(
                run: runs[Int(instance.run)].id, instance: instance.id, layer: model.layer,
                rule: moves ? "undocumented-transition" : "illegal-callback", deviation: deviation.name,
                severity: .error, time: event.time,
                message: moves
                    ? "\(name) in state \(here) leads to \(model.states[Int(after)]), which is not documented"
                    : "\(name) is not documented in state \(here)",
                repair: deviation.repair, source: source, line: event.line, step: instance.lastStep))
    }

    /// A callback that the platform does not have.
    mutating func reportUnknown(
        _ place: CompiledCatalog.Place, of slot: Int32, repair: String?, _ event: Event
    ) {
        let instance = instances[Int(slot)]
        let model = catalog.models[Int(place.model)]
        let isAnyOther = model.traits[Int(place.callback)].contains(.isAnyOther)
        out.findings.append(
            Finding(
                run: runs[Int(instance.run)].id, instance: instance.id, layer: model.layer, rule: "unknown-callback",
                deviation: "unknown-callback", severity: .warning, time: event.time,
                message: isAnyOther
                    ? "the line names a callback of the \(model.layer) layer that the platform does not have"
                    : "\(model.callbacks[Int(place.callback)]) is no callback of the platform",
                repair: repair, source: source, line: event.line, step: instance.lastStep))
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
                source: source, line: event.line, step: instance.lastStep))
    }

    /// The clock of the log went back between two events of an instance.
    mutating func reportRegression(_ slot: Int32, from: Int64, to: Int64, line: Int64, step: Int64) {
        let instance = instances[Int(slot)]
        let model = catalog.models[Int(instance.model)]
        out.findings.append(
            Finding(
                run: runs[Int(instance.run)].id, instance: instance.id, layer: model.layer, rule: "clock-regression",
                deviation: "clock-regression", severity: from - to > 1_000_000_000 ? .warning : .info, time: to,
                message: "the time is \(Self.seconds(from - to)) s earlier than that of the event before",
                source: source, line: line, step: step))
    }

    /// The step of an instance at a line of the present source, if that is its last one.
    func step(of slot: Int32, at line: Int64) -> Int64? {
        let instance = instances[Int(slot)]
        return instance.lastLine == line && instance.lastSource == source && instance.lastStep != 0
            ? instance.lastStep : nil
    }
}
