import LifecycleModel
import TraceRecords

/// A line that proves a state without being a callback.
struct EvidenceEvent {
    var run: Int32
    var proof: Proof
    /// Number of the origin.
    var origin: UInt16
    var textHash: UInt16
    var time: Int64
    var line: Int64

    /// What it asks of the app's instance.
    var effect: Effect
    /// Whether the system wrote it, and not the process itself.
    var bySystem: Bool
    /// Whether it tells of a change, so that the state begins with it.
    var isChange = false
    /// Whether it shows a launch of a run of which so far only the end is known.
    var isOfEarlierLaunch = false

    /// The scene that the line names, as a hash and as printed.
    var label: UInt64 = 0
    var printed = ""
    /// The instance that it is about.
    var instance: Int32 = -1

    /// The step that it became, and the change that it made.
    var step: Int64 = 0
    var before = CompiledModel.unknown
    var after = CompiledModel.unknown
    var isLegal = true
    /// Whether one of the two states may be another one, so that nobody can say that the change is wrong.
    var isVague = false

    enum Effect {
        case none
        /// The process was launched.
        case launch
        /// The app is in a state of its model.
        case state(UInt8)
        /// The process runs, whatever the state of its app.
        case running
        /// The app is in the foreground: active or inactive.
        case foreground
        /// The process has ended.
        case exit(EndReason?)
    }

    var isLaunch: Bool { if case .launch = effect { true } else { false } }
    var isExit: Bool { if case .exit = effect { true } else { false } }
}

extension InstanceMachine {
    /// A crash report and the system's own lines may differ so far about when a process ended.
    static let reportDelay: Int64 = 60 * Time.second
    /// The start of a process and its launch callbacks may be so far apart in the wrong order.
    static let launchTolerance: Int64 = Time.second

    /// What a line of evidence says.
    mutating func evidence(_ event: Event, _ proof: Proof, origin: String?, run: Int32) -> EvidenceEvent {
        let origin = rows.origin(origin)
        var evidence = EvidenceEvent(
            run: run, proof: proof, origin: origin, textHash: event.textHash, time: Time.plain(event.time),
            line: event.line, effect: effect(of: proof), bySystem: rows.origins.isSystem[Int(origin)],
            isChange: event.isNotification)
        // The stop button kills; what else kills an app under a debugger says so.
        if proof == .exitedByKill, rows.origins.names[Int(origin)] == "debugger" {
            evidence.effect = .exit(.terminated)
        }
        evidence.isOfEarlierLaunch = evidence.isLaunch && liesBeforeEnd(run, at: evidence.time)
        return evidence
    }

    private func effect(of proof: Proof) -> EvidenceEvent.Effect {
        guard let app = plan.catalog.app else { return .none }
        let model = plan.catalog.models[app]
        return switch proof {
        case .launching, .launched: .launch
        case .active: model.state("active").map { .state($0) } ?? .none
        case .inactive, .activating: model.state("inactive").map { .state($0) } ?? .none
        case .foreground: .foreground
        case .background: model.state("background").map { .state($0) } ?? .none
        case .suspended: model.suspended == CompiledModel.unknown ? .none : .state(model.suspended)
        case .terminating: .exit(.terminated)
        case .notRunning, .exitedByKill: .exit(nil)
        case .exitedByWatchdog: .exit(.watchdog)
        case .exitedByJetsam: .exit(.jetsam)
        case .exitedBySignal: .exit(.crash)
        case .exitedAtLaunch: .exit(.launchFailure)
        case .running: .running
        case .memoryLimit, .unknown, .appeared, .appVersion, .systemVersion, .endDetail, .launchCause,
            .systemOfLog, .systemBoot, .linesLost:
            .none
        }
    }

    // MARK: The run

