/// Reads one tracev3 file, chunk by chunk: the binary unified log of Apple's systems.
///
/// Format: libyal dtformats, "Apple Unified Logging and Activity Tracing formats". Damage costs the chunk that it is in, and
/// is reported with its offset.
package struct TraceFile {
    /// The most text of one chunk set: more is an attack.
    private static let mostText = 32 << 20

    private let strings: StringCatalog
    private let timeSync: TimeSync
    private var clock = WallClock(numerator: 1, denominator: 1, anchors: [(0, 0)])
    private var catalog: Catalog?
    /// Shared by all files of the boot, with the number of this one.
    var oversize = OversizeStore()
    var number = 0

    package private(set) var boot: LogUUID?
    /// Whether the times of the boot are known; otherwise they count from the time in the header.
    private(set) var hasClock: Bool
    /// How long the device had been up at the time in the header, in seconds; `nil` without a header.
    private(set) var uptime: Int?
    /// When the boot began, as far as is known, in nanoseconds since 1970.
    package private(set) var bootStart: Int64 = 0
    /// Records of other times are only counted.
    var ticks: ClosedRange<UInt64> = 0...(.max)
    private(set) var counts = LogCounts()
    private(set) var damage: [LogDamage] = []
    /// Where the messages of the chunk set may end in the batch.
    private var textLimit = 0

    package init(strings: StringCatalog, timeSync: TimeSync) {
        self.strings = strings
        self.timeSync = timeSync
        // Should the header be damaged: the boot is that of the clocks, if they have one only.
        boot = timeSync.onlyBoot
        hasClock = boot != nil
        clock = boot.flatMap(timeSync.clock) ?? clock
        bootStart = boot.flatMap(timeSync.start) ?? 0
    }

    /// What was read and found damaged since the last call.
    mutating func takeAccount() -> (counts: LogCounts, damage: [LogDamage]) {
        defer { (counts, damage) = (LogCounts(), []) }
        return (counts, damage)
    }

    /// Frees what is needed only for further reading.
    mutating func close() {
        catalog = nil
    }

    /// Reads a chunk.
    ///
    /// - Parameters:
    ///   - bytes: the chunk with its header.
    ///   - offset: where it begins in the file.
    ///   - batch: gets every record that has a message.
    package mutating func read(_ bytes: [UInt8], at offset: Int, into batch: inout LogBatch) {
        let reader = ByteReader(bytes.span.bytes)
        guard let rawTag: UInt32 = reader.integer(at: 0), let size: UInt64 = reader.integer(at: 8),
            let data = reader.slice(at: 16, min(Int(clamping: size), bytes.count - 16))
        else { return note("cut off", at: offset) }
        let tag = ChunkTag(rawValue: rawTag)
        let isCut = data.byteCount < size
        if isCut { note("cut off: the intact part is read", at: offset) }
        switch tag {
        case .header where isCut, .catalog where isCut: catalog = nil
        case .header:
            counts.headers += 1
            if !readHeader(data) { note("damaged header", at: offset) }
        case .catalog:
            counts.catalogs += 1
            catalog = Catalog(data, strings)
            if catalog?.isWhole != true { note("damaged catalog", at: offset) }
        case .chunkSet:
            counts.chunkSets += 1
            if catalog == nil { note("chunk set without a catalog: its messages are left out", at: offset) }
            textLimit = batch.byteCount + Self.mostText
            var room: [UInt8] = []
            swap(&room, &batch.decompressed)
            // What comes before damage is read.
            let isWhole = LZ4Block.decompress(data, into: &room) && !isCut
            if !isWhole, !isCut { note("damaged chunk set", at: offset) }
            readChunkSet(room.span.bytes, at: offset, isWhole: isWhole, into: &batch)
            swap(&room, &batch.decompressed)
        default:
            counts.otherChunks += 1
        }
    }

    private mutating func note(_ reason: String, at offset: Int) {
        damage.append(LogDamage(offset: offset, reason: reason))
    }

    private mutating func readHeader(_ data: RawSpan) -> Bool {
        var reader = ByteReader(data)
        guard let numerator: UInt32 = reader.integer(), let denominator: UInt32 = reader.integer(), denominator > 0,
            let ticks: UInt64 = reader.integer(), let seconds: Int32 = reader.integer(), reader.skip(20)
        else { return false }
        while let tag: UInt32 = reader.integer(), let size: UInt32 = reader.integer(),
            let part = reader.slice(Int(size))
        {
            var part = ByteReader(part)
            if tag == 0x6102 { boot = part.uuid() }
        }
        // Without a timesync file the time of the header is taken for that of the boot, as the official tools do.
        let stated = WallClock(
            numerator: numerator, denominator: denominator, anchors: [(0, Int64(seconds) * 1_000_000_000)])
        let known = boot.flatMap { timeSync.clock(of: $0) }
        hasClock = known != nil
        uptime = Int(min(1e9, Double(ticks) * Double(numerator) / Double(denominator) / 1e9))
        clock = known ?? stated
        bootStart = boot.flatMap { timeSync.start(of: $0) } ?? Int64(seconds) * 1_000_000_000
        return true
    }

    /// Reads the chunks of a chunk set, up to one whose header is damaged.
    private mutating func readChunkSet(_ data: RawSpan, at offset: Int, isWhole: Bool, into batch: inout LogBatch) {
        var reader = ByteReader(data)
        while reader.remaining >= 16 {
            let start = reader.offset
            guard let tag: UInt32 = reader.integer(), tag >> 8 == 0x60, reader.skip(4),
                let size: UInt64 = reader.integer(), let chunk = reader.slice(Int(clamping: size))
            else {
                if isWhole { note("damaged chunk at byte \(start) of its chunk set, which ends there", at: offset) }
                return
            }
            if !readChunk(tag, chunk, into: &batch), isWhole {
                note("damaged chunk at byte \(start) of its chunk set", at: offset)
            }
            // Most chunks are padded to eight bytes, some are not: padding is zero, and no tag is.
            while reader.offset % 8 != 0, reader.integer(at: reader.offset, UInt8.self) == 0 { _ = reader.skip(1) }
            if batch.byteCount > textLimit {
                return note("too much text: the rest of the chunk set is left out", at: offset)
            }
        }
    }

    private mutating func readChunk(_ tag: UInt32, _ chunk: RawSpan, into batch: inout LogBatch) -> Bool {
        switch ChunkTag(rawValue: tag) {
        case .firehose:
            counts.firehoses += 1
            return readFirehose(chunk, into: &batch)
        case .oversize: return readOversize(chunk)
        case .stateDump: return readStateDump(chunk)
        case .simpleDump: return readSimpleDump(chunk, into: &batch)
        default:
            counts.otherChunks += 1
            return true
        }
    }

    private mutating func readOversize(_ chunk: RawSpan) -> Bool {
        var reader = ByteReader(chunk)
        guard let first: UInt64 = reader.integer(), let second: UInt32 = reader.integer(), reader.skip(12),
            let index: UInt32 = reader.integer(), let size: UInt16 = reader.integer(),
            let secretSize: UInt16 = reader.integer(), let arguments = reader.slice(Int(size)),
            let secrets = reader.slice(Int(secretSize))
        else { return false }
        counts.oversize += 1
        // A copy: the chunk set is gone when a later one refers to it.
        oversize.add(
            OversizeStore.Item(arguments: arguments.array, secrets: secrets.array),
            of: Catalog.ProcessKey(first: first, second: second), number: UInt16(truncatingIfNeeded: index), in: number)
        return true
    }

    private mutating func readStateDump(_ chunk: RawSpan) -> Bool {
        counts.stateDumps += 1
        return chunk.byteCount >= 248
    }

    private mutating func readSimpleDump(_ chunk: RawSpan, into batch: inout LogBatch) -> Bool {
        var reader = ByteReader(chunk)
        guard let first: UInt64 = reader.integer(), let second: UInt32 = reader.integer(), reader.skip(1),
            let level: UInt8 = reader.integer(), reader.skip(2), let ticks: UInt64 = reader.integer(),
            let thread: UInt64 = reader.integer(), reader.skip(8), let sender = reader.uuid(), reader.uuid() != nil,
            reader.skip(4), let subsystemSize: UInt32 = reader.integer(), let messageSize: UInt32 = reader.integer(),
            let subsystem = reader.slice(Int(subsystemSize)), let message = reader.slice(Int(messageSize))
        else { return false }
        counts.simpleDumps += 1
        guard self.ticks.contains(ticks) else { return true }
        let process = catalog?.processes[Catalog.ProcessKey(first: first, second: second)]
        var result = LogEntry(kind: .simpleDump)
        result.level = level
        result.ticks = ticks
        result.time = clock.time(at: ticks)
        result.thread = thread
        result.processID = process?.pid ?? 0
        result.process = process?.name ?? .unknown
        result.sender = strings.name(of: sender)
        let name = subsystem.text
        if !name.isEmpty { result.subsystem = LogSubsystem(subsystem: name, category: "") }
        message.withUnsafeBytes { batch.texts.append(contentsOf: $0.prefix { $0 != 0 }) }
        batch.add(result)
        return true
    }

    private mutating func readFirehose(_ chunk: RawSpan, into batch: inout LogBatch) -> Bool {
        var reader = ByteReader(chunk)
        guard let first: UInt64 = reader.integer(), let second: UInt32 = reader.integer(), reader.skip(4),
            let publicSize: UInt16 = reader.integer(), let secretStart: UInt16 = reader.integer(), reader.skip(4),
            let base: UInt64 = reader.integer()
        else { return false }
        let key = Catalog.ProcessKey(first: first, second: second)
        guard let catalog else { return true }
        guard let process = catalog.processes[key] else { return false }
        let secretOffset = Int(secretStart & 0x0FFF)
        let secretLength = secretOffset == 0 ? 0 : min(4096 - secretOffset, chunk.byteCount)
        let secrets = chunk.extracting(last: secretLength)
        // The size counts from the 16 bytes before the time on.
        let end = min(chunk.byteCount, Int(publicSize))
        while reader.offset < end, batch.byteCount <= textLimit {
            guard let point = Tracepoint(&reader) else { return false }
            guard let kind = count(point) else { continue }
            var result = LogEntry(kind: kind)
            result.ticks = base &+ point.delta
            guard ticks.contains(result.ticks) else { continue }
            result.time = clock.time(at: result.ticks)
            result.level = point.level
            result.thread = point.thread
            result.processID = process.pid
            result.process = process.name
            result.activity = point.activity
            let own = min(max(0, point.privateOffset.map { Int($0) - secretOffset } ?? 0), secretLength)
            let context = RecordContext(
                process: process, key: key, secrets: secrets.extracting(own..<secretLength))
            compose(point, context, result, into: &batch)
        }
        return true
    }

    /// What a record does not say itself.
    private struct RecordContext: ~Escapable {
        let process: Catalog.Process
        let key: Catalog.ProcessKey
        /// The private strings of the chunk, from those of the record on.
        let secrets: RawSpan

        @_lifetime(copy secrets)
        init(process: Catalog.Process, key: Catalog.ProcessKey, secrets: RawSpan) {
            self.process = process
            self.key = key
            self.secrets = secrets
        }
    }

    /// Counts a record. Only log messages become entries; `nil` for all others.
    private mutating func count(_ point: borrowing Tracepoint) -> LogEntry.Kind? {
        switch point.type {
        case .log:
            counts.logs += 1
            return .log
        case .activity: counts.activities += 1
        case .trace: counts.traces += 1
        case .signpost: counts.signposts += 1
        case .loss: counts.losses += 1
        case .unused: counts.unused += 1
        case nil: counts.otherRecords += 1
        }
        return nil
    }

    /// Adds a record with its message.
    private mutating func compose(
        _ point: borrowing Tracepoint, _ context: borrowing RecordContext, _ record: consuming LogEntry,
        into batch: inout LogBatch
    ) {
        let found = strings.find(point, of: context.process)
        record.sender = found.image
        if let id = point.subsystem { record.subsystem = context.process.subsystem(id) }
        if let format = found.format {
            if let index = point.oversize {
                let stored = oversize.find(context.key, number: index, in: number) ?? OversizeStore.Item()
                format.append(
                    Arguments(stored.arguments.span.bytes), secrets: stored.secrets.span.bytes, to: &batch.texts)
            } else {
                format.append(Arguments(point.arguments), secrets: context.secrets, to: &batch.texts)
            }
        } else {
            counts.unresolved += 1
            record.isResolved = false
            batch.texts += FormatString.unresolved
        }
        batch.add(record)
    }
}

