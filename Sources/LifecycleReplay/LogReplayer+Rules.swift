import LifecycleModel
import TraceRecords

/// Holds events against the rules of the models.
extension LogReplayer {
    /// An event as the rules look at it.
    struct Judged {
        var run: Int32
        var instance: Int32
        /// Number in the vocabulary.
        var callback: UInt16
        var before: UInt8
        /// The state that the event met, unknown where only the event itself tells it.
        var met = CompiledModel.unknown
        var time: Int64
        var line: Int64
        var isSupplementary: Bool
        /// Class and repair of a step that the model does not document.
        var deviation: Deviation?
        var repair: String?
    }

    /// A finding that a rule makes of a step.
    struct Verdict {
        /// Place in the findings of the batch.
        var place: Int
        /// How much the rule says, and its number.
        var weight: Int
        var rule: Int
    }

    /// Holds an event against every rule that it concerns.
    ///
    /// - Returns: whether some rule says that the step itself is wrong.
    @discardableResult
    mutating func judge(_ judged: Judged) -> Bool {
        settlePending(judged.run, callback: judged.callback, at: judged.time)
        measure(judged)
        if !verdicts.isEmpty { verdicts.removeAll(keepingCapacity: true) }
        let slot = Int(judged.instance)
        let model = Int(instances[slot].model)
        let previous = memories[slot].previous
        let plan = plan
        for place in plan.rules.always.places(of: model) {
            look(plan.rules.always[place], judged, at: judged.instance, plan)
        }
        if plan.rules.exchanges[model] != nil { watchExchange(judged, plan) }
        if previous != CompiledModel.noCallback {
            for place in plan.rules.following.places(of: Int(previous)) {
                follow(plan.rules.following[place], judged, plan)
            }
        }
        for place in plan.rules.borders.places(of: Int(judged.callback)) {
            noteBorder(plan.rules.checks[plan.rules.borders[place]], judged)
        }
        for place in plan.rules.own.places(of: Int(judged.callback)) {
            look(plan.rules.own[place], judged, at: judged.instance, plan)
        }
        for place in plan.rules.foreign.places(of: Int(judged.callback)) {
            let check = plan.rules.foreign[place]
            let model = plan.rules.checks[check].model
            for other in runs[Int(judged.run)].others where instances[Int(other)].model == model {
                look(check, judged, at: other, plan)
            }
            if Int(model) == plan.catalog.app, runs[Int(judged.run)].app >= 0 {
                look(check, judged, at: runs[Int(judged.run)].app, plan)
            }
        }
        memories[slot].seen.insert(judged.callback)
        runMemories[Int(judged.run)].seen.insert(judged.callback)
        // Of two lines of one time that stand the wrong way round, the first is the later one.
        if !judged.isSupplementary, judged.deviation != .reorderedTie {
            memories[slot].previous = judged.callback
            memories[slot].previousTime = judged.time
            memories[slot].previousBefore = judged.met
        }
        return !verdicts.isEmpty
    }

    /// Whether a callback met its instance in a known state other than the one that it proves.
    private func isElsewhere(_ judged: Judged) -> Bool {
        let place = plan.catalog.places[Int(judged.callback)]
        let proven = plan.catalog.models[Int(place.model)].proof(of: place.callback)
        return proven != CompiledModel.unknown && judged.before != CompiledModel.unknown && judged.before != proven
    }

    /// Whether a check applies to a run at this moment.
    func applies(_ check: CompiledCheck, to run: Int32) -> Bool {
        let place = Int(run)
        guard runs[place].usesScenes ? check.holdsWithScenes : check.holdsPlain else { return false }
        if check.needsStart, runs[place].launchSeen == 0 { return false }
        if !check.seen.isEmpty, !runMemories[Int(run)].seen.intersects(check.seen) { return false }
        return check.unseen.isEmpty || !runMemories[Int(run)].seen.intersects(check.unseen)
    }

    /// A callback directly after another one.
    private mutating func follow(_ number: Int, _ judged: Judged, _ plan: ReplayPlan) {
        let check = plan.rules.checks[number]
        let listed = check.then.contains(judged.callback)
        if judged.isSupplementary, !listed { return }
        if listed == check.forbidsFollower, applies(check, to: judged.run) { blame(check, judged) }
    }

