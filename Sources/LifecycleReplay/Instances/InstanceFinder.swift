import TraceRecords

/// Which instance of a run an event is about; how instances begin and end.
extension InstanceMachine {
    /// The instance that a callback belongs to, a new one if need be.
    mutating func instance(for event: CallbackEvent, label printed: @autoclosure () -> String) -> Int32 {
        let app = runs.states[Int(event.run)].app
        if app >= 0, event.traits.contains(.isOfApp) { return app }
        let model = plan.catalog.models[Int(event.model)]
        if model.isPerRun { return ofRun(event.run, model) }
        guard let latest = search(event.run, model, label: event.label) else {
            let label = printed()
            if model.isPerScene, let known = abbreviated(label, event.run, model) { return known }
            return create(event.run, model, printed: label, label: event.label)
        }
        let found = model.isPerObject ? namesake(of: latest, meantBy: event, model) : latest
        let announces = event.traits.contains(.beginsInstance)
        if model.isPerScene, event.label == 0 {
            if announces ? isKnown(found) : isOfAnother(event, than: found, model) {
                return create(event.run, model, printed: "", label: 0)
            }
            guard !states[Int(found)].isInOtherWords(event),
                nameless(besides: found, model, where: { _ in true }) != nil
            else { return found }
            let meant = nameless(event, insteadOf: found, model) ?? found
            if !event.isSupplementary { states[Int(meant)].sharesName = true }
            return meant
        }
        if model.isPerScene, event.label != 0, states[Int(found)].label == 0 {
            adopt(found, event.run, model, event.label, printed())
        }
        if model.isPerObject, announces, states[Int(found)].sawBeginning || hasBegunBefore(found, event.local, model),
            !states[Int(found)].isRepeated(event.local, at: event.time)
        {
            let isShared = retireNamesakes(of: found, model)
            let next = create(event.run, model, printed: printed(), label: event.label)
            states[Int(next)].sharesName = isShared
            return next
        }
        return found
    }

    /// The scene of which a label has the first eight digits of the identifier, or the other way round: many apps print only
    /// these.
    private func abbreviated(_ label: String, _ run: Int32, _ model: CompiledModel) -> Int32? {
        runs.details[Int(run)].others.last { slot in
            let (short, long) = label.utf8.count == 8 ? (label, labels[Int(slot)]) : (labels[Int(slot)], label)
            return states[Int(slot)].model == model.number && short.utf8.count == 8 && long.utf8.count == 36
                && short.allSatisfy(\.isHexDigit) && long.lowercased().hasPrefix(short.lowercased())
        }
    }

    /// The objects of a run that bear the name of one, by age.
    private func namesakes(of slot: Int32) -> [Int32] {
        let one = states[Int(slot)]
        return runs.details[Int(one.run)].others.filter {
            states[Int($0)].label == one.label && states[Int($0)].model == one.model
        }
    }

    /// Of several objects that bear one name, the one that a callback is about: where it is documented, rather without
    /// taking back a move that is under way; of several, and where it is documented nowhere, the one that spoke last.
    private func namesake(of slot: Int32, meantBy event: CallbackEvent, _ model: CompiledModel) -> Int32 {
        guard states[Int(slot)].sharesName else { return slot }
        func rank(_ slot: Int32) -> (Int, Int64) {
            let (state, step) = (states[Int(slot)].state, states[Int(slot)].lastStep)
            let action = model.action(of: event.local, in: state)
            guard action.isLegal else { return (0, step) }
            let takesBack =
                state != CompiledModel.unknown && action.after != state && model.isConnected(action.after, state)
                && model.action(of: event.local, in: CompiledModel.unknown).before != state
            return (takesBack ? 1 : 2, step)
        }
        let all = namesakes(of: slot)
        let last = all.max { states[Int($0)].lastStep < states[Int($1)].lastStep } ?? slot
        if states[Int(last)].isRepeated(event.local, at: event.time) { return last }
        return all.max { rank($0) < rank($1) } ?? slot
    }

    /// Whether a callback may be about an object that bears the name of one that is over.
    mutating func isAboutNamesake(_ event: CallbackEvent, _ model: CompiledModel) -> Bool {
        guard let latest = search(event.run, model, label: event.label) else { return false }
        let meant = namesake(of: latest, meantBy: event, model)
        return model.action(of: event.local, in: states[Int(meant)].state).isLegal
    }

