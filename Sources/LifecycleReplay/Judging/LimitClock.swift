import TraceRecords

/// A measurement that is going on in a run.
struct LimitTimer: BitwiseCopyable {
    var limit: Int
    /// Slot of the instance; -1 for the run as a whole.
    var instance: Int32
    var start: Int64
    var line: Int64
    var source: Int32
    /// Step of the instance at that line; 0 when there is none.
    var step: Int64
    /// Whether it began only about then.
    var isApproximate = false
    /// Since when the process was silent, so that only a callback can end it; none where it never was.
    var silentSince = Time.none
    /// When the method whose return can end it returned, and at which line.
    var returned = Time.none
    var returnedAt: Int64 = 0
}

/// Measures times against the limits of the models.
///
/// What counts only as long as a process works ends with a silence of ``LimitBook/silence``, whatever estimate of
/// suspensions the user asks for. A callback that ends a measurement counts however long the process was silent.
struct LimitClock {
    /// How many measurements of a run can go on at a time.
    private static let timersKept = 256
    /// In runs without a process id, times longer than this may lie between two processes, in nanoseconds.
    private static let longestUnnamed = 600 * Time.second

    /// What is remembered of an instance or a run, by its row id or serial number.
    struct Marks: BitwiseCopyable {
        var owner: Int64 = 0
        /// Limits, by number, that the last callbacks of an instance were found to exceed.
        var exceeded: UInt64 = 0
        /// Callbacks whose methods the log of a run has shown to return.
        var returning = CallbackSet()
        /// Whether the limits that begin with the run have begun.
        var isMeasured = false
    }

    let plan: ReplayPlan
    /// By slot of the run.
    var timers: [[LimitTimer]] = []
    var runMarks: [Marks] = []
    /// By slot of the instance.
    var instanceMarks: [Marks] = []

    init(plan: ReplayPlan) { self.plan = plan }

    private mutating func prepare(_ run: Int, _ machine: inout InstanceMachine) {
        while timers.count <= run {
            timers.append([])
            runMarks.append(Marks())
        }
        let serial = machine.runs.states[run].serial
        if runMarks[run].owner != serial {
            runMarks[run] = Marks(owner: serial)
            timers[run].removeAll(keepingCapacity: true)
        }
    }

    private mutating func marks(of instance: Int32, _ machine: inout InstanceMachine) -> Int {
        let slot = Int(instance)
        while instanceMarks.count <= slot { instanceMarks.append(Marks()) }
        let id = machine.states[slot].id
        if instanceMarks[slot].owner != id { instanceMarks[slot] = Marks(owner: id) }
        return slot
    }

    // MARK: Events

    /// Lets an event begin, end or call off measurements.
    mutating func measure(_ event: CallbackEvent, _ machine: inout InstanceMachine, _ drafts: inout [FindingDraft]) {
        let run = Int(event.run)
        endMeasurements(event, &machine, &drafts)
        if !runMarks[run].isMeasured, machine.runs.states[run].launchSeen != 0 {
            runMarks[run].isMeasured = true
            let start = startOfLaunch(event, &machine)
            for limit in plan.limits.withRun {
                begin(limit, event, instance: -1, at: start, isFirstCallback: start == event.time, &machine)
            }
        }
        // Nothing begins with a line whose answer of the same time comes before it.
        guard !event.isTie else { return }
        for place in plan.limits.beginning.places(of: Int(event.callback)) {
            begin(plan.limits.beginning[place], event, instance: event.instance, at: event.time, &machine)
        }
    }

    /// The start of the process where a line gives it, unless it was prewarmed long before; else the first callback.
    private func startOfLaunch(_ event: CallbackEvent, _ machine: inout InstanceMachine) -> Int64 {
        let started = machine.runs.states[Int(event.run)].processStart
        guard started != Time.none, event.time != Time.none, event.time >= started,
            event.time - started <= plan.settings.prewarmAfter
        else { return event.time }
        return started
    }

    private mutating func begin(
        _ number: Int, _ event: CallbackEvent, instance: Int32, at start: Int64, isFirstCallback: Bool = false,
        _ machine: inout InstanceMachine
    ) {
        let isUnanswered = plan.limits.limits[number].isUnanswered
        let run = Int(event.run)
        guard start != Time.none || isUnanswered else { return }
        if !isUnanswered, !timers[run].isEmpty {
            timers[run].removeAll { $0.limit == number && $0.instance == instance }
        }
        if instance >= 0, number < 64 {
            let slot = marks(of: instance, &machine)
            instanceMarks[slot].exceeded &= ~(1 << UInt64(number))
        }
        guard timers[run].count < Self.timersKept else { return }
        timers[run].append(
            LimitTimer(
                limit: number, instance: instance, start: start, line: event.line, source: machine.source,
                step: machine.states[Int(event.instance)].step(at: event.line, of: machine.source),
                isApproximate: isFirstCallback && plan.limits.limits[number].beginsApproximately))
    }

