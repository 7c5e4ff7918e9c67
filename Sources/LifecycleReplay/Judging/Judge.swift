import TraceRecords

/// Holds what happens to runs and instances against the rules and limits of the models.
struct Judge {
    /// How many sessions are remembered as discarded.
    static let sessionsKept = 65_536
    /// How many findings of a run can wait at a time.
    private static let findingsWaiting = 64

    /// What the checks of an instance remember.
    struct InstanceMemory: BitwiseCopyable {
        /// Row id of the instance.
        var instance: Int64 = 0
        /// Callbacks that have come.
        var seen = CallbackSet()
        /// Stands for what was missing before the last callbacks, none of which changed the state; 0 for nothing.
        var missed: UInt64 = 0
        /// Whether it has changed places with another one in the order of tabs and pages.
        var isTab = false
    }

    /// What the checks of a run remember.
    struct RunMemory: BitwiseCopyable {
        /// Serial number of the run.
        var serial: Int64 = 0
        var seen = CallbackSet()
        /// The app, by its process and its number among ``UnloggedCallbacks``.
        var process: UInt64 = 0
        var app: Int32 = -1
    }

    /// What one check remembers.
    struct Cell: BitwiseCopyable {
        var time = Time.none
        var line: Int64 = 0
        var count: Int32 = 0
        /// A callback.
        var number = CompiledModel.noCallback
        var isSet = false
        var isDone = false
    }

    /// A finding that is only one if nothing in the next moments says otherwise.
    struct Waiting {
        var check: Int
        var finding: Finding
        /// Time until which it can be called off.
        var deadline: Int64
        /// State of the app that calls it off.
        var expected = CompiledModel.unknown
    }

    let plan: ReplayPlan
    let writer: FindingWriter
    var limits: LimitClock
    var unlogged = UnloggedCallbacks()
    /// By slot of the instance and of the run; the cells of a slot are side by side.
    var instances: [InstanceMemory] = []
    var cells: [Cell] = []
    var runs: [RunMemory] = []
    var runCells: [Cell] = []
    /// Rules of which one finding per run is enough, found already: one bit each, ``rulesWidth`` words a run.
    var rulesFound: [UInt64] = []
    let rulesWidth: Int
    let width: Int
    /// What controllers do while they replace each other, by slot of the run.
    var exchanges: [Int32: ExchangeWindow] = [:]
    /// Sessions that may not appear again, by process and label.
    var overSessions: Set<UInt64> = []
    /// Findings that can still be called off, by slot of the run.
    var waiting: [Int32: [Waiting]] = [:]
    /// Findings about the last callback of an instance that the next one may show to be a matter of order, by row id of
    /// the instance; with the slot of its run.
    var suspects: [Int64: [Suspect]] = [:]
    /// What is to be said of runs if they ended where the log does.
    var foreseen: [Finding] = []
    /// The callbacks that were found to be missing before others.
    var repairs: [RepairQuestion: [String]?] = [:]
    /// What the present line has brought so far.
    var drafts: [FindingDraft] = []

    struct Suspect {
        var run: Int32
        var finding: Finding
        var missing: CallbackSet
    }

    init(plan: ReplayPlan) {
        self.plan = plan
        writer = FindingWriter(plan: plan)
        limits = LimitClock(plan: plan)
        width = plan.rules.cells.max() ?? 0
        rulesWidth = plan.rules.rules.count / 64 + 1
    }

    // MARK: Memory

    /// Makes room for an instance and its run, and forgets what had their slots before.
    @inline(__always)
    mutating func prepare(_ event: CallbackEvent, _ machine: inout InstanceMachine) {
        let (slot, run) = (Int(event.instance), Int(event.run))
        if slot >= instances.count || instances[slot].instance != machine.states[slot].id {
            reset(instance: slot, machine.states[slot])
        }
        if run >= runs.count || runs[run].serial != machine.runs.states[run].serial {
            reset(run: run, machine.runs.states[run])
        }
        let process = machine.runs.states[run].process
        if runs[run].app < 0 || runs[run].process != process { noteApp(of: run, process, &machine.rows) }
    }