    /// Makes room for another object of a name: those that bear it without a number go on where one of them can't be gone,
    /// because others may lie below that one; otherwise they are over.
    ///
    /// - Returns: whether some go on.
    private mutating func retireNamesakes(of slot: Int32, _ model: CompiledModel) -> Bool {
        var all = namesakes(of: slot)
        let isAlive = all.contains { !mayBeGone($0, model) }
        let goesOn =
            isAlive && model.traits.contains { $0.contains(.endsInstance) } && !labels[Int(slot)].contains("0x")
        let run = states[Int(slot)].run
        while !all.isEmpty, !goesOn || all.count >= Self.namesakesKept { retire(all.removeFirst(), of: run) }
        for other in all { states[Int(other)].sharesName = true }
        return isAlive
    }

    /// Gives an instance that had none the label that a line names it by.
    mutating func adopt(_ slot: Int32, _ run: Int32, _ model: CompiledModel, _ label: UInt64, _ printed: String) {
        labels[Int(slot)] = printed
        states[Int(slot)].label = label
        enter(slot, of: run)
        runs.details[Int(run)].labels[labelKey(model, label), default: 0] += 1
        states[Int(slot)].ordinal = runs.details[Int(run)].labels[labelKey(model, label)] ?? 1
    }

    /// Whether a callback without a label with which the life of a scene begins must be of another scene: this one is
    /// connected, or it has no label either, and is connecting, or its session is over.
    private func isOfAnother(_ event: CallbackEvent, than slot: Int32, _ model: CompiledModel) -> Bool {
        let scene = states[Int(slot)]
        guard scene.state != CompiledModel.unknown, !isToldBeforeConnection(event, slot, model),
            !scene.isRepeated(event.local, at: event.time),
            !event.traits.contains(.endsInstance),
            model.action(of: event.local, in: CompiledModel.unknown).before == model.initial
        else { return false }
        let isConnected = plan.catalog.derivesApp[Int(model.number)] && showsApp(scene)
        guard scene.label == 0 else { return isConnected }
        if scene.previous == event.callback { return !scene.isInOtherWords(event) }
        return isConnected || model.terminal & 1 << UInt64(scene.state) != 0
    }

    /// Whether a callback with which scenes begin is of one that is known only by words of the launch: SwiftUI calls an app
    /// without a scene one in the background.
    func isToldBeforeConnection(_ event: CallbackEvent, _ slot: Int32, _ model: CompiledModel) -> Bool {
        let (scene, run) = (states[Int(slot)], runs.states[Int(event.run)])
        guard model.isPerScene, scene.isToldByWords, !scene.hasMoved, !event.traits.contains(.endsInstance),
            scene.state == model.state("background"), run.launchSeen != 0, !run.scenesTell,
            event.time != Time.none, run.started != Time.none, event.time - run.started <= Self.longestLaunch
        else { return false }
        return model.action(of: event.local, in: CompiledModel.unknown).before == model.initial
            && model.proof(of: event.local) == model.initial
    }

    /// Whether a scene shows where its app is.
    private func showsApp(_ scene: InstanceState) -> Bool {
        plan.catalog.derived[Int(scene.model)][Int(scene.state)].weight > 0
    }

    /// Of several scenes, the other one that a callback without a label moves where it cannot move the last one: two windows
    /// leave the screen at the same time.
    private func nameless(_ event: CallbackEvent, insteadOf slot: Int32, _ model: CompiledModel) -> Int32? {
        let scene = states[Int(slot)]
        guard scene.state != CompiledModel.unknown,
            scene.isRepeated(event.local, at: event.time) || !model.action(of: event.local, in: scene.state).isLegal
        else { return nil }
        return nameless(besides: slot, model) { state in
            let action = model.action(of: event.local, in: state)
            return action.isLegal && action.after != state
        }
    }

    /// The latest other instance whose session is not over and whose state is a certain one.
    func nameless(besides slot: Int32, _ model: CompiledModel, where isMeant: (UInt8) -> Bool) -> Int32? {
        runs.details[Int(states[Int(slot)].run)].others.last { other in
            let instance = states[Int(other)]
            return other != slot && instance.model == model.number && instance.state != CompiledModel.unknown
                && model.terminal & 1 << UInt64(instance.state) == 0
                && isMeant(instance.state)
        }
    }