    /// Ends what a callback ends, or words that stand for one.
    mutating func endMeasurements(
        _ event: CallbackEvent, _ machine: inout InstanceMachine, _ drafts: inout [FindingDraft]
    ) {
        let run = Int(event.run)
        prepare(run, &machine)
        guard !timers[run].isEmpty else { return }
        var answered = false
        let hasOpenTask = hasOpenTask(run)
        // From the last to the first: one answer for one question, the last first.
        var place = timers[run].count - 1
        while place >= 0 {
            let timer = timers[run][place]
            if let end = end(of: timer, event, hasOpenTask: hasOpenTask, &answered, &machine) {
                timers[run].remove(at: place)
                if end != .calledOff {
                    tell(
                        timer, run, End(time: event.time, line: event.line, isCertain: end == .certain), &machine,
                        &drafts)
                }
            }
            place -= 1
        }
    }

    private enum Ending { case calledOff, certain, approximate }

    /// How an event ends a measurement; `nil` if it goes on.
    private func end(
        of timer: LimitTimer, _ event: CallbackEvent, hasOpenTask: Bool, _ answered: inout Bool,
        _ machine: inout InstanceMachine
    ) -> Ending? {
        let number = timer.limit
        let isEnd = plan.limits.limits[number].to.contains(event.callback)
        let isHere = timer.instance < 0 || timer.instance == event.instance || plan.limits.limits[number].beginsWithRun
        if plan.limits.limits[number].isUnanswered {
            // A task is ended by its own end.
            guard !answered, isEnd, isHere || !plan.limits.limits[number].answersBeforeSuspension else { return nil }
            answered = !plan.limits.limits[number].needsExit
            return .calledOff
        }
        // What ends work in the background may be of the app where a scene began it.
        if isEnd, isHere || plan.limits.limits[number].endsAtLastActivity { return .certain }
        if plan.limits.limits[number].cancelledBy.contains(event.callback) { return .calledOff }
        if plan.limits.limits[number].toReturn.contains(event.callback), event.time != Time.none,
            event.time - timer.start > plan.limits.limits[number].promptWithin
        {
            return .calledOff
        }
        guard plan.limits.limits[number].endsAtNextEvent else { return nil }
        // A background task works on when the method has returned; the next event then says nothing about the method.
        let saysNothing =
            plan.limits.limits[number].isContinuous
            && (hasOpenTask || machine.runs.states[Int(event.run)].lastSilenceEnd > timer.start)
        let isLate = event.time != Time.none && event.time - timer.start > plan.limits.limits[number].endsWithin
        return saysNothing || isLate ? .calledOff : .approximate
    }

    /// A line says that a callback's method returns.
    mutating func measureReturn(
        _ event: CallbackEvent, _ machine: inout InstanceMachine, _ drafts: inout [FindingDraft]
    ) {
        let run = Int(event.run)
        prepare(run, &machine)
        runMarks[run].returning.insert(event.callback)
        let end = End(time: event.time, line: event.line, isCertain: true)
        var ended: [LimitTimer] = []
        var place = 0
        while place < timers[run].count {
            let timer = timers[run][place]
            let limit = timer.limit
            let isHere = timer.instance < 0 || timer.instance == event.instance
            guard isHere || plan.limits.limits[limit].to.isEmpty,
                plan.limits.limits[limit].toReturn.contains(event.callback)
            else {
                place += 1
                continue
            }
            if !plan.limits.limits[limit].isUnanswered, !plan.limits.limits[limit].to.isEmpty {
                (timers[run][place].returned, timers[run][place].returnedAt) = (event.time, event.line)
                place += 1
            } else {
                timers[run].remove(at: place)
                if !plan.limits.limits[limit].isUnanswered { ended.append(timer) }
            }
        }
        for timer in ended {
            tell(timer, run, end, &machine, &drafts)
            if timer.instance >= 0, timer.limit < 64 {
                let slot = marks(of: timer.instance, &machine)
                instanceMarks[slot].exceeded |= 1 << UInt64(timer.limit)
            }
        }
        measureWhatRanOn(event, end, &machine, &drafts)
    }