/// The arguments of messages that are too large for their records. They come before the record: in its chunk set as a rule,
/// but also under an earlier catalog or in another file of the boot.
///
/// All files of a boot share one. What is far back is forgotten.
final class OversizeStore {
    struct Item {
        var arguments: [UInt8] = []
        var secrets: [UInt8] = []
    }

    private struct Key: Hashable {
        /// `nil` is any file.
        var file: Int?
        var process: Catalog.ProcessKey
        var number: UInt16
    }

    /// How many bytes are kept; older ones are forgotten.
    private static let mostBytes = 4 << 20

    private var newer: [Key: Item] = [:]
    private var older: [Key: Item] = [:]
    private var newerBytes = 0

    /// - Parameter number: of the record that refers to it, among those of the process.
    func add(_ item: Item, of process: Catalog.ProcessKey, number: UInt16, in file: Int) {
        if newerBytes >= Self.mostBytes {
            older = newer
            newer = [:]
            newerBytes = 0
        }
        newerBytes += item.arguments.count + item.secrets.count + 2 * MemoryLayout<Key>.stride
        for file in [file, nil] { newer[Key(file: file, process: process, number: number)] = item }
    }

    /// What the file has, otherwise what another one has.
    func find(_ process: Catalog.ProcessKey, number: UInt16, in file: Int) -> Item? {
        let own = Key(file: file, process: process, number: number)
        let any = Key(file: nil, process: process, number: number)
        return newer[own] ?? older[own] ?? newer[any] ?? older[any]
    }

    func removeAll() { (newer, older, newerBytes) = ([:], [:], 0) }
}
