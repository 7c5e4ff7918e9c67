/// Merges the files of a log archive (Persist, Special, Signpost, HighVolume, LiveData) into one order: boot by boot, by time
/// inside a boot, as `log show` does.
///
/// Memory is bounded: a file is opened when the order reaches it, and holds the records of one catalog at a time.
package struct MergedLog {
    /// The most bytes of records that wait for their place in the order, of a file and of all files. Past it the earliest go
    /// first, even if a later chunk could hold earlier ones.
    private static let mostWaiting = 8 << 20
    private static let mostWaitingInAll = 32 << 20

    private static let mostSpare = 4
    /// The most problems that are kept; more are only counted.
    private static let mostProblems = 100

    /// What a file says, and the file it was said in.
    package struct Problem: Sendable {
        package var file: String
        package var offset: Int
        package var reason: String
    }

    /// A file with the records that wait.
    private struct Source {
        var chunks: TraceChunks
        var file: TraceFile
        /// Records in the order of the file, and their places in the order of time: sorting moves no record.
        var waiting = LogBatch()
        var order: [(ticks: UInt64, place: Int)] = []
        var next = 0
        /// A chunk that was read ahead, mostly a catalog, and where it begins.
        var pending: (bytes: [UInt8], offset: Int)?
        var isAtEnd = false
        /// The earliest ticks that a chunk not yet read may have.
        var frontier: UInt64 = 0

        var isEmpty: Bool { next == order.count }
        /// Of the next record in the order; `.max` without one.
        var head: UInt64 { isEmpty ? .max : order[next].ticks }

        /// The size of the records that wait.
        var load: Int { isEmpty ? 0 : waiting.byteCount }
        var canReadOn: Bool { !isAtEnd && load < MergedLog.mostWaiting }

        /// Puts the records that were read in order.
        mutating func sort() {
            order.removeAll(keepingCapacity: true)
            for place in 0..<waiting.count { order.append((min(waiting.ticks(at: place), .max - 1), place)) }
            order.sort { ($0.ticks, $0.place) < ($1.ticks, $1.place) }
            next = 0
        }

        /// Reads the header: nothing of what follows it is read before its turn.
        mutating func open() {
            while let chunk = nextChunk(), pending == nil { file.read(chunk.bytes, at: chunk.offset, into: &waiting) }
        }

        /// Reads on up to a catalog whose records are later than `ticks`.
        mutating func fill(upTo ticks: UInt64) {
            // What is left comes first: of equal times, the earlier record does.
            waiting.keep(order[next...].map(\.place).sorted())
            repeat {
                guard let (bytes, offset) = pending ?? nextChunk() else { break }
                pending = nil
                file.read(bytes, at: offset, into: &waiting)
                while waiting.byteCount < MergedLog.mostWaiting, let chunk = nextChunk(), pending == nil {
                    file.read(chunk.bytes, at: chunk.offset, into: &waiting)
                }
            } while !isAtEnd && frontier <= ticks && waiting.byteCount < MergedLog.mostWaiting
            sort()
        }

        /// The next chunk; one whose turn may come later is kept as ``pending``.
        private mutating func nextChunk() -> (bytes: [UInt8], offset: Int)? {
            let offset = chunks.offset
            guard let chunk = chunks.next() else {
                isAtEnd = true
                return nil
            }
            let tag = ChunkTag(of: chunk)
            if tag == .catalog { frontier = ByteReader(chunk.span.bytes).integer(at: 32) ?? frontier }
            if tag == .catalog || tag == .chunkSet && file.counts.catalogs == 0 { pending = (chunk, offset) }
            return (chunk, offset)
        }

        /// Frees the memory of a file that has been given out.
        ///
        /// - Returns: the room for records, for the next file.
        mutating func close() -> LogBatch {
            order = []
            next = 0
            file.close()
            var room = LogBatch()
            swap(&room, &waiting)
            room.keep([])
            return room
        }
    }

    private var sources: [Source] = []
    /// Indexes of the sources, by boot; those of a boot's files that have been given out are removed.
    private var boots: [[Int]] = []
    private var boot = 0
    /// The sources of the boot that have records, and the earliest ticks that any unread chunk of the boot may have.
    private var ready: [Int] = []
    private var unread: UInt64 = 0
    /// The source of the earliest record, and the ticks up to which no other one can have an earlier one.
    private var current = 0
    private var limit: UInt64 = 0
    /// Rooms of files that have been read, used again: fresh memory is slow.
    private var spare: [LogBatch] = []
    package private(set) var problems: [Problem] = []
    package private(set) var problemCount = 0

    /// Opens the files: reads the header of each.
    package init(_ files: [any TraceBytes], strings: StringCatalog, timeSync: TimeSync) {
        for bytes in files {
            var source = Source(
                chunks: TraceChunks(bytes), file: TraceFile(strings: strings, timeSync: timeSync))
            source.open()
            sources.append(source)
            takeProblems(of: sources.count - 1)
        }
        let starts = Dictionary(grouping: sources.indices) { sources[$0].file.boot }
        boots = starts.values.sorted { first, second in
            let (a, b) = (sources[first[0]].file, sources[second[0]].file)
            return (a.bootStart, a.boot?.description ?? "") < (b.bootStart, b.boot?.description ?? "")
        }
        refresh()
    }

    /// The account of all files.
    package var counts: LogCounts {
        sources.reduce(into: LogCounts()) { $0.add($1.file.counts) }
    }

    package var fileCount: Int { sources.count }

    /// The next record in the order; `nil` at the end.
    package mutating func next() -> LogEntry? {
        while sources.isEmpty || sources[current].head >= limit {
            guard choose() else { return nil }
        }
        let place = sources[current].order[sources[current].next].place
        sources[current].next += 1
        return sources[current].waiting[place]
    }

    /// Finds the source with the earliest record, and reads on where an unread chunk may hold an earlier one.
    ///
    /// - Returns: `false` at the end of all boots.
    private mutating func choose() -> Bool {
        while boot < boots.count {
            var best: Int?
            var (earliest, second) = (UInt64.max, UInt64.max)
            var isDry = false
            for index in ready {
                let head = sources[index].head
                if head < earliest || best == nil {
                    (best, earliest, second) = (index, head, earliest)
                } else {
                    second = min(second, head)
                }
                if sources[index].isEmpty { isDry = true }
            }
            if isDry {
                refresh()
            } else if let best, earliest < unread {
                current = best
                // Of equal times, that of the earlier source comes first.
                limit = min(second, unread)
                if earliest == limit { limit += 1 }
                return true
            } else if !readOn(upTo: earliest) {
                boot += 1
                refresh()
            }
        }
        return false
    }

    /// Reads on in the source whose unread chunks begin earliest; `false` when all have been read.
    private mutating func readOn(upTo ticks: UInt64) -> Bool {
        let open = boots[boot].filter { sources[$0].canReadOn }
        guard let index = open.min(by: { sources[$0].frontier < sources[$1].frontier }) else { return false }
        if sources[index].waiting.count == 0, let room = spare.popLast() { sources[index].waiting = room }
        sources[index].fill(upTo: ready.isEmpty ? sources[index].frontier : ticks)
        takeProblems(of: index)
        refresh()
        return true
    }

    /// Looks at the sources of the boot anew: which have records, which have been given out, and what is unread.
    private mutating func refresh() {
        ready = []
        unread = .max
        limit = 0
        guard boot < boots.count else { return }
        var waiting = 0
        var left: [Int] = []
        for index in boots[boot] {
            waiting += sources[index].load
            if sources[index].canReadOn { unread = min(unread, sources[index].frontier) }
            if !sources[index].isEmpty {
                ready.append(index)
            } else if sources[index].isAtEnd {
                let room = sources[index].close()
                if spare.count < Self.mostSpare { spare.append(room) }
                continue
            }
            left.append(index)
        }
        if waiting >= Self.mostWaitingInAll { unread = .max }
        boots[boot] = left
    }

    private mutating func takeProblems(of index: Int) {
        for damage in sources[index].chunks.takeDamage() + sources[index].file.takeDamage() {
            problemCount += 1
            guard problems.count < Self.mostProblems else { continue }
            problems.append(Problem(file: sources[index].chunks.name, offset: damage.offset, reason: damage.reason))
        }
    }
}
