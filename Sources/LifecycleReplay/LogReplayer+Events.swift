import LifecycleModel
import TraceRecords

/// What an event does.
extension LogReplayer {
    mutating func replay(_ event: Event) {
        let time = Time.plain(event.time)
        if time > latest { latest = time }
        naming = event.namesBundle ? .byBundle : []
        if event.process.isNone { naming.insert(.withoutName) }
        if event.pid == nil { naming.insert(.withoutPid) }
        if device(of: event.device) == 0 { naming.insert(.withoutDevice) }
        ownLabel = symbols.number(event.instance)
        if ownLabel == 0, event.callback != nil { naming.insert(.withoutLabel) }
        otherName = 0
        otherDevice = 0
        if let proof = event.proof, proof.isVersion {
            note(proof, event)
            return
        }
        if let original = original(of: event, at: time) {
            let name = symbols.number(event.process)
            // The run of a copy that was read back may not be at hand.
            let isAtHand = runs[Int(original.run)].serial == original.serial
            otherName = isAtHand ? noteName(name, of: original.run, isBundle: event.namesBundle) : name
            let device = device(of: event.device)
            otherDevice = isAtHand ? otherDevice(than: original.run, device) : device
            keepCopy(event, instance: original.instance, label: isAtHand ? label(of: original) : nil)
            return
        }
        let process = symbols.number(event.process)
        let pid = event.pid ?? RunState.noPid
        var slot =
            find(process: process, pid: pid, namesBundle: event.namesBundle)
            ?? track(process: process, pid: pid, namesBundle: event.namesBundle, device: device(of: event.device))

        if let callback = event.callback, Int(callback) < plan.catalog.places.count {
            let place = plan.catalog.places[Int(callback)]
            guard Int(place.model) < plan.catalog.models.count else { return }
            if event.saysEnd, let target = executing(slot, place, event) {
                materialise(slot, event)
                noteReturn(target, slot, place, event)
                return
            }
            let known = event.copyKey == Self.knownCopy && !event.saysEnd
            if !known, beginsAnotherRun(slot, place, at: time) {
                end(slot, followedAt: time)
                slot = track(
                    process: process, pid: pid, namesBundle: event.namesBundle, device: device(of: event.device))
            }
            if event.pid != nil { runs[Int(slot)].hasCallbacks = true }
            materialise(slot, event)
            sign(slot, at: time, line: event.line)
            revive(slot)
            lastSpoken = slot
            callBack(slot, place, event, isCopy: known)
        } else if let proof = event.proof {
            let origin = origins.number(symbols.number(event.origin), name: symbols.text(symbols.number(event.origin)))
            replayEvidence(&slot, proof, origin: origin, event)
        }
    }

    @inline(__always)
    func device(of symbol: Symbol) -> UInt32 { givenDevice == 0 ? symbols.number(symbol) : givenDevice }

    /// Gives the run of an event its row if it has none yet.
    @inline(__always)
    mutating func materialise(_ slot: Int32, _ event: Event) {
        runs[Int(slot)].lastLine = event.line
        runs[Int(slot)].lastSource = source
        let device = device(of: event.device)
        if runs[Int(slot)].device == 0 { runs[Int(slot)].device = device }
        otherDevice = otherDevice(than: slot, device)
        otherName = noteName(symbols.number(event.process), of: slot, isBundle: event.namesBundle)
        let time = Time.plain(event.time)
        if runs[Int(slot)].mentioned.source == 0 { mention(slot, line: event.line) }
        if !runs[Int(slot)].isSpelled { spell(slot) }
        if runs[Int(slot)].id == 0 {
            seen(slot, at: time)
            begin(slot, hash: contentHash(of: event), time: time)
            runs[Int(slot)].isNamed = !isWitness
        } else if !isWitness, !runs[Int(slot)].isNamed {
            // Who else knows of the process changes nothing about which run it is.
            runs[Int(slot)].isNamed = true
            name(slot, hash: contentHash(of: event), time: time)
        }
        place(slot)
    }

    /// The run begins where its own log first tells of it.
    @inline(__always)
    mutating func place(_ slot: Int32) {
        if !isWitness, !runs[Int(slot)].isPlaced {
            runs[Int(slot)].source = source
            runs[Int(slot)].isPlaced = true
        }
    }

