/// Merges the files of a log archive (Persist, Special, Signpost, HighVolume, LiveData) into one order: boot by boot, by time
/// inside a boot, as `log show` does.
///
/// A look through all files finds their catalogs, which say when their records begin. A catalog with its chunk sets is read
/// when the order reaches it. A process that logs seldom hands over its records late, in chunk sets whose other records are
/// hours younger: such a catalog is read twice, first for the early records only, so that few records wait at a time.
package struct MergedLog {
    /// The most bytes of records that wait for their place in the order, of one catalog and of all. Past it the earliest go
    /// first, even if a later chunk could hold earlier ones.
    private static let mostWaiting = 8 << 20
    private static let mostWaitingInAll = 32 << 20

    private static let mostSpare = 4
    /// The most catalogs, and headers: more are an attack. Each catalog describes about half a MiB of records.
    private static let mostSections = 100_000
    /// Records with more text than this many times the size of the files are an attack; each takes a line with a beginning.
    private static let mostExpansion = 500
    private static let lineBytes = 100
    /// The most problems that are kept; more are only counted.
    private static let mostProblems = 10_000

    /// What a file says, and which file.
    package struct Problem: Sendable {
        package let file: String
        package let offset: Int
        package let reason: String

        package init(of file: String, at offset: Int = 0, reason: String) {
            (self.file, self.offset, self.reason) = (file, offset, reason)
        }

        package init(_ damage: LogDamage, of file: String) {
            self.init(of: file, at: damage.offset, reason: damage.reason)
        }
    }

    /// A file whose boot is in no timesync file: its times count from the one in its header.
    package struct Clockless: Sendable {
        package let file: String
        /// Seconds that the device had been up at the time in the header, by which times are late. `nil` without a
        /// header.
        package let uptime: Int?
    }

    /// A file from a header on: as a rule it has one.
    private struct Source {
        let bytes: any TraceBytes
        var file: TraceFile
    }

    /// A catalog with its chunk sets, or those of their records that are of a time.
    private struct Section {
        let source: Int
        let offset: Int
        /// No record is earlier, as the catalog says.
        let start: UInt64
        let ticks: ClosedRange<UInt64>
    }

    /// A section that is being read.
    private final class SectionRun {
        /// Of equal times, the record of the lower number comes first.
        let number: Int
        let source: Int
        let bytes: any TraceBytes
        /// Whether it counts what it reads: each chunk is counted once.
        let isCounted: Bool
        private var chunks: TraceChunks?
        var file: TraceFile
        /// Records in the order of the file, and their places in the order of time: sorting moves no record.
        var records = LogBatch()
        private var order: [(ticks: UInt64, place: Int)] = []
        private var next = 0
        private var isAtStart = true

        init(_ section: Section, of source: Source, number: Int) {
            self.number = number
            self.source = section.source
            bytes = source.bytes
            chunks = TraceChunks(source.bytes, at: section.offset)
            file = source.file
            file.ticks = section.ticks
            isCounted = section.ticks.upperBound == .max
        }

        /// Ticks of the next record in the order; `.max` without one.
        var head: UInt64 { next < order.count ? order[next].ticks : .max }

        func take() -> LogEntry {
            next += 1
            return records[order[next - 1].place]
        }

        /// Reads its records, or the next of them if they are too many.
        func readOn() {
            while next == order.count, chunks != nil {
                records.removeAll()
                while records.byteCount < MergedLog.mostWaiting {
                    guard let (chunk, offset) = chunks?.next(), isAtStart || ChunkTag(of: chunk)?.beginsSection != true
                    else {
                        // What is kept until its time comes is kept small.
                        chunks = nil
                        file.close()
                        if !isCounted { records.decompressed = [] }
                        break
                    }
                    isAtStart = false
                    file.read(chunk, at: offset, into: &records)
                }
                order = (0..<records.count).map { (min(records.ticks(at: $0), .max - 1), $0) }
                order.sort { ($0.ticks, $0.place) < ($1.ticks, $1.place) }
                next = 0
            }
        }

        static func < (a: SectionRun, b: SectionRun) -> Bool { (a.head, a.number) < (b.head, b.number) }
    }

    private var sources: [Source] = []
    /// The sections not yet read, boot by boot, the earliest last.
    private var boots: [[Section]] = []
    private var oversize: [OversizeStore] = []
    /// The sections that were read and have records, the one with the earliest record last.
    private var runs: [SectionRun] = []
    /// The run of the last record, and the ticks up to which no other one has an earlier one.
    private var current: SectionRun?
    private var limit: UInt64 = 0
    private var waiting = 0
    private var runCount = 0
    private var storedBytes = 0
    private var textBytes = 0
    private let freeText: Int
    private var lastTicks: UInt64 = 0
    private var moment = Moment()
    /// Rooms of sections that have been given out, used again: fresh memory is slow.
    private var spare: [LogBatch] = []
    package private(set) var problems: [Problem] = []
    package private(set) var problemCount = 0
    package let fileCount: Int
    package private(set) var clockless: [Clockless] = []
    /// The account of all that was read.
    package private(set) var counts = LogCounts()

    /// Looks through the files.
    ///
    /// - Parameter freeText: how many bytes of text they may have, however small they are.
    package init(
        _ files: [any TraceBytes], strings: StringCatalog, timeSync: TimeSync, freeText: Int = 1 << 30
    ) {
        self.freeText = freeText
        fileCount = files.count
        var sections: [Section] = []
        for bytes in files { lookThrough(bytes, TraceFile(strings: strings, timeSync: timeSync), &sections) }
        var oversize: [LogUUID?: OversizeStore] = [:]
        for place in sources.indices {
            let boot = sources[place].file.boot
            sources[place].file.number = place
            sources[place].file.oversize = oversize[boot] ?? sources[place].file.oversize
            oversize[boot] = sources[place].file.oversize
        }
        let starts = Dictionary(grouping: sections) { sources[$0.source].file.boot }
        boots = starts.values.sorted { first, second in
            let (a, b) = (sources[first[0].source].file, sources[second[0].source].file)
            return (a.bootStart, a.boot?.description ?? "") > (b.bootStart, b.boot?.description ?? "")
        }
        self.oversize = boots.map { sources[$0[0].source].file.oversize }
        for boot in boots.indices { boots[boot] = boots[boot].reversed().sorted { $0.start > $1.start } }
    }

    /// Reads the headers of a file, and finds its catalogs.
    private mutating func lookThrough(_ bytes: any TraceBytes, _ first: TraceFile, _ sections: inout [Section]) {
        var chunks = TraceChunks(bytes, block: 64 << 10)
        var file = first
        var nothing = LogBatch()
        var isInside = false
        sources.append(Source(bytes: bytes, file: file))
        while let (chunk, offset) = chunks.next() {
            let tag = ChunkTag(of: chunk)
            guard sections.count < Self.mostSections, sources.count < Self.mostSections else {
                take(
                    LogDamage(offset: offset, reason: "too many catalogs or headers: the rest of the file is left out"),
                    of: bytes)
                break
            }
            if tag == .header {
                file = first
                file.read(chunk, at: offset, into: &nothing)
                takeAccount(of: &file, bytes)
                sources.append(Source(bytes: bytes, file: file))
                isInside = false
            } else if tag == .catalog || !isInside {
                if !isInside, !file.hasClock {
                    clockless.append(Clockless(file: bytes.name, uptime: file.uptime))
                }
                isInside = true
                let source = sources.count - 1
                let (start, early) = tag == .catalog ? Catalog.ticks(chunk.span.bytes) : (0, nil)
                if let early {
                    sections.append(Section(source: source, offset: offset, start: early, ticks: 0...start - 1))
                }
                sections.append(
                    Section(source: source, offset: offset, start: start, ticks: (early == nil ? 0 : start)...(.max)))
            }
        }
        for damage in chunks.takeDamage() { take(damage, of: bytes) }
        storedBytes += chunks.offset
        if chunks.offset == 0, problems.last?.file != bytes.name {
            take(LogDamage(offset: 0, reason: "the file is empty: copy it again from its source"), of: bytes)
        }
    }

    /// The next record in the order; `nil` at the end. What several files hold comes once.
    package mutating func next() -> LogEntry? {
        while true {
            while current.map({ $0.head >= limit }) ?? true {
                guard choose() else { return nil }
            }
            guard let run = current else { return nil }
            let entry = run.take()
            if entry.ticks < lastTicks { counts.late += 1 }
            lastTicks = entry.ticks
            // Only then may another file hold it, too.
            if moment.ticks == entry.ticks || entry.ticks >= limit - 1, moment.isCopy(entry, of: run.source) {
                counts.copies += 1
                continue
            }
            textBytes += entry.message.count + Self.lineBytes
            if textBytes > freeText, textBytes / Self.mostExpansion > storedBytes {
                stop(at: run)
                return nil
            }
            return entry
        }
    }

    /// Ends a log that expands too far.
    private mutating func stop(at run: SectionRun) {
        let reason =
            "expands to more than \(Self.mostExpansion) times its size: it looks like a bomb; the rest is left out"
        take(LogDamage(offset: 0, reason: reason), of: run.bytes)
        (current, runs, boots) = (nil, [], [])
    }

    /// Finds the section with the earliest record, and reads those whose time has come.
    ///
    /// - Returns: `false` at the end of all boots.
    private mutating func choose() -> Bool {
        if let run = current { putBack(run) }
        current = nil
        while let boot = boots.indices.last {
            while let section = boots[boot].last, runs.isEmpty || waiting < Self.mostWaitingInAll,
                section.start <= runs.last?.head ?? .max
            {
                boots[boot].removeLast()
                runCount += 1
                putBack(SectionRun(section, of: sources[section.source], number: runCount))
            }
            if let run = runs.popLast() {
                current = run
                limit = runs.last?.head ?? .max
                if waiting < Self.mostWaitingInAll { limit = min(limit, boots[boot].last?.start ?? .max) }
                // Of equal times, that of the earlier section comes first.
                if run.head == limit { limit += 1 }
                return true
            }
            boots.removeLast()
            oversize.popLast()?.removeAll()
            lastTicks = 0
            moment = Moment()
        }
        return false
    }

    /// Puts a run where its next record belongs; reads on when it has none. One that has been given out is left out.
    private mutating func putBack(_ run: SectionRun) {
        if run.head == .max {
            waiting -= run.records.byteCount
            if run.isCounted, run.records.count == 0, let room = spare.popLast() { run.records = room }
            run.readOn()
            takeAccount(of: &run.file, run.bytes, isCounted: run.isCounted)
            waiting += run.records.byteCount
        }
        guard run.head < .max else {
            waiting -= run.records.byteCount
            run.records.removeAll()
            if run.isCounted, spare.count < Self.mostSpare { spare.append(run.records) }
            return
        }
        runs.insert(run, at: runs.partitionPoint { run < $0 })
    }

    private mutating func takeAccount(of file: inout TraceFile, _ bytes: any TraceBytes, isCounted: Bool = true) {
        let (found, damage) = file.takeAccount()
        guard isCounted else {
            counts.unresolved += found.unresolved
            return
        }
        counts.add(found)
        for damage in damage { take(damage, of: bytes) }
    }

    private mutating func take(_ damage: LogDamage, of bytes: any TraceBytes) {
        problemCount += 1
        guard problems.count < Self.mostProblems else { return }
        problems.append(Problem(damage, of: bytes.name))
    }
}

