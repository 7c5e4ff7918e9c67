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
    var textHash: UInt16 = 0
    var isReturn = false
    var isNotification = false
    var device: String?
    var source: Int32 = 1
    var namesBundle = false

    /// A callback at a time in seconds.
    static func at(_ seconds: Double?, _ callback: String, _ label: String = "", app: String = "App", pid: Int32? = 1)
        -> Line
    {
        Line(time: seconds.map(nanoseconds), callback: callback, label: label, app: app, pid: pid)
    }

    /// A line that names the notification of a callback.
    static func posted(_ seconds: Double, _ callback: String) -> Line {
        var line = at(seconds, callback)
        line.isNotification = true
        return line
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
    private(set) var messages: [Int64: String] = [:]
    /// Number in ``kinds`` of each kind that the present replay has handed over.
    private var numbers: [Int32] = []

    /// Applies a batch as a store would: a row with a known id replaces the old one.
    mutating func take(_ batch: ReplayBatch) {
        for kind in batch.kinds {
            let known = kinds.firstIndex(of: kind)
            if known == nil { kinds.append(kind) }
            numbers.append(Int32(known ?? kinds.count - 1))
        }
        for step in batch.steps + batch.revisedSteps {
            var step = step
            step.kind = numbers[Int(step.kind)]
            if step.previousCallback >= 0 { step.previousCallback = numbers[Int(step.previousCallback)] }
            steps[step.id] = step
        }
        for run in batch.runs { runs[run.id] = run }
        for instance in batch.instances { instances[instance.id] = instance }
        suspensions += batch.suspensions
        findings += batch.findings.filter { !$0.awaitsEnd }
        scenarios += batch.scenarios
        for message in batch.messages { messages[message.step] = message.text }
    }

    /// Deletes the rows of provisional blocks, as a store does before a log goes on: rows that a provisional batch replaced
    /// keep what it wrote.
    mutating func replace(with provisional: Played, butNotBlocks blocks: [Int64]) {
        let isKept: (Int64) -> Bool = { !blocks.contains(Block.of($0)) }
        kinds = provisional.kinds
        steps = provisional.steps.filter { isKept($0.key) }
        runs = provisional.runs.filter { isKept($0.key) }
        instances = provisional.instances.filter { isKept($0.key) }
        suspensions = provisional.suspensions.filter { isKept($0.id) }
        findings = provisional.findings.filter { isKept($0.id) }
        scenarios = scenarios.filter { one in isKept(one.firstStep) }
    }

    /// A resumed replay numbers its kinds anew.
    mutating func resume() { numbers = [] }

    /// The same with ids that count from 1 in the order of the log, and lists in a fixed order.
    func normalized() -> Played {
        func ranks(_ ids: some Sequence<Int64>) -> [Int64: Int64] {
            Dictionary(uniqueKeysWithValues: ids.sorted().enumerated().map { ($1, Int64($0 + 1)) })
        }
        let (step, run, instance) = (ranks(steps.keys), ranks(runs.keys), ranks(instances.keys))
        var played = self
        played.steps = [:]
        for var one in steps.values {
            one.id = step[one.id] ?? -1
            one.instance = instance[one.instance] ?? -1
            one.opener = one.opener.map { step[$0] ?? -1 }
            played.steps[one.id] = one
        }
        played.runs = [:]
        for var one in runs.values {
            one.id = run[one.id] ?? -1
            played.runs[one.id] = one
        }
        played.instances = [:]
        for var one in instances.values {
            one.id = instance[one.id] ?? -1
            one.run = run[one.run] ?? -1
            if let opener = one.tail?.opener { one.tail?.opener = step[opener] ?? -1 }
            played.instances[one.id] = one
        }
        played.suspensions = suspensions.map { one in
            var one = one
            one.id = 0
            (one.run, one.instance) = (run[one.run] ?? -1, instance[one.instance] ?? -1)
            one.opener = one.opener.map { step[$0] ?? -1 }
            return one
        }
        played.suspensions.sort { ($0.from, $0.run, $0.until ?? .max) < ($1.from, $1.run, $1.until ?? .max) }
        played.findings = findings.map { one in
            var one = one
            one.id = 0
            one.run = run[one.run] ?? -1
            one.instance = one.instance.map { instance[$0] ?? -1 }
            one.step = one.step.map { step[$0] ?? -1 }
            return one
        }
        played.findings.sort { ($0.line, $0.rule, $0.message) < ($1.line, $1.rule, $1.message) }
        played.scenarios = scenarios.map { one in
            var one = one
            one.run = run[one.run] ?? -1
            (one.firstStep, one.lastStep) = (step[one.firstStep] ?? -1, step[one.lastStep] ?? -1)
            return one
        }
        played.scenarios.sort {
            ($0.firstStep, $0.lastStep, $0.scenario) < ($1.firstStep, $1.lastStep, $1.scenario)
        }
        return played
    }

    /// The first row that differs from those of another replay; `nil` when all are the same.
    func difference(from other: Played) -> String? {
        func rows(_ played: Played) -> [String] {
            let one = played.normalized()
            let steps = one.orderedSteps.map { step in
                var step = step
                let kind = one.kinds[Int(step.kind)]
                let previous = step.previousCallback < 0 ? nil : one.kinds[Int(step.previousCallback)].callback
                (step.kind, step.previousCallback) = (0, 0)
                return "\(step) \(kind) \(previous ?? "")"
            }
            return steps + one.runsInOrder.map { "\($0)" }
                + one.instances.values.sorted { $0.id < $1.id }.map { "\($0)" } + one.suspensions.map { "\($0)" }
                + one.findings.map { "\($0)" } + one.scenarios.map { "\($0)" }
                + one.messages.sorted { $0.key < $1.key }.map(\.value)
        }
        let (mine, others) = (rows(self), rows(other))
        if let place = zip(mine, others).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            return "\(mine[place])\n  instead of\n  \(others[place])"
        }
        return mine.count == others.count ? nil : "\(mine.count) rows instead of \(others.count)"
    }

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

