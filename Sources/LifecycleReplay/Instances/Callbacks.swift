import TraceRecords

/// A callback of an instance: what the line says, and what came of it.
struct CallbackEvent: BitwiseCopyable {
    var run: Int32
    var instance: Int32 = -1
    /// Number in the vocabulary, and in the model.
    var callback: UInt16
    var local: UInt16
    var model: UInt8
    var traits: CallbackTraits
    var isReturn: Bool
    /// Whether the line names the notification, and not the method.
    var isPosted = false
    /// Hash of the label without regard to case; 0 for none.
    var label: UInt64
    var time: Int64
    var line: Int64

    /// The step that it became; 0 while there is none.
    var step: Int64 = 0
    /// State that it met, unknown where only the event itself shows it; the state before and after as the step has them.
    var met = CompiledModel.unknown
    var before = CompiledModel.unknown
    var after = CompiledModel.unknown
    /// Whether the model documents it there.
    var isLegal = true
    /// Whether it belongs before the line before it, which has the same time.
    var isTie = false
    /// Whether it only reports what scenes decide, or is of the process and not of the app's derived state.
    var isNotification = false
    /// Whether lines before it are lost: it breaks nothing.
    var followsLoss = false
    /// Whether a line in other words had already reported the change.
    var isForetold = false
    var textHash: UInt16 = 0

    @inline(__always)
    var isSupplementary: Bool { traits.contains(.isSupplementary) }
}

/// What a callback does to a run and to its instance.
extension InstanceMachine {
    // MARK: The run

    /// Whether a callback belongs to another process lifetime than the run that its speaker leads to.
    func beginsAnotherRun(_ event: CallbackEvent) -> Bool {
        let slot = Int(event.run)
        // Without a process id nothing says that a later line is of a process that has ended.
        if runs.states[slot].hasEnded, runs.states[slot].pid == RunState.noPid,
            isLongAfter(runs.states[slot], event.time)
        {
            return true
        }
        guard event.traits.contains(.beginsRun) else { return false }
        let run = runs.states[slot]
        let isRepeated = run.app >= 0 && states[Int(run.app)].isRepeated(event.local, at: event.time)
        if run.hasEnded { return !isRepeated }
        guard run.begun else { return false }
        // A line showed the launch before the first callback did.
        if !run.toldByCallbacks, !isSomewhere(run.app) || isPlacedBySystem(event.run) { return false }
        if isSceneFirst(run, at: event.time) { return false }
        let isLate =
            event.time != Time.none && run.started != Time.none && event.time - run.started > Self.longestLaunch
        let launchBit = launchBit(event)
        // UIKit posts the notification of a launch when the first scene has connected.
        if event.isPosted, let bit = launchBit, run.launchSeen != 0, run.launchSeen & bit == 0, !isLate { return false }
        guard run.launching, let bit = launchBit else { return !isRepeated }
        if run.launchSeen & bit != 0 {
            // Several parts of an app may print the end of its launch, for which there is a notification; and no system
            // gives a process id again so soon.
            return !isRepeated && (bit == 1 || isLate || run.pid == RunState.noPid)
        }
        if run.launchSeen < bit { return run.launchSeen != 0 && isLate }
        // An earlier launch callback after a later one: the same launch only if they are practically simultaneous.
        guard run.app >= 0, event.time != Time.none, !isLate else { return true }
        let last = states[Int(run.app)].lastTime
        return last == Time.none || abs(event.time - last) > InstanceState.foldingWindow
    }

    /// Whether a launch is that of a run whose scenes have connected moments ago, which some apps print before it.
    private func isSceneFirst(_ run: RunState, at time: Int64) -> Bool {
        run.launchSeen == 0 && run.usesScenes && !run.toldBeyondLaunch && time != Time.none
            && run.firstSeen != Time.none && abs(time - run.firstSeen) <= Self.launchTolerance
    }

    /// Whether a line comes so long after the last one of a run that its end must lie between.
    func isLongAfter(_ run: RunState, _ time: Int64) -> Bool {
        time != Time.none && run.lastHeard != Time.none && time - run.lastHeard > Self.reportDelay
    }