    private mutating func reset(instance slot: Int, _ state: InstanceState) {
        while instances.count <= slot {
            instances.append(InstanceMemory())
            cells.append(contentsOf: repeatElement(Cell(), count: width))
        }
        instances[slot] = InstanceMemory(instance: state.id)
        for cell in slot * width..<slot * width + plan.rules.cells[Int(state.model)] { cells[cell] = Cell() }
    }

    private mutating func reset(run slot: Int, _ state: RunState) {
        while runs.count <= slot {
            runs.append(RunMemory())
            runCells.append(contentsOf: repeatElement(Cell(), count: plan.rules.runCells))
            rulesFound.append(contentsOf: repeatElement(0, count: rulesWidth))
        }
        runs[slot] = RunMemory(serial: state.serial)
        for cell in 0..<plan.rules.runCells { runCells[slot * plan.rules.runCells + cell] = Cell() }
        for word in 0..<rulesWidth { rulesFound[slot * rulesWidth + word] = 0 }
    }

    /// Notes which app a run is of: what it has logged so far, the app has.
    private mutating func noteApp(of run: Int, _ process: UInt64, _ rows: inout RowWriter) {
        runs[run].process = process
        runs[run].app = unlogged.number(ofApp: process)
        for callback in runs[run].seen.numbers { unlogged.note(callback, by: runs[run].app, &rows) }
    }

    @inline(__always)
    func cell(_ slot: Int, _ number: Int32) -> Int { slot * width + Int(number) }

    @inline(__always)
    func runCell(_ run: Int, _ number: Int) -> Int { run * plan.rules.runCells + number }

    // MARK: Events

    /// Looks at a step: the clock, and the limits of visits.
    @inline(__always)
    mutating func observe(_ emission: Emission, _ machine: inout InstanceMachine) {
        if emission.kind == .decision {
            if emission.met != emission.after { forgetWhatIsSet(emission.instance) }
            return
        }
        if emission.wentBack, emission.kind == .event { reportRegression(emission, &machine) }
        if emission.dwell > plan.limits.leastVisit, emission.entered != Time.none, !emission.openedByInference,
            emission.kind == .event || emission.hasCallback
        {
            let first = drafts.count
            limits.measureVisit(emission, &machine, &drafts)
            for place in first..<drafts.count { drafts[place].missing = hidden(in: emission, machine) }
        }
    }

    /// Lines of a run are lost: what was awaited may have come.
    mutating func loseLines(of run: Int32, _ machine: inout InstanceMachine) {
        for slot in machine.instances(of: run) { forgetWhatIsSet(slot) }
        limits.forget(run, &machine)
        (waiting[run], exchanges[run]) = (nil, nil)
    }

    /// A visit turned out to be in another state: what rules have set in the wrong one does not count.
    private mutating func forgetWhatIsSet(_ instance: Int32) {
        guard Int(instance) < instances.count else { return }
        for cell in Int(instance) * width..<(Int(instance) + 1) * width { cells[cell].isSet = false }
    }

    /// Holds a callback against every rule and limit that it concerns.
    ///
    /// - Parameter isFirstOfScenes: whether it is the first callback of a scene in its run.
    mutating func judge(_ event: CallbackEvent, isFirstOfScenes: Bool, _ machine: inout InstanceMachine) {
        if !waiting.isEmpty { settleWaiting(event, &machine) }
        unlogged.note(event.callback, by: runs[Int(event.run)].app, &machine.rows)
        if event.isLegal {
            if !suspects.isEmpty { release(suspectsOf: event.instance, &machine) }
            let first = drafts.count
            look(event, Deviant(), &machine)
            if event.followsLoss { drafts.removeSubrange(first...) }
            soften(event, nil, &machine)
            instances[Int(event.instance)].missed = 0
            if isFirstOfScenes { judgeBeginning(event, &machine) }
            // What is missing before it may only come after it.
            if drafts.count > first { settle(event, holding: .missingCallback, &machine) }
        } else {
            judgeDeviation(event, &machine)
            if isFirstOfScenes { judgeBeginning(event, &machine) }
        }
        instances[Int(event.instance)].seen.insert(event.callback)
        runs[Int(event.run)].seen.insert(event.callback)
        if !drafts.isEmpty { finishLine(&machine) }
    }