    /// Whether a line is about another process lifetime than the run that its speaker leads to.
    func beginsAnotherRun(_ event: EvidenceEvent) -> Bool {
        let run = runs.states[Int(event.run)]
        if event.isLaunch, !event.isOfEarlierLaunch {
            if run.hasEnded { return true }
            return !event.bySystem && run.begun && !isSameLaunch(run, at: event.time) && !repeatsLaunch(event)
        }
        return event.proof == .exitedBySignal && hasEndedOtherwise(run, at: event.time)
    }

    /// Whether callbacks show that UIKit did not refuse to launch a process: a line that says so speaks of another one.
    func isPastLaunch(_ run: Int32) -> Bool {
        let run = runs.states[Int(run)]
        return run.pid != RunState.noPid && (run.usesScenes || run.toldBeyondLaunch)
    }

    /// Whether a line about a launch is about the one that the callbacks of a run have shown: their log may cut off
    /// fractions of seconds, and a crash report has the exact moment.
    private func isSameLaunch(_ run: RunState, at time: Int64) -> Bool {
        guard run.launchSeen != 0, run.processStart == Time.none, time != Time.none, run.started != Time.none else {
            return false
        }
        return abs(time - run.started) <= Self.launchTolerance
    }

    /// Whether a line tells of a launch that its run has already shown, by callbacks or by a line with the same process id,
    /// within the time that a launch takes.
    private func repeatsLaunch(_ event: EvidenceEvent) -> Bool {
        let run = runs.states[Int(event.run)]
        let isTold = run.processStart != Time.none
        guard isTold ? run.pid != RunState.noPid : run.launchSeen != 0 else { return false }
        let launch = isTold ? run.processStart : run.started
        return event.time != Time.none && launch != Time.none && abs(event.time - launch) <= Self.longestLaunch
    }

    /// Whether a run has an end that is not the one that a crash report gives: another process had its pid.
    private func hasEndedOtherwise(_ run: RunState, at time: Int64) -> Bool {
        guard run.hasEnded, run.ended != Time.none, time != Time.none else { return false }
        return abs(time - run.ended) > Self.reportDelay
    }

    /// The run that a crash report is about, for the reason of its end: that names the bundle, while the report named the
    /// process before.
    func runOfReport(insteadOf slot: Int32) -> Int32? {
        let last = runs.lastSpoken
        guard runs.states[Int(slot)].id == 0, last >= 0, last != slot else { return nil }
        return runs.states[Int(last)].hasEnded && runs.states[Int(last)].pid == RunState.noPid ? last : nil
    }

    /// Whether a launch is that of a run whose end is known, and of whose launch at most the callbacks: a crash report gives
    /// the end first.
    private func liesBeforeEnd(_ slot: Int32, at time: Int64) -> Bool {
        let run = runs.states[Int(slot)]
        return run.hasEnded && (run.started == Time.none || isSameLaunch(run, at: time))
            && run.processStart == Time.none
            && time != Time.none && run.ended != Time.none && time < run.ended && !isSomewhere(run.app)
    }

    /// Whether an app is in a state of a process that lives.
    func isSomewhere(_ app: Int32) -> Bool {
        guard app >= 0 else { return false }
        let state = states[Int(app)].state
        return state != CompiledModel.unknown && state != plan.catalog.models[Int(states[Int(app)].model)].notRunning
    }

    // MARK: The instance

