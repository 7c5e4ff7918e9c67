import TraceRecords

/// Applies callbacks and evidence to the instances of runs, and makes the steps that follow.
///
/// It knows where every run and instance is; rules, limits, scenarios and suspensions are matters of those who look at
/// its ``emissions``.
struct InstanceMachine {
    /// How many instances of a run can be open at a time; beyond that the oldest is closed.
    static let openInstancesKept = 4096
    /// How many objects of one name are told apart at a time; the oldest makes room for the next.
    static let namesakesKept = 16
    /// The instance of a label is looked up where a run has more instances than this.
    static let instancesLookedThrough = 16
    /// No launch takes longer than this from its first callback to its last.
    static let longestLaunch: Int64 = 60 * Time.second

    let plan: ReplayPlan
    let options: ReplayOptions
    var runs = RunTable()
    var rows: RowWriter
    var states: [InstanceState] = []
    /// Labels of the instances as printed.
    var labels: [String] = []
    var free: [Int32] = []
    /// Visits of which the line that began them does not say in which state they are, by slot of the instance.
    var undecided: [Int32: UndecidedVisit] = [:]
    /// What has happened since the observers looked last.
    var emissions: [Emission] = []

    /// How the present line names a callback that the platform does not have; `nil` where it was not kept.
    var printedName: String?

    /// The present source, and how many have come.
    var source: Int32 = 0
    var sourceCount: Int32 = 0
    /// Times of the first line of the log, and of the latest one of whatever process.
    var firstTime = Time.none
    var latest = Time.none

    init(plan: ReplayPlan, options: ReplayOptions, rows: RowWriter) {
        self.plan = plan
        self.options = options
        self.rows = rows
    }

    /// Makes the step of an event or of a derived change, and moves the instance.
    @discardableResult
    mutating func record(_ change: Change) -> Int64 {
        let slot = Int(change.instance)
        let model = plan.catalog.models[Int(states[slot].model)]
        let run = Int(states[slot].run)
        let id = rows.stepID()
        var emission = Emission(change, states[slot], step: id)
        if emission.wentBack { states[slot].broken = true }
        var key = KindKey(
            isDerived: change.isDerived, model: change.foreignModel ?? model.number, origin: change.origin,
            subject: change.subject, before: change.before, after: change.after)
        key.inferred = change.inferred
        if change.foreignModel != nil { (key.before, key.after) = (CompiledModel.unknown, CompiledModel.unknown) }
        var opener: Int64 = 0
        if change.before != change.after {
            if change.before != CompiledModel.unknown, change.after != CompiledModel.unknown {
                key.verdict = change.isLegal ? .documented : .undocumented
            }
            if model.hasVisits(change.before) {
                let cut = states[slot].cutLeft || states[slot].state == CompiledModel.unknown
                key.closedLeft = cut
                key.closedInferred =
                    states[slot].openedByInference || change.inferred && !change.endsForCertain
                    || change.origin == 0 && mayHideActive(slot) && !isActive(change.after, model)
                opener = states[slot].opener
                emission.dwell = length(of: states[slot], cut: cut, until: change.time)
            }
        } else if !change.isLegal {
            key.verdict = .undocumented
        }
        var step = Step(
            id: id, instance: states[slot].id, line: change.line, time: Time.optional(change.time),
            kind: rows.number(of: key), dwell: Time.optional(emission.dwell), opener: opener == 0 ? nil : opener)
        if !change.isDerived, change.origin == 0 {
            step.previousCallback = states[slot].lastCallbackKind
            states[slot].lastCallbackKind = step.kind
        }
        rows.batch.steps.append(step)
        if states[slot].alternatives != 0 { undecided[change.instance]?.steps.append((step, key, 0)) }
        emissions.append(emission)
        let mayBeCut = mayHaveBegunBefore(change)
        if states[slot].move(change, step: id, of: source, mayBeCut: mayBeCut), Int(model.number) == plan.catalog.app {
            if change.after == plan.catalog.active {
                // What becomes active at once was not launched into the background, whatever came in between.
                if !runs.states[run].everActive, !runs.states[run].everBackground {
                    runs.details[run].launchCause = nil
                }
                runs.states[run].everActive = true
            }
            if change.after == plan.catalog.background { runs.states[run].everBackground = true }
        }
        return id
    }

