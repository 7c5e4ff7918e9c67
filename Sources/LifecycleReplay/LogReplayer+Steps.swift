import LifecycleModel
import TraceRecords

/// How an event becomes a step: the visit it ends, the visit it begins, the judgement on it.
extension LogReplayer {
    /// Applies a callback to an instance.
    ///
    /// - Returns: the id of the step, the state that the callback met, and whether the model documents it there.
    mutating func apply(
        _ slot: Int32, _ callback: UInt16, _ event: ResolvedEvent
    ) -> (id: Int64, state: UInt8, after: UInt8, isLegal: Bool) {
        let model = plan.catalog.models[Int(instances[Int(slot)].model)]
        let time = event.time
        if instances[Int(slot)].alternatives != 0 { narrow(slot, by: callback, at: time) }
        let state = instances[Int(slot)].state
        var action = model.action(of: callback, in: state)
        var doubtful: UInt64 = 0
        if !action.isLegal, let state = stateAfterTie(callback, of: slot, at: time) {
            if memories[Int(slot)].previousBefore == CompiledModel.unknown { doubtful = 1 << UInt64(action.after) }
            action.after = state
        }
        if model.traits[Int(callback)].contains(.isUnknown) { action.isLegal = false }
        let run = Int(instances[Int(slot)].run)
        if state == CompiledModel.unknown, action.before != CompiledModel.unknown {
            keepEarlySilences(of: slot, in: action.before)
        }
        let id = record(
            slot, role: .event, subject: callback, origin: 0, before: action.before, after: action.after,
            isLegal: action.isLegal, time: time, line: event.line, inferred: false)
        if model.proof(of: callback) != CompiledModel.unknown { instances[Int(slot)].doubtful = doubtful }
        if model.traits[Int(callback)].contains(.beginsInstance) { instances[Int(slot)].sawBeginning = true }
        if !model.traits[Int(callback)].contains(.isSupplementary) { instances[Int(slot)].hasMoved = true }
        if action.alternatives != 0, action.before != action.after {
            instances[Int(slot)].alternatives = action.alternatives
            undecided[slot] = UndecidedLaunch(
                time: time, steps: [UndecidedLaunch.Recorded(step: out.steps[out.steps.count - 1], key: lastKey)])
            if runs[run].usesScenes { decide(slot, background: true, inferred: false, byScenes: true) }
        }
        if Int(model.number) == plan.catalog.app, model.traits[Int(callback)].contains(.endsRun) {
            runs[run].endReason = .terminated
            runs[run].saidGoodbye = true
            if runs[run].ended == Time.none { runs[run].ended = time }
            retire(Int32(run))
        }
        return (id, state, action.after, action.isLegal)
    }

    /// Makes the step of an event or of a derived change and moves the instance.
    ///
    /// - Parameter other: the model whose callback `subject` is, where that is not the instance's: then nothing moves.
    @discardableResult
    mutating func record(
        _ slot: Int32, role: StepKind.Role, subject: UInt16, of other: UInt8? = nil, origin: UInt16, before: UInt8,
        after: UInt8, isLegal: Bool, time: Int64, line: Int64, inferred: Bool
    ) -> Int64 {
        var instance = instances[Int(slot)]
        let model = plan.catalog.models[Int(instance.model)]
        let id = ids.step()
        if time != Time.none, instance.lastTime != Time.none, time < instance.lastTime {
            instance.broken = true
            if role == .event { reportRegression(slot, from: instance.lastTime, to: time, line: line, step: id) }
        }

        if instance.state == model.suspended { closeObservedSuspension(slot, model, leavingTo: after, at: time) }

        var key = KindKey(
            role: role, model: model.number, origin: origin, subject: subject, before: before, after: after,
            verdict: .none, inferred: inferred)
        if let other { (key.model, key.before, key.after) = (other, CompiledModel.unknown, CompiledModel.unknown) }
        var dwell: Int64?
        var opener: Int64?
        if before != after {
            noteWaking(of: instance.id, leavingTo: after, model, at: time)
            if before != CompiledModel.unknown { key.verdict = isLegal ? .documented : .undocumented }
            if model.hasVisits(before) {
                let cut = instance.cutLeft || instance.state == CompiledModel.unknown
                key.closedLeft = cut
                key.closedInferred = instance.openedByInference || inferred
                opener = instance.opener == 0 ? nil : instance.opener
                dwell = length(of: instance, cut: cut, until: time)
                if role == .event || subject != CompiledModel.noCallback, instance.entered != Time.none, let dwell {
                    measureVisit(slot, state: before, dwell: dwell, line: line, step: id)
                }
            }
        } else if !isLegal {
            key.verdict = .undocumented
        }
        var step = Step(
            id: id, instance: instance.id, line: line, time: Time.optional(time), kind: number(of: key),
            dwell: dwell, opener: opener)
        if role == .event, origin == 0 {
            step.previousCallback = instance.lastCallbackKind
            instance.lastCallbackKind = step.kind
        }
        out.steps.append(step)
        if instance.alternatives != 0 { undecided[slot]?.steps.append(UndecidedLaunch.Recorded(step: step, key: key)) }

        if before != after || !instance.begun && after == instance.state && after != CompiledModel.unknown {
            instance.cutLeft = mayHaveBegunBefore(instance, role: role, subject, origin: origin, after)
            instance.entered = time
            instance.opener = id
            instance.openedByInference = inferred
            instance.broken = false
            if Int(model.number) == plan.catalog.app { noteAppState(instance.run, after) }
        } else if instance.state == CompiledModel.unknown, after != CompiledModel.unknown {
            cut(&instance)
        }
        instance.state = after
        instance.begun = true
        if time != Time.none { instance.lastTime = time }
        instance.lastLine = line
        instance.lastSource = source
        instance.lastCallback = CompiledModel.noCallback
        instance.lastStep = id
        instances[Int(slot)] = instance
        lastBefore = before
        lastKey = key
        return id
    }