    /// Applies a line to the app's instance.
    ///
    /// - Returns: whether it is an event, and not one more line of what the instance saw last.
    mutating func apply(_ event: inout EvidenceEvent) -> Bool {
        guard let number = plan.catalog.app else { return false }
        if case .state(plan.catalog.active) = event.effect { runs.states[Int(event.run)].tellsActive = true }
        if rows.origins.isPhase[Int(event.origin)], case .state(let state) = event.effect,
            let scene = plan.catalog.sceneStates[state], let isEvent = applyToScene(&event, scene)
        {
            return isEvent
        }
        let model = plan.catalog.models[number]
        let app = ofRun(event.run, model)
        event.instance = app
        let subject = Self.subject(of: event.proof)
        let mark = UInt32(event.origin) << 16 | UInt32(subject)
        if isRepeated(event, mark, states[Int(app)]) { return false }
        let present = states[Int(app)].state
        let target = target(of: event, present, model)
        let isUndecided = states[Int(app)].alternatives != 0 && undecided[app]?.isLaunch == false
        let isNamed = if case .state(target) = event.effect { true } else { false }
        if present != target || isNamed, states[Int(app)].alternatives != 0 { settle(app, by: event, target, model) }
        event.before = states[Int(app)].state
        event.after = target
        event.isLegal =
            event.before == CompiledModel.unknown || event.before == target || model.isConnected(event.before, target)
            || rows.origins.isFramework[Int(event.origin)] && skipsInactive(event.before, target, model)
        var isVague = false
        if case .foreground = event.effect, event.before != target { isVague = true }
        event.isVague = isVague || isUndecided
        let isDoubtful = event.before != target && mayBeShownByCallbacks(event)
        let (latest, wasTold) = (states[Int(app)].lastTime, states[Int(app)].isToldByWords)
        if event.isOfEarlierLaunch { states[Int(app)].lastTime = Time.none }
        event.step = record(
            Change(
                instance: app, subject: subject, origin: event.origin, before: event.before, after: target,
                isLegal: event.isLegal, inferred: isVague || isDoubtful, endsForCertain: isVague && !isDoubtful,
                time: event.time, line: event.line))
        if event.isOfEarlierLaunch { states[Int(app)].lastTime = latest }
        if event.before != target, !event.isExit {
            // That the process stops and runs again is no word for what callbacks show.
            let isOfProcess =
                target == model.suspended || event.before == model.suspended && target == model.awake
            states[Int(app)].isToldByWords = !isOfProcess || wasTold
            runs.states[Int(event.run)].worded |= model.callbacks(to: target, from: event.before)
        }
        if isVague, let inactive = model.state("inactive"), inactive != target {
            states[Int(app)].alternatives = 1 << UInt64(inactive)
            let key = rows.batch.steps.last.map { KindKey(packed: rows.kinds.known[Int($0.kind)]) }
            if let step = rows.batch.steps.last, let key {
                undecided[app] = UndecidedVisit(time: event.time, isLaunch: false, steps: [(step, key, 0)])
            }
        }
        states[Int(app)].remember(event, mark)
        if case .exit(let reason) = event.effect {
            noteExit(event, reason)
            // What is told to terminate still runs.
            if event.proof != .terminating { endInstances(with: event) }
        }
        if event.isLaunch { noteLaunch(event) }
        return true
    }

    /// Applies the phase of a scene: the scene moves, unless callbacks have shown where scenes are, and the app follows.
    ///
    /// - Returns: whether it is an event; `nil` when it is about all scenes together, of which there are several.
    private mutating func applyToScene(_ event: inout EvidenceEvent, _ state: UInt8) -> Bool? {
        guard let number = plan.catalog.scene else { return nil }
        let model = plan.catalog.models[number]
        let run = Int(event.run)
        let isOfAll = rows.origins.names[Int(event.origin)] == "swiftui-app"
        if isOfAll, runs.details[run].others.count(where: { states[Int($0)].model == model.number }) > 1 { return nil }
        let scene = scene(of: event, model)
        event.instance = scene
        let subject = Self.subject(of: event.proof)
        let mark = UInt32(event.origin) << 16 | UInt32(subject)
        if isRepeated(event, mark, states[Int(scene)]) { return false }
        let isNew = !states[Int(scene)].begun
        (event.before, event.after) = (states[Int(scene)].state, state)
        if runs.states[run].scenesTell, event.before != CompiledModel.unknown { event.after = event.before }
        // What was never printed of this scene is not missing: of a jump, the states between its ends.
        let ends: UInt64 = event.before == CompiledModel.unknown ? 0 : 1 << UInt64(event.before) | 1 << UInt64(state)
        let mayJump = isNew || states[Int(scene)].told & ~ends == 0
        event.isLegal =
            mayJump || event.before == CompiledModel.unknown || event.before == event.after
            || model.isConnected(event.before, event.after)
        let begins = event.isChange || isNew && showsLaunch(event.run)
        event.step = record(
            Change(
                instance: scene, subject: subject, origin: event.origin, before: event.before, after: event.after,
                isLegal: event.isLegal, showsBeginning: begins, time: event.time, line: event.line))
        if event.before != event.after { states[Int(scene)].isToldByWords = true }
        states[Int(scene)].told |= 1 << UInt64(state)
        states[Int(scene)].remember(event, mark)
        guard case .state(let target) = event.effect, !isSilenced(event, target) else { return true }
        let app = runs.states[run].app
        if app >= 0, states[Int(app)].alternatives != 0, let number = plan.catalog.app {
            settle(app, by: event, target, plan.catalog.models[number])
        }
        // Phases of several scenes name their scenes.
        let isAlone = isOfAll || event.label == 0
        if let app = deriveApp(
            event.run, after: event.before, isAlone: isAlone, begins: isAlone && begins, at: event.time,
            line: event.line)
        {
            states[Int(app)].isToldByWords = true
        }
        return true
    }