    /// What the first event of a run says, as a number that does not depend on where the line stands.
    private func contentHash(of event: Event) -> UInt64 {
        var hash = Hashing.mix(Hashing.start, UInt64(bitPattern: event.time ?? 0))
        if let callback = event.callback, Int(callback) < plan.catalog.places.count {
            let place = plan.catalog.places[Int(callback)]
            if Int(place.model) < plan.catalog.models.count {
                hash = Hashing.mix(hash, plan.catalog.models[Int(place.model)].callbacks[Int(place.callback)])
            }
        } else {
            hash = Hashing.mix(hash, symbols.text(symbols.number(event.origin)))
            hash = Hashing.mix(hash, event.proof?.rawValue)
        }
        return Hashing.mix(hash, symbols.text(symbols.number(event.instance)))
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

    private mutating func callBack(_ slot: Int32, _ place: CompiledCatalog.Place, _ event: Event, isCopy: Bool) {
        let number = Int(place.model)
        let time = Time.plain(event.time)
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
            over.label == symbols.caseless(symbols.number(event.instance))
        {
            keepFolded(
                event, instance: over.id, label: nil, model: place.model, subject: place.callback, origin: 0,
                isCopy: false)
            return
        }
        if model.isPerScene, !isOfScene, isUnplaced(slot, place, event) {
            noteUnplaced(slot, place, event, isCopy: isCopy)
            return
        }
        let target = instance(slot, place, event)
        if isCopy
            || (model.traits[Int(place.callback)].contains(.folds)
                && isRepetition(target, place.callback, at: time))
        {
            fold(target, subject: place.callback, origin: 0, event)
            return
        }
        if event.saysEnd { keepSaidEnd(event, instance: instances[Int(target)].id, place) }
        var judged = Judged(
            run: slot, instance: target, callback: event.callback ?? CompiledModel.noCallback,
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
                    holdBack(target, Self.missingCallback, at: event.line, since: first)
                }
            } else {
                let deviation = deviation(place.callback, in: step.state, leadingTo: step.after, of: target, at: time)
                release(suspectsOf: target, isTie: deviation.name == Self.reorderedTie)
                judged.deviation = deviation.name
                judged.repair = deviation.repair
                if !judge(judged) {
                    report(place.callback, in: step.state, leadingTo: step.after, of: target, deviation, event)
                }
                uniteFindings(since: first)
                if isMissedAgain(deviation, judged, leadingTo: step.after) {
                    let others = out.findings[first...].filter {
                        $0.deviation != deviation.name || $0.line != event.line
                    }
                    out.findings.replaceSubrange(first..., with: others)
                }
                if time != Time.none, deviation.name != Self.reorderedTie {
                    holdBack(target, deviation.name, at: event.line, since: first)
                }
            }
            if isFirstOfScenes { judgeBeginning(judged) }
            runMemories[Int(slot)].lastStep = id
            follow(judged, step: id)
        }
        remember(event, of: target, at: time)
        keepMessage(event, step: id)
        if !judged.isSupplementary { memories[Int(target)].saidEnd = event.saysEnd }
        instances[Int(target)].lastCallback = place.callback
        instances[Int(target)].executionTime = time
        if isOfScene { deriveApp(slot, event) }
        if plan.catalog.hasListeners { drive(slot, by: event) }
        if model.traits[Int(place.callback)].contains(.endsInstance), model.isPerObject {
            retireInstance(target, of: slot)
        }
    }

    @inline(__always)
    mutating func keepMessage(_ event: Event, step: Int64) {
        guard options.keepsMessages, !event.message.isNone, let text = symbols.text(symbols.number(event.message))
        else {
            return
        }
        out.messages.append((step, text))
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
    private mutating func keepNotification(_ slot: Int32, _ callback: UInt16, _ event: Event) -> Int64 {
        let state = instances[Int(slot)].state
        return record(
            slot, role: .event, subject: callback, origin: 0, before: state, after: state, isLegal: true,
            time: Time.plain(event.time), line: event.line, inferred: false)
    }
}