    private mutating func judgeDeviation(_ event: CallbackEvent, _ machine: inout InstanceMachine) {
        let deviant = deviant(event, &machine)
        if !suspects.isEmpty {
            release(suspectsOf: event.instance, isTie: deviant.deviation == .reorderedTie, &machine)
        }
        let isNamed = look(event, deviant, &machine)
        if !isNamed { report(event, deviant, &machine) }
        if isMissedAgain(event, deviant) {
            drafts.removeAll { $0.deviation == deviant.deviation && $0.line == event.line }
        }
        soften(event, deviant.deviation, &machine)
        settle(event, holding: deviant.deviation == .reorderedTie ? nil : deviant.deviation, &machine)
    }

    /// What only names the callback before in other words is a remark.
    private mutating func soften(
        _ event: CallbackEvent, _ deviation: Deviation?, _ machine: inout InstanceMachine
    ) {
        guard !drafts.isEmpty, machine.states[Int(event.instance)].isInOtherWords(event) else { return }
        for place in drafts.indices where drafts[place].line == event.line {
            guard (deviation ?? drafts[place].deviation) == .duplicate else { continue }
            drafts[place].severity = .info
        }
    }

    /// Holds an event against the limits and the rules.
    ///
    /// - Returns: whether some rule says that the step itself is wrong.
    @discardableResult
    private mutating func look(
        _ event: CallbackEvent, _ deviant: Deviant, _ machine: inout InstanceMachine
    ) -> Bool {
        let first = drafts.count
        limits.measure(event, &machine, &drafts)
        lookAtChecks(event, deviant, &machine)
        guard drafts.count > first else { return false }
        return drafts[first...].contains { $0.weight > 0 }
    }

    /// The present line is over: chooses among the drafts and hands them over.
    mutating func finishLine(_ machine: inout InstanceMachine) {
        guard !drafts.isEmpty else { return }
        writer.choose(&drafts)
        for draft in drafts { hand(writer.finding(draft, &machine), draft.missing, of: draft.run, &machine) }
        drafts.removeAll(keepingCapacity: true)
    }

    /// Keeps the findings about a step back until the next callback of the instance, which may have the same time and
    /// show that only the order of the two is wrong; hands over the others.
    private mutating func settle(
        _ event: CallbackEvent, holding deviation: Deviation?, _ machine: inout InstanceMachine
    ) {
        guard event.time != Time.none, let deviation else { return }
        writer.choose(&drafts)
        let instance = machine.states[Int(event.instance)].id
        for draft in drafts where draft.deviation == deviation && draft.line == event.line {
            let finding = writer.finding(draft, &machine)
            suspects[instance, default: []].append(Suspect(run: event.run, finding: finding, missing: draft.missing))
        }
        drafts.removeAll { $0.deviation == deviation && $0.line == event.line }
    }

    /// Hands over findings that were kept back.
    ///
    /// - Parameter isTie: whether they are about a line that is only in the wrong place.
    private mutating func release(suspectsOf slot: Int32, isTie: Bool = false, _ machine: inout InstanceMachine) {
        guard let held = suspects.removeValue(forKey: machine.states[Int(slot)].id) else { return }
        for var one in held {
            if isTie {
                one.finding.deviation = .reorderedTie
                one.finding.repair = FindingDraft.Repair.afterNextLine.text
                one.missing = CallbackSet()
            }
            hand(one.finding, one.missing, of: one.run, &machine)
        }
    }

