/// Reads one tracev3 file, chunk by chunk: the binary unified log of Apple's systems.
///
/// Format: libyal dtformats, "Apple Unified Logging and Activity Tracing formats". Damage costs the chunk that it is in, and
/// is reported with its offset.
package struct TraceFile {
    private enum Tag: UInt32 {
        case header = 0x1000
        case firehose = 0x6001
        case oversize = 0x6002
        case stateDump = 0x6003
        case simpleDump = 0x6004
        case catalog = 0x600B
        case chunkSet = 0x600D
    }

    /// The largest chunk. Real ones have some hundred KiB.
    package static let mostChunkBytes = 16 << 20
    /// The most oversize data that waits for its record.
    private static let mostOversize = 4096

    private struct OversizeKey: Hashable {
        var process: Catalog.ProcessKey
        var number: UInt16
    }

    private struct Oversize {
        var arguments: ArraySlice<UInt8>
        var secrets: ArraySlice<UInt8>
    }

    private let strings: StringCatalog
    private let timeSync: TimeSync
    private var clock = WallClock(numerator: 1, denominator: 1, anchors: [(0, 0)])
    private var catalog: Catalog?
    private var oversize: [OversizeKey: Oversize] = [:]
    private var buffer: [UInt8] = []

    /// The boot that the file is of.
    package private(set) var boot: LogUUID?
    /// When the boot began, as far as is known, in nanoseconds since 1970.
    package private(set) var bootStart: Int64 = 0
    package private(set) var counts = LogCounts()
    package private(set) var damage: [LogDamage] = []

    package init(strings: StringCatalog, timeSync: TimeSync) {
        self.strings = strings
        self.timeSync = timeSync
    }

    /// The size of the chunk that begins with these 16 bytes, its header and the padding after it included; `nil` when it
    /// is none.
    package static func chunkSize(_ header: [UInt8]) -> Int? {
        let reader = ByteReader(header)
        guard let tag: UInt32 = reader.integer(at: 0), tag == Tag.header.rawValue || tag >> 8 == 0x60,
            let size: UInt64 = reader.integer(at: 8), size <= UInt64(mostChunkBytes)
        else { return nil }
        return (16 + Int(size) + 7) & ~7
    }

    /// Whether a chunk is a catalog, and the earliest ticks of the records after it.
    static func isCatalog(_ chunk: [UInt8]) -> Bool {
        ByteReader(chunk).integer(at: 0, UInt32.self) == Tag.catalog.rawValue
    }

    static func earliestTicks(ofCatalog chunk: [UInt8]) -> UInt64? { ByteReader(chunk).integer(at: 32) }

    /// The damage found since the last call.
    mutating func takeDamage() -> [LogDamage] {
        defer { damage = [] }
        return damage
    }

    /// Reads a chunk.
    ///
    /// - Parameters:
    ///   - bytes: the chunk with its header.
    ///   - offset: where it begins in the file.
    ///   - entry: gets every record that has a message.
    package mutating func read(_ bytes: [UInt8], at offset: Int, _ entry: (LogEntry) -> Void) {
        let reader = ByteReader(bytes)
        guard let rawTag: UInt32 = reader.integer(at: 0), let size: UInt64 = reader.integer(at: 8),
            let data = reader.slice(at: 16, Int(clamping: size))
        else { return note("chunk cut off", at: offset) }
        switch Tag(rawValue: rawTag) {
        case .header:
            if !readHeader(data) { note("damaged header", at: offset) }
        case .catalog:
            counts.catalogs += 1
            catalog = Catalog(data)
            oversize.removeAll(keepingCapacity: true)
            if catalog == nil { note("damaged catalog", at: offset) }
        case .chunkSet:
            counts.chunkSets += 1
            var room: [UInt8] = []
            swap(&room, &buffer)
            if LZ4Block.decompress(data, into: &room) {
                readChunkSet(room[...], at: offset, entry)
            } else {
                note("damaged chunk set", at: offset)
            }
            swap(&room, &buffer)
        default:
            counts.otherChunks += 1
        }
    }

    private mutating func note(_ reason: String, at offset: Int) {
        damage.append(LogDamage(offset: offset, reason: reason))
    }

    private mutating func readHeader(_ data: ArraySlice<UInt8>) -> Bool {
        var reader = ByteReader(data)
        guard let numerator: UInt32 = reader.integer(), let denominator: UInt32 = reader.integer(), denominator > 0,
            reader.skip(8), let seconds: Int32 = reader.integer(), reader.skip(20)
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
        clock = boot.flatMap { timeSync.clock(of: $0) } ?? stated
        bootStart = boot.flatMap { timeSync.start(of: $0) } ?? Int64(seconds) * 1_000_000_000
        return true
    }

    private mutating func readChunkSet(_ data: ArraySlice<UInt8>, at offset: Int, _ entry: (LogEntry) -> Void) {
        var reader = ByteReader(data)
        while reader.remaining >= 16 {
            guard let rawTag: UInt32 = reader.integer(), reader.skip(4), let size: UInt64 = reader.integer(),
                let chunk = reader.slice(Int(clamping: size))
            else { return note("chunk set ends inside a chunk", at: offset) }
            let isSound =
                switch Tag(rawValue: rawTag) {
                case .firehose: readFirehose(chunk, entry)
                case .oversize: readOversize(chunk)
                case .stateDump: readStateDump(chunk)
                case .simpleDump: readSimpleDump(chunk, entry)
                default: skip()
                }
            if !isSound { note("damaged chunk in a chunk set", at: offset) }
            // Most chunks are padded to eight bytes, some are not: padding is zero, and no tag is.
            while reader.offset % 8 != 0, reader.integer(at: reader.offset, UInt8.self) == 0 { _ = reader.skip(1) }
        }
    }

    private mutating func skip() -> Bool {
        counts.otherChunks += 1
        return true
    }

    private mutating func readOversize(_ chunk: ArraySlice<UInt8>) -> Bool {
        var reader = ByteReader(chunk)
        guard let first: UInt64 = reader.integer(), let second: UInt32 = reader.integer(), reader.skip(12),
            let number: UInt32 = reader.integer(), let size: UInt16 = reader.integer(),
            let secretSize: UInt16 = reader.integer(), let arguments = reader.slice(Int(size)),
            let secrets = reader.slice(Int(secretSize))
        else { return false }
        counts.oversize += 1
        if oversize.count >= Self.mostOversize { oversize.removeAll(keepingCapacity: true) }
        let key = OversizeKey(
            process: Catalog.ProcessKey(first: first, second: second), number: UInt16(truncatingIfNeeded: number))
        // A copy: the chunk set is gone when a later one refers to it.
        oversize[key] = Oversize(arguments: ArraySlice(Array(arguments)), secrets: ArraySlice(Array(secrets)))
        return true
    }

    private mutating func readStateDump(_ chunk: ArraySlice<UInt8>) -> Bool {
        counts.stateDumps += 1
        return chunk.count >= 248
    }

    private mutating func readSimpleDump(_ chunk: ArraySlice<UInt8>, _ entry: (LogEntry) -> Void) -> Bool {
        var reader = ByteReader(chunk)
        guard let first: UInt64 = reader.integer(), let second: UInt32 = reader.integer(), reader.skip(1),
            let level: UInt8 = reader.integer(), reader.skip(2), let ticks: UInt64 = reader.integer(),
            let thread: UInt64 = reader.integer(), reader.skip(8), let sender = reader.uuid(), reader.uuid() != nil,
            reader.skip(4), let subsystemSize: UInt32 = reader.integer(), let messageSize: UInt32 = reader.integer(),
            let subsystem = reader.slice(Int(subsystemSize)), let message = reader.slice(Int(messageSize))
        else { return false }
        counts.simpleDumps += 1
        let process = catalog?.processes[Catalog.ProcessKey(first: first, second: second)]
        var result = LogEntry(kind: .simpleDump)
        result.level = level
        result.ticks = ticks
        result.time = clock.time(at: ticks)
        result.thread = thread
        result.processID = process?.pid ?? 0
        result.processPath = process?.executable.map(strings.path) ?? ""
        result.senderPath = strings.path(of: sender)
        result.subsystem = String(decoding: subsystem.prefix { $0 != 0 }, as: UTF8.self)
        result.message = Array(message.prefix { $0 != 0 })
        entry(result)
        return true
    }

    private mutating func readFirehose(_ chunk: ArraySlice<UInt8>, _ entry: (LogEntry) -> Void) -> Bool {
        var reader = ByteReader(chunk)
        guard let first: UInt64 = reader.integer(), let second: UInt32 = reader.integer(), reader.skip(4),
            let publicSize: UInt16 = reader.integer(), let secretStart: UInt16 = reader.integer(), reader.skip(4),
            let base: UInt64 = reader.integer()
        else { return false }
        let key = Catalog.ProcessKey(first: first, second: second)
        guard let process = catalog?.processes[key] else { return false }
        let secretOffset = secretStart & 0x0FFF
        let secrets = secretOffset == 0 ? chunk.suffix(0) : chunk.suffix(4096 - Int(secretOffset))
        // The size counts from the 16 bytes before the time on.
        let end = min(chunk.count, Int(publicSize))
        while reader.offset < end {
            guard let point = Tracepoint(&reader) else { return false }
            guard let kind = count(point) else { continue }
            var result = LogEntry(kind: kind)
            result.ticks = base &+ point.delta
            result.time = clock.time(at: result.ticks)
            result.level = point.level
            result.thread = point.thread
            result.processID = process.pid
            result.activity = point.activity
            let context = FirehoseContext(process: process, key: key, secrets: secrets, secretOffset: secretOffset)
            if compose(point, context, into: &result) { entry(result) }
        }
        return true
    }

    /// What the records of one firehose chunk have in common.
    private struct FirehoseContext {
        var process: Catalog.Process
        var key: Catalog.ProcessKey
        var secrets: ArraySlice<UInt8>
        var secretOffset: UInt16
    }

    /// Counts a record. Only log messages become entries; `nil` for all others.
    private mutating func count(_ point: Tracepoint) -> LogEntry.Kind? {
        switch point.type {
        case .log:
            counts.logs += 1
            return .log
        case .activity: counts.activities += 1
        case .trace: counts.traces += 1
        case .signpost: counts.signposts += 1
        case .loss: counts.losses += 1
        case .unused: break
        }
        return nil
    }

    private mutating func compose(
        _ point: Tracepoint, _ context: FirehoseContext, into result: inout LogEntry
    ) -> Bool {
        let found = strings.find(point, of: context.process)
        result.processPath = context.process.executable.map(strings.path) ?? ""
        result.senderPath = found.path
        if let subsystem = point.subsystem.flatMap({ context.process.subsystems[$0] }) {
            (result.subsystem, result.category) = subsystem
        }
        guard let format = found.format else {
            counts.unresolved += 1
            result.isResolved = false
            result.message = MessageComposer.unresolved
            return true
        }
        var bytes = point.arguments
        let ownSecrets = Int(point.privateOffset ?? context.secretOffset) - Int(context.secretOffset)
        var secrets = context.secrets.dropFirst(max(0, ownSecrets))
        if let number = point.oversize {
            let stored = oversize[OversizeKey(process: context.key, number: number)]
            bytes = stored?.arguments ?? []
            secrets = stored?.secrets ?? []
        }
        guard let arguments = Arguments(bytes) else { return false }
        result.message = MessageComposer.message(format, arguments, values: arguments.values, secrets: secrets)
        return true
    }
}
