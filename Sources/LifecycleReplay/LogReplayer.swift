import LifecycleModel
package import TraceRecords

/// Drives the documented models with the facts of one log, which is a stream.
///
/// Pure and deterministic: the same facts in the same order give the same rows, apart from their ids, however they are
/// divided into batches and wherever ``takeBatch()`` is called between them. A row handed over early may be handed over
/// again with the same id when more is known of it; the last one counts.
///
/// Memory does not grow with the log: a run is dropped once it cannot go on. A run that has ended can be revived by a
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
    /// How many texts are kept before unused ones are dropped.
    static let symbolsKept = 65_536

    let plan: ReplayPlan
    let options: ReplayOptions
    var ids: IDSpace

    var symbols = Symbols()
    var symbolsAllowed = LogReplayer.symbolsKept
    var origins = OriginTable()
    var kinds = KindTable()
    var copies = CopyDetector()
    /// The speakers of the present batch, by index.
    var speakers: [ResolvedSpeaker] = []

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
    /// Processes of the live runs by their name as ``Symbols/foldedName(_:)`` folds it.
    var processesOfFold: [UInt32: [UInt32]] = [:]
    /// Slots of ended runs, oldest first, by ``RunState/retirement``; those revived since are skipped.
    var ended = SlotQueue()
    /// How many runs have begun, and how many of them without any time: tells runs with equal first lines apart.
    var begunRuns: Int64 = 0
    var untimedRuns: Int64 = 0
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
    /// The present source, how many have come, and what the user says about it.
    var source: Int32 = -1
    var sourcesSeen: Int32 = 0
    var givenDevice: UInt32 = 0
    var givenVersion: UInt32 = 0

    /// State before the step made last, and what it was.
    var lastBefore = CompiledModel.unknown
    var lastKey = KindKey(
        role: .event, model: 0, subject: 0, before: CompiledModel.unknown, after: CompiledModel.unknown, verdict: .none)

    var out = ReplayBatch()
    /// Place in `out` of the suspension that the present line ended.
    var sleeper: Int?

    /// A replay of one of many logs that follow the same plan: making the plan costs more than a small log.
    ///
    /// - Parameter blocks: where row ids come from.
    package init(plan: ReplayPlan, options: ReplayOptions, blocks: BlockSequence) {
        self.plan = plan
        self.options = options
        ids = IDSpace(blocks)
        basisOfEstimate = "silence beyond \(Self.seconds(options.suspendGrace ?? 0)) s grace"
    }

    /// The blocks that are still to be taken.
    package var blocks: BlockSequence { ids.sequence }

    /// Replays a batch of facts, in the order of the log.
    package mutating func replay(_ facts: FactBatch, of context: SourceContext) {
        select(context)
        dropUnusedSymbols()
        resolveSpeakers(of: facts)
        for fact in facts.facts {
            switch fact {
            case .event(let event): replay(resolved(event, facts))
            case .activity(let interval): replay(interval, of: speakers[Int(interval.speaker)])
            }
        }
        if let last = facts.lastTime, last > latest { latest = last }
    }

    private mutating func select(_ context: SourceContext) {
        if context.id != source {
            source = context.id
            sourcesSeen += 1
        }
        givenDevice = symbols.number(of: context.device)
        givenVersion = symbols.number(of: context.appVersion)
    }

    private mutating func resolveSpeakers(of facts: FactBatch) {
        speakers.removeAll(keepingCapacity: true)
        for speaker in facts.speakers {
            var resolved = ResolvedSpeaker()
            resolved.process = symbols.number(of: speaker.process)
            resolved.namesBundle = speaker.namesBundle
            resolved.pid = speaker.pid ?? RunState.noPid
            resolved.device = givenDevice == 0 ? symbols.number(of: speaker.device) : givenDevice
            resolved.label = symbols.number(of: speaker.label)
            var hash = Hashing.mix(Hashing.start, speaker.process)
            hash = Hashing.mix(hash, UInt64(truncatingIfNeeded: resolved.pid))
            resolved.hash = Hashing.mix(Hashing.mix(hash, speaker.label), speaker.device)
            speakers.append(resolved)
        }
    }

    @inline(__always)
    private mutating func resolved(_ event: Event, _ facts: FactBatch) -> ResolvedEvent {
        let speaker = speakers[Int(event.speaker)]
        var key = Hashing.mix(speaker.hash, UInt64(bitPattern: event.time ?? 0))
        key = Hashing.mix(key, UInt64(event.textHash) << 16 | UInt64(event.callback ?? CompiledModel.noCallback))
        return ResolvedEvent(
            time: Time.plain(event.time), line: event.line, callback: event.callback ?? CompiledModel.noCallback,
            proof: event.proof, origin: event.proof == nil ? 0 : symbols.number(of: facts.text(event.origin)),
            isReturn: event.isReturn, message: options.keepsMessages ? facts.text(event.message) : nil,
            speaker: speaker, key: key)
    }

    /// Everything that is new since the last call, with a consistent snapshot of the runs that are still open. Call it
    /// before the source changes: a batch is of one source.
    package mutating func takeBatch() -> ReplayBatch {
        snapshot()
        return batch()
    }

    /// Closes everything as the log's end does, and hands over what only the end shows: findings about the end, open-ended
    /// suspensions, open visits. What goes on from a saved state hands all of it over again as it is then.
    package mutating func finish() -> ReplayBatch {
        closeAll()
        return batch()
    }

    private mutating func batch() -> ReplayBatch {
        for place in out.findings.indices { out.findings[place].id = ids.other() }
        for place in out.suspensions.indices { out.suspensions[place].id = ids.other() }
        out.source = source
        out.blocks = ids.endBatch()
        var batch = ReplayBatch()
        swap(&batch, &out)
        out.steps.reserveCapacity(batch.steps.count)
        sleeper = nil
        return batch
    }
}

/// What tells two processes apart.
struct RunKey: Hashable, Codable {
    var process: UInt32
    var pid: Int32
}

/// What tells two instances of a run apart that live at the same time.
struct InstanceKey: Hashable, Codable {
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
struct UndecidedLaunch: Codable {
    /// A step as it was made.
    struct Recorded: Codable {
        var step: Step
        var key: KindKey
    }

    /// Time of the launch.
    var time: Int64
    var steps: [Recorded] = []
    /// Silences beyond the grace time since the launch.
    var silences: [Silence] = []
    /// Whether something showed that the app was woken in the background.
    var wokenInBackground = false
    /// How many steps are kept; a launch that goes on longer is decided as the log's end would decide it.
    static let stepsKept = 4096
}