    /// Looks at an event for one check, with the memory of an instance.
    private mutating func look(_ number: Int, _ judged: Judged, at instance: Int32, _ plan: ReplayPlan) {
        let check = plan.rules.checks[number]
        let slot = Int(instance)
        let isWhen = check.when.contains(judged.callback)
        let isThen = check.then.contains(judged.callback)
        switch check.template {
        case .initial:
            guard memories[slot].previous == CompiledModel.noCallback, !judged.isSupplementary else { return }
            // Where scenes told of the process before its app did, the log did not begin with this line.
            let isTold = runs[Int(judged.run)].usesScenes && Int(check.model) == plan.catalog.app
            if !isWhen, !isTold, applies(check, to: judged.run) { blame(check, judged) }
        case .end:
            lookAtEnd(check, judged, isWhen: isWhen)
        case .absence:
            if isWhen, applies(check, to: judged.run) { blame(check, judged) }
        case .atMost, .exactly:
            guard isWhen else { return }
            memories[slot].cells[check.cell].count += 1
            if memories[slot].cells[check.cell].count > check.count, applies(check, to: judged.run) {
                blame(check, judged)
            }
        case .precedence:
            if isWhen, !memories[slot].seen.intersects(check.then), applies(check, to: judged.run) {
                blame(check, judged)
            }
        case .chainResponse, .chainPrecedence, .notChainSuccession:
            lookAtPredecessor(check, judged, slot: slot, isWhen: isWhen)
        case .alternate:
            if isWhen {
                // In another state than the one that it leads to, it is no repetition: what lies between was not logged,
                // and is reported where it is missing.
                if memories[slot].cells[check.cell].isSet, !isElsewhere(judged), applies(check, to: judged.run) {
                    blame(check, judged)
                }
                memories[slot].cells[check.cell].isSet = true
            } else if isThen {
                memories[slot].cells[check.cell].isSet = false
            }
        case .notSuccession:
            if isThen, memories[slot].seen.intersects(check.when), applies(check, to: judged.run) {
                blame(check, judged)
            }
        case .notCoexistence:
            let seen = memories[slot].seen
            if isWhen && seen.intersects(check.then) || isThen && seen.intersects(check.when),
                applies(check, to: judged.run)
            {
                blame(check, judged)
            }
        case .response:
            if isWhen { memories[slot].cells[check.cell].isSet = true }
            if isThen { memories[slot].cells[check.cell].isSet = false }
        case .onlyInState:
            guard isWhen, judged.before != CompiledModel.unknown else { return }
            if check.states & 1 << UInt64(judged.before) == 0, applies(check, to: judged.run) { blame(check, judged) }
        case .absenceBetween:
            if check.isOverRun {
                lookInTime(check, judged)
            } else {
                lookBetween(check, judged, at: instance, isWhen: isWhen)
            }
        case .existenceBetween:
            lookForExistence(check, judged, slot: slot, isWhen: isWhen)
        case .firstOrder:
            lookAtOrder(check, judged, isWhen: isWhen, isThen: isThen)
        case .noLongSilenceBefore:
            let silence = runs[Int(judged.run)].silenceBefore
            guard isWhen, silence > check.nanoseconds, judged.before != CompiledModel.unknown,
                check.states & 1 << UInt64(judged.before) != 0, applies(check, to: judged.run)
            else { return }
            blame(check, judged, seconds: silence)
        case .notWithin:
            lookWithin(number, check, judged, slot: slot, isWhen: isWhen, isThen: isThen)
        case .noInstanceInState:
            guard isWhen, applies(check, to: judged.run) else { return }
            for other in runs[Int(judged.run)].others where instances[Int(other)].model == check.model {
                let state = instances[Int(other)].state
                if state != CompiledModel.unknown, check.states & 1 << UInt64(state) != 0 {
                    var found = judged
                    found.before = state
                    blame(check, found)
                    return
                }
            }
        case .agreesWithDerived:
            if isWhen { expectAgreement(number, check, judged) }
        case .exchange, .exchangeResponse, .existence, .respondedExistence, .silentEnd, .permitted:
            return
        }
    }

