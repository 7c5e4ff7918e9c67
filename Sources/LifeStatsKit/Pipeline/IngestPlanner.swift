import Foundation
import LogReading
import TraceStore

/// What is to be read of the inputs.
struct IngestPlan {
    /// The logs of which something is new, in the order of the inputs.
    var logs: [LogPlan] = []
    /// Known sources whose files have other names now.
    var moved: [SourceRecord] = []
    /// How many files are known as they are.
    var unchanged = 0
    /// What the user should know about the decisions.
    var notices: [String] = []
    var problems: [ReadingDiagnostic] = []
    /// Files that changed since they were found: to be looked at again.
    var changed: [ReadingDiagnostic] = []

    /// How much there is to read, in bytes; `nil` when unknown.
    var bytesToRead: Int64? {
        var sum: Int64 = 0
        for source in logs.lazy.flatMap(\.sources) {
            guard let bytes = source.bytesToRead else { return nil }
            sum += bytes
        }
        return sum
    }
}

/// What is to be done for one log.
struct LogPlan: Sendable {
    enum Way: Sendable { case goOn, deriveAgain, readAgain }

    /// Number of the log in the database.
    var log: Int32
    /// Name of the log: folder and stem of its files.
    var stream: String
    var way: Way
    /// All sources of the log, oldest first.
    var sources: [SourcePlan]
    /// Known sources that are removed, because everything is read again.
    var removed: [Int32] = []

    /// How much there is to read, in bytes; a pipe counts as nothing.
    var bytesToRead: Int64 { sources.reduce(0) { $0 + max(0, $1.bytesToRead ?? 0) } }

    /// The archive that its files are in.
    var archive: String? {
        for case .member(let archive, _)? in sources.lazy.map({ $0.description?.location }) { return archive }
        return nil
    }

    /// Whether a pipe is read.
    var isLive: Bool { sources.contains { $0.description?.isOnce == true } }
}

/// What is to be done with one source.
struct SourcePlan: Sendable {
    /// What the store knows of it, or what a new one begins with.
    var record: SourceRecord
    var memory: SourceMemory
    /// The file, where something of it is to be read.
    var description: SourceDescription?
    /// Whether it was known before.
    var isKnown: Bool
    /// Whether it is read on where the last reading ended; else from its first byte.
    var isReadOn = false

    /// Whether facts that were stored before hold.
    var hasStoredFacts: Bool { isKnown && (description == nil || isReadOn) }

    /// How much there is to read; `nil` when unknown.
    var bytesToRead: Int64? {
        guard let description else { return 0 }
        guard let size = description.size, description.isSeekable else { return nil }
        return max(0, size - (isReadOn ? record.position.byteOffset : 0))
    }
}

/// Compares the inputs with what the database knows of them.
struct IngestPlanner {
    /// What the user says of new sources, as the database is to know it.
    struct Assumptions {
        var device: String?
        var appVersion: String?
        /// Format, zone, year and date, where the user names any.
        var reading: String?
        /// Whether the user names a zone, year or date.
        var namesTime = false
    }

    private struct Input {
        var description: SourceDescription
        var file: FoundFile
        /// The log that it belongs to.
        var stream: String

        /// Its place among the files of its log: one that has moved there from another name is older than the file that
        /// took its place.
        func place(_ index: Int) -> (Int64, Int, Int) { (file.rank, stream == description.stream ? 1 : 0, index) }
    }

    let options: ReadingOptions
    let assumptions: Assumptions
    private let cache: FingerprintCache
    private var contents: FileContents
    private let known: [Int32: SourceRecord]
    private let knownFiles: [KnownFile]
    /// The known sources of each log, in its order.
    private let knownLogs: [String: [SourceRecord]]
    /// The numbers of known logs, and those that new ones get.
    private var logs: [String: Int32]
    private var nextLog: Int32
    private var nextSource: Int32
    /// Paths of files that the user now wants to be read otherwise than they were.
    private var readOtherwise: [String] = []
    private var plan = IngestPlan()

