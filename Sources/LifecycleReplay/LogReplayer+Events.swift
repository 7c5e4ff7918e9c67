import LifecycleModel
import TraceRecords

/// What an event does.
extension LogReplayer {
    mutating func replay(_ event: ResolvedEvent) {
        let time = event.time
        if time > latest { latest = time }
        if let proof = event.proof, proof.isVersion {
            note(proof, event)
            return
        }
        if time != Time.none, copies.isCopy(event.key, at: time) { return }
        var slot = runOf(event.speaker)
        if event.callback != CompiledModel.noCallback {
            guard Int(event.callback) < plan.catalog.places.count else { return }
            let place = plan.catalog.places[Int(event.callback)]
            guard Int(place.model) < plan.catalog.models.count else { return }
            if event.isReturn, let target = executing(slot, place, event) {
                materialise(slot, event)
                noteReturn(target, slot, event)
                return
            }
            if beginsAnotherRun(slot, place, at: time) {
                end(slot, followedAt: time)
                slot = track(event.speaker)
            }
            if event.speaker.pid != RunState.noPid { runs[Int(slot)].hasCallbacks = true }
            materialise(slot, event)
            sign(slot, at: time, line: event.line)
            revive(slot)
            lastSpoken = slot
            callBack(slot, place, event)
        } else if let proof = event.proof {
            replayEvidence(&slot, proof, origin: origins.number(event.origin, name: symbols.text(event.origin)), event)
        }
    }

    /// The run that a line belongs to, a new one if need be.
    mutating func runOf(_ speaker: ResolvedSpeaker) -> Int32 {
        find(process: speaker.process, pid: speaker.pid, namesBundle: speaker.namesBundle) ?? track(speaker)
    }

    /// Gives the run of an event its row if it has none yet.
    @inline(__always)
    mutating func materialise(_ slot: Int32, _ event: ResolvedEvent) {
        runs[Int(slot)].lastLine = event.line
        runs[Int(slot)].lastSource = source
        if runs[Int(slot)].device == 0 { runs[Int(slot)].device = event.speaker.device }
        if event.speaker.namesBundle, runs[Int(slot)].bundle == 0 { runs[Int(slot)].bundle = event.speaker.process }
        if runs[Int(slot)].mentioned.source == 0 { mention(slot, line: event.line) }
        if !runs[Int(slot)].isSpelled { spell(slot) }
        if runs[Int(slot)].id == 0 {
            seen(slot, at: event.time)
            begin(slot, hash: contentHash(of: event), time: event.time)
        }
    }

    /// What the first event of a run says, as a number that does not depend on where the line stands.
    private func contentHash(of event: ResolvedEvent) -> UInt64 {
        var hash = Hashing.mix(Hashing.start, UInt64(bitPattern: event.time == Time.none ? 0 : event.time))
        if event.callback != CompiledModel.noCallback, Int(event.callback) < plan.catalog.places.count {
            let place = plan.catalog.places[Int(event.callback)]
            if Int(place.model) < plan.catalog.models.count {
                hash = Hashing.mix(hash, plan.catalog.models[Int(place.model)].callbacks[Int(place.callback)])
            }
        } else {
            hash = Hashing.mix(hash, symbols.text(event.origin))
            hash = Hashing.mix(hash, event.proof?.rawValue)
        }
        return Hashing.mix(hash, symbols.text(event.speaker.label))
    }

    /// Whether a launch callback belongs to another process lifetime than the run that its process id leads to.
    private func beginsAnotherRun(_ slot: Int32, _ place: CompiledCatalog.Place, at time: Int64) -> Bool {
        let model = plan.catalog.models[Int(place.model)]
        guard model.traits[Int(place.callback)].contains(.beginsRun) else { return false }
        let app = runs[Int(slot)].app
        if runs[Int(slot)].endReason != nil { return !isRepetition(app, place.callback, at: time) }
        guard runs[Int(slot)].begun else { return false }
        // A line told of the launch before the first callback did.
        if !runs[Int(slot)].toldByCallbacks, app < 0 || instances[Int(app)].state == CompiledModel.unknown {
            return false
        }
        guard runs[Int(slot)].launching, let rank = model.launchOrder.firstIndex(of: place.callback) else {
            return !isRepetition(app, place.callback, at: time)
        }
        let bit = UInt8(1) << UInt8(min(rank, 7))
        let seen = runs[Int(slot)].launchSeen
        if seen & bit != 0 { return !isRepetition(app, place.callback, at: time) }
        if seen < bit { return false }
        // An earlier launch callback after a later one: the same launch only if they are practically simultaneous.
        guard app >= 0, time != Time.none else { return true }
        let last = instances[Int(app)].lastTime
        return last == Time.none || abs(time - last) > Self.foldingWindow
    }

