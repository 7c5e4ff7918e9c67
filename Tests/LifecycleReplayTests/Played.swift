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
    /// What else the line says: lines that differ in it are not copies of each other.
    var text: UInt16 = 0
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
    private(set) var scenarios: [ScenarioMatch] = []

    /// Applies a batch as a store would: a row with a known id replaces the old one.
    mutating func take(_ batch: ReplayBatch) {
        kinds += batch.kinds
        for step in batch.steps + batch.revisedSteps { steps[step.id] = step }
        for run in batch.runs { runs[run.id] = run }
        for instance in batch.instances { instances[instance.id] = instance }
        suspensions += batch.suspensions
        findings += batch.findings
        scenarios += batch.scenarios
    }

    /// The same rows with ids counted from 1 in order: how a log is divided into batches changes ids only.
    var numbered: Played {
        func ranks(_ ids: some Sequence<Int64>) -> [Int64: Int64] {
            Dictionary(uniqueKeysWithValues: ids.sorted().enumerated().map { ($1, Int64($0 + 1)) })
        }
        let (stepIDs, runIDs, instanceIDs) = (ranks(steps.keys), ranks(runs.keys), ranks(instances.keys))
        var result = self
        result.steps = Dictionary(
            uniqueKeysWithValues: steps.values.map { step in
                var step = step
                step.id = stepIDs[step.id] ?? 0
                step.instance = instanceIDs[step.instance] ?? 0
                step.opener = step.opener.flatMap { stepIDs[$0] }
                return (step.id, step)
            })
        result.runs = Dictionary(
            uniqueKeysWithValues: runs.values.map { run in
                var run = run
                run.id = runIDs[run.id] ?? 0
                return (run.id, run)
            })
        result.instances = Dictionary(
            uniqueKeysWithValues: instances.values.map { instance in
                var instance = instance
                instance.id = instanceIDs[instance.id] ?? 0
                instance.run = runIDs[instance.run] ?? 0
                let opener = instance.tail?.opener.flatMap { stepIDs[$0] }
                instance.tail?.opener = opener
                return (instance.id, instance)
            })
        for place in suspensions.indices {
            result.suspensions[place].id = 0
            result.suspensions[place].run = runIDs[suspensions[place].run] ?? 0
            result.suspensions[place].instance = instanceIDs[suspensions[place].instance] ?? 0
            result.suspensions[place].opener = suspensions[place].opener.flatMap { stepIDs[$0] }
        }
        for place in findings.indices {
            result.findings[place].id = 0
            result.findings[place].run = runIDs[findings[place].run] ?? 0
            result.findings[place].instance = findings[place].instance.flatMap { instanceIDs[$0] }
            result.findings[place].step = findings[place].step.flatMap { stepIDs[$0] }
        }
        for place in scenarios.indices {
            result.scenarios[place].run = runIDs[scenarios[place].run] ?? 0
            result.scenarios[place].firstStep = stepIDs[scenarios[place].firstStep] ?? 0
            result.scenarios[place].lastStep = stepIDs[scenarios[place].lastStep] ?? 0
        }
        return result
    }

    /// Forgets the kinds: a replay that goes on from a saved state hands all of them over again.
    mutating func restartKinds() { kinds = [] }

    var orderedSteps: [Step] { steps.values.sorted { $0.id < $1.id } }

    func kind(of step: Step) -> StepKind { kinds[Int(step.kind)] }

    /// The view `visits`, in the order in which the visits end.
    var visits: [Visit] {
        var visits: [Visit] = []
        for step in orderedSteps {
            let kind = kind(of: step)
            guard kind.endsVisit, let state = kind.stateBefore,
                let instance = instances[step.instance]
            else { continue }
            let opener = step.opener.flatMap { steps[$0] }
            let cut = kind.closedCensoring != .neither
            visits.append(
                Visit(
                    layer: instance.layer, instance: instance.label, state: state, entered: opener?.time,
                    left: step.time, censored: kind.closedCensoring.rawValue, dwell: cut ? nil : step.dwell,
                    atLeast: cut ? step.dwell : nil))
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
            guard kind.layer == layer, kind.stateBefore != kind.stateAfter,
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
///
/// - Parameters:
///   - pauses: lines after which the log seems to end, and the replay goes on from its saved state.
func play(
    _ lines: [Line], options: ReplayOptions = ReplayOptions(), cuts: Set<Int> = [], snapshots: Set<Int> = [],
    pauses: Set<Int> = [], until logEnd: Double? = nil, catalog: ModelCatalog? = nil
) throws -> Played {
    let vocabulary = try catalog.map { Vocabulary(models: $0.models) } ?? builtInVocabulary.get()
    let followsDefaults = options.profile == nil && options.configuration.isEmpty && options.systemVersion == nil
    let plan =
        try catalog == nil && followsDefaults
        ? builtInPlan.get() : ReplayPlan(try catalog ?? builtIn.get(), options)
    var replayer = LogReplayer(plan: plan, options: options, blocks: BlockSequence(first: 0))
    var played = Played()
    var batch = FactBatch()
    var source: Int32 = 1
    func flush() {
        replayer.replay(batch, of: SourceContext(id: source))
        batch = FactBatch()
    }
    for (index, line) in lines.enumerated() {
        if line.source != source {
            flush()
            played.take(replayer.takeBatch())
        } else if cuts.contains(index) {
            flush()
        }
        source = line.source
        batch.add(line, number: Int64(index + 1), vocabulary)
        if snapshots.contains(index) {
            flush()
            played.take(replayer.takeBatch())
        }
        if pauses.contains(index) {
            flush()
            played.take(replayer.takeBatch())
            let state = replayer.savedState()
            _ = replayer.finish()
            replayer = try LogReplayer(plan: plan, options: options, blocks: replayer.blocks, resuming: state)
            played.restartKinds()
        }
    }
    if let logEnd { batch.lastTime = nanoseconds(logEnd) }
    flush()
    played.take(replayer.takeBatch())
    played.take(replayer.finish())
    return played
}

extension FactBatch {
    mutating func add(_ line: Line, number: Int64, _ vocabulary: Vocabulary) {
        let speaker = Speaker(
            process: line.app.isEmpty ? nil : line.app, namesBundle: line.namesBundle, pid: line.pid,
            label: line.label.isEmpty || line.isLife ? nil : line.label)
        let place = speakers.firstIndex(of: speaker) ?? speakers.count
        if place == speakers.count { speakers.append(speaker) }
        guard !line.isLife else {
            facts.append(
                .activity(
                    ActivityInterval(
                        speaker: UInt32(place), from: line.time, until: line.time, firstLine: number, lastLine: number))
            )
            return
        }
        var event = Event(time: line.time, line: number, speaker: UInt32(place), textHash: line.text)
        event.callback = line.callback.flatMap { vocabulary.index(of: $0) }
        event.proof = line.proof
        if line.proof != nil {
            texts.append(line.origin)
            event.origin = Symbol(id: UInt32(texts.count))
        }
        facts.append(.event(event))
    }
}
