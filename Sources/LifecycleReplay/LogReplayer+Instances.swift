import LifecycleModel
import TraceRecords

/// Which instance of a run an event is about.
extension LogReplayer {
    /// The instance that a callback belongs to, a new one if need be.
    mutating func instance(_ run: Int32, _ place: CompiledCatalog.Place, _ event: ResolvedEvent) -> Int32 {
        let model = plan.catalog.models[Int(place.model)]
        if model.isPerRun { return ofRun(run, model) }
        let printed = event.speaker.label
        let label = symbols.caseless(printed)
        guard let found = search(run, model, label: label) else {
            return create(run, model, printed: printed, label: label)
        }
        let announces = model.traits[Int(place.callback)].contains(.beginsInstance)
        if model.isPerScene, label == 0, announces, isKnown(found) {
            return create(run, model, printed: printed, label: label)
        }
        if model.isPerScene, label != 0, instances[Int(found)].foldedLabel == 0 {
            instances[Int(found)].label = printed
            instances[Int(found)].foldedLabel = label
            enter(found, of: run)
            runs[Int(run)].labels[labelKey(model, label), default: 0] += 1
        }
        let time = event.time
        if model.isPerObject, model.traits[Int(place.callback)].contains(.beginsInstance),
            instances[Int(found)].sawBeginning || hasBegunBefore(found, place.callback, model),
            !isRepetition(found, place.callback, at: time)
        {
            retireInstance(found, of: run)
            return create(run, model, printed: printed, label: label)
        }
        return found
    }

    /// Whether an object of a run whose launch the log does not show must have begun before the log, because it can't
    /// begin where it stands.
    private func hasBegunBefore(_ slot: Int32, _ callback: UInt16, _ model: CompiledModel) -> Bool {
        let instance = instances[Int(slot)]
        return runs[Int(instance.run)].launchSeen == 0 && instance.hasMoved
            && !model.action(of: callback, in: instance.state).isLegal
    }

    /// Whether a scene has a label, or has moved, so that nothing can announce it any more.
    private func isKnown(_ slot: Int32) -> Bool {
        instances[Int(slot)].foldedLabel != 0 || instances[Int(slot)].hasMoved
    }

    /// The one instance that a run has of a model.
    mutating func ofRun(_ run: Int32, _ model: CompiledModel) -> Int32 {
        if Int(model.number) == plan.catalog.app {
            if runs[Int(run)].app < 0 { runs[Int(run)].app = take(run, model, printed: 0, label: 0, ordinal: 1) }
            return runs[Int(run)].app
        }
        return search(run, model, label: 0) ?? create(run, model, printed: 0, label: 0)
    }

    /// The instance of a label, or the one that a line without a label is about.
    mutating func search(_ run: Int32, _ model: CompiledModel, label: UInt32) -> Int32? {
        if label != 0, runs[Int(run)].others.count > Self.instancesLookedThrough {
            if let slot = labelled(run, model, label) { return slot }
            guard model.isPerScene else { return nil }
        }
        let others = runs[Int(run)].others
        var latest: Int32?
        for slot in others.reversed() where instances[Int(slot)].model == model.number {
            if instances[Int(slot)].foldedLabel == label { return slot }
            if latest == nil || instances[Int(slot)].lastStep > instances[Int(latest ?? slot)].lastStep {
                latest = slot
            }
        }
        guard model.isPerScene, let latest else { return nil }
        // A line without a label is about the scene that spoke last; a scene that only a line without a label has
        // announced gets its label now.
        if label == 0 { return latest }
        if instances[Int(latest)].foldedLabel == 0, !instances[Int(latest)].hasMoved { return latest }
        return nil
    }

    /// The instance of a label, looked up: a run may have thousands at a time.
    private mutating func labelled(_ run: Int32, _ model: CompiledModel, _ label: UInt32) -> Int32? {
        if runs[Int(run)].slotsOfLabels.isEmpty {
            for slot in runs[Int(run)].others where instances[Int(slot)].foldedLabel != 0 {
                let instance = instances[Int(slot)]
                runs[Int(run)].slotsOfLabels[InstanceKey(instance.model, instance.foldedLabel)] = slot
            }
        }
        return runs[Int(run)].slotsOfLabels[InstanceKey(model.number, label)]
    }

    /// Puts an instance among those that are looked up, where that is done.
    private mutating func enter(_ slot: Int32, of run: Int32) {
        let instance = instances[Int(slot)]
        guard !runs[Int(run)].slotsOfLabels.isEmpty, instance.foldedLabel != 0 else { return }
        runs[Int(run)].slotsOfLabels[InstanceKey(instance.model, instance.foldedLabel)] = slot
    }

    /// The place of an instance among those of a run, which stand in the order of their ids.
    func place(of id: Int64, among slots: [Int32]) -> Int? {
        var (low, high) = (0, slots.count)
        while low < high {
            let middle = (low + high) / 2
            if instances[Int(slots[middle])].id < id { low = middle + 1 } else { high = middle }
        }
        return low < slots.count && instances[Int(slots[low])].id == id ? low : nil
    }

    private mutating func create(_ run: Int32, _ model: CompiledModel, printed: UInt32, label: UInt32) -> Int32 {
        let key = labelKey(model, label)
        let ordinal = runs[Int(run)].labels[key, default: 0] + 1
        runs[Int(run)].labels[key] = ordinal
        if runs[Int(run)].others.count >= Self.openInstancesKept { retireInstance(runs[Int(run)].others[0], of: run) }
        let slot = take(run, model, printed: printed, label: label, ordinal: ordinal)
        runs[Int(run)].others.append(slot)
        enter(slot, of: run)
        // A thing that comes into being in a run whose launch is known, or after another of its name, has not lived
        // before the log.
        if runs[Int(run)].launchSeen != 0 || ordinal > 1 {
            instances[Int(slot)].state = model.initial
            instances[Int(slot)].cutLeft = true
            instances[Int(slot)].isNew = true
        }
        return slot
    }