    /// Whether a callback is one more line of the execution that the instance saw last.
    @inline(__always)
    func isRepetition(_ slot: Int32, _ callback: UInt16, at time: Int64) -> Bool {
        guard slot >= 0, time != Time.none else { return false }
        let instance = instances[Int(slot)]
        return instance.lastCallback == callback && instance.executionTime != Time.none
            && abs(time - instance.executionTime) <= Self.foldingWindow
    }

    private mutating func callBack(_ slot: Int32, _ place: CompiledCatalog.Place, _ event: ResolvedEvent) {
        let number = Int(place.model)
        let time = event.time
        let model = plan.catalog.models[number]
        // A callback that the platform does not have tells nothing of whether the app has scenes.
        let isOfScene = model.isPerScene && !model.traits[Int(place.callback)].contains(.isUnknown)
        let isFirstOfScenes = isOfScene && !runs[Int(slot)].usesScenes
        if number == plan.catalog.app {
            noteAppCallback(slot, place, at: time)
        } else if isOfScene {
            noteSceneCallback(slot)
        }
        if model.isPerObject, let over = runs[Int(slot)].retired, over.callback == place.callback,
            over.model == place.model, over.time != Time.none, time != Time.none,
            abs(time - over.time) <= Self.foldingWindow,
            over.label == symbols.caseless(event.speaker.label)
        {
            return
        }
        if model.isPerScene, !isOfScene, isUnplaced(slot, place, event) {
            noteUnplaced(slot, place, event)
            return
        }
        let target = instance(slot, place, event)
        if model.traits[Int(place.callback)].contains(.folds), isRepetition(target, place.callback, at: time) { return }
        var judged = Judged(
            run: slot, instance: target, callback: event.callback,
            before: CompiledModel.unknown, time: time, line: event.line,
            isSupplementary: model.traits[Int(place.callback)].contains(.isSupplementary))
        let id: Int64
        let first = out.findings.count
        if number == plan.catalog.app, runs[Int(slot)].usesScenes, isNotification(place) {
            id = keepNotification(target, place.callback, event)
            judged.before = lastBefore
            judge(judged)
            uniteFindings(since: first)
        } else {
            let step = apply(target, place.callback, event)
            id = step.id
            judged.before = lastBefore
            judged.met = step.state
            if step.isLegal {
                release(suspectsOf: target)
                if memories[Int(target)].missed != nil { memories[Int(target)].missed = nil }
                judge(judged)
                uniteFindings(since: first)
                // What is missing before it may only stand behind it.
                if time != Time.none, out.findings.count > first {
                    holdBack(target, .missingCallback, at: event.line, since: first)
                }
            } else {
                let found = deviation(place.callback, in: step.state, leadingTo: step.after, of: target, at: time)
                release(suspectsOf: target, isTie: found.deviation == .reorderedTie)
                judged.deviation = found.deviation
                judged.repair = found.repair
                if !judge(judged) {
                    report(place.callback, in: step.state, leadingTo: step.after, of: target, found, event)
                }
                uniteFindings(since: first)
                if isMissedAgain(found, judged, leadingTo: step.after) {
                    let others = out.findings[first...].filter {
                        $0.deviation != found.deviation || $0.line != event.line
                    }
                    out.findings.replaceSubrange(first..., with: others)
                }
                if time != Time.none, found.deviation != .reorderedTie {
                    holdBack(target, found.deviation, at: event.line, since: first)
                }
            }
            if isFirstOfScenes { judgeBeginning(judged) }
            runMemories[Int(slot)].lastStep = id
            follow(judged, step: id)
        }
        keepMessage(event, step: id)
        if !judged.isSupplementary { memories[Int(target)].saidEnd = event.isReturn }
        instances[Int(target)].lastCallback = place.callback
        instances[Int(target)].executionTime = time
        if isOfScene { deriveApp(slot, event) }
        if plan.catalog.hasListeners { drive(slot, by: event) }
        if model.traits[Int(place.callback)].contains(.endsInstance), model.isPerObject {
            retireInstance(target, of: slot)
        }
    }