    /// The place of a launch callback in their documented order, as a bit.
    private func launchBit(_ event: CallbackEvent) -> UInt8? {
        plan.catalog.models[Int(event.model)].launchOrder.firstIndex(of: event.local).map { 1 << UInt8(min($0, 7)) }
    }

    /// Notes what a callback says of its run, before it reaches its instance.
    mutating func note(_ event: CallbackEvent) {
        let tellsActive = plan.catalog.activeCallbacks[Int(event.model)] & 1 << UInt64(event.local) != 0
        if tellsActive { runs.states[Int(event.run)].tellsActive = true }
        if event.traits.contains(.isOfApp) {
            noteAppCallback(event)
        } else if event.traits.contains(.isPerScene), !event.traits.contains(.isUnknown) {
            // A callback that the platform does not have does not say whether the app has scenes.
            noteSceneCallback(event)
        } else if event.traits.contains(.wakesInBackground) {
            noteWake(event.run)
        }
    }

    /// Notes that the system woke the app in the background.
    private mutating func noteWake(_ slot: Int32) {
        let run = Int(slot)
        let app = runs.states[run].app
        guard app >= 0 else { return }
        undecided[app]?.wokenInBackground = true
        if runs.states[run].usesScenes, states[Int(app)].state == plan.catalog.background {
            runs.states[run].everBackground = true
        }
    }

    private mutating func noteAppCallback(_ event: CallbackEvent) {
        let run = Int(event.run)
        if event.traits.contains(.beginsRun) {
            noteLaunch(event)
        } else if !event.isSupplementary {
            runs.states[run].launching = false
        } else if event.traits.contains(.wakesInBackground) {
            noteWake(event.run)
        }
        guard !event.isSupplementary else { return }
        runs.states[run].begun = true
        noteTeller(event.run, isLaunch: event.traits.contains(.beginsRun))
        if !event.traits.contains(.beginsRun) { runs.states[run].told |= 1 << UInt64(event.local) }
    }

    private mutating func noteLaunch(_ event: CallbackEvent) {
        let run = Int(event.run)
        let bit = launchBit(event) ?? 0
        if runs.states[run].launchSeen == 0 {
            // What was there before the launch may have been of the process before, unless it says why this one was
            // launched.
            if runs.details[run].launchCause == nil {
                for other in runs.details[run].others { states[Int(other)].doubt() }
            }
            runs.states[run].launchMayBeCut =
                bit > 1 && mayFollowCutLaunch(runs.states[run], at: event.time) && !runs.followsLaunch(event.run)
        }
        let isFirst = runs.states[run].launchSeen == 0 && !runs.states[run].toldBeyondLaunch
        if !runs.states[run].begun || !runs.states[run].toldByCallbacks || isFirst { runs.states[run].launching = true }
        if runs.states[run].started == Time.none { runs.states[run].started = event.time }
        runs.states[run].launchSeen |= bit
    }

    /// Whether an earlier callback of a launch may lie before the log: the log begins less than a launch before it, and no
    /// line shows the start of the process. The clock may have gone back a little in between.
    private func mayFollowCutLaunch(_ run: RunState, at time: Int64) -> Bool {
        guard run.processStart == Time.none else { return false }
        guard time != Time.none, firstTime != Time.none else { return true }
        return time - firstTime <= 2 * Self.longestLaunch
    }

    /// Callbacks show the state from now on. Before the log began they may have done so already, while other words gave
    /// it in what the log shows.
    private mutating func noteTeller(_ slot: Int32, isLaunch: Bool) {
        let run = Int(slot)
        let isFirst = isLaunch ? !runs.states[run].toldByCallbacks : !runs.states[run].toldBeyondLaunch
        guard isFirst else { return }
        runs.states[run].toldByCallbacks = true
        guard runs.states[run].launchSeen == 0 else { return }
        doubtApp(of: slot)
        for scene in runs.details[run].others where states[Int(scene)].isToldByWords { states[Int(scene)].doubt() }
    }