    /// What another event ended before its time: the method ran on.
    private mutating func measureWhatRanOn(
        _ event: CallbackEvent, _ end: End, _ machine: inout InstanceMachine, _ drafts: inout [FindingDraft]
    ) {
        let instance = machine.states[Int(event.instance)]
        let slot = marks(of: event.instance, &machine)
        guard instance.previousTime != Time.none else { return }
        for place in plan.limits.ofReturns.places(of: Int(event.callback)) {
            let number = plan.limits.ofReturns[place]
            guard number < 64, instanceMarks[slot].exceeded & 1 << UInt64(number) == 0 else { continue }
            let timer = LimitTimer(
                limit: number, instance: event.instance, start: instance.previousTime, line: event.line,
                source: machine.source, step: instance.step(at: event.line, of: machine.source))
            tell(timer, Int(event.run), end, &machine, &drafts)
        }
    }

    /// A silence, or a suspension that a line shows, ends what counts only without one.
    ///
    /// - Parameter isShown: whether a line shows the suspension: then no callback can end the work either.
    mutating func endWork(
        _ slot: Int32, at lastSign: Int64, isShown: Bool, _ machine: inout InstanceMachine,
        _ drafts: inout [FindingDraft]
    ) {
        let run = Int(slot)
        guard isTiming(slot, &machine) else { return }
        let hasOpenTask = hasOpenTask(run)
        var place = 0
        while place < timers[run].count {
            let timer = timers[run][place]
            let limit = timer.limit
            guard plan.limits.limits[limit].endsAtLastActivity, plan.limits.limits[limit].isContinuous,
                timer.silentSince == Time.none || isShown
            else {
                place += 1
                continue
            }
            let since = timer.silentSince == Time.none ? lastSign : timer.silentSince
            let end = End(time: since, line: timer.line, isCertain: false)
            // A task that is open goes on in silence, and its end tells how long.
            let found = (isShown || !hasOpenTask) && tell(timer, run, end, &machine, &drafts)
            if isShown || found || plan.limits.limits[limit].to.isEmpty {
                timers[run].remove(at: place)
            } else {
                timers[run][place].silentSince = since
                place += 1
            }
        }
    }

    /// Lines of a run are lost: what is being measured may have ended.
    mutating func forget(_ slot: Int32, _ machine: inout InstanceMachine) {
        if isTiming(slot, &machine) { timers[Int(slot)].removeAll(keepingCapacity: true) }
    }

    /// Whether measurements of a run are going on.
    func isTiming(_ slot: Int32, _ machine: inout InstanceMachine) -> Bool {
        let run = Int(slot)
        return run < timers.count && !timers[run].isEmpty && runMarks[run].owner == machine.runs.states[run].serial
    }

    /// Whether a measurement waits for the end of a background task.
    private func isOfTask(_ timer: LimitTimer) -> Bool {
        plan.limits.limits[timer.limit].isUnanswered && plan.limits.limits[timer.limit].answersBeforeSuspension
    }

    /// When a run began the last of the background tasks that it has not ended yet; none where there is no such task.
    func openTask(_ slot: Int32, _ machine: inout InstanceMachine) -> Int64 {
        guard isTiming(slot, &machine) else { return Time.none }
        return timers[Int(slot)].filter(isOfTask).reduce(Time.none) { max($0, $1.start) }
    }

    private func hasOpenTask(_ run: Int) -> Bool { timers[run].contains(where: isOfTask) }

    /// A suspension that a line shows makes some answers too late.
    mutating func suspend(_ slot: Int32, _ machine: inout InstanceMachine, _ drafts: inout [FindingDraft]) {
        let run = Int(slot)
        guard isTiming(slot, &machine) else { return }
        let waiting = timers[run].filter(isOfTask)
        timers[run] = timers[run].filter { !isOfTask($0) }
        for timer in waiting { tellUnanswered(timer, run, &machine, &drafts) }
    }

