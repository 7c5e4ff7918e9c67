import LifecycleModel
import TraceRecords

/// Recognises documented sequences in a run: the longest ones, wherever they begin.
extension LogReplayer {
    /// How many sequences of a run can be going on at a time.
    private static let threadsKept = 64

    /// Goes on with the sequences of a run.
    mutating func follow(_ judged: Judged, step: Int64) {
        let run = Int(judged.run)
        let plan = plan
        let model = instances[Int(judged.instance)].model
        let traits = plan.catalog.traits[Int(judged.callback)]
        let heard = Heard(
            callback: judged.callback, time: judged.time, step: step, instance: instances[Int(judged.instance)].id,
            model: model < 64 ? 1 << UInt64(model) : 0,
            isHarmless: judged.isSupplementary || !traits.contains(.folds), maxGap: plan.settings.maxGap,
            launchDecidedAfter: plan.settings.backgroundLaunchAfter)
        // Taken out while they are looked at, so that each look costs no check for another owner.
        var threads: [ScenarioThread] = []
        swap(&threads, &runMemories[run].threads)
        var kept = 0
        for place in threads.indices {
            let goesOn = Self.advance(&threads[place], plan.scenarios, heard)
            if threads[place].completeStep == step, plan.scenarios.heads[threads[place].pattern].asksForOthers {
                let pattern = plan.scenarios.patterns[threads[place].pattern]
                threads[place].othersFit = othersFit(pattern, run, besides: heard.instance)
            }
            if goesOn {
                if kept < place { threads[kept] = threads[place] }
                kept += 1
            } else {
                finish(threads[place], judged.run)
            }
        }
        threads.removeLast(threads.count - kept)
        for place in plan.scenarios.beginning.places(of: Int(judged.callback))
        where threads.count < Self.threadsKept {
            let number = plan.scenarios.beginning[place]
            if plan.scenarios.heads[number].asksForState,
                !mayBegin(plan.scenarios.patterns[number], judged, in: model)
            {
                continue
            }
            var thread = ScenarioThread(
                pattern: number, soon: 0, anytime: plan.scenarios.heads[number].start, firstStep: step,
                firstTime: judged.time, lastTime: judged.time)
            if Self.advance(&thread, plan.scenarios, heard) {
                threads.append(thread)
            } else {
                finish(thread, judged.run)
            }
        }
        swap(&threads, &runMemories[run].threads)
        if !runMemories[run].candidates.isEmpty { settleScenarios(judged.run, logEnds: false) }
    }

    /// Whether a sequence is documented to begin where the instance is; where that is not known it may.
    private func mayBegin(_ pattern: ScenarioPattern, _ judged: Judged, in model: UInt8) -> Bool {
        guard judged.before != CompiledModel.unknown else { return true }
        return pattern.beginsIn[Int(model)] & 1 << UInt64(judged.before) != 0
    }

    /// What is the same for all sequences that look at an event.
    private struct Heard {
        var callback: UInt16
        var time: Int64
        var step: Int64
        var instance: Int64
        /// The model as a bit.
        var model: UInt64
        /// Whether it leaves a sequence alone that has no place for it.
        var isHarmless: Bool
        var maxGap: Int64
        /// How long a launch may take.
        var launchDecidedAfter: Int64
    }

    /// Moves a sequence on.
    ///
    /// - Returns: whether it can still go on.
    @inline(__always)
    private static func advance(_ thread: inout ScenarioThread, _ book: ScenarioBook, _ heard: Heard) -> Bool {
        let head = book.heads[thread.pattern]
        if head.excludes(heard.callback, of: heard.instance, in: thread) {
            // What is ruled out before anybody could tell never was one: a slow launch is none into the background.
            let isEarly =
                heard.time == Time.none || thread.firstTime == Time.none
                || heard.time - thread.firstTime <= heard.launchDecidedAfter
            if isEarly { thread.completeStep = 0 }
            return false
        }
        guard head.models & heard.model != 0 else { return true }
        let isSoon =
            heard.time == Time.none || thread.lastTime == Time.none || heard.time - thread.lastTime <= heard.maxGap
        let standing = thread.anytime | (isSoon ? thread.soon : 0)
        var near: UInt64 = 0
        var far: UInt64 = 0
        let cell = thread.pattern * book.width + Int(heard.callback)
        for place in Int(book.firstEdge[cell])..<Int(book.firstEdge[cell + 1]) {
            let edge = book.edges[place]
            guard standing & edge.from != 0 else { continue }
            let isNamed = edge.actor != ScenarioPattern.Edge.anyone
            guard !isNamed || thread.mayPlay(edge.actor, heard.instance) else { continue }
            near |= edge.near
            far |= edge.far
            if isNamed { thread.assign(edge.actor, heard.instance) }
        }
        // What others do, and what changes no state, leaves the sequence alone.
        guard near | far != 0 else { return heard.isHarmless || !thread.has(heard.instance) }
        thread.soon = near
        thread.anytime = far
        thread.heard += 1
        if thread.firstStep != heard.step, thread.secondTime == Time.none { thread.secondTime = heard.time }
        thread.lastTime = heard.time
        if (near | far) & head.last != 0 {
            thread.completeStep = heard.step
            thread.completeTime = heard.time
            thread.completeHeard = thread.heard
        }
        return (near | far) & head.open != 0
    }