    @inline(__always)
    mutating func keepMessage(_ event: ResolvedEvent, step: Int64) {
        if let text = event.message { out.messages.append((step, text)) }
    }

    private mutating func noteAppCallback(_ slot: Int32, _ place: CompiledCatalog.Place, at time: Int64) {
        let model = plan.catalog.models[Int(place.model)]
        let run = Int(slot)
        if model.traits[Int(place.callback)].contains(.beginsRun) {
            // What was there before the launch may have been of the process before.
            if runs[run].launchSeen == 0 { for other in runs[run].others { doubt(other) } }
            if !runs[run].begun || !runs[run].toldByCallbacks { runs[run].launching = true }
            if runs[run].started == Time.none { runs[run].started = time }
            if let rank = model.launchOrder.firstIndex(of: place.callback) {
                runs[run].launchSeen |= 1 << UInt8(min(rank, 7))
            }
        } else if !model.traits[Int(place.callback)].contains(.isSupplementary) {
            runs[run].launching = false
        } else if model.traits[Int(place.callback)].contains(.wakesInBackground), runs[run].usesScenes,
            runs[run].app >= 0, instances[Int(runs[run].app)].state == plan.catalog.background
        {
            runs[run].everBackground = true
        }
        if !model.traits[Int(place.callback)].contains(.isSupplementary) {
            runs[run].begun = true
            noteTeller(slot, isLaunch: model.traits[Int(place.callback)].contains(.beginsRun))
        }
    }

    /// Callbacks tell the state from now on. Before the log began they may have done so already, while other words told
    /// it in what the log shows.
    private mutating func noteTeller(_ slot: Int32, isLaunch: Bool) {
        let isFirst = isLaunch ? !runs[Int(slot)].toldByCallbacks : !runs[Int(slot)].toldBeyondLaunch
        guard isFirst else { return }
        runs[Int(slot)].toldByCallbacks = true
        if !isLaunch { runs[Int(slot)].toldBeyondLaunch = true }
        if runs[Int(slot)].launchSeen == 0 { doubt(runs[Int(slot)].app) }
    }

    private mutating func noteSceneCallback(_ slot: Int32) {
        let run = Int(slot)
        runs[run].begun = true
        noteTeller(slot, isLaunch: false)
        runs[run].launching = false
        guard !runs[run].usesScenes else { return }
        runs[run].usesScenes = true
        if runs[run].launchSeen == 0 { doubt(runs[run].app) }
        // Without a scene in the foreground the app of a scene-based process is in the background.
        let app = runs[run].app
        if app >= 0, instances[Int(app)].alternatives != 0 {
            decide(app, background: true, inferred: false, byScenes: true)
        }
    }

    /// Whether an app-level callback merely reports, in a run with scenes, what the scenes decide.
    private func isNotification(_ place: CompiledCatalog.Place) -> Bool {
        let traits = plan.catalog.models[Int(place.model)].traits[Int(place.callback)]
        return traits.isDisjoint(with: [.beginsRun, .endsRun, .isUnknown])
    }

    /// An event that changes nothing, because scenes decide the state of the app.
    private mutating func keepNotification(_ slot: Int32, _ callback: UInt16, _ event: ResolvedEvent) -> Int64 {
        let state = instances[Int(slot)].state
        return record(
            slot, role: .event, subject: callback, origin: 0, before: state, after: state, isLegal: true,
            time: event.time, line: event.line, inferred: false)
    }
}