    /// - Parameters:
    ///   - known: the sources of the database, those of a log in its order.
    ///   - logs: the numbers of the known logs.
    init(
        known: [SourceRecord], logs: [String: Int32], options: ReadingOptions, assumptions: Assumptions,
        cache: FingerprintCache, layouts: @escaping () -> LayoutCatalog?
    ) {
        self.known = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        knownLogs = Dictionary(grouping: known, by: \.stream)
        self.logs = logs
        nextLog = (logs.values.max() ?? 0) + 1
        nextSource = (known.lazy.map(\.id).max() ?? 0) + 1
        self.options = options
        self.assumptions = assumptions
        self.cache = cache
        contents = FileContents(cache: cache, options: options, layouts: layouts)
        knownFiles = known.compactMap(KnownFile.init)
    }

    /// Decides what there is to do.
    ///
    /// - Parameter sources: stream by stream, oldest rotation first, by the names that the database has for them.
    static func plan(_ sources: [SourceDescription], _ planner: IngestPlanner) -> IngestPlan {
        var planner = planner
        var inputs = sources.compactMap { planner.input($0) }
        planner.leaveOutCopies(&inputs)
        let order = inputs.indices.sorted { inputs[$0].place($0) < inputs[$1].place($1) }
        let logs = Dictionary(grouping: order.map { inputs[$0] }, by: \.stream)
        var seen: Set<String> = []
        for input in inputs where seen.insert(input.stream).inserted {
            planner.planLog(input.stream, logs[input.stream] ?? [])
        }
        planner.noteReadOtherwise()
        return planner.plan
    }

    private mutating func noteReadOtherwise() {
        guard let first = readOtherwise.first else { return }
        let which = readOtherwise.count == 1 ? first : "\(readOtherwise.count) files, first \(first)"
        plan.notices.append(
            "\(which): read before with another format, zone, year or date, and left as it was; to read it again, "
                + "`lifestats forget` it first")
    }

    /// Looks at the beginning of a file; `nil` where that fails.
    private mutating func input(_ source: SourceDescription) -> Input? {
        contents.descriptions[source.path] = source
        guard !source.isOnce else {
            return Input(
                description: source, file: FoundFile(path: source.path, rank: source.rank, beginning: Beginning([])),
                stream: source.stream)
        }
        do throws(ReadingError) {
            let head = try cache.head(of: source)
            return Input(
                description: source,
                file: FoundFile(
                    path: source.path, rank: source.rank, beginning: Beginning(head), isEmpty: head.isEmpty),
                stream: source.stream)
        } catch {
            note(error, source.path)
            return nil
        }
    }

    private mutating func note(_ error: ReadingError, _ path: String) {
        let problem = ReadingDiagnostic(.error, path: path, message: error.message)
        if error.code.tellsOfChange { plan.changed.append(problem) } else { plan.problems.append(problem) }
    }

    // MARK: - Equal files of different logs

    /// Leaves out files that hold what was read in another log, and lets a file that was moved to another folder go on in
    /// its log. Files that their own log knows come first: a copy is one of them, not the other way round.
    private mutating func leaveOutCopies(_ inputs: inout [Input]) {
        let index = FingerprintIndex(knownFiles.enumerated().map { ($0, $1.content) })
        let candidates = inputs.map { knownFiles(thatBeginAs: $0, index) }
        let isAtHome = zip(inputs, candidates).map { input, candidates in
            candidates.contains { holds(input, $0) }
        }
        var alike: [String: [Input]] = [:]
        var kept: [Input?] = inputs.map { _ in nil }
        for place in inputs.indices.filter({ isAtHome[$0] }) + inputs.indices.filter({ !isAtHome[$0] }) {
            var input = inputs[place]
            guard !input.file.isEmpty, !input.description.isOnce else {
                kept[place] = input
                continue
            }
            // Of a file of a few bytes the beginning tells nothing.
            let beginning = input.file.beginning.text
            let likeness = beginning.isEmpty ? "\(input.description.size ?? 0)" : beginning
            do throws(ReadingError) {
                if !isAtHome[place], let other = try other(input, candidates[place]) {
                    if let stream = other.movesTo { input.stream = stream } else { skip(input, other.path) }
                    kept[place] = other.movesTo.map { _ in input }
                    continue
                }
                var copied: String?
                for other in alike[likeness] ?? [] where copied == nil && other.stream != input.stream {
                    if try contents.relation(of: input.file, to: other.file) == .same { copied = other.file.path }
                }
                if let copied {
                    skip(input, copied)
                    continue
                }
            } catch {
                note(error, input.file.path)
                continue
            }
            alike[likeness, default: []].append(input)
            kept[place] = input
        }
        inputs = kept.compactMap(\.self)
    }