    /// Whether a run began in the log, so that the first phase that it tells is its first.
    private func showsLaunch(_ run: Int32) -> Bool {
        runs.states[Int(run)].launchIsShown || runs.followsLife(run)
    }

    /// The scene that a phase is of: the one that the line names, else the one that spoke last, else a new one.
    private mutating func scene(of event: EvidenceEvent, _ model: CompiledModel) -> Int32 {
        if let known = search(event.run, model, label: event.label) {
            if event.label != 0, states[Int(known)].label == 0 {
                adopt(known, event.run, model, event.label, event.printed)
            }
            return known
        }
        return create(event.run, model, printed: event.printed, label: event.label)
    }

    /// Place of a proof among all proofs.
    static func subject(of proof: Proof) -> UInt16 {
        UInt16(truncatingIfNeeded: Proof.allCases.firstIndex(of: proof) ?? 0)
    }

    /// Whether a line says again what the instance saw last. Screens appear side by side: two of them are two, unless the
    /// lines are equal.
    private func isRepeated(_ event: EvidenceEvent, _ mark: UInt32, _ app: InstanceState) -> Bool {
        guard app.lastEvidence == mark, app.lastCallback == CompiledModel.noCallback,
            app.isSameExecution(at: event.time)
        else { return false }
        return event.proof != .appeared || event.time == app.executionTime && event.textHash == app.lastText
    }

    /// Whether callbacks show a change of the app better than words, which count where the app logs no callback that leads
    /// to the state, and until a callback comes.
    private func isSilenced(_ event: EvidenceEvent, _ state: UInt8) -> Bool {
        let run = runs.states[Int(event.run)]
        if run.scenesTell { return true }
        guard run.told != 0, run.app >= 0, let app = plan.catalog.app, !states[Int(run.app)].isToldByWords else {
            return false
        }
        return run.told & plan.catalog.models[app].callbacks(to: state, from: states[Int(run.app)].state) != 0
    }

    /// Whether callbacks may have shown before the log began what words say of the app: of a run whose launch the log does
    /// not have, other callbacks have come.
    private func mayBeShownByCallbacks(_ event: EvidenceEvent) -> Bool {
        let run = runs.states[Int(event.run)]
        return run.told != 0 && !run.launchIsShown && !event.isExit && event.proof != .suspended
            && event.proof != .running
    }

    /// The state of the app after a piece of evidence.
    private func target(of event: EvidenceEvent, _ present: UInt8, _ model: CompiledModel) -> UInt8 {
        // Whatever proves that the process runs ends its suspension.
        let running = present == model.suspended ? model.awake ?? present : present
        switch event.effect {
        case .none, .launch: return present
        case .running: return running
        case .exit: return model.notRunning == CompiledModel.unknown ? present : model.notRunning
        case .state(let state):
            // Suspension is certain; other words only count where no callback shows the state.
            if state == model.suspended { return state }
            return isSilenced(event, state) ? running : state
        case .foreground:
            let active = plan.catalog.active
            guard active != CompiledModel.unknown else { return present }
            if isSilenced(event, active) { return running }
            return present == model.state("inactive") ? present : active
        }
    }