    /// Whether an object of a run whose launch the log does not show must have begun before the log, because it can't
    /// begin where it is.
    private func hasBegunBefore(_ slot: Int32, _ callback: UInt16, _ model: CompiledModel) -> Bool {
        let instance = states[Int(slot)]
        return runs.states[Int(instance.run)].launchSeen == 0 && instance.hasMoved && !instance.isNew
            && !model.action(of: callback, in: instance.state).isLegal
    }

    /// Whether an object is where its life may end.
    private func mayBeGone(_ slot: Int32, _ model: CompiledModel) -> Bool {
        let state = states[Int(slot)].state
        return state == CompiledModel.unknown
            || model.traits.indices.contains { callback in
                model.traits[callback].contains(.endsInstance) && model.action(of: UInt16(callback), in: state).isLegal
            }
    }

    /// Whether a scene has a label, or has moved, so that nothing can announce it any more.
    private func isKnown(_ slot: Int32) -> Bool { states[Int(slot)].label != 0 || states[Int(slot)].hasMoved }

    /// The one instance that a run has of a model.
    mutating func ofRun(_ run: Int32, _ model: CompiledModel) -> Int32 {
        if Int(model.number) == plan.catalog.app {
            let app = runs.states[Int(run)].app
            if app >= 0 { return app }
            let slot = take(run, model, printed: "", label: 0, ordinal: 1)
            runs.states[Int(run)].app = slot
            return slot
        }
        return search(run, model, label: 0) ?? create(run, model, printed: "", label: 0)
    }

    /// The instance of a label, or the one that a line without a label is about.
    mutating func search(_ run: Int32, _ model: CompiledModel, label: UInt64) -> Int32? {
        if label != 0, runs.details[Int(run)].others.count > Self.instancesLookedThrough {
            if let slot = labelled(run, model, label) { return slot }
            guard model.isPerScene else { return nil }
        }
        var latest: Int32 = -1
        var place = runs.details[Int(run)].others.count - 1
        while place >= 0 {
            let slot = runs.details[Int(run)].others[place]
            place -= 1
            guard states[Int(slot)].model == model.number else { continue }
            let instance = states[Int(slot)]
            if instance.label == label, label != 0 || !model.isPerScene { return slot }
            // Of several scenes without a label, one may have gone since the other spoke.
            let isNearer =
                latest < 0
                || (instance.label == label ? 1 : 0, instance.lastStep)
                    > (states[Int(latest)].label == label ? 1 : 0, states[Int(latest)].lastStep)
            if isNearer { latest = slot }
        }
        guard model.isPerScene, latest >= 0 else { return nil }
        // A line without a label is about the scene without one that spoke last, or else the last of all; a scene that only
        // lines without a label have announced or connected gets its label now.
        if label == 0 { return latest }
        let one = states[Int(latest)]
        return one.label == 0 && (!one.hasMoved || one.isNew && one.state == model.initial) ? latest : nil
    }

    /// The label of the instance that a callback is about which counts only for one that is known; `nil` where there is none.
    /// Without a label that is the only one that the callback moves, of those that bear no number.
    mutating func known(_ event: CallbackEvent, _ model: CompiledModel) -> UInt64? {
        guard event.label == 0 else {
            return search(event.run, model, label: event.label).map { states[Int($0)].label }
        }
        let moved = runs.details[Int(event.run)].others.filter { slot in
            let instance = states[Int(slot)]
            guard instance.model == model.number, instance.label == 0 || !instance.sawBeginning else { return false }
            let action = model.action(of: event.local, in: instance.state)
            return action.isLegal && action.after != instance.state
        }
        return moved.count == 1 ? states[Int(moved[0])].label : nil
    }

    /// The instance of a label, looked up: a run may have thousands at a time.
    private mutating func labelled(_ run: Int32, _ model: CompiledModel, _ label: UInt64) -> Int32? {
        if runs.details[Int(run)].slotsOfLabels.isEmpty {
            for slot in runs.details[Int(run)].others where states[Int(slot)].label != 0 {
                runs.details[Int(run)].slotsOfLabels[instanceKey(slot)] = slot
            }
        }
        return runs.details[Int(run)].slotsOfLabels[labelKey(model, label)]
    }

    /// Puts an instance among those that are looked up, where that is done.
    private mutating func enter(_ slot: Int32, of run: Int32) {
        guard !runs.details[Int(run)].slotsOfLabels.isEmpty, states[Int(slot)].label != 0 else { return }
        runs.details[Int(run)].slotsOfLabels[instanceKey(slot)] = slot
    }