    /// Stands for a label of a model as long as the run lives, which may be longer than the text of the label is kept.
    private func labelKey(_ model: CompiledModel, _ label: UInt32) -> UInt64 {
        Hashing.mix(UInt64(model.number), symbols.text(label))
    }

    private mutating func take(
        _ run: Int32, _ model: CompiledModel, printed: UInt32, label: UInt32, ordinal: Int32
    ) -> Int32 {
        var instance = InstanceState(
            id: ids.instance(), run: run, model: model.number, state: CompiledModel.unknown, label: printed,
            foldedLabel: label)
        instance.ordinal = ordinal
        let slot: Int32
        if let free = freeInstances.popLast() {
            slot = free
            instances[Int(slot)] = instance
        } else {
            slot = Int32(instances.count)
            instances.append(instance)
            memories.append(RuleMemory())
        }
        memories[Int(slot)].reset(cells: plan.rules.cells[Int(model.number)])
        return slot
    }

    /// Hands over an instance that gets no more events, and forgets it.
    mutating func retireInstance(_ slot: Int32, of run: Int32) {
        release(suspectsOf: slot)
        out.instances.append(describe(slot, isOver: false))
        let instance = instances[Int(slot)]
        runs[Int(run)].retired = RetiredInstance(
            id: instance.id, model: instance.model, label: instance.foldedLabel, callback: instance.lastCallback,
            time: instance.executionTime)
        if let place = place(of: instance.id, among: runs[Int(run)].others) { runs[Int(run)].others.remove(at: place) }
        if !runs[Int(run)].slotsOfLabels.isEmpty {
            runs[Int(run)].slotsOfLabels[InstanceKey(instance.model, instance.foldedLabel)] = nil
        }
        freeInstances.append(slot)
    }

    /// The row of an instance.
    ///
    /// - Parameter isOver: whether its process is known to have ended, so that it went where the model says.
    func describe(_ slot: Int32, isOver: Bool) -> InstanceRecord {
        let instance = instances[Int(slot)]
        let run = runs[Int(instance.run)]
        let model = plan.catalog.models[Int(instance.model)]
        let printed = symbols.text(instance.label) ?? ""
        var label = printed
        if label.isEmpty { label = model.isPerRun ? model.layer : "\(model.layer)0" }
        if instance.ordinal > 1 { label += "#\(instance.ordinal)" }
        var tail: InstanceRecord.Tail?
        if instance.begun, model.hasVisits(instance.state), model.terminal & 1 << UInt64(instance.state) == 0 {
            let silentEnd = isOver ? model.silentEnd[Int(instance.state)] : CompiledModel.unknown
            let moves = silentEnd != CompiledModel.unknown && silentEnd != instance.state
            tail = InstanceRecord.Tail(
                state: model.states[Int(instance.state)], entered: Time.optional(instance.entered),
                opener: instance.opener == 0 ? nil : instance.opener,
                evidence: instance.openedByInference ? .inferred : .observed,
                censoring: instance.cutLeft ? .both : .right,
                atLeast: length(of: instance, cut: instance.cutLeft, until: run.lastHeard),
                silentlyTo: moves ? model.states[Int(silentEnd)] : nil, verdict: moves ? .documented : nil)
        }
        return InstanceRecord(
            id: instance.id, run: run.id, layer: model.layer, model: model.id, label: label, printedLabel: printed,
            tail: tail)
    }

    /// Derives the state of the app from its scenes after one of them has moved.
    mutating func deriveApp(_ run: Int32, _ event: ResolvedEvent) {
        guard let number = plan.catalog.app else { return }
        var state = CompiledModel.unknown
        var weight = -1
        var scenes = 0
        var mapped = CompiledModel.unknown
        for slot in runs[Int(run)].others {
            let scene = instances[Int(slot)]
            let table = plan.catalog.derived[Int(scene.model)]
            guard !table.isEmpty else { continue }
            scenes += 1
            if lastBefore != CompiledModel.unknown { mapped = table[Int(lastBefore)].state }
            guard scene.state != CompiledModel.unknown, table[Int(scene.state)].weight > weight else { continue }
            (state, weight) = table[Int(scene.state)]
        }
        guard state != CompiledModel.unknown else { return }
        // A scene that is in the background tells more than one that is nowhere yet.
        if state == plan.catalog.background, weight > 0 { runs[Int(run)].everBackground = true }
        let model = plan.catalog.models[number]
        let app = ofRun(run, model)
        var before = instances[Int(app)].state
        if before == state || before == model.notRunning && before != CompiledModel.unknown { return }
        if before == CompiledModel.unknown, scenes == 1 { before = mapped }
        if before == state {
            instances[Int(app)].state = state
            instances[Int(app)].cutLeft = true
            instances[Int(app)].begun = true
            instances[Int(app)].lastSource = source
            instances[Int(app)].lastLine = event.line
            return
        }
        let kept = instances[Int(app)].lastCallback
        record(
            app, role: .derived, subject: CompiledModel.noCallback, origin: 0, before: before, after: state,
            isLegal: before == CompiledModel.unknown || before == state || model.isConnected(before, state),
            time: event.time, line: event.line,
            // A scene that connected before the log began may keep the app where it is.
            inferred: runs[Int(run)].launchSeen == 0)
        instances[Int(app)].lastCallback = kept
    }
}