    /// Whether only inactive is between two states: frameworks do not print it on every way (React Native never on the
    /// way back).
    private func skipsInactive(_ before: UInt8, _ after: UInt8, _ model: CompiledModel) -> Bool {
        guard let inactive = model.state("inactive") else { return false }
        return model.isConnected(before, inactive) && model.isConnected(inactive, after)
    }

    private mutating func settle(
        _ app: Int32, by event: EvidenceEvent, _ target: UInt8, _ model: CompiledModel
    ) {
        guard undecided[app]?.isLaunch ?? true else {
            let other = UInt8(states[Int(app)].alternatives.trailingZeroBitCount)
            // The word comes as the app becomes active; until then the foreground was inactive.
            // A crash report says further down whether the launch ended so: until then that is open.
            if event.isExit, rows.origins.names[Int(event.origin)] == "crash-report" { return }
            decide(app, other: target == other || target == plan.catalog.active, inferred: true)
            return
        }
        // Whatever the line says of the end, how long the process lived tells where it was launched.
        if case .exit(let reason) = event.effect, reason != .watchdog, reason != .launchFailure {
            return settle(app, logEnds: false)
        }
        // So soon after the launch, what wakes a process may come in a launch to the screen as well.
        let launch = undecided[app]?.time ?? Time.none
        let isWoken =
            undecided[app]?.wokenInBackground == true && launch != Time.none && event.time != Time.none
            && event.time - launch > plan.settings.backgroundLaunchAfter
        let isBackground = isWoken || target == plan.catalog.background || target == model.suspended
        decide(app, other: isBackground, inferred: !isBackground)
    }

    private mutating func noteExit(_ event: EvidenceEvent, _ reason: EndReason?) {
        let run = Int(event.run)
        if runs.states[run].ended == Time.none { runs.states[run].ended = event.time }
        if runs.states[run].exit.step == 0 {
            runs.states[run].exit = (event.step, source, event.line)
            states[Int(event.instance)].noteExit(in: event.before)
        }
        let known = runs.states[run].endReason
        // A method that was to end the app did not come to its own end.
        if known == .terminated, reason == .crash || reason == .watchdog { runs.states[run].endIsExplained = false }
        // That the program has ended says nothing new after a line that says how.
        let isKnown = known == .crash || known == .watchdog || known == .jetsam || known == .launchFailure
        if reason == .terminated, isKnown { return runs.retire(event.run) }
        if reason == .terminated { runs.states[run].endIsExplained = true }
        // Every kill is a signal: what sent it says more.
        let isCoded = endCode(of: event.run) != nil
        let isKnownBetter =
            reason == .crash && (known == .watchdog || known == .jetsam || known == .launchFailure || isCoded)
        if let reason, !isKnownBetter, !runs.states[run].endIsExplained || reason == .terminated {
            runs.states[run].endReason = reason
        } else if known == nil {
            // Where no state is known, that it has terminated is all that the line says.
            runs.states[run].endReason = reasonOfSilentEnd(event.run, state: event.before) ?? .terminated
        }
        if reason == .launchFailure { runs.states[run].endIsExplained = true }
        runs.retire(event.run)
    }

    /// A process takes along whatever it has: their visits end with it. Where its lines come later than that of its end, nobody
    /// knows where they are.
    private mutating func endInstances(with event: EvidenceEvent) {
        for slot in runs.details[Int(event.run)].others {
            let before = states[Int(slot)]
            let model = plan.catalog.models[Int(before.model)]
            guard model.hasVisits(before.state), model.terminal & 1 << UInt64(before.state) == 0,
                model.silentEnd[Int(before.state)] != before.state
            else { continue }
            record(
                Change(
                    instance: slot, isDerived: true, subject: Self.subject(of: event.proof), origin: event.origin,
                    before: before.state, after: model.silentEnd[Int(before.state)], time: event.time, line: event.line)
            )
            states[Int(slot)] = before
            states[Int(slot)].cut()
            (states[Int(slot)].state, states[Int(slot)].stateBeforeExit) = (CompiledModel.unknown, before.state)
        }
    }

