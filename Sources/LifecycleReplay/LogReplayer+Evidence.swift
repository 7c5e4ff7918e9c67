import LifecycleModel
import TraceRecords

/// Lines that prove a state without being a callback.
extension LogReplayer {
    /// A crash report and the system's own lines may differ so far about when a process ended.
    private static let reportDelay: Int64 = 60_000_000_000
    /// The start of a process and its launch callbacks may stand so far apart in the wrong order.
    private static let launchTolerance: Int64 = 1_000_000_000

    /// What a piece of evidence asks of the app's instance.
    private enum Effect {
        case none
        /// The process was launched.
        case launch
        /// The app is in a state of its model.
        case state(UInt8)
        /// The process runs, whatever the state of its app.
        case running
        /// The app is somewhere in the foreground.
        case foreground
        /// The process has ended.
        case exit(EndReason?)
    }

    mutating func replayEvidence(_ slot: inout Int32, _ proof: Proof, origin: UInt16, _ event: ResolvedEvent) {
        guard let number = plan.catalog.app else { return }
        let model = plan.catalog.models[number]
        let time = event.time
        let bySystem = origins.isSystem[Int(origin)]
        let effect = effect(of: proof, model)
        let isLaunch = if case .launch = effect { true } else { false }
        let isToldLate = isLaunch && liesBeforeEnd(slot, at: time)
        let isOfAnother =
            isLaunch && !isToldLate && beginsAnotherRun(slot, bySystem: bySystem, at: time)
            || proof == .exitedBySignal && hasEndedOtherwise(slot, at: time)
        if isOfAnother {
            let run = runs[Int(slot)]
            end(slot, followedAt: time)
            var speaker = event.speaker
            (speaker.process, speaker.namesBundle, speaker.device) = (run.process, false, run.device)
            slot = track(speaker)
        }
        let isExit = if case .exit = effect { true } else { false }
        if isExit, time == Time.none, let told = runOfReport(insteadOf: slot) {
            release(slot)
            slot = told
        }
        materialise(slot, event)
        lastSpoken = slot
        if isToldLate {
            runs[Int(slot)].firstSeen = time
        } else if bySystem {
            seen(slot, at: time)
        } else {
            sign(slot, at: time, line: event.line)
        }
        if isExit || isToldLate { runs[Int(slot)].dirty = true } else { revive(slot) }

        let app = ofRun(slot, model)
        let subject = subject(of: proof)
        // Screens appear side by side: two within the window are two screens.
        if proof != .appeared, isRepeatedEvidence(app, subject, origin, at: time) { return }
        let before = instances[Int(app)].state
        let after = target(of: effect, app, isSilenced: isSilenced(origin, on: slot), model)
        if before != after, instances[Int(app)].alternatives != 0 { settleByEvidence(app, after) }
        let from = instances[Int(app)].state
        let isLegal = from == CompiledModel.unknown || from == after || model.isConnected(from, after)
        if case .state(let state) = effect, state == model.suspended, after == state, from != state {
            // The system says when the process stopped; its silence before that was none.
            runs[Int(slot)].lastSign = time
            endContinuous(slot, at: time)
            endTimers(slot, bySuspension: true)
        }
        let latest = instances[Int(app)].lastTime
        if isToldLate { instances[Int(app)].lastTime = Time.none }
        let id = record(
            app, role: .event, subject: subject, origin: origin, before: from, after: after, isLegal: isLegal,
            time: time, line: event.line, inferred: false)
        if isToldLate { instances[Int(app)].lastTime = latest }
        if !isLegal { report(proof, from: from, to: after, of: app, event) }
        instances[Int(app)].lastEvidence = UInt32(origin) << 16 | UInt32(subject)
        instances[Int(app)].executionTime = time
        keepMessage(event, step: id)
        if case .exit(let reason) = effect { noteExit(slot, reason, from: from, at: time) }
        if isLaunch {
            if runs[Int(slot)].processStart == Time.none { runs[Int(slot)].processStart = time }
            if runs[Int(slot)].started == Time.none, isToldLate || !runs[Int(slot)].begun {
                runs[Int(slot)].started = time
            }
            if !bySystem { runs[Int(slot)].begun = true }
        }
    }

    private func effect(of proof: Proof, _ model: CompiledModel) -> Effect {
        switch proof {
        case .launching, .launched: .launch
        case .active: model.state("active").map { .state($0) } ?? .none
        case .inactive, .activating: model.state("inactive").map { .state($0) } ?? .none
        case .foreground: .foreground
        case .background: model.state("background").map { .state($0) } ?? .none
        case .suspended: model.suspended == CompiledModel.unknown ? .none : .state(model.suspended)
        case .terminating: .exit(.terminated)
        case .notRunning: .exit(nil)
        case .exitedByWatchdog: .exit(.watchdog)
        case .exitedByJetsam: .exit(.jetsam)
        case .exitedBySignal: .exit(.crash)
        case .running: .running
        case .memoryLimit, .unknown, .appeared, .appVersion, .systemVersion: .none
        }
    }

