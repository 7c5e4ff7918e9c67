package import TraceRecords

/// Drives the documented models with the facts of one log.
///
/// Pure and deterministic: the same facts in the same order give the same rows, ids apart, however they are divided into
/// batches, wherever ``takeBatch()`` is called between them, and wherever the replay is saved and resumed. A row handed
/// over early may be handed over again with the same id when more is known of it; the last one counts.
///
/// It only wires its parts: the ``InstanceMachine`` with the runs and instances, and those who look at its steps.
package struct LogReplayer {
    var machine: InstanceMachine
    var judge: Judge
    var scenarios: ScenarioMatcher
    var suspension: SuspensionEstimate
    var repeated = RepeatedLines()
    /// An event that may begin a repeated block, with the facts since then.
    var held = FactBatch()
    /// Whether the event that is replayed was held, so that an earlier line is equal to it.
    var isEqualToEarlier = false
    /// A line that reports an end which nothing has confirmed yet, with the facts since then; and the run that it is about.
    var doubted = FactBatch()
    var doubtedRun: Int32 = -1
    /// The run that has gone on after such lines, while these are replayed; -1 for none.
    var refutedRun: Int32 = -1
    var speakers = SpeakerTable()
    var context = SourceContext(id: 0)
    let options: ReplayOptions

    /// A replay of one of many logs that follow the same plan: making the plan costs more than a small log.
    package init(plan: ReplayPlan, options: ReplayOptions, blocks: BlockSequence) {
        self.options = options
        machine = InstanceMachine(plan: plan, options: options, rows: RowWriter(catalog: plan.catalog, blocks: blocks))
        judge = Judge(plan: plan)
        scenarios = ScenarioMatcher(plan: plan)
        suspension = SuspensionEstimate(plan: plan, grace: options.suspendGrace)
    }

    /// The blocks that the next rows are taken from.
    package var blocks: BlockSequence { machine.rows.blocks }

    /// Replays facts in the order of the log. All facts between two calls of ``takeBatch()`` are of one source.
    package mutating func replay(_ facts: FactBatch, of source: SourceContext) {
        if source.id != context.id || machine.sourceCount == 0 {
            machine.sourceCount += 1
            context = source
        }
        machine.source = source.id
        speakers.load(facts.speakers, device: source.device)
        for fact in facts.facts { take(fact, facts) }
        if let last = facts.lastTime { noteTime(last) }
    }

    /// Everything that is new since the last call, with a consistent snapshot of the runs that are still open.
    ///
    /// - Parameter endsSource: whether another source follows.
    package mutating func takeBatch(endsSource: Bool = false) -> ReplayBatch {
        if endsSource {
            release()
            settleEnds(goesOn: false, isLast: true)
        }
        for slot in machine.runs.begun where machine.runs.states[Int(slot)].dirty {
            handOver(slot)
            machine.runs.states[Int(slot)].dirty = false
        }
        return machine.rows.take(source: context.id)
    }

    /// Ends the log: closes every run, and hands over what only the end shows.
    package mutating func finish() -> ReplayBatch {
        // A block that the end of the log cuts must not seem to end a visit.
        release(isCopy: true)
        settleEnds(goesOn: false, isLast: true)
        for slot in machine.runs.begun { close(slot, logEnds: true) }
        judge.finish(&machine)
        return machine.rows.take(source: context.id)
    }

    // MARK: Facts

    @inline(__always)
    mutating func replay(_ fact: FactBatch.Fact, _ facts: FactBatch) {
        switch fact {
        case .event(let event): replay(event, facts)
        case .activity(let interval): replay(interval)
        }
    }

    // MARK: Events

    mutating func replay(_ event: Event, _ facts: FactBatch) {
        let time = Time.plain(event.time)
        if time != Time.none { noteTime(time) }
        if let proof = event.proof, proof.isDetail {
            noteDetail(proof, event, facts.text(event.origin))
            return
        }
        if let callback = event.callback {
            guard Int(callback) < machine.plan.catalog.places.count else { return }
            let place = machine.plan.catalog.places[Int(callback)]
            guard Int(place.model) < machine.plan.catalog.models.count else { return }
            let speaker = Int(event.speaker)
            var heard = CallbackEvent(
                run: run(of: speaker), callback: callback, local: place.callback, model: place.model,
                traits: machine.plan.catalog.traits[Int(callback)], isReturn: event.isReturn,
                label: speakers.resolved[speaker].label, time: time, line: event.line)
            (heard.textHash, heard.isPosted) = (event.textHash, event.isNotification)
            if heard.traits.contains(.isAnyOther) { machine.printedName = facts.text(event.origin) }
            replay(heard, event, facts)
        } else if let proof = event.proof, machine.plan.catalog.app != nil {
            replay(proof, event, facts)
        }
        judge.finishLine(&machine)
        suspension.finishLine(&machine)
    }

    @inline(__always)
    private mutating func noteTime(_ time: Int64) {
        if machine.firstTime == Time.none { machine.firstTime = time }
        if time > machine.latest { machine.latest = time }
    }

    private mutating func replay(_ callback: CallbackEvent, _ event: Event, _ facts: FactBatch) {
        var heard = callback
        if heard.isReturn, let target = machine.executing(heard) {
            heard.instance = target
            noteReturn(heard, event)
            return
        }
        if heard.traits.contains(.needsInstance) || heard.label == 0 && heard.traits.contains(.needsLabel) {
            let model = machine.plan.catalog.models[Int(heard.model)]
            guard let known = machine.known(heard, model) else { return }
            heard.label = known
        }
        if machine.beginsAnotherRun(heard) { heard.run = follow(heard.run, event) }
        if event.callback != nil, speakers.resolved[Int(event.speaker)].pid != RunState.noPid {
            machine.runs.states[Int(heard.run)].hasCallbacks = true
        }
        materialise(heard.run, event, facts)
        sign(heard.run, at: heard.time, line: heard.line)
        machine.runs.revive(heard.run)
        machine.runs.lastSpoken = heard.run
        let isOfScene = heard.traits.contains(.isPerScene) && !heard.traits.contains(.isUnknown)
        let isFirstOfScenes = isOfScene && !machine.runs.states[Int(heard.run)].usesScenes
        machine.note(heard)
        if heard.traits.contains(.tellsCause), machine.runs[heard.run].launchSeen != 0 {
            machine.runs.noteLaunchCause(heard.run, machine.plan.catalog.launchCauses[heard.callback])
        }
        if machine.isFoldedIntoRetired(heard, isEqual: isEqualToEarlier) {
            observe()
        } else if heard.traits.contains(.isPerScene) || heard.traits.isSuperset(of: [.endsInstance, .isPerObject]),
            machine.isUnplaced(heard, label: speakers.label(Int(event.speaker)))
        {
            replayUnplaced(&heard, event, facts)
        } else {
            heard.instance = instance(for: heard, event)
            let isFolded = machine.isFolded(heard)
            if !isFolded { machine.apply(&heard) }
            observe()
            if !isFolded { settle(heard, isFirstOfScenes: isFirstOfScenes, event, facts) }
        }
    }

    /// Lets everybody look at a callback, and moves what follows it.
    private mutating func settle(
        _ heard: CallbackEvent, isFirstOfScenes: Bool, _ event: Event, _ facts: FactBatch
    ) {
        judge.prepare(heard, &machine)
        judge.judge(heard, isFirstOfScenes: isFirstOfScenes, &machine)
        scenarios.follow(heard, &machine)
        keepMessage(event, facts, step: heard.step)
        machine.remember(heard)
        if heard.traits.contains(.isPerScene), machine.followsScenes(heard.run) {
            machine.deriveApp(heard.run, after: heard.before, at: heard.time, line: heard.line)
        }
        if machine.plan.catalog.hasListeners { machine.drive(by: heard) }
        observe()
        if heard.traits.isSuperset(of: [.endsInstance, .isPerObject]) { machine.retire(heard.instance, of: heard.run) }
    }

    private mutating func replayUnplaced(_ heard: inout CallbackEvent, _ event: Event, _ facts: FactBatch) {
        let isNew = machine.applyUnplaced(&heard)
        observe()
        guard isNew else { return }
        if heard.traits.contains(.isUnknown) { judge.reportUnknown(heard, &machine) }
        keepMessage(event, facts, step: heard.step)
        if machine.plan.catalog.hasListeners { machine.drive(by: heard) }
        observe()
    }

    /// The instance that a callback belongs to.
    @inline(__always)
    private mutating func instance(for heard: CallbackEvent, _ event: Event) -> Int32 {
        machine.instance(for: heard, label: speakers.label(Int(event.speaker)))
    }

    /// Keeps a line as part of the execution that it ends, and measures how long the method took.
    private mutating func noteReturn(_ heard: CallbackEvent, _ event: Event) {
        let run = Int(heard.run)
        machine.runs.states[run].lastLine = heard.line
        machine.runs.states[run].lastSource = machine.source
        // The method ran all the time, however silently.
        if heard.time != Time.none { machine.runs.states[run].lastSign = heard.time }
        sign(heard.run, at: heard.time, line: heard.line)
        machine.runs.revive(heard.run)
        machine.runs.lastSpoken = heard.run
        judge.limits.measureReturn(heard, &machine, &judge.drafts)
    }

    private mutating func replay(_ proof: Proof, _ event: Event, _ facts: FactBatch) {
        var heard = machine.evidence(event, proof, origin: facts.text(event.origin), run: run(of: Int(event.speaker)))
        if heard.run == refutedRun, heard.isExit { heard.effect = .none }
        if proof == .exitedAtLaunch, machine.isPastLaunch(heard.run) { return }
        if machine.beginsAnotherRun(heard) { heard.run = follow(heard.run, event) }
        if heard.isExit, heard.time == Time.none, let other = machine.runOfReport(insteadOf: heard.run) {
            release(heard.run)
            heard.run = other
            machine.runs.remember(other, in: &speakers.resolved[Int(event.speaker)])
        }
        let run = Int(heard.run)
        materialise(heard.run, event, facts)
        machine.runs.lastSpoken = heard.run
        if heard.isOfEarlierLaunch {
            machine.runs.states[run].firstSeen = heard.time
        } else if heard.bySystem {
            machine.runs.states[run].see(at: heard.time)
        } else {
            sign(heard.run, at: heard.time, line: heard.line)
        }
        if heard.isExit || heard.isOfEarlierLaunch {
            machine.runs.states[run].dirty = true
        } else {
            machine.runs.revive(heard.run)
        }
        heard.label = speakers.resolved[Int(event.speaker)].label
        if heard.label != 0 { heard.printed = speakers.label(Int(event.speaker)) }
        let isEvent = machine.apply(&heard)
        observe()
        guard isEvent else { return }
        if case .state(let state) = heard.effect, heard.after == state, heard.before != state { noteSuspension(heard) }
        judge.report(heard, of: heard.instance, &machine)
        keepMessage(event, facts, step: heard.step)
    }

    /// The system says when a process stopped; its silence before that was none.
    private mutating func noteSuspension(_ heard: EvidenceEvent) {
        guard let app = machine.plan.catalog.app, heard.after == machine.plan.catalog.models[app].suspended else {
            return
        }
        machine.runs.states[Int(heard.run)].lastSign = heard.time
        judge.limits.endWork(heard.run, at: heard.time, isShown: true, &machine, &judge.drafts)
        judge.limits.suspend(heard.run, &machine, &judge.drafts)
    }

    /// Takes a text for the run that the line before is about: recognition hands it over after that line, so that the run is
    /// known.
    private mutating func noteDetail(_ proof: Proof, _ event: Event, _ text: String?) {
        if proof == .systemOfLog { return noteSystem(text) }
        if proof == .systemBoot { return noteBoot(event, text) }
        if proof == .linesLost { return noteLoss(event) }
        let run = run(of: Int(event.speaker))
        materialise(run, event, FactBatch())
        machine.runs.states[Int(run)].dirty = true
        switch proof {
        case .appVersion: machine.runs.details[Int(run)].reportedVersion = text
        case .systemVersion: machine.runs.details[Int(run)].systemVersion = text
        case .endDetail: if machine.runs.states[Int(run)].hasEnded { machine.noteEnd(run, text ?? "") }
        default: machine.runs.noteLaunchCause(run, text)
        }
    }

    /// The head of a log names the system, which is that of the runs of its source. What comes after their first line
    /// may be about another device.
    private mutating func noteSystem(_ version: String?) {
        if machine.runs.begun.contains(where: { machine.runs[$0].source == context.id }) { return }
        context.systemVersion = version
    }

    /// The device was started: whatever ran on it has ended without a line, and other processes get its ids.
    private mutating func noteBoot(_ event: Event, _ text: String?) {
        let device = speakers.resolved[Int(event.speaker)].device
        for slot in machine.runs.live where machine.runs[slot].mayBe(of: device) {
            if !machine.runs[slot].isOver { machine.runs.details[Int(slot)].endDetail = text }
            supersede(slot, at: Time.plain(event.time))
        }
    }

    /// Lines are lost here: of a process or, where none is named, of all.
    private mutating func noteLoss(_ event: Event) {
        let speaker = speakers.resolved[Int(event.speaker)]
        let isOfAll = speaker.process == 0 && speaker.pid == RunState.noPid
        for slot in isOfAll ? Array(machine.runs.live) : [run(of: Int(event.speaker))] {
            machine.loseLines(of: slot)
            judge.loseLines(of: slot, &machine)
        }
    }

    private mutating func keepMessage(_ event: Event, _ facts: FactBatch, step: Int64) {
        guard options.keepsMessages, let text = facts.text(event.message) else { return }
        machine.rows.batch.messages.append((step, text))
    }

    /// Lets the observers look at the steps that were made.
    @inline(__always)
    private mutating func observe() {
        guard !machine.emissions.isEmpty else { return }
        var place = 0
        while place < machine.emissions.count {
            let emission = machine.emissions[place]
            suspension.observe(emission, &machine)
            judge.observe(emission, &machine)
            place += 1
        }
        machine.emissions.removeAll(keepingCapacity: true)
    }

    // MARK: Activity

    private mutating func replay(_ interval: ActivityInterval) {
        let (from, until) = (Time.plain(interval.from), Time.plain(interval.until))
        if from != Time.none { noteTime(from) }
        if until != Time.none { noteTime(until) }
        let speaker = Int(interval.speaker)
        var run = run(of: speaker)
        let state = machine.runs.states[Int(run)]
        if state.hasEnded, state.pid == RunState.noPid, machine.isLongAfter(state, from) {
            run = follow(run, speaker: speaker, at: from)
        }
        sign(run, at: from, line: interval.lastLine)
        let slot = Int(run)
        if until != Time.none {
            // The process wrote lines up to a time, without a silence since its last sign.
            machine.runs.states[slot].silenceBefore = 0
            machine.runs.states[slot].lastSign = RunState.later(until, than: machine.runs.states[slot].lastSign)
            machine.runs.states[slot].see(at: until)
        }
        // An interval comes when it is over, perhaps after the first event of the next run: what counts is its place.
        machine.runs.revive(run, upTo: interval.lastLine, of: machine.source)
        machine.runs.states[slot].lastLine = interval.lastLine
        machine.runs.states[slot].lastSource = machine.source
        if machine.runs.states[slot].id != 0 { machine.wake(run, at: from, line: interval.firstLine) }
        observe()
        judge.finishLine(&machine)
        suspension.finishLine(&machine)
    }

    /// The process wrote something: whatever silence there was is over.
    private mutating func sign(_ run: Int32, at time: Int64, line: Int64) {
        machine.mention(run, line: line)
        guard time != Time.none else { return }
        let slot = Int(run)
        let last = machine.runs.states[slot].lastSign
        let silence = last != Time.none && time > last ? time - last : 0
        if silence > LimitBook.silence {
            machine.runs.states[slot].lastSilenceEnd = time
            judge.limits.endWork(run, at: last, isShown: false, &machine, &judge.drafts)
        }
        if let grace = options.suspendGrace, silence > grace {
            let silence = SuspensionEstimate.Silence(run: run, from: last, until: time, taskBegan: openTask(run))
            suspension.end(silence, &machine)
        }
        machine.runs.states[slot].silenceBefore = silence
        machine.runs.states[slot].lastSign = RunState.later(time, than: last)
        machine.runs.states[slot].see(at: time)
    }

    /// When the last of the background tasks that a run has open began, of UIKit or of the scheduler.
    private mutating func openTask(_ run: Int32) -> Int64 {
        max(machine.workBegan(in: run), judge.limits.openTask(run, &machine))
    }

    // MARK: Runs

    /// The run of a speaker, tracked from now on if there is none.
    @inline(__always)
    mutating func run(of speaker: Int) -> Int32 {
        let known = speakers.resolved[speaker].run
        if known >= 0, speakers.resolved[speaker].namesRun,
            machine.runs.states[Int(known)].generation == speakers.resolved[speaker].generation
        {
            return known
        }
        if let found = machine.runs.find(&speakers.resolved[speaker], speakers.printed[speaker]) { return found }
        return track(speaker)
    }

    private mutating func track(_ speaker: Int) -> Int32 {
        let run = machine.runs.track(
            speakers.resolved[speaker], speakers.printed[speaker], device: speakers.device(speaker),
            source: machine.source)
        machine.runs.details[Int(run)].appVersion = context.appVersion
        machine.runs.details[Int(run)].systemVersion = context.systemVersion
        machine.runs.remember(run, in: &speakers.resolved[speaker])
        return run
    }

    private mutating func follow(_ run: Int32, _ event: Event) -> Int32 {
        follow(run, speaker: Int(event.speaker), at: Time.plain(event.time))
    }

    /// Ends a run because its process id, or a process without one, has been launched anew; tracks the one that follows.
    private mutating func follow(_ run: Int32, speaker: Int, at time: Int64) -> Int32 {
        let next = machine.runs.track(after: run, pid: speakers.resolved[speaker].pid, source: machine.source)
        machine.runs.details[Int(next)].appVersion = context.appVersion
        machine.runs.details[Int(next)].systemVersion = context.systemVersion
        machine.runs[next].followsLaunch = machine.runs[run].followsLaunch || machine.runs[run].launchSeen != 0
        supersede(run, at: time)
        machine.runs.remember(next, in: &speakers.resolved[speaker])
        return next
    }

    /// Closes a run because what came next shows that it had ended.
    private mutating func supersede(_ run: Int32, at time: Int64) {
        if machine.runs[run].id == 0 { return release(run) }
        if machine.runs.nextSeen(run) == Time.none {
            machine.runs.details[Int(run)].successor = Beginning(
                process: 0, device: 0, run: 0, source: machine.source, line: 0, seen: Time.none, time: time)
        }
        machine.runs[run].superseded = true
        close(run, logEnds: false)
    }

    /// Gives the run of an event its row if it has none yet.
    private mutating func materialise(_ run: Int32, _ event: Event, _ facts: FactBatch) {
        let (slot, speaker) = (Int(run), Int(event.speaker))
        machine.runs.states[slot].lastLine = event.line
        machine.runs.states[slot].lastSource = machine.source
        let isNew = machine.runs.states[slot].id == 0
        if !isNew, machine.runs.states[slot].isSpelled, !speakers.resolved[speaker].namesBundle,
            machine.runs.states[slot].device != 0 || speakers.resolved[speaker].device == 0
        {
            return
        }
        if machine.runs.states[slot].device == 0 {
            machine.runs.settle(run, device: speakers.resolved[speaker].device)
            machine.runs.details[slot].device = speakers.device(speaker)
        }
        if machine.runs.states[slot].mentioned.source == 0 { machine.mention(run, line: event.line) }
        machine.runs.spell(run, speakers.resolved[speaker], speakers.printed[speaker])
        guard isNew else { return }
        let time = Time.plain(event.time)
        machine.runs.states[slot].see(at: time)
        machine.runs.begin(run, id: machine.rows.runID(), hash: contentHash(of: event, facts), time: time)
        while let overdue = machine.runs.nextOverdue(besides: run) { close(overdue, logEnds: false) }
    }

    /// What the first event of a run says, as a number that does not depend on the place of the line.
    private func contentHash(of event: Event, _ facts: FactBatch) -> UInt64 {
        var hash = Hashing.mix(Hashing.start, UInt64(bitPattern: event.time ?? 0))
        if let callback = event.callback {
            let place = machine.plan.catalog.places[Int(callback)]
            hash = Hashing.mix(hash, machine.plan.catalog.models[Int(place.model)].callbacks[Int(place.callback)])
        } else {
            hash = Hashing.mix(hash, facts.texts.isEmpty ? nil : facts.text(event.origin))
            hash = Hashing.mix(hash, event.proof?.rawValue)
        }
        return Hashing.mix(hash, speakers.printed[Int(event.speaker)].label)
    }

    /// Hands over the final rows of a run and forgets it.
    private mutating func close(_ run: Int32, logEnds: Bool) {
        let app = machine.runs.states[Int(run)].app
        if app >= 0 { machine.settle(app, logEnds: logEnds) }
        observe()
        suspension.close(run, logEnds: logEnds, taskBegan: openTask(run), &machine)
        judge.close(run, logEnds: logEnds, &machine)
        scenarios.close(run, &machine)
        handOver(run)
        release(run)
    }

    private mutating func handOver(_ run: Int32) {
        machine.rows.batch.runs.append(machine.describe(run))
        let isOver = machine.runs.states[Int(run)].isOver
        let app = machine.runs.states[Int(run)].app
        if app >= 0 { machine.rows.batch.instances.append(machine.describe(app, isOver: isOver)) }
        for instance in machine.runs.details[Int(run)].others {
            machine.rows.batch.instances.append(machine.describe(instance, isOver: isOver))
        }
    }

    /// Forgets a run that can't go on.
    private mutating func release(_ run: Int32) {
        let app = machine.runs.states[Int(run)].app
        for instance in machine.runs.details[Int(run)].others { machine.release(instance) }
        if app >= 0 { machine.release(app) }
        suspension.silences[run] = nil
        machine.runs.release(run)
    }
}