    /// Whether a visit may have begun before the line that seems to begin it.
    ///
    /// The first callback that a log shows may repeat one that it does not show: only what begins a life shows a new
    /// state by itself, and a launch only if no earlier launch callback can lie before the log.
    private func mayHaveBegunBefore(_ change: Change) -> Bool {
        let slot = Int(change.instance)
        if change.after != CompiledModel.unknown, states[slot].doubtful & 1 << UInt64(change.after) != 0 { return true }
        let isCallback = !change.isDerived && change.origin == 0
        if states[slot].followsLoss {
            return !isCallback || !plan.catalog.models[Int(states[slot].model)].beginsLife(change.subject)
        }
        if isCallback, plan.catalog.models[Int(states[slot].model)].late.contains(change.subject) { return true }
        guard states[slot].state == CompiledModel.unknown else { return false }
        guard isCallback else { return !change.showsBeginning }
        if runs.states[Int(states[slot].run)].launchMayBeCut { return true }
        return !plan.catalog.models[Int(states[slot].model)].beginsLife(change.subject)
    }

    /// Whether the open visit may hide active ones: the app or a scene is inactive, and no line of the run so far shows
    /// that the app logs when it is active.
    @inline(__always)
    func mayHideActive(_ slot: Int) -> Bool {
        let instance = states[slot]
        return instance.state != CompiledModel.unknown
            && plan.catalog.inactiveStates[Int(instance.model)] & 1 << UInt64(instance.state) != 0
            && !runs.states[Int(instance.run)].tellsActive
    }

    private func isActive(_ state: UInt8, _ model: CompiledModel) -> Bool {
        plan.catalog.activeStates[Int(model.number)] & 1 << UInt64(state) != 0
    }

    /// How long the open visit has lasted: exactly, or at least when its beginning is not known; ``Time/none`` where
    /// nothing is known.
    @inline(__always)
    func length(of instance: InstanceState, cut: Bool, until time: Int64) -> Int64 {
        guard time != Time.none, !instance.broken else { return Time.none }
        var begin = instance.entered
        if cut, begin == Time.none {
            let run = Int(instance.run)
            // Before the launch, or before an object existed, nothing is known of it.
            if instance.isNew || runs.states[run].launchSeen != 0 { return Time.none }
            begin = runs.states[run].firstSeen
        }
        guard begin != Time.none, begin <= time else { return Time.none }
        return time - begin
    }

    /// Lines of a run are lost. How long it was silent is not known either.
    mutating func loseLines(of run: Int32) {
        (runs.states[Int(run)].lastSign, runs.states[Int(run)].hasLost) = (Time.none, true)
        for slot in instances(of: run) { states[Int(slot)].loseLines() }
    }

    /// The open instances of a run.
    func instances(of run: Int32) -> [Int32] {
        let app = runs.states[Int(run)].app
        return runs.details[Int(run)].others + (app >= 0 ? [app] : [])
    }

    /// Since when the last of a run's objects that keep the process running has done so; none where no object does.
    func workBegan(in run: Int32) -> Int64 {
        runs.details[Int(run)].others.reduce(Time.none) { latest, slot in
            let instance = states[Int(slot)]
            let working = plan.catalog.models[Int(instance.model)].working
            guard working != 0, instance.state != CompiledModel.unknown, working & 1 << UInt64(instance.state) != 0
            else { return latest }
            // A task that is launched again runs anew.
            return max(instance.entered, instance.lastTime, latest)
        }
    }

    /// A suspended process that writes something runs again.
    mutating func wake(_ run: Int32, at time: Int64, line: Int64) {
        let app = runs.states[Int(run)].app
        guard app >= 0 else { return }
        let model = plan.catalog.models[Int(states[Int(app)].model)]
        guard model.suspended != CompiledModel.unknown, states[Int(app)].state == model.suspended,
            let awake = model.awake
        else { return }
        record(
            Change(
                instance: app, isDerived: true, subject: CompiledModel.noCallback, origin: rows.origins.life,
                before: model.suspended, after: awake, inferred: true, time: time, line: line))
    }

    /// A line of the log is the first of a run, or its process wrote it.
    @inline(__always)
    mutating func mention(_ run: Int32, line: Int64) {
        let place = LinePlace(source: sourceCount, line: line)
        if runs.states[Int(run)].mentioned < place { runs.states[Int(run)].mentioned = place }
    }

