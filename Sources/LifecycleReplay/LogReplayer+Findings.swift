import LifecycleModel
import TraceRecords

/// What the replay itself has to say of an event.
extension LogReplayer {
    /// What is wrong with a callback that the model does not document in a state: its class and its smallest repair.
    mutating func deviation(
        _ callback: UInt16, in state: UInt8, leadingTo after: UInt8, of slot: Int32, at time: Int64
    ) -> Repair {
        let model = plan.catalog.models[Int(instances[Int(slot)].model)]
        if model.traits[Int(callback)].contains(.isUnknown) { return (.unknownCallback, Self.withoutLine) }
        let memory = memories[Int(slot)]
        let isRepeated = memory.previous != CompiledModel.noCallback && isSame(memory.previous, callback, model)
        if isRepeated, state == after { return (.duplicate, Self.withoutLine) }
        if stateAfterTie(callback, of: slot, at: time) != nil { return (.reorderedTie, "before the line before") }
        guard let missing = missingCallbacks(before: callback, in: state, of: slot) else {
            return (isRepeated ? .duplicate : .illegalTransition, Self.withoutLine)
        }
        // One callback that was not logged explains more than a line that should not be there; several do not.
        if state == after, missing.count > 1 { return (.illegalTransition, Self.withoutLine) }
        return (missing.count > 1 ? .illegalTransition : .missingCallback, Self.with(missing))
    }

    /// Whether the callback that is missing before one was missing before the one before already, which changed no state:
    /// that is told once.
    mutating func isMissedAgain(_ found: Repair, _ judged: Judged, leadingTo after: UInt8) -> Bool {
        let missed = memories[Int(judged.instance)].missed
        let isMissing = found.deviation == .missingCallback
        memories[Int(judged.instance)].missed = isMissing && judged.met == after ? found.repair : nil
        return isMissing && missed != nil && missed == found.repair
    }

    /// What is wrong with a callback that is documented in its state, but not next to the callbacks around it.
    ///
    /// - Returns: `nil` when neither a single callback before it nor its absence mends that.
    mutating func deviation(_ check: CompiledCheck, _ judged: Judged) -> Repair? {
        switch check.template {
        case .atMost, .alternate:
            return (.duplicate, Self.withoutLine)
        case .chainResponse, .chainPrecedence, .initial:
            if memories[Int(judged.instance)].previous == judged.callback { return (.duplicate, Self.withoutLine) }
            if check.template == .initial, !check.needsStart { return nil }
            let place = plan.catalog.places[Int(judged.callback)]
            let model = plan.catalog.models[Int(instances[Int(judged.instance)].model)]
            guard place.model == model.number else { return nil }
            // Where no state changes, the rule itself names what is missing.
            if model.proof(of: place.callback) == CompiledModel.unknown, let only = check.then.only {
                return (.missingCallback, Self.with([plan.rules.name(only)]))
            }
            guard let missing = missingCallbacks(before: place.callback, in: judged.before, of: judged.instance),
                missing.count == 1
            else { return nil }
            return (.missingCallback, Self.with(missing))
        default:
            return nil
        }
    }

    /// The callbacks that are missing before one; the same question comes in every line of a log that deviates throughout.
    private mutating func missingCallbacks(before callback: UInt16, in state: UInt8, of slot: Int32) -> [String]? {
        let model = plan.catalog.models[Int(instances[Int(slot)].model)]
        let question = RepairQuestion(
            model: model.number, state: state, callback: callback, previous: predecessor(of: slot, in: state, model))
        if let known = repairs[question] { return known }
        let missing = model.missingCallbacks(before: callback, in: state, after: question.previous)
        repairs[question] = .some(missing)
        return missing
    }

    /// The callback before, where it is the one that led to a state.
    private func predecessor(of slot: Int32, in state: UInt8, _ model: CompiledModel) -> UInt16 {
        let previous = memories[Int(slot)].previous
        if previous == CompiledModel.noCallback {
            return runs[Int(instances[Int(slot)].run)].launchSeen != 0 ? model.beginning : CompiledModel.noCallback
        }
        guard Int(previous) < plan.catalog.places.count else { return CompiledModel.noCallback }
        let place = plan.catalog.places[Int(previous)]
        guard place.model == model.number else { return CompiledModel.noCallback }
        let proven = model.proof(of: place.callback)
        return proven == CompiledModel.unknown || proven == state ? place.callback : CompiledModel.noCallback
    }

    /// Class of a deviation and its smallest repair.
    typealias Repair = (deviation: Deviation, repair: String?)

    /// What the callbacks that are missing before one depend on.
    struct RepairQuestion: Hashable {
        var model: UInt8
        var state: UInt8
        var callback: UInt16
        var previous: UInt16
    }

    private static let withoutLine = "without this line"

