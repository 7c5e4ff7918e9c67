/// What the replay hands to the store: complete rows, ready to be written in one transaction.
///
/// Ids are unique in the database. They are taken from blocks: see ``Block``. A row whose id the store already has
/// replaces the old row (a run that continued).
public struct ReplayBatch: Sendable {
    /// Number of the source that the lines of all steps are in.
    public var source: Int32
    /// The blocks that new ids of this batch are taken from, in order.
    public var blocks: [Int64] = []
    /// Kinds that occur for the first time in the log, in order of their numbers; a kind's number is its place among all
    /// kinds that this replay has handed over, counted from 0.
    public var kinds: [StepKind] = []
    /// New steps, in the order of the log.
    public var steps: [Step] = []
    /// Steps handed over before that have changed since (a launch that turned out to be into the background).
    public var revisedSteps: [Step] = []
    /// Runs and instances that are new or have changed.
    public var runs: [RunRecord] = []
    public var instances: [InstanceRecord] = []
    public var suspensions: [Suspension] = []
    public var findings: [Finding] = []
    public var scenarios: [ScenarioMatch] = []
    /// Messages of steps, where messages are kept.
    public var messages: [(step: Int64, text: String)] = []

    public init(source: Int32 = 0) { self.source = source }

    public var isEmpty: Bool {
        steps.isEmpty && revisedSteps.isEmpty && runs.isEmpty && instances.isEmpty && suspensions.isEmpty
            && findings.isEmpty && scenarios.isEmpty && messages.isEmpty
    }
}

/// Row ids come in blocks, so that logs can be replayed in parallel without agreeing on every id, and so that the rows of
/// a log are found by ranges of ids. An id is `block << 16 | number`, for steps, runs, instances, findings and
/// suspensions alike; number 0 is not used.
public enum Block {
    /// How many ids of a kind a block has.
    public static let size: Int64 = 1 << 16

    /// The block of an id.
    @inline(__always)
    public static func of(_ id: Int64) -> Int64 { id >> 16 }

    /// The ids of a block.
    public static func ids(_ block: Int64) -> Range<Int64> { block << 16..<(block + 1) << 16 }
}

/// The blocks that one replay takes, in order: `first`, `first + stride`, `first + 2 × stride` …
///
/// Replays that run in parallel have the same stride and different firsts, so the ids do not depend on which of them
/// is faster.
public struct BlockSequence: Sendable, Hashable, Codable {
    public private(set) var next: Int64
    public let stride: Int64

    public init(first: Int64, stride: Int64 = 1) {
        next = first
        self.stride = stride
    }

    /// Takes the next block.
    public mutating func take() -> Int64 {
        defer { next += stride }
        return next
    }
}

/// The part of a background stay in which the process ran no code: a row of the view `suspensions`.
public struct Suspension: Sendable, Hashable {
    /// Row id.
    public var id: Int64
    public var run: Int64
    public var instance: Int64
    /// Id of the step that began the background stay; `nil` when the log begins inside it.
    public var opener: Int64?
    /// Begin and end, in nanoseconds since 1970 UTC; an end of `nil` is after the log.
    public var from: Int64
    public var until: Int64?
    /// `observed` when a line says so, `inferred` when it follows from the silence of the process.
    public var evidence: EvidenceKind
    /// State that the instance was in when it was over: that of the visit if a line shows that the process continued
    /// in it, otherwise the one that followed; `nil` without an end.
    public var leadsTo: String?
    /// What shows it, in words (`silence beyond the 5 s grace time`, `runningboard: running-suspended`).
    public var basis: String

    public init(
        id: Int64, run: Int64, instance: Int64, opener: Int64?, from: Int64, until: Int64?, leadsTo: String?,
        evidence: EvidenceKind, basis: String
    ) {
        self.id = id
        self.run = run
        self.instance = instance
        self.opener = opener
        self.from = from
        self.until = until
        self.leadsTo = leadsTo
        self.evidence = evidence
        self.basis = basis
    }
}

/// A documented sequence of callbacks found in a run: a row of the view `scenarios`.
public struct ScenarioMatch: Sendable, Hashable {
    public var run: Int64
    /// Id of the scenario; of the first member when only its class is known.
    public var scenario: String
    /// Class of the scenarios that callbacks alone cannot distinguish (`EQ-1` …); `nil` when unambiguous.
    public var equivalenceClass: String?
    /// Ids of the class's members that it may be, separated by commas; `nil` when unambiguous.
    public var members: String?
    /// Ids of the first and last step.
    public var firstStep: Int64
    public var lastStep: Int64
    /// When the run was last seen, in nanoseconds since 1970 UTC, where its silent end belongs to the sequence;
    /// `nil` where the time of the last step is the end.
    public var ended: Int64?

    public init(
        run: Int64, scenario: String, equivalenceClass: String?, members: String? = nil, firstStep: Int64,
        lastStep: Int64, ended: Int64? = nil
    ) {
        self.run = run
        self.scenario = scenario
        self.equivalenceClass = equivalenceClass
        self.members = members
        self.firstStep = firstStep
        self.lastStep = lastStep
        self.ended = ended
    }
}

/// What recognition finds in a part of one source: events and activity intervals in the order of the source.
///
/// The unit of storage and replay. A batch refers to no other batch: its facts refer to its own ``speakers`` and
/// ``texts``. How a source is divided into batches changes no result.
public struct FactBatch: Sendable, Equatable {
    /// The most facts of a batch. So many of a usual log just fit on a page of the database.
    public static let mostFacts = 3_800

    public enum Fact: Sendable, Hashable, BitwiseCopyable {
        case event(Event)
        case activity(ActivityInterval)

        /// The line that gives it its place.
        public var line: Int64 {
            switch self {
            case .event(let event): event.line
            case .activity(let interval): interval.lastLine
            }
        }
    }

    /// The facts, in the order of the source; an interval has the place of its last line.
    public var facts: [Fact]
    /// The speakers of the facts, by index.
    public var speakers: [Speaker]
    /// The texts of the symbols: origins, versions, messages. Symbol 1 is the first one.
    public var texts: [String]
    /// Time of the latest entry of the source so far, whether it is a fact or not, in nanoseconds since 1970 UTC.
    public var lastTime: Int64?

    public init(facts: [Fact] = [], speakers: [Speaker] = [], texts: [String] = [], lastTime: Int64? = nil) {
        self.facts = facts
        self.speakers = speakers
        self.texts = texts
        self.lastTime = lastTime
    }

    public var isEmpty: Bool { facts.isEmpty }

    /// The text of a symbol of this batch; `nil` for ``Symbol/none``.
    public func text(_ symbol: Symbol) -> String? { symbol.isNone ? nil : texts[Int(symbol.id) - 1] }

    /// Adds a fact of another batch, with its speaker and texts.
    public mutating func append(_ fact: Fact, of other: FactBatch) {
        let speaker = UInt32(speakers.count)
        switch fact {
        case .event(var event):
            speakers.append(other.speakers[Int(event.speaker)])
            event.speaker = speaker
            event.origin = add(other.text(event.origin))
            event.message = add(other.text(event.message))
            facts.append(.event(event))
        case .activity(var interval):
            speakers.append(other.speakers[Int(interval.speaker)])
            interval.speaker = speaker
            facts.append(.activity(interval))
        }
    }

    private mutating func add(_ text: String?) -> Symbol {
        guard let text else { return .none }
        texts.append(text)
        return Symbol(id: UInt32(texts.count))
    }
}