/// The records of one moment: the same record in two files, such as Persist and LiveData, is one.
private struct Moment {
    /// The most different records of a moment; more are an attack.
    private static let most = 65_536

    private(set) var ticks: UInt64?
    /// How often each record was given out, and how often each file had it.
    private var given: [Int: Int] = [:]
    private var had: [Key: Int] = [:]

    private struct Key: Hashable {
        var record: Int
        var source: Int
    }

    /// Whether another file has had the record as often.
    mutating func isCopy(_ entry: LogEntry, of source: Int) -> Bool {
        if ticks != entry.ticks { self = Moment(ticks: entry.ticks) }
        guard had.count < Self.most else { return false }
        let record = Self.hash(entry)
        let count = had[Key(record: record, source: source), default: 0] + 1
        had[Key(record: record, source: source)] = count
        guard count > given[record, default: 0] else { return true }
        given[record] = count
        return false
    }

    private init(ticks: UInt64) { self.ticks = ticks }
    init() {}

    private static func hash(_ entry: LogEntry) -> Int {
        var hasher = Hasher()
        hasher.combine(entry.kind)
        hasher.combine(entry.level)
        hasher.combine(entry.processID)
        hasher.combine(entry.thread)
        hasher.combine(entry.activity)
        hasher.combine(entry.process.path)
        hasher.combine(entry.sender.path)
        hasher.combine(entry.subsystem?.text)
        hasher.combine(entry.message)
        return hasher.finalize()
    }
}