    private static func with(_ missing: [String]) -> String {
        "with \(missing.joined(separator: ", ")) before this line"
    }

    private func isSame(_ number: UInt16, _ callback: UInt16, _ model: CompiledModel) -> Bool {
        guard Int(number) < plan.catalog.places.count else { return false }
        let place = plan.catalog.places[Int(number)]
        return place.model == model.number && place.callback == callback
    }

    /// The state after a callback that belongs before the one before it, which has the same time; `nil` when it does
    /// not.
    func stateAfterTie(_ callback: UInt16, of slot: Int32, at time: Int64) -> UInt8? {
        let model = plan.catalog.models[Int(instances[Int(slot)].model)]
        let memory = memories[Int(slot)]
        guard time != Time.none, memory.previousTime == time, Int(memory.previous) < plan.catalog.places.count
        else { return nil }
        let place = plan.catalog.places[Int(memory.previous)]
        guard place.model == model.number else { return nil }
        let first = model.action(of: callback, in: memory.previousBefore)
        guard first.isLegal else { return nil }
        let second = model.action(of: place.callback, in: first.after)
        return second.isLegal ? second.after : nil
    }

    /// Keeps the findings about a step back until the next callback of the instance, which may have the same time and
    /// show that only the order of the two is wrong.
    mutating func holdBack(_ slot: Int32, _ deviation: Deviation, at line: Int64, since first: Int) {
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
                finding.deviation = .reorderedTie
                finding.repair = "after the next line"
            }
            out.findings.append(finding)
        }
    }

    /// A callback that the model does not know in the present state, and that no rule names.
    mutating func report(
        _ callback: UInt16, in state: UInt8, leadingTo after: UInt8, of slot: Int32,
        _ found: Repair, _ event: ResolvedEvent
    ) {
        let instance = instances[Int(slot)]
        let model = plan.catalog.models[Int(instance.model)]
        let name = model.callbacks[Int(callback)]
        let moves = state != after
        if model.traits[Int(callback)].contains(.isUnknown) {
            reportUnknown(
                CompiledCatalog.Place(model: instance.model, callback: callback), of: slot, repair: found.repair,
                event)
            return
        }
        let here = model.states[Int(state)]
        out.findings.append(
            Finding(
                run: runs[Int(instance.run)].id, instance: instance.id, layer: model.layer,
                rule: moves ? "undocumented-transition" : "illegal-callback", deviation: found.deviation,
                severity: .error, time: Time.optional(event.time),
                message: moves
                    ? "\(name) in state \(here) leads to \(model.states[Int(after)]), which is not documented"
                    : "\(name) is not documented in state \(here)",
                repair: found.repair, source: source, line: event.line, step: instance.lastStep))
    }

    /// A callback that the platform does not have.
    mutating func reportUnknown(
        _ place: CompiledCatalog.Place, of slot: Int32, repair: String?, _ event: ResolvedEvent
    ) {
        let instance = instances[Int(slot)]
        let model = plan.catalog.models[Int(place.model)]
        let isAnyOther = model.traits[Int(place.callback)].contains(.isAnyOther)
        out.findings.append(
            Finding(
                run: runs[Int(instance.run)].id, instance: instance.id, layer: model.layer, rule: "unknown-callback",
                deviation: .unknownCallback, severity: .warning, time: Time.optional(event.time),
                message: isAnyOther
                    ? "the line names a callback of the \(model.layer) layer that the platform does not have"
                    : "\(model.callbacks[Int(place.callback)]) is no callback of the platform",
                repair: repair, source: source, line: event.line, step: instance.lastStep))
    }

    /// Evidence of a change that the model does not know.
    mutating func report(_ proof: Proof, from: UInt8, to: UInt8, of slot: Int32, _ event: ResolvedEvent) {
        let instance = instances[Int(slot)]
        let model = plan.catalog.models[Int(instance.model)]
        out.findings.append(
            Finding(
                run: runs[Int(instance.run)].id, instance: instance.id, layer: model.layer,
                rule: "undocumented-transition", deviation: .illegalTransition, severity: .warning,
                time: Time.optional(event.time),
                message: "the line proves \(proof.rawValue), but no documented way leads from "
                    + "\(model.states[Int(from)]) to \(model.states[Int(to)])",
                source: source, line: event.line, step: instance.lastStep))
    }

    /// The clock of the log went back between two events of an instance.
    mutating func reportRegression(_ slot: Int32, from: Int64, to: Int64, line: Int64, step: Int64) {
        let instance = instances[Int(slot)]
        let model = plan.catalog.models[Int(instance.model)]
        out.findings.append(
            Finding(
                run: runs[Int(instance.run)].id, instance: instance.id, layer: model.layer, rule: "clock-regression",
                deviation: .clockRegression, severity: from - to > 1_000_000_000 ? .warning : .info, time: to,
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
