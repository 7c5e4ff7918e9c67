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
    let appVersion: String?
    /// Whether a copy of a log in its place, as far as it has come, is left until it is complete.
    let waitsForCopies: Bool
    /// Known sources that stay in their logs, wherever their files lie.
    let bound: Set<Int32>
    let looks: SourceLooks

    private(set) var known = KnownSources()
    private var nextSource: Int32 = 1
    /// How many of the known sources were read before.
    let readBefore: Int
    /// What there is to read, by the path that is shown for it.
    private(set) var offered: [String: SourceDescription] = [:]
    private var plans: [String: LogPlan] = [:]
    private var order: [String] = []

    /// What will be read, in order.
    private(set) var logs: [LogPlan] = []
    /// Sources that are known as they are.
    private(set) var unchanged = 0
    /// What the person should know of the decisions.
    private(set) var notices: [String] = []
    /// Paths of sources that are known as they are, but were read otherwise than the person wants them read now.
    private var readOtherwise: [String] = []
    /// Sources that cannot be read.
    private(set) var problems: [ReadingDiagnostic] = []
    /// What has changed since it was found: to be looked at again, with all of its stream.
    private(set) var changed: [ReadingDiagnostic] = []
    private var changedStreams: Set<String> = []
    /// Known sources that lie elsewhere now, or go on from another one.
    var moved: [SourceRecord] = []
    /// Where known sources belong, by their numbers: the content is the same, and the file there counts. While there
    /// are any, nothing else is decided.
    private(set) var supplanted: [Int32: SourceDescription] = [:]
    /// Known sources that lie behind another one than when they were read.
    var stale: Set<Int32> = []
    /// Known sources at whose path there is now a log that another one has begun.
    private(set) var displaced: Set<Int32> = []
    /// The sources that were read before, by how they begin: of thousands those are looked at that a file may go on from.
    private let readBeginnings: FingerprintIndex
    /// The known sources that begin as a source does, by its path.
    private var alikeBeginnings: [String: [Int]] = [:]

    init(
        writer: TraceWriter, options: ReadingOptions, material: IngestMaterial, device: String?, appVersion: String?,
        waitsForCopies: Bool, bound: Set<Int32> = [], looks: SourceLooks
    ) throws {
        self.writer = writer
        self.options = options
        self.material = material
        self.device = device
        self.appVersion = appVersion
        self.waitsForCopies = waitsForCopies
        self.bound = bound
        self.looks = looks
        let stored = try writer.sources()
        readBefore = stored.count
        readBeginnings = FingerprintIndex(
            stored.enumerated().lazy.compactMap { place, source in
                SourceFingerprint(text: source.fingerprint).map { (place, $0) }
            })
        for source in stored { known.add(source) }
        nextSource = writer.freeIDs.source
    }

    /// Looks at every source, and plans what there is to read.
    mutating func plan(_ sources: [SourceDescription]) throws {
        let sources = sources.map(refreshed)
        offered = Dictionary(sources.map { ($0.path, $0) }) { $1 }
        // A copy of a log that has grown since it was read is known as one once the log itself was looked at.
        var (goingOn, others): ([SourceDescription], [SourceDescription]) = ([], [])
        for source in sources {
            attempt(source) { planner throws(ReadingError) in
                if try planner.goOn(source) { return goingOn.append(source) }
                // Members of an archive are looked at as it holds them, not in the order of the log.
                if !source.isOnce { try planner.lookAtBeginning(of: source) }
                others.append(source)
            }
        }
        for source in goingOn {
            attempt(source) { planner throws(ReadingError) in try planner.giveWay(source) }
        }
        // Of equal files the first one counts, in an order that does not depend on who names them when.
        others.sort { ($0.stream, $0.rank, $0.path) < ($1.stream, $1.rank, $1.path) }
        for source in others {
            attempt(source) { planner throws(ReadingError) in try planner.decide(source) }
        }
        guard supplanted.isEmpty else { return }
        // Archives are read from front to back.
        let places = Dictionary(sources.enumerated().map { ($1.stream, $0) }) { first, _ in first }
        order.sort { places[$0] ?? 0 < places[$1] ?? 0 }
        if let first = readOtherwise.first {
            let which = readOtherwise.count == 1 ? first : "\(readOtherwise.count) files, first \(first)"
            notices.append(
                "\(which): read before with another format, zone, year or date, and left as it was; to read it anew, "
                    + "`lifestats forget` it first")
        }
        try noteNewPredecessors()
        for stream in order where !changedStreams.contains(stream) {
            // Of thousands of logs, plans held twice would be felt.
            guard var plan = plans.removeValue(forKey: stream) else { continue }
            try place(&plan)
            guard !plan.sources.isEmpty else { continue }
            try reopen(&plan)
            logs.append(plan)
        }
        try markStale()
    }

    /// Plans to read a known source again, from its first line, after what the source before it leaves now.
    ///
    /// - Parameter files: where it may lie, if not at its path.
    /// - Returns: whether it is still what was read.
    mutating func planReadingAgain(_ source: Int32, among files: [SourceDescription]) throws -> Bool {
        offered = Dictionary(files.map { ($0.path, $0) }) { $1 }
        guard let record = known.records.first(where: { $0.id == source }), let description = whereabouts(of: record)
        else {
            return false
        }
        let again = LogPlan.Source(again: record, description: description)
        var plan = LogPlan(stream: record.stream, sources: [again])
        plan.isReadAgain = [source]
        try place(&plan, withHeirs: false)
        try reopen(&plan)
        logs.append(plan)
        return true
    }

    /// The file that holds what was read of a source, at its path or at another one that is offered.
    private func whereabouts(of record: SourceRecord) -> SourceDescription? {
        if let source = stillInPlace(record) { return source }
        guard let fingerprint = SourceFingerprint(text: record.fingerprint) else { return nil }
        return offered.values.first { !$0.isOnce && (try? looks.relation(of: fingerprint, to: $0)) == .same }
    }

    // MARK: - One source

    private mutating func attempt(
        _ source: SourceDescription, _ step: (inout IngestPlanner) throws(ReadingError) -> Void
    ) {
        do throws(ReadingError) {
            try step(&self)
        } catch {
            let problem = ReadingDiagnostic(.error, path: source.path, message: error.message)
            guard error.code == .changed || error.code == .missing else { return problems.append(problem) }
            changed.append(problem)
            changedStreams.insert(source.stream)
        }
    }

    /// A source as it is now, where another ingest has read more of it since it was found.
    private func refreshed(_ source: SourceDescription) -> SourceDescription {
        guard let index = known.places(ofPath: source.path).last, !source.isOnce, let size = source.size,
            let fingerprint = SourceFingerprint(text: known[index].fingerprint), size < fingerprint.length
        else { return source }
        return InputFinder.find([source.path], options: options).sources.first { $0.path == source.path } ?? source
    }

    /// Goes on with a source whose path is known, where it still holds what was read of it.
    private mutating func goOn(_ source: SourceDescription) throws(ReadingError) -> Bool {
        guard !source.isOnce, let index = try holder(of: source),
            let fingerprint = SourceFingerprint(text: known[index].fingerprint)
        else { return false }
        guard known[index].stream == source.stream || bound.contains(known[index].id) else {
            // It could not be brought to its log before.
            supplanted[known[index].id] = source
            return true
        }
        for other in try fragments(of: source, after: index) { supplanted[known[other].id] = source }
        switch try looks.relation(of: fingerprint, to: source) {
        case .same where isComplete(known[index]):
            unchanged += 1
            let record = known[index]
            includeIfStale(record)
            if options.contradict(record.assumptions, timezone: record.timezone, formats: record.format) {
                readOtherwise.append(source.path)
            }
        case .grown:
            guard let mover = try longestBeginning(of: source, beyond: fingerprint.length) else {
                try resume(index, source)
                return true
            }
            // Logs may begin with the same lines: this is one that has moved here, and not what was here before. That has
            // gone on in the rotation of its log, or it is gone, and all of it stands here.
            displaced.insert(known[index].id)
            if known[mover].stream != source.stream, !bound.contains(known[index].id), index < readBefore {
                supplanted[known[index].id] = source
            }
            return false
        case .same: try resume(index, source)
        case .replaced:
            // It may be the next log of that name as well: nothing tells where the damage began.
            if !source.isSeekable, !isComplete(known[index]), try lookAtBeginning(of: source).contains(index) {
                notices.append(
                    "\(source.path) begins like what was read of it before, damaged or interrupted, and goes on in another "
                        + "way: both count. If it is the same log, `lifestats forget \(known[index].id)`")
            }
            return false
        }
        return true
    }

    private func isComplete(_ record: SourceRecord) -> Bool { ResumePoint(text: record.resume)?.isComplete == true }

    /// Finds out what a source is that does not hold what was read at its path.
    private mutating func decide(_ source: SourceDescription) throws(ReadingError) {
        // What is read to tell it from other sources would be lost to the ingest.
        guard !source.isOnce else {
            return add(source, fingerprint: SourceFingerprint(length: 0, head: 0, tail: 0))
        }
        let fingerprint = try looks.fingerprint(of: source)
        guard fingerprint.length > 0 else { return add(source, fingerprint: fingerprint) }
        if let (index, present) = try sameContent(as: source, fingerprint) {
            return try take(index, source, present, isWhole: true)
        }
        if let index = try longestBeginning(of: source, beyond: 0) {
            return try take(index, source, nil, isWhole: false)
        }
        if waitsForCopies, try isUnfinishedCopy(source, fingerprint) { return }
        add(source, fingerprint: fingerprint)
    }

    /// Finds the known sources that begin as a source does, which is looked at once for it.
    @discardableResult
    private mutating func lookAtBeginning(of source: SourceDescription) throws(ReadingError) -> [Int] {
        if let places = alikeBeginnings[source.path] { return places }
        _ = try looks.fingerprint(of: source)
        guard !readBeginnings.isEmpty else { return [] }
        let places = readBeginnings.places(ofBeginning: try looks.head(of: source))
        alikeBeginnings[source.path] = places
        return places
    }

    /// The longest known source, longer than a length, that this one begins with, and that is gone from its own place:
    /// one of the same log, or, where there is none, of another one.
    private mutating func longestBeginning(
        of source: SourceDescription, beyond length: Int64
    ) throws(ReadingError) -> Int? {
        for isOfItsLog in [true, false] {
            var longest: (index: Int, length: Int64)?
            for index in try lookAtBeginning(of: source).reversed()
            where (known[index].stream == source.stream) == isOfItsLog {
                let isDisplaced = displaced.contains(known[index].id) && known[index].path == source.path
                guard !isDisplaced, let old = SourceFingerprint(text: known[index].fingerprint),
                    old.length > longest?.length ?? length, stillInPlace(known[index]) == nil,
                    try looks.relation(of: old, to: source) != .replaced
                else { continue }
                longest = (index, old.length)
            }
            if let longest { return longest.index }
        }
        return nil
    }

    /// Takes a known source for what a file holds, or begins with: there, or where it counts from now on.
    ///
    /// - Parameter present: the known source's file, if it is still there.
    private mutating func take(
        _ index: Int, _ source: SourceDescription, _ present: SourceDescription?, isWhole: Bool
    ) throws(ReadingError) {
        guard supplants(source, index, present) else { return try adopt(index, source, present, isWhole: isWhole) }
        if supplanted[known[index].id] == nil { supplanted[known[index].id] = source }
    }

    /// Finds out whether a known source holds by now what another one does, which counts in its place. Logs that are
    /// followed may be equal for a moment.
    private mutating func giveWay(_ source: SourceDescription) throws(ReadingError) {
        guard !waitsForCopies, let index = known.places(ofPath: source.path).last,
            SourceFingerprint(text: known[index].fingerprint)?.length ?? 0 > 0
        else { return }
        for other in known.places(ofContent: known[index].fingerprint)
        where other != index && supplanted[known[other].id] == nil {
            guard let present = stillInPlace(known[other]), supplants(present, index, source),
                try looks.holds(present, allOf: source)
            else { continue }
            supplanted[known[index].id] = present
            return
        }
    }

    /// Takes a known source that turned up under another name: moved by a rotation, or a copy.
    ///
    /// - Parameter present: the known source's file, if it is still there.
    private mutating func adopt(
        _ index: Int, _ source: SourceDescription, _ present: SourceDescription?, isWhole: Bool
    ) throws(ReadingError) {
        guard present == nil else {
            notices.append("\(source.path) holds what was read as \(known[index].path): skipped")
            unchanged += 1
            return
        }
        var record = known[index]
        record.path = source.path
        if record.stream == source.stream || !bound.contains(record.id) {
            makeRoom(at: source.rank, in: source.stream, besides: index)
            record.stream = source.stream
            record.ordinal = source.rank
        }
        known.replace(index, by: record)
        moved.append(known[index])
        if isWhole, isComplete(record) {
            unchanged += 1
            includeIfStale(record)
        } else {
            try resume(index, source)
        }
    }

    /// Puts known sources before a place that was theirs: they have gone on to one that was not looked at, if anywhere.
    private mutating func makeRoom(at rank: Int64, in stream: String, besides newcomer: Int) {
        let gone = known.places(ofStream: stream).filter {
            $0 != newcomer && $0 < readBefore && known[$0].ordinal == rank && stillInPlace(known[$0]) == nil
        }
        guard !gone.isEmpty, rank > .min else { return }
        makeRoom(at: rank - 1, in: stream, besides: newcomer)
        for index in gone {
            var record = known[index]
            record.ordinal = rank - 1
            known.replace(index, by: record)
            moved.append(record)
        }
    }

    private mutating func resume(_ index: Int, _ source: SourceDescription) throws(ReadingError) {
        var record = known[index]
        record.fingerprint = try looks.fingerprint(of: source).text
        record.bytes = source.size ?? record.bytes
        known.replace(index, by: record)
        let point = ResumePoint(text: record.resume)
        if let point, try SourceBeginning(of: source, options: options) != point.beginning ?? .plain {
            // What was read is told otherwise now, names of devices and all.
            if let device { record.device = device }
            append(LogPlan.Source(again: record, description: source))
            plans[record.stream]?.isReadAgain.insert(record.id)
        } else {
            append(LogPlan.Source(record: record, description: source, point: point))
        }
    }

    private mutating func add(_ source: SourceDescription, fingerprint: SourceFingerprint) {
        let record = SourceRecord(
            id: nextSource, path: source.path, stream: source.stream, ordinal: source.rank, device: device,
            appVersion: appVersion, bytes: source.size ?? 0, fingerprint: fingerprint.text)
        nextSource += 1
        known.add(record)
        append(LogPlan.Source(record: record, description: source))
    }

    private mutating func append(_ source: LogPlan.Source) {
        include(source.record.stream)
        plans[source.record.stream]?.sources.append(source)
    }

    /// Lets a log be looked at as a whole.
    mutating func include(_ stream: String) {
        guard plans[stream] == nil else { return }
        order.append(stream)
        plans[stream] = LogPlan(stream: stream, sources: [])
    }
}
