import LifecycleModel
import TraceRecords

@testable import LifecycleReplay

/// One line of a log as a test writes it.
struct Line {
    var time: Int64?
    var callback: String?
    var proof: Proof?
    var origin = ""
    var label = ""
    var app = "App"
    var pid: Int32? = 1
    var isLife = false
    var copyKey: UInt64 = 0
    var source: Int32 = 1
    var namesBundle = false

    /// A callback at a time in seconds.
    static func at(_ seconds: Double?, _ callback: String, _ label: String = "", app: String = "App", pid: Int32? = 1)
        -> Line
    {
        Line(time: seconds.map(nanoseconds), callback: callback, label: label, app: app, pid: pid)
    }

    /// Evidence at a time in seconds.
    static func evidence(
        _ seconds: Double?, _ proof: Proof, _ origin: String = "runningboard", app: String = "App", pid: Int32? = 1
    ) -> Line {
        Line(time: seconds.map(nanoseconds), proof: proof, origin: origin, app: app, pid: pid)
    }

    /// Another line of a process at a time in seconds.
    static func life(_ seconds: Double, app: String = "App", pid: Int32? = 1) -> Line {
        Line(time: nanoseconds(seconds), app: app, pid: pid, isLife: true)
    }
}

/// Seconds as whole nanoseconds.
func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1_000_000_000).rounded()) }

/// The rows of a replay as the views of the database would show them.
struct Played {
    struct Visit: Equatable, Hashable, CustomStringConvertible {
        var layer = "app"
        var instance: String
        var state: String
        var entered: Int64?
        var left: Int64?
        var censored: String
        var dwell: Int64?
        var atLeast: Int64?
        var description: String {
            "\(layer)/\(instance) \(state) [\(entered.map { "\($0)" } ?? "?"), \(left.map { "\($0)" } ?? "?")) "
                + "\(censored) dwell \(dwell.map { "\($0)" } ?? "-") at least \(atLeast.map { "\($0)" } ?? "-")"
        }
    }

    struct Transition: Equatable, CustomStringConvertible {
        var layer: String
        var instance: String
        var from: String?
        var to: String?
        var callback: String?
        var verdict: Verdict?
        var description: String { "\(layer)/\(instance) \(from ?? "?")>\(to ?? "?") \(callback ?? "-")" }
    }

    private(set) var kinds: [StepKind] = []
    private(set) var steps: [Int64: Step] = [:]
    private(set) var runs: [Int64: RunRecord] = [:]
    private(set) var instances: [Int64: InstanceRecord] = [:]
    private(set) var suspensions: [Suspension] = []
    private(set) var findings: [Finding] = []
    private(set) var life: [LifeRecord] = []
    private(set) var scenarios: [ScenarioMatch] = []

    /// Applies a batch as a store would: a row with a known id replaces the old one.
    mutating func take(_ batch: ReplayBatch) {
        kinds += batch.kinds
        for step in batch.steps + batch.revisedSteps { steps[step.id] = step }
        for run in batch.runs { runs[run.id] = run }
        for instance in batch.instances { instances[instance.id] = instance }
        suspensions += batch.suspensions
        findings += batch.findings
        life += batch.life
        scenarios += batch.scenarios
    }

    var orderedSteps: [Step] { steps.values.sorted { $0.id < $1.id } }

    func kind(of step: Step) -> StepKind { kinds[Int(step.kind)] }

    /// The view `visits`, in the order in which the visits end.
    var visits: [Visit] {
        var visits: [Visit] = []
        for step in orderedSteps {
            let kind = kind(of: step)
            guard kind.role != .folded, kind.endsVisit, let state = kind.stateBefore,
                let instance = instances[step.instance]
            else { continue }
            let opener = step.opener.flatMap { steps[$0] }
            let cut = kind.closedCensoring != .neither
            visits.append(
                Visit(
                    layer: instance.layer, instance: instance.label, state: state, entered: opener?.time,
                    left: step.time, censored: kind.closedCensoring.rawValue, dwell: cut ? nil : step.stay,
                    atLeast: cut ? step.stay : nil))
        }
        for instance in instances.values.sorted(by: { $0.id < $1.id }) {
            guard let tail = instance.tail else { continue }
            visits.append(
                Visit(
                    layer: instance.layer, instance: instance.label, state: tail.state, entered: tail.entered,
                    left: nil, censored: tail.censoring.rawValue, dwell: nil, atLeast: tail.atLeast))
        }
        return visits
    }

