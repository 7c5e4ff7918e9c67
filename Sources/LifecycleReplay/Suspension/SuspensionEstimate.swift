import TraceRecords

/// The parts of background visits in which a process ran no code: observed where a line says so, estimated from its
/// silence. While a background task is open, a process runs on for as long as it may.
///
/// An estimate never decides whether a rule or limit fires.
struct SuspensionEstimate {
    /// A stretch without a sign of life.
    struct Silence: BitwiseCopyable {
        var run: Int32
        var from: Int64
        var until: Int64
        /// When the last background task that was open all the time began; none where there was no such task.
        var taskBegan = Time.none
    }

    /// How many silences of a run are kept while its state is not known.
    private static let silencesKept = 256

    private let catalog: CompiledCatalog
    private let grace: Int64?
    private let basis: String
    private let limits: LimitBook
    /// Silences beyond the grace time in runs whose state is not known yet, by slot.
    var silences: [Int32: [Silence]] = [:]
    /// The suspension that the present line may end: its step shows where it led.
    private var ended: (suspension: Suspension, instance: Int32)?

    init(plan: ReplayPlan, grace: Int64?) {
        (catalog, limits) = (plan.catalog, plan.limits)
        self.grace = grace
        basis = "silence beyond the \(Time.seconds(grace ?? 0)) s grace time"
    }

    /// A process was silent and has written a line again.
    mutating func end(_ silence: Silence, _ machine: inout InstanceMachine) {
        guard let grace, silence.until - silence.from > grace else { return }
        let app = machine.runs.states[Int(silence.run)].app
        if app >= 0, machine.states[Int(app)].alternatives == 0, machine.states[Int(app)].state != CompiledModel.unknown
        {
            hold(estimate(Visit(app, &machine), silence), of: app, &machine)
        } else if silences[silence.run, default: []].count < Self.silencesKept {
            silences[silence.run, default: []].append(silence)
        }
    }

    /// Looks at a step, or at the decision of a visit.
    @inline(__always)
    mutating func observe(_ emission: Emission, _ machine: inout InstanceMachine) {
        if ended != nil { noteWaking(emission, catalog.models[Int(emission.model)]) }
        if emission.met != CompiledModel.unknown, emission.met == catalog.suspended[Int(emission.model)],
            emission.kind != .decision
        {
            closeObserved(emission, catalog.models[Int(emission.model)], &machine)
        }
        guard !silences.isEmpty, Int(emission.model) == catalog.app else { return }
        let isRevealed = emission.met == CompiledModel.unknown && emission.before != CompiledModel.unknown
        if emission.kind == .decision {
            release(emission, state: emission.after, &machine)
        } else if isRevealed, emission.kind == .event {
            // Silences before the first callback lie inside a visit that the callback reveals.
            release(emission, state: emission.before, &machine)
            noteWaking(emission, catalog.models[Int(emission.model)])
        }
    }

    /// Keeps a suspension that the present line may have ended until the line is over.
    private mutating func hold(_ suspension: Suspension?, of app: Int32, _ machine: inout InstanceMachine) {
        finishLine(&machine)
        if let suspension { ended = (suspension, app) }
    }

    /// The present line is over: the suspension that it ended gets its row.
    @inline(__always)
    mutating func finishLine(_ machine: inout InstanceMachine) {
        guard let one = ended else { return }
        machine.rows.add(one.suspension)
        ended = nil
    }

    /// A silence that nothing ended is a suspension as far as anybody can know.
    ///
    /// - Parameters:
    ///   - logEnds: whether the run is closed because the log ends.
    ///   - taskBegan: when the last of the background tasks that are open began.
    mutating func close(_ slot: Int32, logEnds: Bool, taskBegan: Int64, _ machine: inout InstanceMachine) {
        defer { silences[slot] = nil }
        finishLine(&machine)
        let run = machine.runs.states[Int(slot)]
        guard run.app >= 0 else { return }
        let app = machine.states[Int(run.app)]
        let model = catalog.models[Int(app.model)]
        if app.state == model.suspended, app.state != CompiledModel.unknown {
            addObserved(Visit(run.app, &machine), until: Time.none, leadsTo: nil, &machine)
            return
        }
        guard let grace, run.lastSign != Time.none, !run.hasEnded else { return }
        let known =
            run.superseded ? machine.runs.nextSeen(slot) : logEnds && !run.hasGoneBack ? machine.latest : Time.none
        guard known != Time.none, known > run.lastSign, known - run.lastSign > grace else { return }
        let silence = Silence(run: slot, from: run.lastSign, until: known, taskBegan: taskBegan)
        if let suspension = estimate(Visit(run.app, &machine), silence, isOpen: true) {
            machine.rows.add(suspension)
        }
    }