    /// Whether a line about a launch is about another process lifetime than the present run.
    private func beginsAnotherRun(_ slot: Int32, bySystem: Bool, at time: Int64) -> Bool {
        let run = runs[Int(slot)]
        return run.endReason != nil || !bySystem && run.begun && !isSameLaunch(run, at: time)
    }

    /// Whether a line about a launch is about the one that the callbacks of a run have told: their log may cut off
    /// fractions of seconds, and whoever tells of it afterwards (a crash report) knows the moment.
    private func isSameLaunch(_ run: RunState, at time: Int64) -> Bool {
        guard run.launchSeen != 0, run.processStart == Time.none, time != Time.none, run.started != Time.none else {
            return false
        }
        return abs(time - run.started) <= Self.launchTolerance
    }

    /// Whether a run has an end that is not the one that a crash report tells: another process had its pid.
    private func hasEndedOtherwise(_ slot: Int32, at time: Int64) -> Bool {
        let run = runs[Int(slot)]
        guard run.endReason != nil, run.ended != Time.none, time != Time.none else { return false }
        return abs(time - run.ended) > Self.reportDelay
    }

    /// The run that a crash report is about, for the reason of its end: that names the bundle, while the report named the
    /// process before.
    private func runOfReport(insteadOf slot: Int32) -> Int32? {
        let told = lastSpoken
        guard runs[Int(slot)].id == 0, told >= 0, told != slot else { return nil }
        return runs[Int(told)].endReason != nil && runs[Int(told)].pid == RunState.noPid ? told : nil
    }

    /// Whether a launch is that of a run of which so far only the end is known: a crash report tells the end first.
    private func liesBeforeEnd(_ slot: Int32, at time: Int64) -> Bool {
        let run = runs[Int(slot)]
        return run.endReason != nil && run.started == Time.none && run.processStart == Time.none
            && time != Time.none && run.ended != Time.none && time < run.ended && !isSomewhere(run.app)
    }

    /// Whether an app is in a state of a process that lives.
    private func isSomewhere(_ app: Int32) -> Bool {
        guard app >= 0 else { return false }
        let state = instances[Int(app)].state
        return state != CompiledModel.unknown && state != plan.catalog.models[Int(instances[Int(app)].model)].notRunning
    }

    /// Whether callbacks tell the state of the app better than words of an origin. Those of frameworks count until
    /// callbacks tell more than the launch; the system's come before the callbacks that they announce.
    private func isSilenced(_ origin: UInt16, on slot: Int32) -> Bool {
        origins.isFramework[Int(origin)] ? runs[Int(slot)].toldBeyondLaunch : runs[Int(slot)].toldByCallbacks
    }

    /// The state of the app after a piece of evidence.
    private func target(
        of effect: Effect, _ app: Int32, isSilenced: Bool, _ model: CompiledModel
    ) -> UInt8 {
        let present = instances[Int(app)].state
        // Whatever proves that the process runs ends its suspension.
        let running = present == model.suspended ? model.awake ?? present : present
        switch effect {
        case .none:
            return present
        case .running:
            return running
        case .exit:
            return model.notRunning == CompiledModel.unknown ? present : model.notRunning
        case .launch:
            return present
        case .state(let state):
            // Suspension is certain; other words only count where no callback tells the state.
            if state == model.suspended { return state }
            return isSilenced ? running : state
        case .foreground:
            if isSilenced { return running }
            let inactive = model.state("inactive") ?? present
            return present == plan.catalog.active || present == inactive ? present : inactive
        }
    }

    private mutating func settleByEvidence(_ app: Int32, _ after: UInt8) {
        let model = plan.catalog.models[Int(instances[Int(app)].model)]
        let isBackground = after == plan.catalog.background || after == model.suspended
        decide(app, background: isBackground, inferred: !isBackground)
    }

    private func isRepeatedEvidence(_ app: Int32, _ subject: UInt16, _ origin: UInt16, at time: Int64) -> Bool {
        let instance = instances[Int(app)]
        guard instance.lastEvidence == UInt32(origin) << 16 | UInt32(subject), time != Time.none,
            instance.executionTime != Time.none, instance.lastCallback == CompiledModel.noCallback
        else { return false }
        return abs(time - instance.executionTime) <= Self.foldingWindow
    }

    private mutating func noteExit(_ slot: Int32, _ reason: EndReason?, from state: UInt8, at time: Int64) {
        let run = Int(slot)
        if runs[run].ended == Time.none { runs[run].ended = time }
        if runs[run].stateBeforeExit == CompiledModel.unknown { runs[run].stateBeforeExit = state }
        if reason == .terminated { runs[run].saidGoodbye = true }
        // Every kill is a signal: who sent it says more.
        let isKnownBetter = reason == .crash && (runs[run].endReason == .watchdog || runs[run].endReason == .jetsam)
        if let reason, !isKnownBetter, !runs[run].saidGoodbye || reason == .terminated {
            runs[run].endReason = reason
        } else if runs[run].endReason == nil {
            // Where no state is known, that it has terminated is all that the line says.
            runs[run].endReason = reasonOfSilentEnd(slot, state: state) ?? .terminated
        }
        retire(slot)
    }
}