    var completeVisits: [Visit] { visits.filter { $0.censored.isEmpty } }

    /// The view `transitions`, of one layer.
    func transitions(_ layer: String = "app") -> [Transition] {
        var transitions: [Transition] = []
        for step in orderedSteps {
            let kind = kind(of: step)
            guard kind.role != .folded, kind.layer == layer, kind.stateBefore != kind.stateAfter,
                kind.stateBefore != nil, let instance = instances[step.instance]
            else { continue }
            transitions.append(
                Transition(
                    layer: layer, instance: instance.label, from: kind.stateBefore, to: kind.stateAfter,
                    callback: kind.callback, verdict: kind.verdict))
        }
        for instance in instances.values.sorted(by: { $0.id < $1.id }) where instance.layer == layer {
            guard let tail = instance.tail, let to = tail.silentlyTo else { continue }
            transitions.append(
                Transition(
                    layer: layer, instance: instance.label, from: tail.state, to: to, callback: nil,
                    verdict: tail.verdict))
        }
        return transitions
    }

    /// States that an instance passes through, the first state included.
    func path(_ layer: String = "app", _ label: String = "app") -> [String] {
        let moves = transitions(layer).filter { $0.instance == label }
        return [moves.first?.from ?? "?"] + moves.map { $0.to ?? "?" }
    }

    var runsInOrder: [RunRecord] { runs.values.sorted { $0.id < $1.id } }
}

/// The documented models, read once, with what is compiled from them: that costs more than to replay a few lines.
let builtIn = Result { try ModelCatalog.builtIn() }
private let builtInVocabulary = builtIn.map { Vocabulary(models: $0.models) }
private let builtInPlan = builtIn.map { ReplayPlan($0, ReplayOptions()) }

/// Replays lines, in one batch or in several, with snapshots between.
func play(
    _ lines: [Line], options: ReplayOptions = ReplayOptions(), cuts: Set<Int> = [], snapshots: Set<Int> = [],
    until logEnd: Double? = nil, catalog: ModelCatalog? = nil
) throws -> Played {
    let vocabulary = try catalog.map { Vocabulary(models: $0.models) } ?? builtInVocabulary.get()
    let followsDefaults = options.profile == nil && options.configuration.isEmpty && options.systemVersion == nil
    let plan =
        try catalog == nil && followsDefaults
        ? builtInPlan.get() : ReplayPlan(try catalog ?? builtIn.get(), options)
    var replayer = LogReplayer(plan: plan, options: options, first: FirstIDs())
    var tables: [Int32: SymbolTable] = [:]
    var played = Played()
    var batch = FactBatch()
    var source: Int32 = 1
    func flush() {
        replayer.replay(batch, source: source)
        batch = FactBatch()
    }
    for (index, line) in lines.enumerated() {
        if line.source != source || cuts.contains(index) { flush() }
        source = line.source
        var table = tables[source] ?? SymbolTable()
        let known = table.count
        let process = table.intern(line.app)
        if line.isLife {
            batch.facts.append(
                .life(
                    LifeSpan(
                        process: process, pid: line.pid, device: .none, from: line.time, until: line.time,
                        firstLine: Int64(index + 1), lastLine: Int64(index + 1))))
        } else {
            var event = Event(time: line.time, line: Int64(index + 1), process: process, pid: line.pid)
            event.namesBundle = line.namesBundle
            event.copyKey = line.copyKey
            event.instance = table.intern(line.label)
            event.callback = line.callback.flatMap { vocabulary.index(of: $0) }
            event.proof = line.proof
            event.origin = table.intern(line.origin)
            batch.facts.append(.event(event))
        }
        batch.newSymbols += table.texts(since: known)
        tables[source] = table
        if snapshots.contains(index) {
            flush()
            played.take(replayer.takeBatch(final: false))
        }
    }
    if let logEnd { batch.position.lastTime = nanoseconds(logEnd) }
    flush()
    played.take(replayer.takeBatch(final: true))
    return played
}