/// Turns lines into fact batches.
struct LineReader {
    let vocabulary: Vocabulary
    private(set) var batch = FactBatch()

    init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

    /// Adds a line.
    mutating func read(_ line: Line, number: Int64) {
        let speaker = Speaker(
            process: line.app.isEmpty ? nil : line.app, namesBundle: line.namesBundle, pid: line.pid,
            device: line.device, label: line.label.isEmpty ? nil : line.label)
        var place = batch.speakers.firstIndex(of: speaker)
        if place == nil {
            place = batch.speakers.count
            batch.speakers.append(speaker)
        }
        let speakerNumber = UInt32(place ?? 0)
        guard !line.isLife else {
            batch.facts.append(
                .activity(
                    ActivityInterval(
                        speaker: speakerNumber, from: line.time, until: line.time, firstLine: number, lastLine: number))
            )
            return
        }
        var event = Event(time: line.time, line: number, speaker: speakerNumber)
        event.isReturn = line.isReturn
        event.isNotification = line.isNotification
        event.textHash = line.textHash
        event.callback = line.callback.flatMap { vocabulary.index(of: $0) }
        event.proof = line.proof
        if !line.origin.isEmpty {
            batch.texts.append(line.origin)
            event.origin = Symbol(id: UInt32(batch.texts.count))
        }
        batch.facts.append(.event(event))
    }

    /// The facts so far.
    mutating func take() -> FactBatch {
        var taken = FactBatch()
        swap(&taken, &batch)
        return taken
    }
}