    /// Whether nothing but a failed launch is known of a run: it led neither to active nor to the background, or the line
    /// of its end says so, and the process was not heard of for longer than a launch takes.
    ///
    /// Until a scene is in the foreground the app counts as in the background, which is no more than where every app with
    /// scenes begins; a process that lives on there for some time was launched into it.
    func isFailedLaunch(_ slot: Int32) -> Bool {
        let run = runs.states[Int(slot)]
        let isCutOff = run.launchSeen != 0 && !run.everActive && !run.everBackground
        guard isCutOff || run.endIsOfLaunch && !run.toldBeyondLaunch else { return false }
        guard run.started != Time.none, run.lastHeard != Time.none else { return true }
        let life = run.lastHeard - run.started
        if life > Self.longestLaunch { return false }
        guard run.usesScenes, run.app >= 0, states[Int(run.app)].state == plan.catalog.background,
            plan.settings.infersBackgroundLaunch
        else { return true }
        return life <= plan.settings.backgroundLaunchAfter
    }

    /// Whether a line shows that a process whose app has not been active yet was launched into the background: there it waits
    /// for as long as it takes until the user opens it.
    func wasLaunchedIntoBackground(_ slot: Int32) -> Bool {
        runs.details[Int(slot)].launchCause != nil || runs.states[Int(slot)].everBackground
    }

    /// Why a run ended of which no line says why, by the state it was in.
    func reasonOfSilentEnd(_ slot: Int32, state: UInt8) -> EndReason? {
        guard let app = plan.catalog.app, state != CompiledModel.unknown else { return nil }
        // Of lost lines, one may say why.
        if runs.states[Int(slot)].app >= 0, states[Int(runs.states[Int(slot)].app)].followsLoss { return nil }
        let model = plan.catalog.models[app]
        if isFailedLaunch(slot), state != model.notRunning { return .launchFailure }
        if state == plan.catalog.background || state == model.suspended { return .killedInBackground }
        return state == model.notRunning ? .terminated : .abnormalInForeground
    }
}

/// What an event of one instance means to others.
extension InstanceMachine {
    /// Whether the app is where its scenes are: before one of them has shown where it is, other lines know better.
    func followsScenes(_ slot: Int32) -> Bool {
        let run = runs.states[Int(slot)]
        return run.scenesTell || run.app < 0 || states[Int(run.app)].state == CompiledModel.unknown
    }

    /// Derives the state of the app from its scenes after one of them has moved.
    ///
    /// - Parameters:
    ///   - last: the state of the scene before.
    ///   - isAlone: whether what tells of the scene tells of all of them, so that none may keep the app where it is.
    ///   - begins: whether the state of the app begins with the line, although the one before is not known.
    /// - Returns: the app's instance, where it has moved.
    @discardableResult
    mutating func deriveApp(
        _ slot: Int32, after last: UInt8, isAlone: Bool = false, begins: Bool = false, at time: Int64, line: Int64
    ) -> Int32? {
        guard let number = plan.catalog.app else { return nil }
        let run = Int(slot)
        var (state, weight, scenes) = (CompiledModel.unknown, -1, 0)
        var (mapped, isLost) = (CompiledModel.unknown, false)
        for slot in runs.details[run].others {
            let model = Int(states[Int(slot)].model)
            guard plan.catalog.derivesApp[model] else { continue }
            scenes += 1
            if last != CompiledModel.unknown { mapped = plan.catalog.derived[model][Int(last)].state }
            isLost = isLost || states[Int(slot)].followsLoss
            let scene = states[Int(slot)].state
            guard scene != CompiledModel.unknown, plan.catalog.derived[model][Int(scene)].weight > weight else {
                continue
            }
            (state, weight) = plan.catalog.derived[model][Int(scene)]
        }
        guard state != CompiledModel.unknown else { return nil }
        // A scene that is in the background says more than one that is nowhere yet.
        if state == plan.catalog.background, weight > 0 { runs.states[run].everBackground = true }
        let model = plan.catalog.models[number]
        let app = ofRun(slot, model)
        var before = states[Int(app)].state
        if before == state, !isLost { states[Int(app)].followsLoss = false }
        if before == state || before == model.notRunning && before != CompiledModel.unknown { return nil }
        if before == CompiledModel.unknown, scenes == 1 { before = mapped }
        if before == state {
            (states[Int(app)].state, states[Int(app)].cutLeft, states[Int(app)].begun) = (state, true, true)
            (states[Int(app)].lastSource, states[Int(app)].lastLine) = (source, line)
            return nil
        }
        let kept = states[Int(app)].lastCallback
        record(
            Change(
                instance: app, isDerived: true, subject: CompiledModel.noCallback, before: before, after: state,
                isLegal: before == CompiledModel.unknown || model.isConnected(before, state),
                // A scene that connected before the log began may keep the app where it is.
                inferred: !isAlone && !runs.states[run].launchIsShown, showsBeginning: begins, time: time, line: line))
        states[Int(app)].lastCallback = kept
        return app
    }