    private func knownFiles(thatBeginAs input: Input, _ index: FingerprintIndex) -> [KnownFile] {
        guard !index.isEmpty, !input.file.isEmpty, !input.description.isOnce,
            let head = try? cache.head(of: input.description)
        else { return [] }
        return index.places(ofBeginning: head).map { knownFiles[$0] }
    }

    /// Whether a file holds what its own log knows of it; the rest is left to the manifest of that log.
    private func holds(_ input: Input, _ file: KnownFile) -> Bool {
        guard known[file.id]?.stream == input.stream,
            let relation = try? cache.relation(of: file.content, to: input.description)
        else { return false }
        return relation != .replaced
    }

    /// A source of another log that a file equals, or that was moved and goes on in it.
    ///
    /// - Parameter candidates: known files that begin as it does.
    private func other(
        _ input: Input, _ candidates: [KnownFile]
    ) throws(ReadingError) -> (path: String, movesTo: String?)? {
        for file in candidates {
            switch try cache.relation(of: file.content, to: input.description) {
            case .same: return (file.path, nil)
            case .grown where try !isInPlace(file): return (file.path, known[file.id]?.stream)
            case .grown, .replaced: continue
            }
        }
        return nil
    }

    /// Whether a known file is still found where it was.
    private func isInPlace(_ file: KnownFile) throws(ReadingError) -> Bool {
        guard let now = contents.descriptions[file.path] ?? cache.source(at: file.path) else { return false }
        return try cache.relation(of: file.content, to: now) != .replaced
    }

    private mutating func skip(_ input: Input, _ other: String) {
        plan.notices.append("\(input.file.path) holds what was read as \(other): skipped")
        plan.unchanged += 1
    }

    // MARK: - One log

    private mutating func planLog(_ stream: String, _ inputs: [Input]) {
        let records = knownLogs[stream] ?? []
        let pipes = inputs.filter(\.description.isOnce)
        let manifest = Manifest(known: records.compactMap(KnownFile.init))
        let changes: Manifest.Changes
        do throws(ReadingError) {
            changes = try manifest.changes(
                with: inputs.filter { !$0.description.isOnce }.map(\.file), contents.comparison)
        } catch {
            return note(error, error.path.isEmpty ? stream : error.path)
        }
        // What was emptied holds nothing new.
        if !records.isEmpty {
            plan.unchanged += inputs.count { input in
                input.file.isEmpty && !changes.parts.contains { $0.found?.path == input.file.path }
            }
        }
        for skipped in changes.skipped {
            let what = skipped.isBeginning ? "is the beginning of" : "holds the same as"
            plan.notices.append("\(skipped.path) \(what) \(skipped.other): skipped")
            plan.unchanged += 1
        }
        guard let way = way(changes.verdict, stream, isPipe: !pipes.isEmpty) else {
            return noteUnchanged(changes)
        }
        var log = LogPlan(log: number(of: stream), stream: stream, way: way, sources: [])
        if way == .readAgain { log.removed = records.map(\.id) }
        log.sources = changes.parts.map { source(of: $0, in: stream) }
        log.sources += pipes.map { new($0.description, Beginning([]), in: stream) }
        for index in log.sources.indices {
            log.sources[index].record.log = log.log
            log.sources[index].record.ordinal = Int64(index)
        }
        plan.unchanged += changes.parts.count { $0.action == .keep && $0.found != nil }
        plan.logs.append(log)
    }

    private mutating func number(of stream: String) -> Int32 {
        if let known = logs[stream] { return known }
        defer { nextLog += 1 }
        logs[stream] = nextLog
        return nextLog
    }

    /// How a log is to be treated; `nil` when there is nothing to do.
    private mutating func way(_ verdict: Manifest.Verdict, _ stream: String, isPipe: Bool) -> LogPlan.Way? {
        switch verdict {
        case .unchanged: return isPipe ? .goOn : nil
        case .goOn: return .goOn
        case .deriveAgain: return .deriveAgain
        case .readAgain(let path):
            plan.notices.append("\(path) was rewritten or cut back: its log was read again")
            return .readAgain
        case .leave(let path, let missing):
            plan.notices.append(
                "\(path) was rewritten or cut back, and \(missing) is missing: left as it was; to read what there is, "
                    + "`lifestats forget` the files of the log first")
            return nil
        }
    }