    private mutating func noteSceneCallback(_ event: CallbackEvent) {
        let (slot, run, model) = (event.run, Int(event.run), Int(event.model))
        let proven = plan.catalog.models[model].proof(of: event.local)
        // That a scene connects, or is gone, does not say where the app is.
        let isActivation =
            plan.catalog.derivesApp[model] && proven != CompiledModel.unknown
            && plan.catalog.derived[model][Int(proven)].weight > 0
        runs.states[run].begun = true
        noteTeller(slot, isLaunch: !isActivation)
        if isActivation { runs.states[run].scenesTell = true }
        runs.states[run].launching = false
        guard !runs.states[run].usesScenes else { return }
        runs.states[run].usesScenes = true
        if runs.states[run].launchSeen == 0 { doubtApp(of: slot) }
        // Without a scene in the foreground the app of a scene-based process is in the background.
        let app = runs.states[run].app
        if app >= 0, states[Int(app)].alternatives != 0 {
            let isLaunch = undecided[app]?.isLaunch ?? true
            decide(app, other: isLaunch, inferred: !isLaunch, byScenes: true)
        }
    }

    private mutating func doubtApp(of run: Int32) {
        let app = runs.states[Int(run)].app
        if app >= 0 { states[Int(app)].doubt() }
    }

    // MARK: The instance

    /// Applies a callback to its instance.
    mutating func apply(_ event: inout CallbackEvent) {
        let slot = Int(event.instance)
        let model = plan.catalog.models[Int(event.model)]
        if event.traits.contains(.beginsRun), isPlacedBySystem(event.run) { takeBack(event.instance) }
        if states[slot].alternatives != 0 { narrow(event) }
        (event.met, event.followsLoss) = (states[slot].state, states[slot].followsLoss)
        let isApp = event.traits.contains(.isOfApp)
        var isTelling = false
        if isApp, runs.states[Int(event.run)].usesScenes {
            if event.traits.isDisjoint(with: [.beginsRun, .endsRun, .isUnknown]) {
                isTelling = noteNotification(&event, model)
                if !isTelling {
                    (event.before, event.after) = (event.met, event.met)
                    event.step = record(change(event))
                    return
                }
            } else {
                event.isNotification = event.traits.contains(.isJudgedByProcess)
            }
        }
        var action = model.action(of: event.local, in: event.met)
        var doubtful: UInt64 = 0
        if !action.isLegal {
            if event.isNotification, !isTelling {
                // Of a process with scenes, terminate is documented wherever the scenes are.
                action.isLegal = true
            } else if let state = stateAfterTie(event, model) {
                event.isTie = true
                if states[slot].previousBefore == CompiledModel.unknown { doubtful = 1 << UInt64(action.after) }
                action.after = state
            }
        }
        // A framework may print the state before the callback that leads to it, or that of a scene before it connects.
        if !action.isLegal, states[slot].isToldByWords,
            model.proof(of: event.local) == event.met || isToldBeforeConnection(event, event.instance, model)
        {
            (action.isLegal, action.after, event.isForetold) = (true, event.met, true)
        }
        if !action.isLegal, isPostedAtLaunch(event, model) { (action.isLegal, event.isNotification) = (true, true) }
        if event.followsLoss, action.before == action.after { action.isLegal = true }
        if event.traits.contains(.isUnknown) { action.isLegal = false }
        (event.before, event.after, event.isLegal) = (action.before, action.after, action.isLegal)
        event.step = record(change(event))
        // What the app's methods would have to be called for says nothing about its notifications.
        if isTelling || event.followsLoss { event.isLegal = true }
        if model.proof(of: event.local) != CompiledModel.unknown {
            states[slot].followsLoss = false
            // It has been in another state, and no line tells when.
            if !event.isLegal, !event.isTie, event.before == event.after, states[slot].previous != event.callback {
                states[slot].broken = true
            }
            states[slot].doubtful = doubtful
            states[slot].isToldByWords = false
        }
        if event.traits.contains(.beginsInstance) { states[slot].sawBeginning = true }
        if !event.isSupplementary { states[slot].hasMoved = true }
        if action.alternatives != 0, action.before != action.after { leaveOpen(event, action.alternatives) }
        if isApp, event.traits.contains(.endsRun) { noteTermination(event) }
    }

    private func change(_ event: CallbackEvent) -> Change {
        Change(
            instance: event.instance, subject: event.local, before: event.before, after: event.after,
            isLegal: event.isLegal, time: event.time, line: event.line)
    }