    /// Whether other instances of a sequence's model are there, where it is documented for that, or are not.
    private func othersFit(_ pattern: ScenarioPattern, _ run: Int, besides last: Int64) -> Bool {
        let model = plan.catalog.models[Int(pattern.owner)]
        let there = runs[run].others.contains { slot in
            let instance = instances[Int(slot)]
            return instance.model == pattern.owner && instance.id != last
                && instance.state != CompiledModel.unknown && instance.state != model.initial
                && model.terminal & 1 << UInt64(instance.state) == 0
        }
        return there == pattern.others
    }

    private mutating func finish(_ thread: ScenarioThread, _ run: Int32) {
        guard thread.completeStep != 0, thread.othersFit else { return }
        runMemories[Int(run)].earliestCandidate = min(runMemories[Int(run)].earliestCandidate, thread.firstStep)
        runMemories[Int(run)].candidates.append(
            ScenarioCandidate(
                pattern: thread.pattern, firstStep: thread.firstStep, lastStep: thread.completeStep,
                started: thread.firstTime, ended: thread.completeTime, secondTime: thread.secondTime,
                reachesEnd: thread.reachesEnd, heard: thread.completeHeard, cast: thread.cast))
    }

    /// Hands over the sequences that nothing longer can contain any more.
    mutating func settleScenarios(_ run: Int32, logEnds: Bool) {
        let memory = Int(run)
        // Threads stand in the order in which they began.
        let earliest = logEnds ? Int64.max : runMemories[memory].threads.first?.firstStep ?? Int64.max
        let isSifting = runMemories[memory].candidates.count >= runMemories[memory].candidatesToSift
        guard earliest > runMemories[memory].earliestCandidate || isSifting else { return }
        if runMemories[memory].candidates.count == 1 {
            tell(runMemories[memory].candidates[0], run)
            runMemories[memory].candidates.removeAll(keepingCapacity: true)
            runMemories[memory].earliestCandidate = Int64.max
            return
        }
        // Both lists keep their storage: this happens at every second event.
        var candidates: [ScenarioCandidate] = []
        swap(&candidates, &runMemories[memory].candidates)
        var told: [ScenarioCandidate] = []
        swap(&told, &settledScenarios)
        candidates.sort(by: ScenarioCandidate.longestFirst)
        var shadow = ScenarioShadow()
        for place in candidates.indices {
            // The shadow tells quickly that none is longer; that one is, it only suspects.
            let one = candidates[place]
            let isFirst = place == 0 || !one.spansLike(candidates[place - 1])
            let isLast = place + 1 == candidates.count || !one.spansLike(candidates[place + 1])
            candidates[place].isContained =
                (shadow.contains(one) || !isFirst || !isLast)
                && isContained(one, in: candidates, run, before: isSifting ? Int64.max : earliest)
            if one.firstStep < earliest || isSifting, fits(one, run) { shadow.add(one) }
        }
        var kept = 0
        for place in candidates.indices {
            let one = candidates[place]
            let isSettled = one.firstStep < earliest
            if one.isContained || !fits(one, run) && (logEnds || !mayUseScenes(one, run)) { continue }
            if isSettled {
                told.append(one)
            } else {
                candidates[kept] = one
                kept += 1
            }
        }
        candidates.removeLast(candidates.count - kept)
        if told.count > 1 {
            told.sort { ($0.firstStep, $0.lastStep, $0.pattern) < ($1.firstStep, $1.lastStep, $1.pattern) }
        }
        for one in told { tell(one, run) }
        told.removeAll(keepingCapacity: true)
        swap(&told, &settledScenarios)
        runMemories[memory].earliestCandidate = candidates.first?.firstStep ?? Int64.max
        runMemories[memory].candidatesToSift = max(RuleMemory.candidatesAtRest, kept * 2)
        swap(&candidates, &runMemories[memory].candidates)
    }

