/// The bytes of one tracev3 file, in order.
package protocol TraceBytes {
    /// What the file is called in messages.
    var name: String { get }
    /// The next bytes, at most `count`; empty at the end.
    ///
    /// - Throws: when the file cannot be read further; what was read before is kept.
    mutating func read(_ count: Int) throws -> [UInt8]
}

/// Merges the files of a log archive (Persist, Special, Signpost, HighVolume, LiveData) into one order: boot by boot, by time
/// inside a boot, as `log show` does.
///
/// Memory is bounded: a file is opened when the order reaches it, and holds the records of one catalog at a time.
package struct MergedLog {
    /// The most bytes of messages that wait for their place in the order. Past it the earliest go first, even if a later chunk could
    /// hold earlier ones.
    private static let mostWaiting = 8 << 20

    private static let mostSpare = 4

    /// What a file says, and the file it was said in.
    package struct Problem: Sendable {
        package var file: String
        package var offset: Int
        package var reason: String
    }

    /// A file with the records that wait.
    private final class Source {
        var bytes: any TraceBytes
        var file: TraceFile
        var offset = 0
        /// Records in the order of the file, and their places in the order of time: sorting moves no record.
        var waiting = LogBatch()
        var order: [(ticks: UInt64, place: Int)] = []
        var next = 0
        var waitingBytes = 0
        /// The chunk that the next catalog is in.
        var nextCatalog: [UInt8]?
        var isAtEnd = false
        var frontier: UInt64 = 0

        init(_ bytes: any TraceBytes, _ file: TraceFile) {
            self.bytes = bytes
            self.file = file
        }

        /// Of the next record in the order; `.max` without one.
        private(set) var head = UInt64.max
        var isEmpty: Bool { next == order.count }

        func take() -> LogEntry {
            let place = order[next].place
            next += 1
            head = isEmpty ? .max : order[next].ticks
            return waiting[place]
        }

        /// Puts the records that were read in order.
        func sort() {
            waitingBytes = waiting.byteCount
            order.removeAll(keepingCapacity: true)
            for place in 0..<waiting.count { order.append((waiting.ticks(at: place), place)) }
            order.sort { ($0.ticks, $0.place) < ($1.ticks, $1.place) }
            next = 0
            head = order.first?.ticks ?? .max
        }

        /// Frees the memory of a file that has been given out.
        ///
        /// - Returns: the room for records, for the next file; `nil` when that was done before.
        func close() -> LogBatch? {
            guard isAtEnd, isEmpty, !order.isEmpty else { return nil }
            order = []
            next = 0
            file.close()
            waiting.keep([])
            defer { waiting = LogBatch() }
            return waiting
        }
    }

    private var sources: [Source] = []
    /// Indexes of the sources, by boot.
    private var boots: [[Int]] = []
    private var boot = 0
    /// The source of the earliest record, and the ticks up to which no other one can have an earlier one.
    private var current: Source?
    private var limit: UInt64 = 0
    /// Rooms of files that have been read, used again: fresh memory is slow.
    private var spare: [LogBatch] = []
    package private(set) var problems: [Problem] = []

    /// Opens the files: reads the header of each.
    package init(_ files: [any TraceBytes], strings: StringCatalog, timeSync: TimeSync) {
        for bytes in files {
            let source = Source(bytes, TraceFile(strings: strings, timeSync: timeSync))
            if let header = readChunk(source) {
                source.file.read(header, at: 0, into: &source.waiting)
                readToCatalog(source)
            }
            sources.append(source)
        }
        let starts = Dictionary(grouping: sources.indices) { sources[$0].file.boot }
        boots = starts.values.sorted { first, second in
            let (a, b) = (sources[first[0]].file, sources[second[0]].file)
            return (a.bootStart, a.boot?.description ?? "") < (b.bootStart, b.boot?.description ?? "")
        }
    }

    /// The account of all files.
    package var counts: LogCounts {
        sources.reduce(into: LogCounts()) { $0.add($1.file.counts) }
    }

    /// The next record in the order; `nil` at the end.
    package mutating func next() -> LogEntry? {
        if let current, current.head < limit { return current.take() }
        while boot < boots.count {
            if let source = earliest() { return source.take() }
            if !advance() { boot += 1 }
        }
        return nil
    }

    /// The source with the earliest record, if no unread chunk of the boot can hold an earlier one.
    private mutating func earliest() -> Source? {
        var best: Source?
        var earliest = UInt64.max
        var unread = UInt64.max
        limit = .max
        for index in boots[boot] {
            let source = sources[index]
            if !source.isAtEnd, source.waitingBytes < Self.mostWaiting { unread = min(unread, source.frontier) }
            guard !source.isEmpty else {
                if let room = source.close(), spare.count < Self.mostSpare { spare.append(room) }
                continue
            }
            let head = source.head
            if best != nil, head >= earliest {
                limit = min(limit, head)
                continue
            }
            if best != nil { limit = min(limit, earliest) }
            (best, earliest) = (source, head)
        }
        limit = min(limit, unread)
        current = earliest < unread ? best : nil
        return current
    }

    /// Reads on in the source whose unread chunks begin earliest; `false` when all have been read.
    private mutating func advance() -> Bool {
        let open = boots[boot].filter { !sources[$0].isAtEnd }
        guard let index = open.min(by: { sources[$0].frontier < sources[$1].frontier }) else { return false }
        fill(sources[index])
        return true
    }

    /// Reads a catalog and the chunk sets after it, up to the next catalog.
    private mutating func fill(_ source: Source) {
        // What is left comes first: of equal times, the earlier record does.
        if source.waiting.count == 0, let room = spare.popLast() { source.waiting = room }
        source.waiting.keep(source.order[source.next...].map(\.place).sorted())
        current = nil
        if let catalog = source.nextCatalog {
            source.file.read(catalog, at: source.offset - catalog.count, into: &source.waiting)
            source.nextCatalog = nil
        }
        readToCatalog(source)
        source.sort()
    }

    /// Reads chunk sets up to the next catalog: nothing of what follows it is read before its turn.
    private mutating func readToCatalog(_ source: Source) {
        while let chunk = readChunk(source) {
            if TraceFile.isCatalog(chunk) {
                source.nextCatalog = chunk
                source.frontier = TraceFile.earliestTicks(ofCatalog: chunk) ?? source.frontier
                break
            }
            source.file.read(chunk, at: source.offset - chunk.count, into: &source.waiting)
        }
        if source.nextCatalog == nil { source.isAtEnd = true }
        for damage in source.file.takeDamage() {
            problems.append(Problem(file: source.bytes.name, offset: damage.offset, reason: damage.reason))
        }
    }

    /// The next chunk of a file; `nil` at its end, or where it is damaged beyond finding the next one.
    private mutating func readChunk(_ source: Source) -> [UInt8]? {
        do {
            let header = try source.bytes.read(16)
            guard !header.isEmpty else { return nil }
            guard header.count == 16, let size = TraceFile.chunkSize(header) else {
                problems.append(
                    Problem(
                        file: source.bytes.name, offset: source.offset,
                        reason: "no chunk begins here: the rest is not read"))
                return nil
            }
            let chunk = header + (try source.bytes.read(size - 16))
            source.offset += chunk.count
            return chunk
        } catch {
            problems.append(Problem(file: source.bytes.name, offset: source.offset, reason: "\(error)"))
            return nil
        }
    }
}

extension LogCounts {
    mutating func add(_ other: LogCounts) {
        logs += other.logs
        simpleDumps += other.simpleDumps
        activities += other.activities
        traces += other.traces
        signposts += other.signposts
        losses += other.losses
        stateDumps += other.stateDumps
        oversize += other.oversize
        catalogs += other.catalogs
        chunkSets += other.chunkSets
        otherChunks += other.otherChunks
        unresolved += other.unresolved
    }
}