    func hasFound(_ rule: Int, in run: Int) -> Bool {
        rulesFound[run * rulesWidth + rule / 64] & 1 << UInt64(rule % 64) != 0
    }

    /// Notes that a rule of which one finding per run is enough is broken; returns whether for the first time.
    mutating func isFirst(_ rule: Int, in run: Int) -> Bool {
        defer { rulesFound[run * rulesWidth + rule / 64] |= 1 << UInt64(rule % 64) }
        return !hasFound(rule, in: run)
    }

    private mutating func hand(
        _ finding: Finding, _ missing: CallbackSet, of run: Int32, _ machine: inout InstanceMachine
    ) {
        if missing.isEmpty || Int(run) >= runs.count || runs[Int(run)].app < 0 {
            machine.rows.add(finding)
        } else {
            var held = UnloggedCallbacks.Held(
                finding: finding, missing: missing, app: machine.runs.details[Int(run)].process)
            let worded = machine.runs.states[Int(run)].worded
            if worded != 0, let app = plan.catalog.app { held.worded = numbers(ofBits: worded, model: UInt8(app)) }
            unlogged.add(held, of: runs[Int(run)].app, &machine.rows)
        }
    }

    // MARK: Findings that can be called off

    /// Lets a finding wait for something that calls it off.
    mutating func wait(
        _ draft: FindingDraft, check: Int, until deadline: Int64, expected: UInt8 = CompiledModel.unknown,
        _ machine: inout InstanceMachine
    ) {
        guard waiting[draft.run, default: []].count < Self.findingsWaiting else { return }
        waiting[draft.run, default: []].append(
            Waiting(
                check: check, finding: writer.finding(draft, &machine), deadline: deadline, expected: expected))
    }

    /// Calls waiting findings off, or hands them over once nothing can.
    private mutating func settleWaiting(_ event: CallbackEvent, _ machine: inout InstanceMachine) {
        guard let all = waiting[event.run] else { return }
        let app = machine.runs.states[Int(event.run)].app
        let state = app >= 0 ? machine.states[Int(app)].state : CompiledModel.unknown
        var kept: [Waiting] = []
        for one in all {
            let isAsExpected = one.expected != CompiledModel.unknown && one.expected == state
            if isAsExpected, machine.states[Int(app)].entered <= one.deadline { continue }
            if event.time != Time.none, event.time > one.deadline {
                let rule = plan.rules.checks[one.check].rule
                if !plan.rules.rules[rule].oncePerRun || isFirst(rule, in: Int(event.run)) {
                    machine.rows.add(one.finding)
                }
            } else if !isAsExpected, !plan.rules.checks[one.check].unless.contains(event.callback) {
                kept.append(one)
            }
        }
        waiting[event.run] = kept.isEmpty ? nil : kept
    }

    // MARK: Ends

    /// A run ends, or its log does.
    mutating func close(_ run: Int32, logEnds: Bool, _ machine: inout InstanceMachine) {
        if !suspects.isEmpty { releaseSuspects(of: run, &machine) }
        let isOver = machine.runs.states[Int(run)].isOver
        if isOver { judgeEnd(run, &machine) }
        if !isOver, logEnds { foreseeEnd(run, &machine) }
        limits.close(run, &machine, &drafts)
        judgeAwaited(run, &machine)
        finishLine(&machine)
        waiting[run] = nil
        exchanges[run] = nil
    }

    private mutating func releaseSuspects(of run: Int32, _ machine: inout InstanceMachine) {
        let own = suspects.filter { $0.value.first?.run == run }.keys.sorted()
        for instance in own {
            for one in suspects.removeValue(forKey: instance) ?? [] {
                hand(one.finding, one.missing, of: run, &machine)
            }
        }
    }

    /// The log ends.
    mutating func finish(_ machine: inout InstanceMachine) {
        unlogged.finish(plan.rules, &machine.rows)
        for finding in foreseen { machine.rows.add(finding) }
    }
}