    /// Holds the first scene callback of a run against what the app's callbacks must begin with: the log of a process with
    /// scenes may be cut long before the app's next callback.
    mutating func judgeBeginning(_ judged: Judged) {
        let run = runs[Int(judged.run)]
        guard let app = plan.catalog.app, run.launchSeen == 0,
            run.app < 0 || memories[Int(run.app)].previous == CompiledModel.noCallback
        else { return }
        let plan = plan
        for place in plan.rules.always.places(of: Int(instances[Int(judged.instance)].model)) {
            let check = plan.rules.checks[plan.rules.always[place]]
            // A scene may begin with it: perhaps the app only does not log its launch.
            if check.template == .initial, check.when.contains(judged.callback) { return }
        }
        for place in plan.rules.always.places(of: app) {
            let check = plan.rules.checks[plan.rules.always[place]]
            if check.template == .initial, applies(check, to: judged.run) { blame(check, judged) }
        }
    }

    private mutating func lookAtEnd(_ check: CompiledCheck, _ judged: Judged, isWhen: Bool) {
        let slot = Int(judged.instance)
        guard check.isOfSession else {
            if !judged.isSupplementary, memories[slot].seen.intersects(check.when), applies(check, to: judged.run) {
                blame(check, judged)
            }
            return
        }
        let session = UInt64(runs[Int(judged.run)].process) << 32 | UInt64(instances[slot].foldedLabel)
        if overSessions.contains(session) {
            if applies(check, to: judged.run) { blame(check, judged) }
            // Told once: from here on it is there again.
            if !isWhen { overSessions.remove(session) }
        } else if isWhen, instances[slot].foldedLabel != 0, overSessions.count < Self.sessionsKept {
            overSessions.insert(session)
        }
    }

    private mutating func lookAtPredecessor(_ check: CompiledCheck, _ judged: Judged, slot: Int, isWhen: Bool) {
        if check.looksBack {
            guard isWhen else { return }
            let previous =
                check.among.isEmpty ? memories[slot].previous : memories[slot].cells[check.cell].number
            if previous != CompiledModel.noCallback, !check.then.contains(previous), applies(check, to: judged.run) {
                blame(check, judged)
            }
        } else if !check.among.isEmpty {
            let previous = memories[slot].cells[check.cell].number
            if previous != CompiledModel.noCallback, check.when.contains(previous),
                check.then.contains(judged.callback) == check.forbidsFollower,
                applies(check, to: judged.run)
            {
                blame(check, judged, after: previous)
            }
        }
        if check.among.contains(judged.callback) { memories[slot].cells[check.cell].number = judged.callback }
    }

    private mutating func lookBetween(_ check: CompiledCheck, _ judged: Judged, at instance: Int32, isWhen: Bool) {
        let slot = Int(instance)
        if isWhen, instance == judged.instance, memories[slot].cells[check.cell].isSet, applies(check, to: judged.run) {
            blame(check, judged)
        }
        if check.until.contains(judged.callback) { memories[slot].cells[check.cell].isSet = false }
        if check.from.contains(judged.callback) {
            let state = instances[slot].state
            let counts =
                check.states == 0 || state != CompiledModel.unknown && check.states & 1 << UInt64(state) != 0
            memories[slot].cells[check.cell].isSet = counts
        }
    }

    /// Begins or ends the time of a check for all instances of a run: they find out when something happens to them, since
    /// there may be thousands.
    private mutating func noteBorder(_ check: CompiledCheck, _ judged: Judged) {
        let run = Int(judged.run)
        if check.until.contains(judged.callback) { runMemories[run].cells[check.runCell].isSet = false }
        // The app stays where it is while another of its scenes is active.
        if check.from.contains(judged.callback), !hasActiveScene(run, besides: judged.instance) {
            runMemories[run].cells[check.runCell].isSet = true
            runMemories[run].cells[check.runCell].count += 1
        }
    }

    private func hasActiveScene(_ run: Int, besides scene: Int32) -> Bool {
        guard runs[run].usesScenes else { return false }
        return runs[run].others.contains { slot in
            let other = instances[Int(slot)]
            let table = plan.catalog.derived[Int(other.model)]
            return slot != scene && !table.isEmpty && other.state != CompiledModel.unknown
                && table[Int(other.state)].state == plan.catalog.active
        }
    }

