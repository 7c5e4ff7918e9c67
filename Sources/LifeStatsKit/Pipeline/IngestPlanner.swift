import Dispatch
import Foundation
import LogReading
import Reports
import Synchronization
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
        var systemVersion: String?
        /// Format, zone, year and date, where the user names any.
        var reading: ReadingAssumptions?
        /// Whether messages are kept.
        var keepsMessages = false
    }

    private struct Input {
        var description: SourceDescription
        var file: FoundFile
        /// The log that it belongs to.
        var stream: String
        /// Place among the known files, where it goes on in the log of a file that had another name.
        var place: Int?

        /// Equal for files that may hold the same. Of a file of a few bytes the beginning tells nothing.
        var likeness: String {
            file.beginning.text.isEmpty ? "\(description.size ?? 0)" : file.beginning.text
        }
    }

    let database: String
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
    ///   - database: the path of the database.
    ///   - known: the sources that it has, those of a log in its order.
    ///   - logs: the numbers of the known logs.
    init(
        database: String, known: [SourceRecord], logs: [String: Int32], options: ReadingOptions,
        assumptions: Assumptions,
        cache: FingerprintCache, layouts: @escaping () -> LayoutCatalog?
    ) {
        self.database = database
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
        planner.lookAtKnown(inputs)
        planner.leaveOutCopies(&inputs)
        let logs = Dictionary(grouping: inputs, by: \.stream)
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
            "\(which): read before with another format, zone, year, date, device or version, and left as it was; to read it again, "
                + "\(forget(first)) first")
    }

    /// The command that removes a source.
    private func forget(_ path: String) -> String {
        let option = database == "lifestats.db" ? "" : " --db \(ShellText.quoted(database))"
        return "`lifestats forget \(ShellText.quoted(path))\(option)`"
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

    /// Reads again, side by side, what was read of files before: whether they still begin with it is asked later on.
    private func lookAtKnown(_ inputs: [Input]) {
        let contents = Dictionary(knownFiles.map { ($0.path, $0.content) }) { first, _ in first }
        let wanted = inputs.compactMap { input in
            contents[input.file.path].flatMap { content in
                input.description.isSeekable && input.description.size ?? 0 >= content.length
                    ? (source: input.description, length: content.length) : nil
            }
        }
        let found = Mutex<[(Int, [SourceFingerprint])]>([])
        DispatchQueue.concurrentPerform(iterations: wanted.count) { [options] place in
            let (source, length) = wanted[place]
            let prints = try? SourceFingerprint.beginnings(of: source, lengths: [length, length + 1], options: options)
            if let prints { found.withLock { $0.append((place, prints)) } }
        }
        for (place, prints) in found.withLock({ $0 }) {
            cache.keep(prints, of: wanted[place].source, lengths: [wanted[place].length, wanted[place].length + 1])
        }
    }

    private mutating func note(_ error: ReadingError, _ path: String) {
        let problem = ReadingDiagnostic(.error, path: path, message: error.message)
        if error.code.tellsOfChange { plan.changed.append(problem) } else { plan.problems.append(problem) }
    }

    // MARK: - Equal files of different logs

    /// Where the content of a file was read before.
    private enum Origin {
        /// In its own log, or nowhere.
        case own(isKnown: Bool)
        /// As another file.
        case copy(of: String)
        /// In another log, whose file it was: the place among the known files.
        case moved(from: Int, stream: String)
    }

    /// Leaves out files that hold what was read in another log, and lets a file that was moved to another folder or name
    /// go on in its log. Of equal files that are new the first one counts.
    private mutating func leaveOutCopies(_ inputs: inout [Input]) {
        let index = FingerprintIndex(knownFiles.enumerated().map { ($0, $1.content) })
        var alike: [String: [Input]] = [:]
        var isNew: [Bool] = []
        inputs = inputs.compactMap { input in
            var (input, isKnown) = (input, input.file.isEmpty || input.description.isOnce)
            do throws(ReadingError) {
                switch isKnown ? .own(isKnown: true) : try origin(of: input, index) {
                case .own(let isOwn): isKnown = isKnown || isOwn
                case .copy(let path): return skip(input, path)
                case .moved(let place, let stream):
                    (input.stream, input.place, isKnown) = (stream, place, true)
                    input.file.rank = knownFiles[place].rank
                }
            } catch {
                note(error, input.file.path)
                return nil
            }
            if isKnown, !input.file.isEmpty, !input.description.isOnce {
                alike[input.likeness, default: []].append(input)
            }
            isNew.append(!isKnown)
            return input
        }
        inputs = zip(inputs, isNew).compactMap { input, isNew in
            guard isNew else { return input }
            do throws(ReadingError) {
                for other in alike[input.likeness] ?? [] where other.stream != input.stream {
                    if try contents.relation(of: input.file, to: other.file) == .same {
                        return skip(input, other.file.path)
                    }
                }
            } catch {
                note(error, input.file.path)
                return nil
            }
            alike[input.likeness, default: []].append(input)
            return input
        }
    }

    /// Looks for the longest content that was read before and that a file begins with.
    private func origin(of input: Input, _ index: FingerprintIndex) throws(ReadingError) -> Origin {
        guard !index.isEmpty else { return .own(isKnown: false) }
        let candidates = index.places(ofBeginning: try cache.head(of: input.description)).map { place in
            (place: place, file: knownFiles[place], stream: known[knownFiles[place].id]?.stream ?? "")
        }.sorted {
            ($1.file.content.length, $0.stream == input.stream ? 0 : 1)
                < ($0.file.content.length, $1.stream == input.stream ? 0 : 1)
        }
        for (place, file, stream) in candidates {
            let relation = try cache.relation(of: file.content, to: input.description)
            guard relation != .replaced else { continue }
            // What the log itself knows is left to its manifest.
            if stream == input.stream { return .own(isKnown: true) }
            if file.path == input.file.path { return .moved(from: place, stream: stream) }
            if relation == .same { return .copy(of: file.path) }
            if try !isStillThere(file) { return .moved(from: place, stream: stream) }
        }
        return .own(isKnown: false)
    }

    /// Whether the path of a known file still leads to what was read of it.
    private func isStillThere(_ file: KnownFile) throws(ReadingError) -> Bool {
        guard let source = contents.descriptions[file.path] ?? cache.source(at: file.path) else { return false }
        return try cache.relation(of: file.content, to: source) != .replaced
    }

    private mutating func skip(_ input: Input, _ other: String) -> Input? {
        plan.notices.append("\(input.file.path) has the content that was read as \(other): skipped")
        plan.unchanged += 1
        return nil
    }

    // MARK: - One log

    private mutating func planLog(_ stream: String, _ inputs: [Input]) {
        let records = knownLogs[stream] ?? []
        let pipes = inputs.filter(\.description.isOnce)
        var files = inputs.filter { !$0.description.isOnce }
        if files.contains(where: { $0.place != nil }) {
            // A file that has another name now was there before the one that has its name now.
            files.sort { ($0.file.rank, $0.place ?? .max) < ($1.file.rank, $1.place ?? .max) }
        }
        let manifest = Manifest(known: records.compactMap(KnownFile.init))
        let changes: Manifest.Changes
        do throws(ReadingError) {
            changes = try manifest.changes(with: files.map(\.file), contents.comparison)
        } catch {
            return note(error, error.path.isEmpty ? stream : error.path)
        }
        for skipped in changes.skipped {
            let what = skipped.isBeginning ? "is the beginning of" : "has the same content as"
            plan.notices.append("\(skipped.path) \(what) \(skipped.other): skipped")
            plan.unchanged += 1
        }
        // An empty file adds nothing to a log of which something was read.
        plan.unchanged += files.count { input in
            input.file.isEmpty && !changes.parts.contains { $0.found == input.file }
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
                    + "\(forget(path)) first, and the other files of its log")
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
        let memory = SourceMemory(text: record.resume)
        func differs(_ now: String?, _ before: String?) -> Bool { now != nil && now != before }
        if differs(assumptions.device, record.device) || differs(assumptions.appVersion, record.appVersion)
            || differs(assumptions.systemVersion, memory.systemVersion)
        {
            return true
        }
        guard let now = assumptions.reading, now != memory.reading else { return false }
        if let format = now.format, format != record.format { return true }
        if let assumed = record.timezone, now.timezone != "UTC", now.timezone != assumed { return true }
        return (now.year != nil || now.date != nil) && record.assumptions != nil
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
            // Nothing was read of an empty file.
            if record.bytes == 0 { memory.reading = assumptions.reading }
            if part.action != .keep, record.bytes > 0, isContradicted(record) { readOtherwise.append(found.path) }
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
        memory.reading = assumptions.reading
        memory.systemVersion = assumptions.systemVersion
        memory.keepsMessages = assumptions.keepsMessages
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
