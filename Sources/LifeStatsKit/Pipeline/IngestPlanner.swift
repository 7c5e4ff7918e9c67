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
    let material: IngestMaterial
    let device: String?

    private(set) var known: [SourceRecord] = []
    /// Places among the known sources: the last one of each path, all of each content and of each stream.
    private var placeOfPath: [String: Int] = [:]
    private var placesOfContent: [String: [Int]] = [:]
    private(set) var placesOfStream: [String: [Int]] = [:]
    private var nextSource: Int32 = 1
    /// What there is to read, by the path that is shown for it.
    private var offered: [String: SourceDescription] = [:]
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

    init(writer: TraceWriter, options: ReadingOptions, material: IngestMaterial, device: String?) throws {
        self.writer = writer
        self.options = options
        self.material = material
        self.device = device
        for source in try writer.sources() { remember(source) }
        nextSource = writer.freeIDs.source
    }

    /// Looks at every source, and plans what there is to read.
    mutating func plan(_ sources: [SourceDescription]) throws {
        offered = Dictionary(sources.map { ($0.path, $0) }) { $1 }
        for source in sources {
            do throws(ReadingError) {
                try decide(source)
            } catch {
                problems.append(ReadingDiagnostic(.error, path: source.path, message: error.message))
            }
        }
        for stream in order {
            guard var plan = plans[stream] else { continue }
            try place(&plan)
            try reopen(&plan)
            logs.append(plan)
        }
    }

    // MARK: - One source

    private mutating func decide(_ source: SourceDescription) throws(ReadingError) {
        // What is read to tell it from other sources would be lost to the ingest.
        guard !source.isOnce else {
            return add(source, fingerprint: SourceFingerprint(length: 0, head: 0, tail: 0))
        }
        if let index = placeOfPath[source.path],
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
        placesOfContent[fingerprint.text]?.last { known[$0].path != source.path }
    }

    /// A known source of the same stream that this one begins with, and that is gone from its own place.
    private func beginning(of source: SourceDescription, _ fingerprint: SourceFingerprint) throws(ReadingError) -> Int?
    {
        for index in (placesOfStream[source.stream] ?? []).reversed() {
            let record = known[index]
            guard let old = SourceFingerprint(text: record.fingerprint), old.length > 0,
                old.length < fingerprint.length
            else { continue }
            if try old.relation(to: source, options: options) == .grown, stillInPlace(record) == nil { return index }
        }
        return nil
    }

    /// Takes a known source that turned up under another name: moved by a rotation, or a copy.
    private mutating func adopt(_ index: Int, _ source: SourceDescription, isWhole: Bool) throws(ReadingError) {
        guard stillInPlace(known[index]) == nil else {
            notices.append("\(source.path) holds what was read as \(known[index].path): skipped")
            unchanged += 1
            return
        }
        var record = known[index]
        record.path = source.path
        record.stream = source.stream
        record.ordinal = source.rank
        replace(index, by: record)
        moved.append(known[index])
        if isWhole {
            unchanged += 1
        } else {
            try resume(index, source)
        }
    }

    /// The file at a known source's path, if it still holds what was read of it.
    func stillInPlace(_ record: SourceRecord) -> SourceDescription? {
        guard let fingerprint = SourceFingerprint(text: record.fingerprint) else { return nil }
        let found = offered[record.path] ?? InputFinder.find([record.path], options: options).sources.first
        guard let source = found, source.path == record.path, !source.isOnce,
            let relation = try? fingerprint.relation(to: source, options: options), relation != .replaced
        else { return nil }
        return source
    }

    private mutating func resume(_ index: Int, _ source: SourceDescription) throws(ReadingError) {
        var record = known[index]
        record.fingerprint = try SourceFingerprint.of(source, options: options).text
        record.bytes = source.size ?? record.bytes
        replace(index, by: record)
        append(LogPlan.Source(record: record, description: source, point: ResumePoint(text: record.resume)))
    }

    private mutating func add(_ source: SourceDescription, fingerprint: SourceFingerprint) {
        let record = SourceRecord(
            id: nextSource, path: source.path, stream: source.stream, ordinal: source.rank, device: device,
            bytes: source.size ?? 0, fingerprint: fingerprint.text)
        nextSource += 1
        remember(record)
        append(LogPlan.Source(record: record, description: source))
    }

    // MARK: - What is known

    private mutating func remember(_ record: SourceRecord) {
        known.append(record)
        find(known.count - 1)
    }

    private mutating func replace(_ index: Int, by record: SourceRecord) {
        let old = known[index]
        if placeOfPath[old.path] == index { placeOfPath[old.path] = nil }
        placesOfContent[old.fingerprint]?.removeAll { $0 == index }
        placesOfStream[old.stream]?.removeAll { $0 == index }
        known[index] = record
        find(index)
    }

    private mutating func find(_ index: Int) {
        placeOfPath[known[index].path] = index
        placesOfContent[known[index].fingerprint, default: []].append(index)
        placesOfStream[known[index].stream, default: []].append(index)
    }

    private mutating func append(_ source: LogPlan.Source) {
        let stream = source.record.stream
        if plans[stream] == nil { order.append(stream) }
        plans[stream, default: LogPlan(stream: stream, sources: [])].sources.append(source)
    }
}