    /// An event in a time that began for the whole run, at an instance that was in one of some states by then.
    private mutating func lookInTime(_ check: CompiledCheck, _ judged: Judged) {
        let time = runMemories[Int(judged.run)].cells[check.runCell]
        guard time.isSet else { return }
        let slot = Int(judged.instance)
        if memories[slot].cells[check.cell].count != time.count {
            let wasThere =
                check.states == 0
                || judged.before != CompiledModel.unknown && check.states & 1 << UInt64(judged.before) != 0
            memories[slot].cells[check.cell].count = time.count
            memories[slot].cells[check.cell].isSet = wasThere && !memories[slot].seen.isEmpty
        }
        if memories[slot].cells[check.cell].isSet, applies(check, to: judged.run) { blame(check, judged) }
    }

    private mutating func lookForExistence(_ check: CompiledCheck, _ judged: Judged, slot: Int, isWhen: Bool) {
        guard !memories[slot].cells[check.cell].isDone else { return }
        if isWhen {
            memories[slot].cells[check.cell].number = judged.callback
        } else if check.from.contains(judged.callback) {
            memories[slot].cells[check.cell].isSet = true
            memories[slot].cells[check.cell].number = CompiledModel.noCallback
        } else if check.until.contains(judged.callback), memories[slot].cells[check.cell].isSet {
            memories[slot].cells[check.cell].isDone = true
            if memories[slot].cells[check.cell].number == CompiledModel.noCallback, applies(check, to: judged.run) {
                blame(check, judged)
            }
        }
    }

    private mutating func lookAtOrder(_ check: CompiledCheck, _ judged: Judged, isWhen: Bool, isThen: Bool) {
        let run = Int(judged.run)
        if check.rootOnly, instances[Int(judged.instance)].model == check.model {
            guard judged.instance == runs[run].others.first(where: { instances[Int($0)].model == check.model }),
                instances[Int(judged.instance)].ordinal == 1, runs[run].retired == nil
            else { return }
        }
        if isThen, !runMemories[run].seen.intersects(check.then), !runMemories[run].seen.intersects(check.when) {
            runMemories[run].cells[check.cell].isSet = true
            runMemories[run].cells[check.cell].number = judged.callback
            runMemories[run].cells[check.cell].line = judged.line
            runMemories[run].cells[check.cell].source = source
            runMemories[run].cells[check.cell].time = judged.time
        } else if isWhen, !isThen, runMemories[run].cells[check.cell].isSet, applies(check, to: judged.run) {
            runMemories[run].cells[check.cell].isSet = false
            let cell = runMemories[run].cells[check.cell]
            var found = judged
            found.callback = cell.number
            found.line = cell.line
            found.time = cell.time
            blame(check, found)
        }
    }

    private mutating func lookWithin(
        _ number: Int, _ check: CompiledCheck, _ judged: Judged, slot: Int, isWhen: Bool, isThen: Bool
    ) {
        if isThen {
            let began = memories[slot].cells[check.cell].time
            if began != Time.none, judged.time != Time.none, judged.time >= began,
                judged.time - began <= check.nanoseconds, applies(check, to: judged.run)
            {
                pend(number, judged, until: judged.time + check.nanoseconds, seconds: judged.time - began)
            }
            memories[slot].cells[check.cell].time = Time.none
        }
        if isWhen { memories[slot].cells[check.cell].time = judged.time }
    }

    private mutating func expectAgreement(_ number: Int, _ check: CompiledCheck, _ judged: Judged) {
        guard let app = plan.catalog.app, runs[Int(judged.run)].app >= 0, applies(check, to: judged.run),
            judged.time != Time.none
        else { return }
        let place = plan.catalog.places[Int(judged.callback)]
        guard Int(place.model) == app else { return }
        let expected = plan.catalog.models[app].proof(of: place.callback)
        let state = instances[Int(runs[Int(judged.run)].app)].state
        guard expected != state, state != CompiledModel.unknown else { return }
        pend(number, judged, until: judged.time + check.nanoseconds, expected: expected)
    }
}