    /// Notes a notification in an app with scenes.
    ///
    /// - Returns: whether it moves the app. Once a scene has shown where it is, scenes decide the state of the app; in a log
    ///   that begins later they may have done so before.
    private mutating func noteNotification(_ event: inout CallbackEvent, _ model: CompiledModel) -> Bool {
        let run = Int(event.run)
        let proven = model.proof(of: event.local)
        // What proves no state, such as a lock of protected data, is judged by the state that the scenes give the app.
        event.isNotification = proven != CompiledModel.unknown
        if proven == plan.catalog.active { runs.states[run].everActive = true }
        if proven == plan.catalog.background { runs.states[run].everBackground = true }
        return event.isNotification && !runs.states[run].scenesTell && runs.states[run].launchSeen != 0
    }

    /// Notes that a launch may have led into another state than the one that it seems to lead to.
    private mutating func leaveOpen(_ event: CallbackEvent, _ alternatives: UInt64) {
        states[Int(event.instance)].alternatives = alternatives
        if let step = rows.batch.steps.last {
            let key = KindKey(packed: rows.kinds.known[Int(step.kind)])
            undecided[event.instance] = UndecidedVisit(time: event.time, steps: [(step, key, 0)])
        }
        if runs.states[Int(event.run)].usesScenes {
            decide(event.instance, other: true, inferred: false, byScenes: true)
        }
    }

    /// Whether an event is the enter-foreground that UIKit posts at every launch of an app with scenes, be they logged or not,
    /// while it calls the app's method only after the background.
    private func isPostedAtLaunch(_ event: CallbackEvent, _ model: CompiledModel) -> Bool {
        let previous = Int(states[Int(event.instance)].previous)
        guard event.isPosted, previous < plan.catalog.traits.count,
            plan.catalog.traits[previous].contains(.beginsRun)
        else { return false }
        let usual = model.action(of: event.local, in: plan.catalog.background)
        return usual.isLegal && usual.after == event.met
    }

    private mutating func noteTermination(_ event: CallbackEvent) {
        let run = Int(event.run)
        // What a crash has begun to end is not called off.
        if runs.states[run].endReason != .crash {
            runs.states[run].endReason = .terminated
            runs.states[run].endIsExplained = true
        }
        states[Int(event.instance)].noteExit(in: event.before)
        if runs.states[run].ended == Time.none { runs.states[run].ended = event.time }
        runs.retire(event.run)
    }

    /// The state after a callback that belongs before the one before it, which has the same time; `nil` when it does not.
    private func stateAfterTie(_ event: CallbackEvent, _ model: CompiledModel) -> UInt8? {
        let instance = states[Int(event.instance)]
        guard event.time != Time.none, instance.previousTime == event.time,
            Int(instance.previous) < plan.catalog.places.count
        else { return nil }
        let place = plan.catalog.places[Int(instance.previous)]
        guard place.model == model.number else { return nil }
        // Nothing of a run but a launch callback can belong before its launch.
        let isLaunch = plan.catalog.traits[Int(instance.previous)].contains(.beginsRun)
        guard !isLaunch || event.traits.contains(.beginsRun) else { return nil }
        let first = model.action(of: event.local, in: instance.previousBefore)
        guard first.isLegal else { return nil }
        let second = model.action(of: place.callback, in: first.after)
        return second.isLegal ? second.after : nil
    }

    /// The instance whose last callback is the one that a line says to return; `nil` when none is, so that the line is the
    /// only one that the log has of the callback.
    func executing(_ event: CallbackEvent) -> Int32? {
        guard runs.states[Int(event.run)].id != 0 else { return nil }
        let app = runs.states[Int(event.run)].app
        if event.traits.contains(.isOfApp) { return app >= 0 && isOpen(event.callback, app) ? app : nil }
        return runs.details[Int(event.run)].others.last { other in
            states[Int(other)].model == event.model && isOpen(event.callback, other)
                && (event.label == 0 || states[Int(other)].label == event.label)
        }
    }

    private func isOpen(_ callback: UInt16, _ instance: Int32) -> Bool {
        states[Int(instance)].previous == callback && !states[Int(instance)].hasReturned
    }

    /// Whether a callback is one more line of an execution of its instance, and no event of its own.
    func isFolded(_ event: CallbackEvent) -> Bool {
        event.traits.contains(.folds) && states[Int(event.instance)].isRepeated(event.local, at: event.time)
    }

