package import LifecycleModel
package import TraceRecords

/// Drives the documented models with the facts of one log, which is a stream.
///
/// Pure and deterministic: the same facts in the same order give the same rows, however they are cut into batches and
/// wherever ``takeBatch(final:)`` is called between them. A row handed over early may be handed over again with the
/// same id when more is known of it; the last one counts.
///
/// Memory does not grow with the log: a run is dropped once it can't go on. A run that has ended can be revived by a
/// late line until ``endedRunsKept`` more runs have begun; after that such a line begins a new run.
package struct LogReplayer {
    /// How many runs may begin until an ended one is no longer kept for late lines.
    package static let endedRunsKept = 64
    /// How many runs can be open at a time; the one that began first is closed as cut by the log's end.
    static let openRunsKept = 4096
    /// The one of a label is looked up where a run has more instances than this.
    static let instancesLookedThrough = 16
    /// How many instances of a run can be open at a time; beyond that the oldest is closed.
    static let openInstancesKept = 4096
    /// Equal callbacks of one instance at most this far apart are one execution, in nanoseconds.
    static let foldingWindow: Int64 = 100_000_000
    /// Marks a fact read back from the store as a line that was found to be a copy when it was read: the value of
    /// ``Event/copyKey``.
    package static let knownCopy = UInt64.max

    let plan: ReplayPlan
    let options: ReplayOptions
    var next: FirstIDs

    var symbols = SourceSymbols()
    var origins = OriginTable()
    var kinds = KindTable()
    var window = CopyWindow()
    /// The same for facts that were read back from the store, whose lines are not known any more; and of the last of them
    /// the keys, as far as their facts have not come.
    var storedWindow: CopyWindow?
    var storedKeys: StoredCopyKeys

    var serials: Int64 = 0
    var runs: [RunState] = []
    var freeRuns: [Int32] = []
    var instances: [InstanceState] = []
    var freeInstances: [Int32] = []
    /// What the rules remember of each instance and run, by slot.
    var memories: [RuleMemory] = []
    var runMemories: [RuleMemory] = []
    /// Findings that can still be called off, by slot of the run.
    var pending: [Int32: [PendingFinding]] = [:]
    /// Findings about the last callback of an instance that the next one may show to be a matter of order, by slot.
    var suspects: [Int32: [Finding]] = [:]
    /// The callbacks that were found to be missing before others.
    var repairs: [RepairQuestion: [String]?] = [:]
    /// What the rules said of the step that was judged last.
    var verdicts: [Verdict] = []
    /// Room for the scenarios that an event settles.
    var settledScenarios: [ScenarioCandidate] = []
    /// Sessions that may not appear again, by process and label.
    var overSessions: Set<UInt64> = []
    /// Steps of launches that are not decided yet, by slot of the instance.
    var undecided: [Int32: UndecidedLaunch] = [:]

    var slots: [RunKey: Int32] = [:]
    var slotOfPid: [Int32: Int32] = [:]
    /// Slot of the run whose event came last: lines that name no process belong to it; -1 when there is none.
    var lastSpoken: Int32 = -1
    /// First of the live runs of each app, by symbol of the process.
    var firstOfApp: [UInt32: Int32] = [:]
    /// Process that a bundle identifier was found to belong to.
    var processOfBundle: [UInt32: UInt32] = [:]
    /// Processes of the live runs by their name as ``SourceSymbols/foldedName(_:)`` folds it.
    var processesOfFold: [UInt32: [UInt32]] = [:]
    /// Slots of ended runs, oldest first, by ``RunState/retirement``; those revived since are skipped.
    var ended = SlotQueue()
    /// How many runs have begun.
    var begunRuns: Int64 = 0
    /// Process ids that several live runs have had at a time.
    var sharedPids: Set<Int32> = []
    /// Slots of begun runs, oldest first, and how many of them are still open.
    var open = SlotQueue()
    var openCount = 0
    /// Slots of processes that have shown no event yet, oldest first, and how many there are.
    var prospects = SlotQueue()
    var prospectCount = 0
    /// The run that the last line belonged to, and what the line said of it.
    var recent = RecentRun()

    /// What an estimated suspension rests on, in words.
    let basisOfEstimate: String
    /// Time of the latest line of the log, of whatever process.
    var latest = Time.none
    var source: Int32 = 0
    /// Symbol of the device that the user says the source belongs to; 0 where the lines tell it.
    var givenDevice: UInt32 = 0
    /// Whether the facts come from another log of the device.
    var isWitness = false
    /// The present source of the log itself, and how many have come.
    var ownSource: Int32?
    var ownSources: Int32 = 0
    /// How the present line names its process and device; each of the two where the run is kept under another one, else 0;
    /// and the label in the line.
    var naming: Naming = []
    var otherName: UInt32 = 0
    var otherDevice: UInt32 = 0
    var ownLabel: UInt32 = 0

    /// State before the step made last, and what it was.
    var lastBefore = CompiledModel.unknown
    var lastKey = KindKey(
        role: .event, model: 0, subject: 0, before: CompiledModel.unknown, after: CompiledModel.unknown, verdict: .none)

    var out = ReplayBatch()
    /// Place in `out` of the suspension that the present line ended.
    var sleeper: Int?
    /// Id of the first step of ``out``.
    var firstStepOfBatch: Int64

    /// A replay of one log.
    ///
    /// - Parameters:
    ///   - catalog: the models, the same as recognition used.
    ///   - first: the ids to begin with.
    package init(catalog: ModelCatalog, options: ReplayOptions = ReplayOptions(), first: FirstIDs = FirstIDs()) {
        self.init(plan: ReplayPlan(catalog, options), options: options, first: first)
    }

    /// A replay of one of many logs that follow the same plan: making the plan costs more than a small log.
    package init(plan: ReplayPlan, options: ReplayOptions, first: FirstIDs) {
        self.plan = plan
        self.options = options
        basisOfEstimate = "silence beyond \(Self.seconds(options.suspendGrace ?? 0)) s grace"
        next = first
        firstStepOfBatch = first.step
        out.forgottenRuns = options.forgottenRuns
        storedKeys = StoredCopyKeys(options.copyKeys)
    }

    /// The ids that the next replay begins with.
    package var nextIDs: FirstIDs { next }

    /// Number of steps that wait to be taken.
    package var pendingSteps: Int { out.steps.count }

    /// Replays facts in the order of the log.
    ///
    /// - Parameters:
    ///   - facts: facts of one source, its new symbols with them.
    ///   - source: number of the source.
    ///   - isWitness: whether the source is of another log of the device. Its facts tell of the runs that the log has,
    ///     but it is not them that say where a run begins or which process a line without a name belongs to.
    package mutating func replay(_ facts: FactBatch, source: Int32, isWitness: Bool = false) {
        symbols.select(source)
        if facts.restartsSymbols { dropUnusedSymbols() }
        symbols.add(facts.newSymbols)
        self.source = source
        givenDevice = options.devicesOfSources[source].map { symbols.number(of: $0) } ?? 0
        self.isWitness = isWitness
        if !isWitness, source != ownSource {
            ownSource = source
            ownSources += 1
        }
        for fact in facts.facts {
            switch fact {
            case .event(let event): replay(event)
            case .life(let span): replay(span)
            }
        }
        if let last = facts.position.lastTime, last > latest { latest = last }
    }

    /// Says that a source gives no more facts, or no more of those that were read back, so that its symbols can be
    /// dropped.
    package mutating func endSource(_ source: Int32) {
        symbols.forget(source)
        storedKeys.end(source: source, passingOver: &window)
    }

    /// Everything that is new since the last call, with a consistent snapshot of the runs that are still open.
    ///
    /// - Parameter final: whether the log ends here: then every run is closed, and what only its end can tell
    ///   (findings about the end, open-ended suspensions) comes with it.
    package mutating func takeBatch(final: Bool) -> ReplayBatch {
        if final { closeAll() } else { snapshot() }
        out.earlyLife = earlyLife
        var batch = ReplayBatch()
        swap(&batch, &out)
        out.steps.reserveCapacity(batch.steps.count)
        firstStepOfBatch = next.step
        return batch
    }
}

/// What tells two processes apart.
struct RunKey: Hashable {
    var process: UInt32
    var pid: Int32
}

/// What tells two instances of a run apart that live at the same time.
struct InstanceKey: Hashable {
    private let model: UInt8
    /// Symbol of the label without regard to case.
    private let label: UInt32

    init(_ model: UInt8, _ label: UInt32) {
        self.model = model
        self.label = label
    }
}

/// The run of the last line, so that most lines need no look-up.
struct RecentRun {
    var process: UInt32 = 0
    var pid: Int32 = 0
    var namesBundle = false
    /// -1 when there is none.
    var slot: Int32 = -1
}

/// A launch that may have been into the foreground or the background, with everything that hangs on it.
struct UndecidedLaunch {
    /// Time of the launch.
    var time: Int64
    var steps: [(step: Step, key: KindKey)] = []
    /// Silences beyond the grace time since the launch.
    var silences: [(from: Int64, until: Int64)] = []
    /// Whether something showed that the app was woken in the background.
    var wokenInBackground = false
    /// How many steps are kept; a launch that goes on longer is decided as the log's end would decide it.
    static let stepsKept = 4096
}
