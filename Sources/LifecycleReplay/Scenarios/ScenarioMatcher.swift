import LifecycleModel
import TraceRecords

/// Recognises documented sequences in runs: the longest ones, wherever they begin.
struct ScenarioMatcher {
    /// How many sequences of a run can be going on at a time.
    private static let threadsKept = 64
    private static let candidatesAtRest = 16

    /// What is kept of a run besides its lists.
    struct Memory: BitwiseCopyable {
        /// Serial number of the run.
        var serial: Int64 = 0
        /// The first step of the candidate that began first.
        var earliestCandidate = Int64.max
        /// From how many candidates on those are dropped that others contain, though none is certain yet.
        var candidatesToSift = ScenarioMatcher.candidatesAtRest
        /// The last event that scenarios were looked for in.
        var lastStep: Int64 = 0
    }

    let plan: ReplayPlan
    /// By slot of the run: what is kept of it, the scenarios that are going on, and those found that a longer one may
    /// still contain.
    var memories: [Memory] = []
    var threads: [[ScenarioThread]] = []
    var candidates: [[ScenarioCandidate]] = []
    /// Room for the scenarios that an event settles.
    private var settled: [ScenarioCandidate] = []

    init(plan: ReplayPlan) { self.plan = plan }

    private mutating func prepare(_ run: Int, _ serial: Int64) {
        while memories.count <= run {
            memories.append(Memory())
            threads.append([])
            candidates.append([])
        }
        guard memories[run].serial != serial else { return }
        memories[run] = Memory(serial: serial)
        threads[run].removeAll(keepingCapacity: true)
        candidates[run].removeAll(keepingCapacity: true)
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

    /// Goes on with the sequences of a run.
    mutating func follow(_ event: CallbackEvent, _ machine: inout InstanceMachine) {
        let run = Int(event.run)
        prepare(run, machine.runs.states[run].serial)
        memories[run].lastStep = event.step
        let model = machine.states[Int(event.instance)].model
        let heard = Heard(
            callback: event.callback, time: event.time, step: event.step,
            instance: machine.states[Int(event.instance)].id, model: model < 64 ? 1 << UInt64(model) : 0,
            isHarmless: event.isSupplementary || !plan.catalog.traits[Int(event.callback)].contains(.folds),
            maxGap: plan.settings.maxGap, launchDecidedAfter: plan.settings.backgroundLaunchAfter)
        if !threads[run].isEmpty { advance(run, heard, &machine) }
        begin(run, event, heard, model, &machine)
        if !candidates[run].isEmpty { settle(event.run, runEnds: false, &machine) }
    }

    private mutating func advance(_ run: Int, _ heard: Heard, _ machine: inout InstanceMachine) {
        let plan = plan
        // Taken out while they are looked at, so that each look costs no check for another owner.
        var going: [ScenarioThread] = []
        swap(&going, &threads[run])
        var kept = 0
        for place in going.indices {
            let goesOn = Self.advance(&going[place], plan.scenarios, heard)
            if going[place].completeStep == heard.step, plan.scenarios.heads[going[place].pattern].asksForOthers {
                going[place].othersFit = othersFit(going[place].pattern, run, besides: heard.instance, &machine)
            }
            if goesOn {
                if kept < place { going[kept] = going[place] }
                kept += 1
            } else {
                finish(going[place], run)
            }
        }
        going.removeLast(going.count - kept)
        swap(&going, &threads[run])
    }

    private mutating func begin(
        _ run: Int, _ event: CallbackEvent, _ heard: Heard, _ model: UInt8, _ machine: inout InstanceMachine
    ) {
        let plan = plan
        for place in plan.scenarios.beginning.places(of: Int(event.callback))
        where threads[run].count < Self.threadsKept {
            let number = plan.scenarios.beginning[place]
            if plan.scenarios.heads[number].asksForState, event.before != CompiledModel.unknown,
                plan.scenarios.patterns[number].beginsIn[Int(model)] & 1 << UInt64(event.before) == 0
            {
                continue
            }
            var thread = ScenarioThread(
                pattern: number, soon: 0, anytime: plan.scenarios.heads[number].start, firstStep: heard.step,
                firstTime: heard.time, lastTime: heard.time)
            if Self.advance(&thread, plan.scenarios, heard) {
                threads[run].append(thread)
            } else {
                finish(thread, run)
            }
        }
    }

    /// Moves a sequence on.
    ///
    /// - Returns: whether it can still go on.
    @inline(__always)
    private static func advance(_ thread: inout ScenarioThread, _ book: ScenarioBook, _ heard: Heard) -> Bool {
        let pattern = thread.pattern
        if book.heads[pattern].excludes(heard.callback, of: heard.instance, in: thread) {
            // What is ruled out before anybody could know never was one: a slow launch is none into the background.
            let isEarly =
                heard.time == Time.none || thread.firstTime == Time.none
                || heard.time - thread.firstTime <= heard.launchDecidedAfter
            if isEarly { thread.completeStep = 0 }
            return false
        }
        guard book.heads[pattern].models & heard.model != 0 else { return true }
        let isSoon =
            heard.time == Time.none || thread.lastTime == Time.none || heard.time - thread.lastTime <= heard.maxGap
        let standing = thread.anytime | (isSoon ? thread.soon : 0)
        var near: UInt64 = 0
        var far: UInt64 = 0
        let cell = pattern * book.width + Int(heard.callback)
        for place in Int(book.firstEdge[cell])..<Int(book.firstEdge[cell + 1]) {
            guard standing & book.edges[place].from != 0 else { continue }
            let actor = book.edges[place].actor
            let isNamed = actor != ScenarioPattern.Edge.anyone
            guard !isNamed || thread.mayPlay(actor, heard.instance) else { continue }
            near |= book.edges[place].near
            far |= book.edges[place].far
            if isNamed { thread.assign(actor, heard.instance) }
        }
        // What others do, and what changes no state, leaves the sequence alone.
        guard near | far != 0 else { return heard.isHarmless || !thread.has(heard.instance) }
        thread.soon = near
        thread.anytime = far
        thread.heard += 1
        if thread.firstStep != heard.step, thread.secondTime == Time.none { thread.secondTime = heard.time }
        thread.lastTime = heard.time
        if (near | far) & book.heads[pattern].last != 0 {
            thread.completeStep = heard.step
            thread.completeTime = heard.time
            thread.completeHeard = thread.heard
        }
        return (near | far) & book.heads[pattern].open != 0
    }

    /// Whether other instances of a sequence's model are there, where it is documented for that, or are not.
    private func othersFit(
        _ number: Int, _ run: Int, besides last: Int64, _ machine: inout InstanceMachine
    ) -> Bool {
        let pattern = plan.scenarios.patterns[number]
        let model = plan.catalog.models[Int(pattern.owner)]
        var isThere = false
        for slot in machine.runs.details[run].others where !isThere {
            let instance = machine.states[Int(slot)]
            isThere =
                instance.model == pattern.owner && instance.id != last && instance.state != CompiledModel.unknown
                && instance.state != model.initial && model.terminal & 1 << UInt64(instance.state) == 0
        }
        return isThere == pattern.others
    }

    private mutating func finish(_ thread: ScenarioThread, _ run: Int) {
        guard thread.completeStep != 0, thread.othersFit else { return }
        memories[run].earliestCandidate = min(memories[run].earliestCandidate, thread.firstStep)
        candidates[run].append(
            ScenarioCandidate(
                pattern: thread.pattern, firstStep: thread.firstStep, lastStep: thread.completeStep,
                started: thread.firstTime, ended: thread.completeTime, secondTime: thread.secondTime,
                reachesEnd: thread.reachesEnd, heard: thread.completeHeard, cast: thread.cast))
    }

    // MARK: Which of those found count

    /// Hands over the sequences that nothing longer can contain any more.
    private mutating func settle(_ run: Int32, runEnds: Bool, _ machine: inout InstanceMachine) {
        let place = Int(run)
        // Threads are in the order in which they began.
        let earliest = runEnds ? Int64.max : threads[place].first?.firstStep ?? Int64.max
        let isSifting = candidates[place].count >= memories[place].candidatesToSift
        guard earliest > memories[place].earliestCandidate || isSifting else { return }
        if candidates[place].count == 1 {
            tell(candidates[place][0], run, &machine)
            candidates[place].removeAll(keepingCapacity: true)
            memories[place].earliestCandidate = Int64.max
            return
        }
        // Both lists keep their storage: this happens at every second event.
        var found: [ScenarioCandidate] = []
        swap(&found, &candidates[place])
        var told: [ScenarioCandidate] = []
        swap(&told, &settled)
        found.sort(by: ScenarioCandidate.longestFirst)
        markContained(&found, run, before: isSifting ? Int64.max : earliest, &machine)
        var kept = 0
        for one in found {
            if one.isContained || !fits(one, run, &machine) && (runEnds || !mayUseScenes(one, run, &machine)) {
                continue
            }
            if one.firstStep < earliest {
                told.append(one)
            } else {
                found[kept] = one
                kept += 1
            }
        }
        found.removeLast(found.count - kept)
        if told.count > 1 {
            told.sort { ($0.firstStep, $0.lastStep, $0.pattern) < ($1.firstStep, $1.lastStep, $1.pattern) }
        }
        for one in told { tell(one, run, &machine) }
        told.removeAll(keepingCapacity: true)
        swap(&told, &settled)
        memories[place].earliestCandidate = found.first?.firstStep ?? Int64.max
        memories[place].candidatesToSift = max(Self.candidatesAtRest, kept * 2)
        swap(&found, &candidates[place])
    }

    /// Finds out which sequences are part of another one, of those that begin before a step.
    private func markContained(
        _ found: inout [ScenarioCandidate], _ run: Int32, before earliest: Int64, _ machine: inout InstanceMachine
    ) {
        var shadow = ScenarioShadow()
        for place in found.indices {
            // The shadow knows quickly that none is longer; that one is, it only suspects.
            let one = found[place]
            let isFirst = place == 0 || !one.spansLike(found[place - 1])
            let isLast = place + 1 == found.count || !one.spansLike(found[place + 1])
            found[place].isContained =
                (shadow.contains(one) || !isFirst || !isLast)
                && isContained(one, in: found, run, before: earliest, &machine)
            if one.firstStep < earliest, fits(one, run, &machine) { shadow.add(one) }
        }
    }

    /// Whether one sequence is a part of another one, or of one that has as long a span and explains more callbacks.
    private func isContained(
        _ one: ScenarioCandidate, in found: [ScenarioCandidate], _ run: Int32, before earliest: Int64,
        _ machine: inout InstanceMachine
    ) -> Bool {
        // All scenes and controllers of one must play a part in the other; the app always does.
        let app = machine.runs.states[Int(run)].app
        let known = app >= 0 ? machine.states[Int(app)].id : 0
        for other in found where other.firstStep <= one.firstStep && other.lastStep >= one.lastStep {
            let isLonger = !other.spansLike(one) || other.heard > one.heard
            if isLonger, other.firstStep < earliest, other.reachesEnd || !one.reachesEnd,
                one.mayBePlayed(by: other, besides: known), fits(other, run, &machine)
            {
                return true
            }
        }
        return false
    }

    /// Whether a sequence is documented for the kind of run that it was found in.
    private func fits(_ one: ScenarioCandidate, _ run: Int32, _ machine: inout InstanceMachine) -> Bool {
        let head = plan.scenarios.heads[one.pattern]
        if machine.runs.states[Int(run)].usesScenes { return head.hasScenes }
        return head.isPlain || head.hasScenes && livesOnWithoutAnything(run, &machine)
    }

    /// Whether nothing but a launch came of a process that lived on long enough to have been launched into the
    /// background: it may have scenes as well as not.
    private func livesOnWithoutAnything(_ run: Int32, _ machine: inout InstanceMachine) -> Bool {
        let app = machine.runs.states[Int(run)].app
        return machine.runs.states[Int(run)].launching && app >= 0
            && machine.states[Int(app)].state == plan.catalog.background
    }

    private func mayUseScenes(_ one: ScenarioCandidate, _ run: Int32, _ machine: inout InstanceMachine) -> Bool {
        !machine.runs.states[Int(run)].usesScenes && machine.runs.states[Int(run)].launching
            && plan.scenarios.heads[one.pattern].hasScenes
    }

    private func tell(_ one: ScenarioCandidate, _ run: Int32, _ machine: inout InstanceMachine) {
        guard fits(one, run, &machine) else { return }
        let pattern = plan.scenarios.patterns[one.pattern]
        var (scenario, members) = (pattern.scenario, String?.none)
        if pattern.equivalenceClass != nil {
            let usesScenes = machine.runs.states[Int(run)].usesScenes
            let possible = likely(one, usesScenes ? pattern.membersWithScenes : pattern.plainMembers, pattern.hints)
            guard let first = possible.first else { return }
            (scenario, members) = (first, possible.text)
        }
        machine.rows.batch.scenarios.append(
            ScenarioMatch(
                run: machine.runs.states[Int(run)].id, scenario: scenario, equivalenceClass: pattern.equivalenceClass,
                members: members, firstStep: one.firstStep, lastStep: one.lastStep,
                ended: one.reachesEnd ? Time.optional(one.ended) : nil))
    }

    /// The members of a class that the time between its callbacks or the configuration speaks for, else all.
    private func likely(
        _ one: ScenarioCandidate, _ members: [ScenarioPattern.Members], _ hints: [EquivalenceClass.Hint]
    ) -> ScenarioPattern.Members {
        for (hint, favoured) in zip(hints, members.dropFirst()) where favoured.first != nil {
            if !hint.gap.isEmpty {
                guard one.started != Time.none, one.secondTime != Time.none else { continue }
                let gap = Double(one.secondTime - one.started) / 1e9
                guard hint.below.map({ gap < $0 }) ?? true, hint.above.map({ gap > $0 }) ?? true else { continue }
            }
            return favoured
        }
        return members[0]
    }

    /// Ends the sequences of a run.
    mutating func close(_ run: Int32, _ machine: inout InstanceMachine) {
        let place = Int(run)
        let state = machine.runs.states[place]
        guard place < memories.count, memories[place].serial == state.serial else { return }
        let isSilent = state.superseded && !state.hasEnded
        for number in threads[place].indices {
            var thread = threads[place][number]
            let head = plan.scenarios.heads[thread.pattern]
            if isSilent, (thread.soon | thread.anytime) & head.openAtEnd != 0,
                head.failedLaunch.map({ $0 == machine.isFailedLaunch(run) }) ?? true
            {
                thread.completeStep = memories[place].lastStep
                thread.completeTime = state.lastSeen
                thread.reachesEnd = true
            }
            finish(thread, place)
        }
        threads[place].removeAll(keepingCapacity: true)
        if !candidates[place].isEmpty { settle(run, runEnds: true, &machine) }
        memories[place].serial = 0
    }
}