    /// Whether a callback is one more line of the execution that ended an object of its label, which no other followed.
    ///
    /// - Parameter isEqual: whether an earlier line is equal to it.
    mutating func isFoldedIntoRetired(_ event: CallbackEvent, isEqual: Bool) -> Bool {
        guard event.traits.contains(.isPerObject) else { return false }
        let model = plan.catalog.models[Int(event.model)]
        if isEqual, event.traits.contains(.endsInstance) {
            return !isAboutNamesake(event, model)
        }
        let over = runs.details[Int(event.run)].retired.last { $0.model == event.model && $0.label == event.label }
        guard let over, over.callback == event.local, over.time != Time.none, event.time != Time.none,
            abs(event.time - over.time) <= InstanceState.foldingWindow
        else { return false }
        return !isAboutNamesake(event, model)
    }

    /// Notes a callback as the last one of its instance, once everybody has looked at it.
    @inline(__always)
    mutating func remember(_ event: CallbackEvent) {
        let slot = Int(event.instance)
        states[slot].lastCallback = event.local
        states[slot].executionTime = event.time
        states[slot].lastText = event.textHash
        guard !event.isSupplementary else { return }
        states[slot].hasReturned = event.isReturn
        // Of two lines of one time in the wrong order, the first is the later one.
        guard !event.isTie else { return }
        states[slot].previous = event.callback
        states[slot].previousTime = event.time
        states[slot].previousBefore = event.met
    }

    // MARK: Callbacks of no scene that is known

    /// Whether a callback of scenes is an event of the app: the platform does not have it, and no scene has its label; or it
    /// ends a session that it does not name, and no scene of the run is where that can end; or it ends a controller that
    /// another one of its name had replaced before.
    mutating func isUnplaced(_ event: CallbackEvent, label printed: @autoclosure () -> String) -> Bool {
        let model = plan.catalog.models[Int(event.model)]
        if model.isPerObject { return endsReplaced(event, model, label: printed()) }
        if event.traits.contains(.isUnknown) { return search(event.run, model, label: event.label) == nil }
        guard event.label == 0, event.traits.contains(.endsInstance), plan.catalog.app != nil else { return false }
        let scenes = runs.details[Int(event.run)].others.map { states[Int($0)] }.filter { $0.model == model.number }
        return !scenes.isEmpty && !scenes.contains { model.action(of: event.local, in: $0.state).isLegal }
    }

    /// Whether a callback is the late end of an object that has made room for another of its name, because that one is over
    /// or not where its life can end.
    private mutating func endsReplaced(
        _ event: CallbackEvent, _ model: CompiledModel, label printed: @autoclosure () -> String
    ) -> Bool {
        let retired = runs.details[Int(event.run)].retired.lastIndex {
            $0.model == event.model && $0.label == event.label
                && !(Int($0.callback) < model.traits.count && model.traits[Int($0.callback)].contains(.endsInstance))
        }
        // Of two objects with one address, one is gone before the other comes.
        guard let retired, !printed().contains("0x"), !isAboutNamesake(event, model) else { return false }
        runs.details[Int(event.run)].retired[retired].callback = event.local
        runs.details[Int(event.run)].retired[retired].time = event.time
        return true
    }

    /// Keeps such an event, which changes nothing.
    ///
    /// - Returns: whether it is a further one, and not one more line of the same execution.
    mutating func applyUnplaced(_ event: inout CallbackEvent) -> Bool {
        guard let number = plan.catalog.app else { return false }
        event.instance = ofRun(event.run, plan.catalog.models[number])
        // No callback of the app has such a number.
        let mark = CompiledModel.noCallback - 1 - event.local
        if states[Int(event.instance)].isRepeated(mark, at: event.time) { return false }
        let state = states[Int(event.instance)].state
        event.step = record(
            Change(
                instance: event.instance, subject: event.local, foreignModel: event.model, before: state, after: state,
                isLegal: !event.traits.contains(.isUnknown), time: event.time, line: event.line))
        states[Int(event.instance)].lastCallback = mark
        states[Int(event.instance)].executionTime = event.time
        return true
    }
}