/// A life in which the app "App" logs every callback of its layers: without one, what a test leaves out counts as never
/// logged.
let wordyLife: [Line] = [
    .at(-900, "willFinishLaunchingWithOptions", pid: 9001), .at(-899.9, "didFinishLaunchingWithOptions", pid: 9001),
    .at(-899.5, "applicationDidBecomeActive", pid: 9001), .at(-890, "applicationWillResignActive", pid: 9001),
    .at(-889.5, "applicationDidEnterBackground", pid: 9001), .at(-880, "applicationWillEnterForeground", pid: 9001),
    .at(-879.5, "applicationDidBecomeActive", pid: 9001), .at(-870, "applicationWillResignActive", pid: 9001),
    .at(-869.5, "applicationDidEnterBackground", pid: 9001), .at(-869, "applicationWillTerminate", pid: 9001),
    .at(-800, "willFinishLaunchingWithOptions", pid: 9002), .at(-799.9, "didFinishLaunchingWithOptions", pid: 9002),
    .at(-799.8, "sceneWillConnect", "wordy", pid: 9002), .at(-799.7, "sceneWillEnterForeground", "wordy", pid: 9002),
    .at(-799.6, "loadView", "Wordy", pid: 9002), .at(-799.59, "viewDidLoad", "Wordy", pid: 9002),
    .at(-799.58, "viewWillAppear", "Wordy", pid: 9002), .at(-799.57, "viewWillLayoutSubviews", "Wordy", pid: 9002),
    .at(-799.56, "viewDidLayoutSubviews", "Wordy", pid: 9002), .at(-799.5, "viewDidAppear", "Wordy", pid: 9002),
    .at(-799.4, "sceneDidBecomeActive", "wordy", pid: 9002), .at(-790, "sceneWillResignActive", "wordy", pid: 9002),
    .at(-789, "sceneDidBecomeActive", "wordy", pid: 9002), .at(-780, "viewWillDisappear", "Wordy", pid: 9002),
    .at(-779.5, "viewDidDisappear", "Wordy", pid: 9002), .at(-779, "dealloc", "Wordy", pid: 9002),
    .at(-770, "sceneWillResignActive", "wordy", pid: 9002), .at(-769.5, "sceneDidEnterBackground", "wordy", pid: 9002),
    .at(-760, "sceneDidDisconnect", "wordy", pid: 9002), .at(-759.5, "applicationWillTerminate", pid: 9002),
]

/// Replays lines, in one batch or in several, with snapshots between.
///
/// - Parameters:
///   - preface: lines before those, numbered from -1 downwards.
///   - beginsBefore: whether the log begins long before its first line, with a line of another process.
///   - resumed: lines after which the replay is saved and resumed.
func play(
    _ lines: [Line], options: ReplayOptions = ReplayOptions(), cuts: Set<Int> = [], snapshots: Set<Int> = [],
    until logEnd: Double? = nil, catalog: ModelCatalog? = nil, preface: [Line] = [], beginsBefore: Bool = true,
    resumed: Set<Int> = []
) throws -> Played {
    let vocabulary = try catalog.map { Vocabulary(models: $0.models) } ?? builtInVocabulary.get()
    let followsDefaults = options.profile == nil && options.configuration.isEmpty && options.systemVersion == nil
    let plan =
        try catalog == nil && followsDefaults
        ? builtInPlan.get() : ReplayPlan(try catalog ?? builtIn.get(), options)
    var replayer = LogReplayer(plan: plan, options: options, blocks: BlockSequence(first: 0))
    var played = Played()
    var reader = LineReader(vocabulary)
    var source: Int32 = 1
    if beginsBefore, let first = (preface + lines).lazy.compactMap(\.time).min() {
        reader.read(Line(time: first - 1_000_000_000_000, app: "launchd", isLife: true), number: -1000)
    }
    for (index, line) in preface.enumerated() { reader.read(line, number: Int64(index - preface.count)) }
    for (index, line) in lines.enumerated() {
        if line.source != source || cuts.contains(index) {
            replayer.replay(reader.take(), of: SourceContext(id: source))
            if line.source != source { played.take(replayer.takeBatch(endsSource: true)) }
        }
        source = line.source
        reader.read(line, number: Int64(index + 1))
        guard snapshots.contains(index) || resumed.contains(index) else { continue }
        replayer.replay(reader.take(), of: SourceContext(id: source))
        played.take(replayer.takeBatch())
        if resumed.contains(index) {
            replayer = try LogReplayer(
                plan: plan, options: options, blocks: replayer.blocks, resuming: replayer.savedState())
            played.resume()
        }
    }
    var last = reader.take()
    last.lastTime = logEnd.map(nanoseconds)
    replayer.replay(last, of: SourceContext(id: source))
    played.take(replayer.finish())
    return played.normalized()
}