    /// Stands for a label of a model.
    private func labelKey(_ model: CompiledModel, _ label: UInt64) -> UInt64 {
        Hashing.mix(label, UInt64(model.number))
    }

    private func instanceKey(_ slot: Int32) -> UInt64 {
        Hashing.mix(states[Int(slot)].label, UInt64(states[Int(slot)].model))
    }

    /// The place of an instance among those of a run, which are in the order of their ids.
    func place(of id: Int64, in run: Int32) -> Int? {
        let others = runs.details[Int(run)].others
        var (low, high) = (0, others.count)
        while low < high {
            let middle = (low + high) / 2
            if states[Int(others[middle])].id < id { low = middle + 1 } else { high = middle }
        }
        return low < others.count && states[Int(others[low])].id == id ? low : nil
    }

    mutating func create(_ run: Int32, _ model: CompiledModel, printed: String, label: UInt64) -> Int32 {
        let key = labelKey(model, label)
        let ordinal = runs.details[Int(run)].labels[key, default: 0] + 1
        runs.details[Int(run)].labels[key] = ordinal
        if runs.details[Int(run)].others.count >= Self.openInstancesKept {
            retire(runs.details[Int(run)].others[0], of: run)
        }
        let slot = take(run, model, printed: printed, label: label, ordinal: ordinal)
        runs.details[Int(run)].others.append(slot)
        enter(slot, of: run)
        // What comes into being in a run whose launch is known, or after another of its name, has not lived before the log,
        // nor among lines that are lost.
        if runs.states[Int(run)].launchSeen != 0 && !runs.states[Int(run)].hasLost || ordinal > 1 {
            states[Int(slot)].state = model.initial
            states[Int(slot)].cutLeft = true
            states[Int(slot)].isNew = true
        }
        return slot
    }

    private mutating func take(
        _ run: Int32, _ model: CompiledModel, printed: String, label: UInt64, ordinal: Int32
    ) -> Int32 {
        var instance = InstanceState(
            id: rows.instanceID(), run: run, model: model.number, state: CompiledModel.unknown, label: label)
        instance.ordinal = ordinal
        if let slot = free.popLast() {
            states[Int(slot)] = instance
            labels[Int(slot)] = printed
            return slot
        }
        states.append(instance)
        labels.append(printed)
        return Int32(states.count - 1)
    }

    /// Hands over an instance that gets no more events, and forgets it.
    mutating func retire(_ slot: Int32, of run: Int32) {
        rows.batch.instances.append(describe(slot, isOver: false))
        let instance = states[Int(slot)]
        if runs.details[Int(run)].retired.count == RetiredInstance.kept { runs.details[Int(run)].retired.removeFirst() }
        runs.details[Int(run)].retired.append(
            RetiredInstance(
                model: instance.model, label: instance.label, callback: instance.lastCallback,
                time: instance.executionTime))
        if let place = place(of: instance.id, in: run) { runs.details[Int(run)].others.remove(at: place) }
        if !runs.details[Int(run)].slotsOfLabels.isEmpty {
            let next = instance.sharesName ? namesakes(of: slot).last : nil
            runs.details[Int(run)].slotsOfLabels[instanceKey(slot)] = next
        }
        release(slot)
    }

    /// Gives the place of an instance to another one.
    mutating func release(_ slot: Int32) {
        states[Int(slot)].id = 0
        undecided[slot] = nil
        free.append(slot)
    }

    /// The row of an instance.
    ///
    /// - Parameter isOver: whether its process is known to have ended, so that it went where the model says.
    func describe(_ slot: Int32, isOver: Bool) -> InstanceRecord {
        let instance = states[Int(slot)]
        let run = runs.states[Int(instance.run)]
        let model = plan.catalog.models[Int(instance.model)]
        let printed = labels[Int(slot)]
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
                evidence: instance.openedByInference || mayHideActive(Int(slot)) ? .inferred : .observed,
                censoring: instance.cutLeft ? .both : .right,
                atLeast: Time.optional(length(of: instance, cut: instance.cutLeft, until: run.lastHeard)),
                silentlyTo: moves ? model.states[Int(silentEnd)] : nil, verdict: moves ? .documented : nil)
        }
        return InstanceRecord(
            id: instance.id, run: run.id, layer: model.layer, model: model.id, label: label, printedLabel: printed,
            tail: tail)
    }
}