    /// The end of a run, or of its log, ends what waits for it.
    mutating func close(_ slot: Int32, _ machine: inout InstanceMachine, _ drafts: inout [FindingDraft]) {
        let run = Int(slot)
        guard isTiming(slot, &machine) else { return }
        let state = machine.runs.states[run]
        // What crashes, or what the system takes the memory of, cannot answer.
        let isCutShort = state.endReason == .crash || state.endReason == .jetsam
        for timer in timers[run] {
            let number = timer.limit
            if plan.limits.limits[number].isUnanswered {
                if state.isOver, !isCutShort { tellUnanswered(timer, run, &machine, &drafts) }
            } else if timer.returned != Time.none {
                let end = End(time: timer.returned, line: timer.returnedAt, isCertain: true)
                tell(timer, run, end, &machine, &drafts)
            } else if plan.limits.limits[number].endsAtLastActivity, state.pid != RunState.noPid {
                // Without a process id the last line may be of another process.
                let last = timer.silentSince == Time.none ? state.lastSign : timer.silentSince
                tell(timer, run, End(time: last, line: timer.line, isCertain: false), &machine, &drafts)
            }
        }
        timers[run].removeAll(keepingCapacity: true)
    }

    private mutating func tellUnanswered(
        _ timer: LimitTimer, _ run: Int, _ machine: inout InstanceMachine, _ drafts: inout [FindingDraft]
    ) {
        let isShown = runMarks[run].returning.intersects(plan.limits.limits[timer.limit].toReturn)
        guard !plan.limits.limits[timer.limit].needsExit || isShown else { return }
        tell(timer, run, End(time: timer.start, line: timer.line, isCertain: true), &machine, &drafts)
    }

    /// A visit that has ended, held against the limits of visits.
    mutating func measureVisit(
        _ emission: Emission, _ machine: inout InstanceMachine, _ drafts: inout [FindingDraft]
    ) {
        for number in plan.limits.visits where emission.dwell > plan.limits.limits[number].least {
            guard plan.limits.details[number].states[Int(emission.model)] & 1 << UInt64(emission.before) != 0 else {
                continue
            }
            let timer = LimitTimer(
                limit: number, instance: emission.instance, start: emission.entered, line: emission.line,
                source: machine.source, step: emission.step)
            let end = End(time: emission.entered + emission.dwell, line: emission.line, isCertain: true)
            prepare(Int(emission.run), &machine)
            tell(timer, Int(emission.run), end, &machine, &drafts)
        }
    }

    // MARK: Findings

    /// Where a measurement ends.
    private struct End {
        var time: Int64
        var line: Int64
        /// Whether the log shows the end, so that nothing only stands in for it.
        var isCertain: Bool
    }

    /// Makes a draft of a measurement if it exceeds its limit.
    @discardableResult
    private mutating func tell(
        _ timer: LimitTimer, _ run: Int, _ end: End, _ machine: inout InstanceMachine, _ drafts: inout [FindingDraft]
    ) -> Bool {
        let limit = plan.limits.limits[timer.limit]
        let (isUnanswered, state) = (limit.isUnanswered, machine.runs.states[run])
        guard isUnanswered || end.time != Time.none && end.time >= timer.start else { return false }
        if limit.beginsWithRun, machine.wasLaunchedIntoBackground(Int32(run)) { return false }
        let length = isUnanswered ? 1 : end.time - timer.start
        guard length > limit.least, length <= limit.plausibleUntil,
            state.pid != RunState.noPid || length <= Self.longestUnnamed,
            let threshold = plan.limits.details[timer.limit].exceeded(by: length, withScenes: state.usesScenes)
        else { return false }
        if timer.instance >= 0, timer.limit < 64 {
            let slot = marks(of: timer.instance, &machine)
            instanceMarks[slot].exceeded |= 1 << UInt64(timer.limit)
        }
        // That a process works does not show that the work is what the limit is about: it may play audio.
        let isStandIn = !end.isCertain && limit.isContinuous
        let instance = timer.instance >= 0 ? timer.instance : state.app
        let layer =
            instance >= 0
            ? plan.catalog.models[Int(machine.states[Int(instance)].model)].layer
            : plan.limits.details[timer.limit].layer
        var draft = FindingDraft(
            origin: .limit(timer.limit), run: Int32(run), instance: instance, layer: layer, deviation: .limitOverrun,
            severity: isStandIn ? min(threshold.severity, .warning) : threshold.severity, time: end.time,
            line: end.line,
            source: end.line == timer.line ? timer.source : machine.source)
        if end.line == timer.line {
            draft.step = timer.step
        } else if instance >= 0 {
            draft.step = machine.states[Int(instance)].step(at: end.line, of: machine.source)
        }
        draft.length = length
        draft.limit = isUnanswered ? nil : threshold.nanoseconds
        draft.taken = isUnanswered ? nil : length
        draft.isApproximate = timer.isApproximate || !end.isCertain && limit.endsApproximately
        drafts.append(draft)
        return true
    }
}