    /// Moves the instances of models whose transitions name callbacks of other models. What a callback means to such a
    /// model in a state that names no move for it is not known, so the instance stays there and nothing is wrong.
    mutating func drive(by event: CallbackEvent) {
        for listener in plan.catalog.listeners[Int(event.callback)] {
            let model = plan.catalog.models[Int(listener.model)]
            if model.isPerRun {
                let isThere =
                    runs.states[Int(event.run)].launchSeen != 0 || search(event.run, model, label: 0) != nil
                if isThere { follow(ofRun(event.run, model), listener.callback, event) }
            } else {
                for other in runs.details[Int(event.run)].others where states[Int(other)].model == listener.model {
                    follow(other, listener.callback, event)
                }
            }
        }
    }

    private mutating func follow(_ slot: Int32, _ callback: UInt16, _ event: CallbackEvent) {
        let state = states[Int(slot)].state
        guard state != CompiledModel.unknown else { return }
        let action = plan.catalog.models[Int(states[Int(slot)].model)].action(of: callback, in: state)
        guard action.isLegal, action.after != state else { return }
        let last = states[Int(slot)].lastCallback
        record(
            Change(
                instance: slot, isDerived: true, subject: callback, before: state, after: action.after,
                time: event.time, line: event.line))
        states[Int(slot)].lastCallback = last
    }
}

/// A change of an instance, or an event that changes nothing.
struct Change {
    var instance: Int32
    /// Whether it follows from an event of another instance, or from the process having written a line.
    var isDerived = false
    /// The callback by its number in the model, or the place of the proof.
    var subject: UInt16
    /// The model that the callback is of, where it is not that of the instance: then nothing moves.
    var foreignModel: UInt8?
    /// Number of the evidence's origin; 0 for a callback.
    var origin: UInt16 = 0
    var before: UInt8
    var after: UInt8
    var isLegal = true
    var inferred = false
    /// Whether evidence shows that the state after begins with it, although nothing is known of the one before.
    var showsBeginning = false
    /// Whether the state before ended for certain, even where it is inferred what came after it.
    var endsForCertain = false
    var time: Int64
    var line: Int64
}

/// What the observers learn of a step, or of a visit that was decided.
struct Emission: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable { case event, derived, decision }

    var kind: Kind
    var instance: Int32
    var run: Int32
    var model: UInt8
    /// Whether the step has a callback: its own, or one that drives the instance from another model.
    var hasCallback: Bool
    /// State of the instance before, as the step shows it, and after.
    var met: UInt8
    var before: UInt8
    var after: UInt8
    /// The visit that was open: when it began, the step that began it, whether its beginning is inferred, and how long it
    /// lasted.
    var entered: Int64
    var opener: Int64
    var openedByInference: Bool
    var dwell = Time.none
    /// Time of the event before, and of this one.
    var lastTime: Int64
    var time: Int64
    var line: Int64
    var step: Int64

    @inline(__always)
    init(_ change: Change, _ instance: InstanceState, step: Int64) {
        kind = change.isDerived ? .derived : .event
        self.instance = change.instance
        run = instance.run
        model = instance.model
        hasCallback = change.origin == 0 && change.subject != CompiledModel.noCallback
        met = instance.state
        before = change.before
        after = change.after
        entered = instance.entered
        opener = instance.opener
        openedByInference = instance.openedByInference
        lastTime = instance.lastTime
        time = change.time
        line = change.line
        self.step = step
    }

    /// A visit has been decided: the instance is in `after` and not in `met`, or in what it seemed to be.
    init(decided instance: InstanceState, slot: Int32, from old: UInt8) {
        kind = .decision
        self.instance = slot
        run = instance.run
        model = instance.model
        hasCallback = false
        met = old
        before = old
        after = instance.state
        entered = instance.entered
        opener = instance.opener
        openedByInference = instance.openedByInference
        lastTime = instance.lastTime
        time = Time.none
        line = instance.lastLine
        step = instance.lastStep
    }

    /// Whether the clock of the log went back between two events of the instance, or they can't be compared.
    @inline(__always)
    var wentBack: Bool {
        time != Time.none && lastTime != Time.none
            && (time < lastTime || !Time.isDated(lastTime) && Time.isDated(time))
    }
}
