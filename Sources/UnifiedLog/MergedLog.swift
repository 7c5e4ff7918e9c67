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

    /// What a file says, and the file it was said in.
    package struct Problem: Sendable {
        package var file: String
        package var offset: Int
        package var reason: String
    }

    private struct Pending {
        var entry: LogEntry
        var number: Int
    }

    /// A file with the records that wait.
    private struct Source {
        var bytes: any TraceBytes
        var file: TraceFile
        var offset = 0
        var waiting: [Pending] = []
        var next = 0
        var waitingBytes = 0
        /// The chunk that the next catalog is in.
        var nextCatalog: [UInt8]?
        var isAtEnd = false
        var number = 0
        var frontier: UInt64 = 0

        var head: Pending? { next < waiting.count ? waiting[next] : nil }
    }

    private var sources: [Source] = []
    /// Indexes of the sources, by boot.
    private var boots: [[Int]] = []
    private var boot = 0
    package private(set) var problems: [Problem] = []

    /// Opens the files: reads the header of each.
    package init(_ files: [any TraceBytes], strings: StringCatalog, timeSync: TimeSync) {
        for bytes in files {
            var source = Source(bytes: bytes, file: TraceFile(strings: strings, timeSync: timeSync))
            if let header = readChunk(&source) {
                source.file.read(header, at: 0) { _ in }
                fill(&source, stopsAtFirstCatalog: true)
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
        while boot < boots.count {
            if let index = earliest() {
                let pending = sources[index].waiting[sources[index].next]
                sources[index].next += 1
                sources[index].waitingBytes -= pending.entry.message.count
                return pending.entry
            }
            if !advance() { boot += 1 }
        }
        return nil
    }

    /// The source with the earliest record, if no unread chunk of the boot can hold an earlier one.
    private func earliest() -> Int? {
        var best: Int?
        var limit = UInt64.max
        for index in boots[boot] {
            if !sources[index].isAtEnd, sources[index].waitingBytes < Self.mostWaiting {
                limit = min(limit, sources[index].frontier)
            }
            guard let head = sources[index].head else { continue }
            if let known = best, let other = sources[known].head, other.entry.ticks <= head.entry.ticks { continue }
            best = index
        }
        guard let best, let head = sources[best].head, head.entry.ticks < limit else { return nil }
        return best
    }

    /// Reads on in the source whose unread chunks begin earliest; `false` when all have been read.
    private mutating func advance() -> Bool {
        let open = boots[boot].filter { !sources[$0].isAtEnd }
        guard let index = open.min(by: { sources[$0].frontier < sources[$1].frontier }) else { return false }
        var source = sources[index]
        fill(&source, stopsAtFirstCatalog: false)
        sources[index] = source
        return true
    }

    /// Reads a catalog and the chunk sets after it, up to the next catalog.
    private mutating func fill(_ source: inout Source, stopsAtFirstCatalog: Bool) {
        source.waiting.removeFirst(source.next)
        source.next = 0
        var found: [Pending] = []
        var number = source.number
        var bytes = 0
        let add = { (entry: LogEntry) in
            found.append(Pending(entry: entry, number: number))
            number += 1
            bytes += entry.message.count
        }
        if let catalog = source.nextCatalog {
            source.file.read(catalog, at: source.offset - catalog.count, add)
            source.nextCatalog = nil
        }
        while let chunk = readChunk(&source) {
            if TraceFile.isCatalog(chunk) {
                source.nextCatalog = chunk
                source.frontier = TraceFile.earliestTicks(ofCatalog: chunk) ?? source.frontier
                break
            }
            source.file.read(chunk, at: source.offset - chunk.count, add)
        }
        if source.nextCatalog == nil { source.isAtEnd = true }
        source.number = number
        source.waitingBytes += bytes
        source.waiting += found
        source.waiting.sort { ($0.entry.ticks, $0.number) < ($1.entry.ticks, $1.number) }
        for damage in source.file.takeDamage() {
            problems.append(Problem(file: source.bytes.name, offset: damage.offset, reason: damage.reason))
        }
    }

    /// The next chunk of a file; `nil` at its end, or where it is damaged beyond finding the next one.
    private mutating func readChunk(_ source: inout Source) -> [UInt8]? {
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