    private mutating func noteUnchanged(_ changes: Manifest.Changes) {
        for part in changes.parts {
            guard let found = part.found, let id = part.known, var record = known[id] else { continue }
            plan.unchanged += 1
            if isContradicted(record) { readOtherwise.append(found.path) }
            guard record.path != found.path else { continue }
            record.path = found.path
            plan.moved.append(record)
        }
    }

    /// Whether the user now says otherwise how a source is to be read than when it was read.
    private func isContradicted(_ record: SourceRecord) -> Bool {
        guard let now = assumptions.reading, now != SourceMemory(text: record.resume).options else { return false }
        let wasAssumed = record.assumptions != nil || record.timezone != nil
        return assumptions.namesTime && wasAssumed || options.format.map { $0 != record.format } ?? false
    }

    private mutating func source(of part: Manifest.Part, in stream: String) -> SourcePlan {
        let description = part.found.flatMap { contents.descriptions[$0.path] }
        guard let id = part.known, var record = known[id] else {
            return new(
                description ?? SourceDescription(file: part.found?.path ?? stream),
                part.found?.beginning ?? Beginning([]), in: stream)
        }
        var memory = SourceMemory(text: record.resume)
        if let found = part.found {
            record.path = found.path
            memory.beginning = found.beginning
        }
        let isReadOn = part.action == .readOn && memory.state != nil
        if part.action != .keep, !isReadOn {
            (record.format, record.timezone, record.assumptions) = (nil, nil, nil)
            memory.firstTime = nil
        }
        return SourcePlan(
            record: record, memory: memory, description: part.action == .keep ? nil : description, isKnown: true,
            isReadOn: isReadOn)
    }

    private mutating func new(
        _ description: SourceDescription, _ beginning: Beginning, in stream: String
    ) -> SourcePlan {
        defer { nextSource += 1 }
        var memory = SourceMemory()
        memory.beginning = beginning
        memory.namesDevice = assumptions.device != nil
        memory.options = assumptions.reading
        return SourcePlan(
            record: SourceRecord(
                id: nextSource, log: 0, path: description.path, stream: stream, device: assumptions.device,
                appVersion: assumptions.appVersion, bytes: 0,
                fingerprint: SourceFingerprint(length: 0, head: 0, whole: 0).text),
            memory: memory, description: description, isKnown: false)
    }
}

/// What files hold, compared as far as that is necessary.
private struct FileContents {
    let cache: FingerprintCache
    let options: ReadingOptions
    /// Loads the layouts, where the times of a file must be known.
    let layouts: () -> LayoutCatalog?
    var descriptions: [String: SourceDescription] = [:]

    var comparison: Manifest.Comparison {
        Manifest.Comparison(
            ofKnown: { known, file throws(ReadingError) in try relation(of: known.content, to: file) },
            ofFound: { file, other throws(ReadingError) in try relation(of: file, to: other) },
            firstTime: { file throws(ReadingError) in try firstTime(of: file) })
    }

    func relation(
        of content: SourceFingerprint, to file: FoundFile
    ) throws(ReadingError) -> SourceFingerprint.Relation {
        guard let description = descriptions[file.path] else { return .replaced }
        return try cache.relation(of: content, to: description)
    }

    func relation(of file: FoundFile, to other: FoundFile) throws(ReadingError) -> SourceFingerprint.Relation {
        guard let description = descriptions[file.path], let otherDescription = descriptions[other.path] else {
            return .replaced
        }
        if description.isSameFile(as: otherDescription) { return .same }
        // A longer file is not part of a shorter one.
        if description.isSeekable, otherDescription.isSeekable, let size = description.size,
            let otherSize = otherDescription.size, size > otherSize
        {
            return .replaced
        }
        return try cache.relation(of: cache.fingerprint(of: description), to: otherDescription)
    }

    /// Time of the first entry that has one.
    private func firstTime(of file: FoundFile) throws(ReadingError) -> Int64? {
        guard let description = descriptions[file.path], let layouts = layouts() else { return nil }
        let reader = try SourceReader(description, catalog: layouts, options: options)
        while let batch = try reader.next() {
            if let first = batch.entries.first(where: { $0.time != nil }) { return first.time }
            if reader.isAtEnd { break }
        }
        return nil
    }
}
