import LifecycleModel
import TraceRecords

/// How runs end, and the rows that only the end completes.
extension LogReplayer {
    /// Closes a run because its process id, or a process without one, has been launched anew.
    mutating func end(_ slot: Int32, followedAt time: Int64) {
        if runs[Int(slot)].id == 0 {
            release(slot)
            return
        }
        if runs[Int(slot)].nextSeen == Time.none {
            runs[Int(slot)].successors = [Successor(source: source, line: 0, seen: Time.none, time: time)]
        }
        runs[Int(slot)].superseded = true
        close(slot)
    }

    /// Hands over the final rows of a run and forgets it.
    mutating func close(_ slot: Int32, logEnds: Bool = false) {
        let place = Int(slot)
        let app = runs[place].app
        if app >= 0 {
            settle(app, logEnds: logEnds)
            endSilence(app, of: slot, logEnds: logEnds)
        }
        if !suspects.isEmpty { for instance in [app] + runs[place].others { release(suspectsOf: instance) } }
        judgeEnd(slot)
        endTimers(slot, bySuspension: false)
        judgeAwaited(slot)
        endScenarios(slot)
        handOver(slot)
        release(slot)
    }

    /// Closes every run: the log ends.
    mutating func closeAll() {
        let begun = runs.indices.filter { runs[$0].serial != 0 && runs[$0].id != 0 }
        for slot in begun.sorted(by: { runs[$0].id < runs[$1].id }) { close(Int32(slot), logEnds: true) }
    }

    /// Hands over the present state of every open run that has changed.
    mutating func snapshot() {
        for slot in runs.indices where runs[slot].serial != 0 && runs[slot].id != 0 && runs[slot].dirty {
            handOver(Int32(slot))
            runs[slot].dirty = false
        }
    }

    private mutating func handOver(_ slot: Int32) {
        let run = runs[Int(slot)]
        out.runs.append(describe(run))
        let isOver = run.superseded || run.endReason != nil
        if run.app >= 0 { out.instances.append(describe(run.app, isOver: isOver)) }
        for instance in run.others { out.instances.append(describe(instance, isOver: isOver)) }
    }

    /// A silence that nothing ended is a suspension as far as anybody can tell.
    private mutating func endSilence(_ app: Int32, of slot: Int32, logEnds: Bool) {
        let run = runs[Int(slot)]
        let model = plan.catalog.models[Int(instances[Int(app)].model)]
        if instances[Int(app)].state == model.suspended {
            closeObservedSuspension(app, model, leavingTo: CompiledModel.unknown, at: Time.none)
            return
        }
        guard let grace = options.suspendGrace, run.lastSign != Time.none, run.endReason == nil else { return }
        let known = run.superseded ? run.nextSeen : logEnds && !run.hasGoneBack ? latest : Time.none
        guard known != Time.none, known > run.lastSign, known - run.lastSign > grace else { return }
        suspend(app, from: run.lastSign, until: nil, grace: grace)
    }

    /// Why a run ended of which no line says why, by the state it was in.
    func reasonOfSilentEnd(_ slot: Int32, state: UInt8) -> EndReason? {
        let run = runs[Int(slot)]
        guard let app = plan.catalog.app, state != CompiledModel.unknown else { return nil }
        let model = plan.catalog.models[app]
        if isFailedLaunch(run), state != model.notRunning { return .launchFailure }
        if state == plan.catalog.background || state == model.suspended { return .killedInBackground }
        return state == model.notRunning ? .terminated : .abnormalInForeground
    }

    /// Whether the launch of a run has led neither to active nor to the background. Until a scene is in the foreground the
    /// app counts as in the background, which is no more than where every app with scenes begins.
    func isFailedLaunch(_ run: RunState) -> Bool {
        guard run.launchSeen != 0, !run.everActive, !run.everBackground else { return false }
        guard run.usesScenes, run.app >= 0, instances[Int(run.app)].state == plan.catalog.background,
            plan.settings.infersBackgroundLaunch, run.started != Time.none, run.lastHeard != Time.none
        else { return true }
        return run.lastHeard - run.started <= plan.settings.backgroundLaunchAfter
    }

    private func describe(_ run: RunState) -> RunRecord {
        let state = run.app >= 0 ? instances[Int(run.app)].state : CompiledModel.unknown
        let slot = run.app >= 0 ? instances[Int(run.app)].run : -1
        let silent = run.superseded && slot >= 0 ? reasonOfSilentEnd(slot, state: state) : nil
        let pid = run.pid == RunState.noPid ? nil : run.pid
        let device = symbols.text(run.device)
        let app = symbols.text(run.process)
        var hash = Hashing.mix(run.contentHash, device)
        hash = Hashing.mix(hash, app)
        hash = Hashing.mix(hash, UInt64(truncatingIfNeeded: pid ?? -1))
        let key = Hashing.text(hash)
        return RunRecord(
            id: run.id, source: run.source, device: device, app: app, pid: pid,
            profile: options.profile ?? (run.usesScenes ? "ios13+" : "ios12-"),
            osVersion: symbols.text(run.systemVersion),
            appVersion: symbols.text(run.givenVersion),
            started: Time.optional(run.started), ended: Time.optional(run.ended),
            endReason: run.endReason ?? silent ?? .logEnd, endEvidence: run.endReason == nil ? .inferred : .observed,
            firstSeen: Time.optional(run.firstSeen), lastSeen: Time.optional(run.lastSeen),
            nextSeen: Time.optional(run.nextSeen), key: key, bundle: symbols.text(run.bundle),
            hasCallbacks: run.hasCallbacks, reportedVersion: symbols.text(run.appVersion))
    }
}
