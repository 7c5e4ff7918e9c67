import EventRecognition
import LifecycleModel
import LifecycleReplay
import LogReading
import TraceRecords
import TraceStore

/// Decides what of the inputs is new: what was read is never read twice, and what was appended is read once.
struct IngestPlanner {
    let writer: TraceWriter
    let options: ReadingOptions
    let vocabulary: Vocabulary
    let device: String?

    private var known: [SourceRecord] = []
    private var nextSource: Int32 = 1
    private var plans: [String: LogPlan] = [:]
    private var order: [String] = []

    /// What will be read, in order.
    private(set) var logs: [LogPlan] = []
    /// Sources that are known as they are.
    private(set) var unchanged = 0
    /// What the person should know of the decisions.
    private(set) var notices: [String] = []
    /// Sources that cannot be read.
    private(set) var problems: [ReadingDiagnostic] = []
    /// Known sources that lie elsewhere now.
    private(set) var moved: [SourceRecord] = []

    init(writer: TraceWriter, options: ReadingOptions, vocabulary: Vocabulary, device: String?) throws {
        self.writer = writer
        self.options = options
        self.vocabulary = vocabulary
        self.device = device
        known = try writer.sources()
        nextSource = writer.freeIDs.source
    }

    /// Looks at every source, and plans what there is to read.
    mutating func plan(_ sources: [SourceDescription]) throws {
        for source in sources {
            do throws(ReadingError) {
                try decide(source)
            } catch {
                problems.append(ReadingDiagnostic(.error, path: source.path, message: error.message))
            }
        }
        for stream in order {
            guard var plan = plans[stream] else { continue }
            plan.sources.sort { ($0.record.ordinal, $0.record.path) < ($1.record.ordinal, $1.record.path) }
            try reopen(&plan)
            logs.append(plan)
        }
    }

    // MARK: - One source

    private mutating func decide(_ source: SourceDescription) throws(ReadingError) {
        guard source.location != .standardInput else {
            return add(source, fingerprint: SourceFingerprint(length: 0, head: 0, tail: 0))
        }
        if let index = known.lastIndex(where: { $0.path == source.path }),
            let fingerprint = SourceFingerprint(text: known[index].fingerprint)
        {
            switch try fingerprint.relation(to: source, options: options) {
            case .same where ResumePoint(text: known[index].resume)?.isComplete == true:
                unchanged += 1
                return
            case .same:
                return try resume(index, source)
            case .grown:
                return try resume(index, source)
            case .replaced:
                break
            }
        }
        let fingerprint = try SourceFingerprint.of(source, options: options)
        guard fingerprint.length > 0 else { return add(source, fingerprint: fingerprint) }
        if let index = try sameContent(as: fingerprint, source) {
            return try adopt(index, source, isWhole: true)
        }
        if let index = try beginning(of: source, fingerprint) {
            return try adopt(index, source, isWhole: false)
        }
        add(source, fingerprint: fingerprint)
    }

    /// A known source with just this content.
    private func sameContent(as fingerprint: SourceFingerprint, _ source: SourceDescription) throws(ReadingError)
        -> Int?
    {
        known.lastIndex { $0.fingerprint == fingerprint.text && $0.path != source.path }
    }

    /// A known source of the same stream that this one begins with, and that is gone from its own place.
    private func beginning(of source: SourceDescription, _ fingerprint: SourceFingerprint) throws(ReadingError) -> Int?
    {
        for (index, record) in known.enumerated().reversed() where record.stream == source.stream {
            guard let old = SourceFingerprint(text: record.fingerprint), old.length > 0,
                old.length < fingerprint.length
            else { continue }
            if try old.relation(to: source, options: options) == .grown, !isStillInPlace(record) { return index }
        }
        return nil
    }

    /// Takes a known source that turned up under another name: moved by a rotation, or a copy.
    private mutating func adopt(_ index: Int, _ source: SourceDescription, isWhole: Bool) throws(ReadingError) {
        guard !isStillInPlace(known[index]) else {
            notices.append("\(source.path) holds what was read as \(known[index].path): skipped")
            unchanged += 1
            return
        }
        known[index].path = source.path
        known[index].stream = source.stream
        known[index].ordinal = source.rank
        moved.append(known[index])
        if isWhole {
            unchanged += 1
        } else {
            try resume(index, source)
        }
    }

    /// Whether the file at a known source's path still holds what was read of it.
    private func isStillInPlace(_ record: SourceRecord) -> Bool {
        guard let fingerprint = SourceFingerprint(text: record.fingerprint) else { return false }
        let found = InputFinder.find([record.path], options: options)
        guard let source = found.sources.first, source.path == record.path,
            let relation = try? fingerprint.relation(to: source, options: options)
        else { return false }
        return relation != .replaced
    }

    private mutating func resume(_ index: Int, _ source: SourceDescription) throws(ReadingError) {
        var record = known[index]
        record.fingerprint = try SourceFingerprint.of(source, options: options).text
        record.bytes = source.size ?? record.bytes
        known[index] = record
        let point = ResumePoint(text: record.resume)
        append(
            LogPlan.Source(
                record: record, description: source, resumeAt: point?.position, context: point?.context))
    }

    private mutating func add(_ source: SourceDescription, fingerprint: SourceFingerprint) {
        let record = SourceRecord(
            id: nextSource, path: source.path, stream: source.stream, ordinal: source.rank, device: device,
            bytes: source.size ?? 0, fingerprint: fingerprint.text)
        nextSource += 1
        known.append(record)
        append(LogPlan.Source(record: record, description: source, resumeAt: nil))
    }

    private mutating func append(_ source: LogPlan.Source) {
        let stream = source.record.stream
        if plans[stream] == nil { order.append(stream) }
        plans[stream, default: LogPlan(stream: stream, sources: [])].sources.append(source)
    }

    // MARK: - One log

    /// Takes up the runs that may go on in what is new.
    private func reopen(_ plan: inout LogPlan) throws {
        let mine = Dictionary(uniqueKeysWithValues: plan.sources.map { ($0.record.id, $0) })
        let others = known.filter { $0.stream == plan.stream && mine[$0.id] == nil }
        guard !others.isEmpty || plan.sources.contains(where: { $0.resumeAt != nil }) else { return }
        let oldest = plan.sources.map(\.record.ordinal).min() ?? 0
        plan.needsRederivation = others.contains { $0.ordinal > oldest }

        let runs = try writer.runs(inStream: plan.stream)
        let late = runs.suffix(2 * LogReplayer.endedRunsKept).map(\.id)
        let open = runs.filter { $0.endReason == .logEnd }.map(\.id)
        plan.reopenedRuns = Array(Set(late + open)).sorted()
        plan.knownRuns = runs
        var stored: [StoredFact] = []
        try writer.facts(ofRuns: plan.reopenedRuns) { stored.append($0) }
        plan.reopenedEvents = Int64(stored.count { $0.isShownEvent })
        plan.storedFacts = StoredFactBatch.batches(stored, vocabulary: vocabulary) { source in
            mine[source].map { $0.resumeAt?.counts.lines ?? 0 }
        }
        plan.earlierUntimedRuns = Int64(
            runs.filter { $0.firstSeen == nil }.count { run in !plan.reopenedRuns.contains(run.id) })
    }
}