    /// Whether one sequence is a part of another one, or of one that has as long a span and explains more callbacks.
    private func isContained(
        _ one: ScenarioCandidate, in candidates: [ScenarioCandidate], _ run: Int32, before earliest: Int64
    ) -> Bool {
        for other in candidates where other.firstStep <= one.firstStep && other.lastStep >= one.lastStep {
            let isLonger = !other.spansLike(one) || other.heard > one.heard
            if isLonger, other.firstStep < earliest, other.reachesEnd || !one.reachesEnd, plays(other, all: one, run),
                fits(other, run)
            {
                return true
            }
        }
        return false
    }

    /// Whether all scenes and controllers of one sequence play a part in another: only then is it a part of that one.
    private func plays(_ other: ScenarioCandidate, all one: ScenarioCandidate, _ run: Int32) -> Bool {
        let app = runs[Int(run)].app
        let known = app >= 0 ? instances[Int(app)].id : 0
        return one.mayBePlayed(by: other, besides: known)
    }

    /// Whether a sequence is documented for the kind of run that it was found in.
    private func fits(_ one: ScenarioCandidate, _ run: Int32) -> Bool {
        let pattern = plan.scenarios.patterns[one.pattern]
        if runs[Int(run)].usesScenes { return pattern.hasScenes }
        return pattern.isPlain || pattern.hasScenes && livesOnWithoutAnything(run)
    }

    /// Whether nothing but a launch came of a process that lived on long enough to have been launched into the
    /// background: it may have scenes as well as not.
    private func livesOnWithoutAnything(_ run: Int32) -> Bool {
        let app = runs[Int(run)].app
        return runs[Int(run)].launching && app >= 0 && instances[Int(app)].state == plan.catalog.background
    }

    private func mayUseScenes(_ one: ScenarioCandidate, _ run: Int32) -> Bool {
        !runs[Int(run)].usesScenes && runs[Int(run)].launching && plan.scenarios.patterns[one.pattern].hasScenes
    }

    private mutating func tell(_ one: ScenarioCandidate, _ run: Int32) {
        guard fits(one, run) else { return }
        let pattern = plan.scenarios.patterns[one.pattern]
        var scenario = pattern.scenario
        if pattern.equivalenceClass != nil {
            let possible = runs[Int(run)].usesScenes ? pattern.membersWithScenes : pattern.plainMembers
            guard let first = possible.first else { return }
            scenario = hinted(pattern.hints, one, possible) ?? first
        }
        out.scenarios.append(
            ScenarioMatch(
                run: runs[Int(run)].id, scenario: scenario, equivalenceClass: pattern.equivalenceClass,
                firstStep: one.firstStep, lastStep: one.lastStep,
                ended: one.reachesEnd ? Time.optional(one.ended) : nil))
    }

    /// The member of a class that the time between its callbacks or the configuration speaks for.
    private func hinted(
        _ hints: [EquivalenceClass.Hint], _ one: ScenarioCandidate, _ possible: [String]
    ) -> String? {
        for hint in hints {
            if !hint.gap.isEmpty {
                guard one.started != Time.none, one.secondTime != Time.none else { continue }
                let gap = Double(one.secondTime - one.started) / 1e9
                guard hint.below.map({ gap < $0 }) ?? true, hint.above.map({ gap > $0 }) ?? true else { continue }
            }
            if let member = hint.members.first(where: possible.contains) { return member }
        }
        return nil
    }

    /// Ends the sequences of a run.
    mutating func endScenarios(_ run: Int32) {
        let isSilent = runs[Int(run)].superseded && runs[Int(run)].endReason == nil
        for var thread in runMemories[Int(run)].threads {
            let pattern = plan.scenarios.patterns[thread.pattern]
            let standing = thread.soon | thread.anytime
            let isExpected = pattern.failedLaunch.map { $0 == isFailedLaunch(runs[Int(run)]) } ?? true
            if isSilent, isExpected, standing & pattern.openAtEnd != 0 {
                thread.completeStep = runMemories[Int(run)].lastStep
                thread.completeTime = runs[Int(run)].lastSeen
                thread.reachesEnd = true
            }
            finish(thread, run)
        }
        runMemories[Int(run)].threads = []
        if !runMemories[Int(run)].candidates.isEmpty { settleScenarios(run, logEnds: true) }
    }
}

extension ScenarioThread {
    /// Row id of the instance that plays an actor; 0 while unknown.
    func actor(_ number: Int) -> Int64 { cast[number] }

    mutating func assign(_ number: Int, _ instance: Int64) { cast[number] = instance }

    /// Whether an instance plays an actor, or can.
    func mayPlay(_ number: Int, _ instance: Int64) -> Bool {
        let present = actor(number)
        return present == instance || present == 0 && !has(instance)
    }

    /// Whether an instance plays any actor.
    func has(_ instance: Int64) -> Bool {
        cast.has(instance)
    }
}