    /// Whether a visit may have begun before the line that seems to begin it.
    ///
    /// The first callback that a log shows may repeat one that it does not show: only what begins a life tells a new
    /// state by itself.
    private func mayHaveBegunBefore(
        _ instance: InstanceState, role: StepKind.Role, _ subject: UInt16, origin: UInt16, _ after: UInt8
    ) -> Bool {
        if after != CompiledModel.unknown, instance.doubtful & 1 << UInt64(after) != 0 { return true }
        guard instance.state == CompiledModel.unknown else { return false }
        guard role == .event, origin == 0 else { return true }
        return !plan.catalog.models[Int(instance.model)].beginsLife(subject)
    }

    /// Takes what is known of the beginning of the open visit of an instance for no more than a bound: the lines so far
    /// may have been of another process, or of no account.
    mutating func doubt(_ slot: Int32) {
        guard slot >= 0, instances[Int(slot)].begun, instances[Int(slot)].state != CompiledModel.unknown else { return }
        instances[Int(slot)].cutLeft = true
    }

    /// The open visit began before anything was logged of it.
    private func cut(_ instance: inout InstanceState) {
        instance.entered = Time.none
        instance.opener = 0
        instance.cutLeft = true
        instance.openedByInference = false
        instance.broken = false
    }

    /// How long the open visit has lasted: exactly, or at least when its beginning is not known.
    func length(of instance: InstanceState, cut: Bool, until time: Int64) -> Int64? {
        guard time != Time.none, !instance.broken else { return nil }
        var begin = instance.entered
        if cut, begin == Time.none {
            let run = Int(instance.run)
            // Before the launch, or before an object existed, nothing is known of it.
            if instance.isNew || runs[run].launchSeen != 0 { return nil }
            begin = runs[run].firstSeen
        }
        guard begin != Time.none, begin <= time else { return nil }
        return time - begin
    }

    /// The number of a kind; its texts are handed over when it occurs for the first time.
    @inline(__always)
    mutating func number(of key: KindKey) -> Int32 {
        let packed = key.packed
        let found = kinds.find(packed)
        if let number = found.number { return number }
        out.kinds.append(describe(key))
        return kinds.insert(key, packed, at: found.place)
    }

    func describe(_ key: KindKey) -> StepKind {
        let model = plan.catalog.models[Int(key.model)]
        let isCallback = key.origin == 0
        let name: (UInt8) -> String? = { $0 == CompiledModel.unknown ? nil : model.states[Int($0)] }
        let proofs = Proof.allCases
        return StepKind(
            role: key.role, model: model.id, layer: model.layer,
            kind: isCallback ? "callback" : origins.names[Int(key.origin)],
            callback: isCallback && key.subject != CompiledModel.noCallback
                ? model.callbacks[Int(key.subject)] : nil,
            proves: isCallback || Int(key.subject) >= proofs.count ? nil : proofs[Int(key.subject)],
            stateBefore: name(key.before), stateAfter: name(key.after),
            verdict: key.verdict == .none ? nil : key.verdict == .documented ? .documented : .undocumented,
            evidence: key.inferred ? .inferred : .observed,
            closedEvidence: key.closedInferred ? .inferred : .observed,
            closedCensoring: key.closedLeft ? .left : .neither)
    }

    /// Place of a proof among all proofs.
    func subject(of proof: Proof) -> UInt16 {
        UInt16(truncatingIfNeeded: Proof.allCases.firstIndex(of: proof) ?? 0)
    }

    private mutating func noteAppState(_ run: Int32, _ state: UInt8) {
        if state == plan.catalog.active { runs[Int(run)].everActive = true }
        if state == plan.catalog.background { runs[Int(run)].everBackground = true }
    }

    /// Silences before the first callback lie inside a stay that the callback reveals.
    private mutating func keepEarlySilences(of slot: Int32, in state: UInt8) {
        let run = Int(instances[Int(slot)].run)
        guard Int(instances[Int(slot)].model) == plan.catalog.app, let grace = options.suspendGrace else { return }
        let silences = runs[run].silences
        guard !silences.isEmpty else { return }
        runs[run].silences = []
        let real = instances[Int(slot)].state
        instances[Int(slot)].state = state
        for silence in silences { suspend(slot, from: silence.from, until: silence.until, grace: grace) }
        instances[Int(slot)].state = real
    }
}