    /// The visit that a silence lies in.
    private struct Visit {
        /// Row ids.
        var run: Int64
        var instance: Int64
        var model: UInt8
        var state: UInt8
        var entered: Int64
        var opener: Int64
        var usesScenes: Bool

        /// The open visit of an instance.
        init(_ slot: Int32, _ machine: inout InstanceMachine) {
            let instance = machine.states[Int(slot)]
            (run, usesScenes) = (
                machine.runs.states[Int(instance.run)].id, machine.runs.states[Int(instance.run)].usesScenes
            )
            self.instance = instance.id
            model = instance.model
            state = instance.state
            entered = instance.entered
            opener = instance.opener
        }

        /// The visit that was open before a step.
        init(_ emission: Emission, state: UInt8, _ machine: inout InstanceMachine) {
            self.init(emission.instance, &machine)
            self.state = state
            entered = emission.entered
            opener = emission.opener
        }
    }

    private mutating func release(_ emission: Emission, state: UInt8, _ machine: inout InstanceMachine) {
        guard let waiting = silences.removeValue(forKey: emission.run) else { return }
        let visit = Visit(emission, state: state, &machine)
        for silence in waiting { hold(estimate(visit, silence), of: emission.instance, &machine) }
    }

    /// The estimated suspension in a silence, if the app was in a state in which silence means one.
    private func estimate(_ visit: Visit, _ silence: Silence, isOpen: Bool = false) -> Suspension? {
        let model = catalog.models[Int(visit.model)]
        guard let grace, visit.state != CompiledModel.unknown, model.suspendable & 1 << UInt64(visit.state) != 0 else {
            return nil
        }
        let (from, until) = (silence.from, silence.until)
        var begin = (visit.entered == Time.none ? from : max(from, visit.entered)) + grace
        if silence.taskBegan != Time.none {
            guard let longest = limits.longestTask(withScenes: visit.usesScenes) else { return nil }
            begin = max(begin, max(silence.taskBegan, visit.entered) + longest)
        }
        if begin >= until || !Time.isDated(begin) && Time.isDated(until) { return nil }
        return Suspension(
            id: 0, run: visit.run, instance: visit.instance, opener: visit.opener == 0 ? nil : visit.opener,
            from: begin, until: isOpen ? nil : until, leadsTo: isOpen ? nil : model.states[Int(visit.state)],
            evidence: .inferred, basis: basis)
    }

    /// The line that ended a silence takes the instance into another state: that is what the suspension led to.
    private mutating func noteWaking(_ emission: Emission, _ model: CompiledModel) {
        guard let one = ended, one.instance == emission.instance, emission.kind != .decision,
            emission.before != emission.after, emission.after != CompiledModel.unknown,
            one.suspension.until == Time.optional(emission.time)
        else { return }
        ended?.suspension.leadsTo = model.states[Int(emission.after)]
    }

    /// A visit that a line shows to have been a suspension has a row among the suspensions too.
    private func closeObserved(_ emission: Emission, _ model: CompiledModel, _ machine: inout InstanceMachine) {
        guard emission.after != emission.met else { return }
        let isKnown = emission.time != Time.none && emission.after != CompiledModel.unknown
        addObserved(
            Visit(emission, state: emission.met, &machine), until: emission.time,
            leadsTo: isKnown ? model.states[Int(emission.after)] : nil, &machine)
    }

    private func addObserved(
        _ visit: Visit, until time: Int64, leadsTo: String?, _ machine: inout InstanceMachine
    ) {
        // Across a step back of the clock nothing has a length.
        guard visit.entered != Time.none, time == Time.none || time >= visit.entered else { return }
        machine.rows.add(
            Suspension(
                id: 0, run: visit.run, instance: visit.instance,
                opener: visit.opener == 0 ? nil : visit.opener, from: visit.entered, until: Time.optional(time),
                leadsTo: leadsTo, evidence: .observed, basis: "a line says that the process is suspended"))
    }
}