    /// Keeps what a line prints of the end of a run, unless what is known says more: that there was a signal says least, a
    /// code and its explanation say most. A code may say why the run ended.
    mutating func noteEnd(_ slot: Int32, _ text: String) {
        let (run, app) = (Int(slot), runs.states[Int(slot)].app)
        func weight(_ text: String) -> Int {
            if let code = endCode(text) {
                // What only repeats the code explains nothing.
                let words = text.lowercased().dropFirst(code.code.count)
                let digits = [code.code.lowercased().trimmingPrefix("0x")] + (code.decimal.map { ["\($0)"] } ?? [])
                return digits.contains { words.contains($0) } ? 2 : 3
            }
            return plan.endCodes.contains { $0.namesSignal && text.hasPrefix($0.meaning + ": ") } ? 0 : 1
        }
        if plan.endCodes.contains(where: { $0.isOfLaunch && text.contains($0.code) }) {
            runs.states[run].endIsOfLaunch = true
            if undecided[app]?.isLaunch == false { decide(app, other: isFailedLaunch(slot), inferred: true) }
        }
        if let known = runs.details[run].endDetail, weight(known) >= weight(text) { return }
        runs.details[run].endDetail = text
        guard let code = endCode(text) else { return }
        let isKill = code.endReason == EndCode.killed && app >= 0
        let killed = isKill ? reasonOfSilentEnd(slot, state: states[Int(app)].stateBeforeExit) : nil
        guard let reason = killed ?? EndReason(rawValue: code.endReason) else { return }
        let isSilent = [.killedInBackground, .abnormalInForeground].contains(runs.states[run].endReason)
        guard runs.states[run].endReason == .crash || isSilent && reason == .terminated else { return }
        runs.states[run].endReason = reason
        if reason == .terminated { runs.states[run].endIsExplained = true }
    }

    /// The code of which a text about an end tells.
    private func endCode(_ text: String) -> EndCode? {
        plan.endCodes.first { $0.begins(text) }
    }

    /// The code with which the system ended a run.
    func endCode(of slot: Int32) -> EndCode? { runs.details[Int(slot)].endDetail.flatMap(endCode) }

    /// Whether a line shows that a run ended by a crash, the watchdog or a code that blames the app.
    func isFault(_ slot: Int32) -> Bool {
        let reason = runs.states[Int(slot)].endReason
        return reason == .crash || reason == .watchdog
            || endCode(of: slot).map { plan.faults.contains($0.code) } == true
    }

    /// Why a run ended, as far as a line says it: a code says more than that it was a crash.
    func wordsOfEnd(_ slot: Int32) -> String? {
        let reason = runs.states[Int(slot)].endReason
        let code = endCode(of: slot).map { $0.decimal == nil ? $0.meaning : "\($0.code), \($0.meaning)" }
        return reason == .watchdog ? reason?.words : code ?? reason?.words
    }

    private mutating func noteLaunch(_ event: EvidenceEvent) {
        let run = Int(event.run)
        if runs.states[run].processStart == Time.none { runs.states[run].processStart = event.time }
        if runs.states[run].started == Time.none, event.isOfEarlierLaunch || !runs.states[run].begun {
            runs.states[run].started = event.time
        }
        if !event.bySystem { runs.states[run].begun = true }
    }
}

extension InstanceState {
    /// Keeps what is needed to know a repetition of the evidence, and when it came.
    fileprivate mutating func remember(_ event: EvidenceEvent, _ mark: UInt32) {
        lastEvidence = mark
        lastText = event.textHash
        executionTime = event.time
    }
}
