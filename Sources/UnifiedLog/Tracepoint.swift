/// One record inside a firehose chunk, as it is stored.
///
/// Format: libyal dtformats, "Apple Unified Logging and Activity Tracing formats", firehose tracepoint.
struct Tracepoint: ~Escapable {
    enum RecordType: UInt8 {
        case unused = 0
        case activity = 2
        case trace = 3
        case log = 4
        case signpost = 6
        case loss = 7
    }

    /// Where the format string of a record is.
    enum Strings: UInt16 {
        case executable = 0x2
        case sharedCache = 0x4
        case absolute = 0x8
        case uuid = 0xA
        case largeSharedCache = 0xC
    }

    private struct Flags {
        static let activity: UInt16 = 0x0001
        static let pid: UInt16 = 0x0010
        static let largeOffset: UInt16 = 0x0020
        static let privateData: UInt16 = 0x0100
        /// Of an activity, the other activity; of all others, the subsystem.
        static let subsystem: UInt16 = 0x0200
        static let rules: UInt16 = 0x0400
        static let oversize: UInt16 = 0x0800
        static let name: UInt16 = 0x8000
    }

    /// `nil` for a kind that is not known.
    var type: RecordType?
    var level: UInt8
    var flags: UInt16
    var thread: UInt64
    var delta: UInt64
    var strings: Strings?
    var activity: UInt64 = 0
    /// Reference of the format string, without the flag that it is dynamic.
    var reference: UInt64
    var isDynamic: Bool
    var address: UInt64 = 0
    var uuid: LogUUID?
    var subsystem: UInt16?
    /// Offset of the private strings, as the chunk counts them.
    var privateOffset: UInt16?
    var oversize: UInt16?
    /// The arguments: their count, descriptions and values; of a trace its values.
    var arguments: RawSpan

    /// Reads the record at a position, and leaves the reader after it.
    ///
    /// - Returns: `nil` when it is damaged.
    @_lifetime(copy reader)
    init?(_ reader: inout ByteReader) {
        guard let rawType: UInt8 = reader.integer(), let level: UInt8 = reader.integer(),
            let flags: UInt16 = reader.integer(),
            let reference: UInt32 = reader.integer(), let thread: UInt64 = reader.integer(),
            let deltaLow: UInt32 = reader.integer(), let deltaHigh: UInt16 = reader.integer(),
            let size: UInt16 = reader.integer(), let data = reader.slice(Int(size))
        else { return nil }
        reader.align()
        type = RecordType(rawValue: rawType)
        self.level = level
        self.flags = flags
        self.thread = thread
        delta = UInt64(deltaHigh) << 32 | UInt64(deltaLow)
        isDynamic = reference & 0x8000_0000 != 0
        self.reference = UInt64(reference & 0x7FFF_FFFF)
        strings = Strings(rawValue: flags & 0x000E)
        arguments = data
        guard let type, type != .unused, type != .loss else { return }
        var rest = ByteReader(data)
        guard readData(&rest) else { return nil }
        arguments = rest.rest()
    }

    /// Reads what the flags say is there, up to the arguments.
    private mutating func readData(_ data: inout ByteReader) -> Bool {
        func has(_ flag: UInt16) -> Bool { flags & flag != 0 }
        if type == .trace {
            guard let low: UInt32 = data.integer() else { return false }
            address = UInt64(low)
            return true
        }
        if has(Flags.activity) {
            guard let id: UInt64 = data.integer() else { return false }
            activity = id & (1 << 63 - 1)
        }
        if type == .activity {
            if has(Flags.pid), !data.skip(8) { return false }
            if has(Flags.subsystem), !data.skip(8) { return false }
            if level != 3 {
                guard let id: UInt64 = data.integer() else { return false }
                activity = id & (1 << 63 - 1)
            }
        } else if has(Flags.privateData) {
            guard let offset: UInt16 = data.integer(), data.skip(2) else { return false }
            privateOffset = offset
        }
        guard readLocation(&data) else { return false }
        guard type != .activity else { return true }
        if has(Flags.subsystem) {
            guard let id: UInt16 = data.integer() else { return false }
            subsystem = id
        }
        if type == .signpost, !data.skip(8) { return false }
        if has(Flags.rules), !data.skip(1) { return false }
        if has(Flags.oversize) {
            guard let number: UInt16 = data.integer() else { return false }
            oversize = number
        }
        if type == .signpost, has(Flags.name) {
            guard data.skip(4), !has(Flags.largeOffset) || data.skip(2) else { return false }
        }
        return true
    }

    /// Reads the address of the code that logged, and what completes the reference of the format string.
    private mutating func readLocation(_ data: inout ByteReader) -> Bool {
        guard let low: UInt32 = data.integer() else { return false }
        address = UInt64(low)
        var largeOffset: UInt16 = 0
        if flags & Flags.largeOffset != 0 {
            guard let value: UInt16 = data.integer() else { return false }
            largeOffset = value
        }
        var largeCache: UInt16 = 0
        switch strings {
        case .absolute:
            guard let high: UInt16 = data.integer() else { return false }
            address |= UInt64(high) << 32
        case .uuid:
            guard let id = data.uuid() else { return false }
            uuid = id
        case .largeSharedCache:
            guard let value: UInt16 = data.integer() else { return false }
            largeCache = value
        default: break
        }
        reference |= UInt64(largeCache != 0 ? largeCache : largeOffset) << 31
        return true
    }
}

/// The arguments of a message, read one by one: their descriptions, and where their values are.
struct Arguments: ~Escapable {
    struct Item: ~Escapable {
        /// What the value is and who may see it: see the cases of ``MessageComposer``.
        let type: UInt8
        let data: RawSpan

        @_lifetime(copy data)
        init(type: UInt8, data: RawSpan) {
            self.type = type
            self.data = data
        }
    }

    private var reader: ByteReader
    private var left = 0
    /// The bytes that strings and objects are ranges of.
    let values: RawSpan

    /// Where the descriptions are damaged, there are no arguments.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) {
        var end = ByteReader(bytes)
        reader = ByteReader(bytes)
        var isSound = false
        if end.skip(1), let count: UInt8 = end.integer() {
            left = Int(count)
            isSound = true
            for _ in 0..<count where isSound { isSound = end.skip(1) && end.skip(Int(end.integer(UInt8.self) ?? .max)) }
        }
        _ = reader.skip(2)
        if !isSound { left = 0 }
        values = end.rest()
    }

    /// The next argument; `nil` after the last.
    @_lifetime(copy self)
    mutating func next() -> Item? {
        guard left > 0, let type: UInt8 = reader.integer(), let size: UInt8 = reader.integer(),
            let data = reader.slice(Int(size))
        else { return nil }
        left -= 1
        return Item(type: type, data: data)
    }
}
