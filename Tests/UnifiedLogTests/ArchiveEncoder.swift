@testable import UnifiedLog

/// Writes log archives for tests: tracev3, timesync, uuidtext and dsc files with known messages.
///
/// Follows the format description, not the reader: what it writes was read by two independent readers first.
struct ArchiveEncoder {
    /// One argument of a message.
    enum Value {
        case integer(UInt64, size: Int)
        case text(String)
        case object(String)
        case data([UInt8])
        case secret(String)
        /// A private text that was not kept.
        case concealed
        case sensitive
        case precision(UInt32)
    }

    /// Where the format string of a message is.
    enum Place { case executable, absolute, uuid, sharedCache, largeSharedCache, dynamic }

    struct Message {
        var ticks: UInt64
        var format: String
        var values: [Value] = []
        var place = Place.executable
        var level: UInt8 = 0
        var thread: UInt64 = 1
        var activity: UInt64 = 0
        var subsystem = ""
        var category = ""
        var isOversize = false
        /// Whether the arguments of an oversize message are elsewhere: see ``ArchiveEncoder/oversizeChunk(_:)``.
        var isElsewhere = false
        /// Whether it was handed over long after it was written.
        var isLate = false
    }

    struct Process {
        var pid: Int32
        var path: String
        var messages: [Message]
    }

    enum Compression { case none, literals, matches }

    let boot: LogUUID
    var timebase: (numerator: UInt32, denominator: UInt32) = (125, 3)
    var sharedCacheVersion: UInt16 = 2
    var compression = Compression.matches
    /// The ticks of the boot at the time in the header of a tracev3 file.
    var headerTicks: UInt64 = 0
    /// Files by path below the archive.
    private(set) var files: [String: [UInt8]] = [:]

    private var executableTexts: [LogUUID: (path: String, text: [UInt8], offsets: [String: UInt32])] = [:]
    private var cacheText: [UInt8] = []
    private var cacheOffsets: [String: UInt64] = [:]

    static let cache = LogUUID(high: 0xCAC4_E000_0000_0000, low: 7)
    static let cacheStart: UInt64 = 0x1_9000_0000
    static let textStart: UInt64 = 0x1_8000_0000
    static let imageAddress: UInt64 = 0x1_0400_0000
    static let libraryPath = "/System/Library/Frameworks/UIKitCore.framework/UIKitCore"

    init(boot: UInt64) { self.boot = LogUUID(high: 0xB007_0000_0000_0000, low: boot) }

    static func executable(_ pid: Int32) -> LogUUID { LogUUID(high: 0xE0E0_0000_0000_0000, low: UInt64(pid)) }

    /// Writes a timesync file: when the boot began, and where its clock was set.
    mutating func addTimeSync(_ name: String, start: Int64, steps: [(ticks: UInt64, time: Int64)]) {
        var bytes = Bytes()
        bytes.put(UInt16(0xBBB0), UInt16(48), UInt32(0))
        bytes.put(boot)
        bytes.put(timebase.numerator, timebase.denominator)
        bytes.put(start)
        bytes.put(UInt32(0), UInt32(0))
        for step in steps {
            bytes.put(UInt16(0x7354), UInt16(32), UInt32(0))
            bytes.put(step.ticks)
            bytes.put(step.time)
            bytes.put(UInt32(0), UInt32(0))
        }
        files["timesync/\(name).timesync"] = bytes.all
    }

    /// Writes a tracev3 file, or appends to one; call ``addStrings()`` after the last one.
    ///
    /// - Parameter others: more chunks for the chunk set: see ``otherChunks(ticks:)``.
    mutating func addTrace(
        _ path: String, seconds: Int32 = 1_700_000_000, _ processes: [Process], others: [UInt8] = []
    ) {
        var file = files[path] ?? header(seconds)
        for process in processes {
            if executableTexts[Self.executable(process.pid)] == nil {
                executableTexts[Self.executable(process.pid)] = (process.path, [], [:])
            }
        }
        let subsystems = Subsystems(processes)
        var set = others
        for (index, process) in processes.enumerated() {
            for (number, message) in process.messages.enumerated() where message.isOversize && !message.isElsewhere {
                set += padded(chunk(0x6002, 0, oversize(message, process: index, number: UInt16(number + 1))))
            }
            // A firehose chunk holds at most 4,096 bytes.
            var rest = process.messages.enumerated().map { ($0.offset, $0.element) }[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(8))
                rest = rest.dropFirst(8)
                set += padded(chunk(0x6001, 0, firehose(part, process, index, subsystems)))
            }
        }
        file += chunk(0x600B, 0x11, catalog(processes, subsystems, size: set.count)) + chunk(0x600D, 1, compressed(set))
        files[path] = file
    }

    /// Cuts a file off before its end.
    mutating func cut(_ path: String, by count: Int) { files[path]?.removeLast(count) }

    /// Writes the files with the format strings.
    mutating func addStrings() {
        for (uuid, executable) in executableTexts {
            var bytes = Bytes()
            bytes.put(UInt32(0x6677_8899), UInt32(2), UInt32(1), UInt32(1))
            bytes.put(UInt32(0x1000), UInt32(executable.text.count))
            bytes.all += executable.text + Array(executable.path.utf8) + [0]
            let digits = uuid.digits
            files["\(digits.prefix(2))/\(digits.dropFirst(2))"] = bytes.all
        }
        var bytes = Bytes()
        bytes.put(UInt32(0x6473_6368))
        bytes.put(sharedCacheVersion, UInt16(0))
        bytes.put(UInt32(1), UInt32(1))
        let headerSize = sharedCacheVersion == 1 ? 16 + 16 + 28 : 16 + 24 + 32
        let path = Array(Self.libraryPath.utf8) + [0]
        let textOffset = UInt32(headerSize + path.count)
        if sharedCacheVersion == 1 {
            bytes.put(UInt32(0), UInt32(truncatingIfNeeded: cacheBase), textOffset, UInt32(cacheText.count))
            bytes.put(UInt32(truncatingIfNeeded: Self.textStart & 0x7FFF_FFFF), UInt32(0x10000))
        } else {
            bytes.put(cacheBase)
            bytes.put(textOffset, UInt32(cacheText.count))
            bytes.put(UInt64(0))
            bytes.put(Self.textStart)
            bytes.put(UInt32(0x10000))
        }
        bytes.put(LogUUID(high: 0x11B0_0000_0000_0000, low: 1))
        bytes.put(UInt32(headerSize))
        bytes.all += path + cacheText
        files["dsc/\(Self.cache.digits)"] = bytes.all
    }

    private var cacheBase: UInt64 { sharedCacheVersion == 1 ? 0x1900_0000 : Self.cacheStart }

    private func header(_ seconds: Int32) -> [UInt8] {
        var bytes = Bytes()
        bytes.put(timebase.numerator, timebase.denominator)
        bytes.put(headerTicks)
        bytes.put(seconds)
        bytes.put(UInt32(0), UInt32(0), UInt32(0), UInt32(0), UInt32(1))
        bytes.put(UInt32(0x6100), UInt32(8))
        bytes.put(UInt64(0))
        bytes.put(UInt32(0x6101), UInt32(56))
        bytes.all += [UInt8](repeating: 0, count: 56)
        bytes.put(UInt32(0x6102), UInt32(24))
        bytes.put(boot)
        bytes.put(UInt32(50), UInt32(0))
        bytes.put(UInt32(0x6103), UInt32(48))
        bytes.all += [UInt8](repeating: 0, count: 48)
        return chunk(0x1000, 0x11, bytes.all)
    }

    /// Subsystems and categories of all processes, with their places among the catalog's strings.
    private struct Subsystems {
        var text: [UInt8] = []
        var offsets: [String: UInt16] = [:]
        var ids: [String: UInt16] = [:]

        init(_ processes: [Process]) {
            for message in processes.flatMap(\.messages) {
                for name in [message.subsystem, message.category] where offsets[name] == nil {
                    offsets[name] = UInt16(text.count)
                    text += Array(name.utf8) + [0]
                }
                let key = message.subsystem + "\0" + message.category
                if ids[key] == nil { ids[key] = UInt16(ids.count + 1) }
            }
            while text.count % 8 != 0 { text.append(0) }
        }

        func id(_ message: Message) -> UInt16? {
            message.subsystem.isEmpty ? nil : ids[message.subsystem + "\0" + message.category]
        }
    }

    /// - Parameter size: of the chunk set that it describes.
    private func catalog(_ processes: [Process], _ subsystems: Subsystems, size: Int) -> [UInt8] {
        var uuids = Bytes()
        for process in processes { uuids.put(Self.executable(process.pid)) }
        uuids.put(Self.cache)
        var entries = Bytes()
        for (index, process) in processes.enumerated() {
            entries.put(UInt16(index), UInt16(0), UInt16(index), UInt16(processes.count))
            entries.put(UInt64(index + 1))
            entries.put(UInt32(index + 100))
            entries.put(UInt32(bitPattern: process.pid), UInt32(501), UInt32(0), UInt32(1), UInt32(0))
            entries.put(UInt32(0x10000), UInt32(0))
            entries.put(UInt16(index))
            entries.put(UInt32(truncatingIfNeeded: Self.imageAddress))
            entries.put(UInt16(Self.imageAddress >> 32))
            entries.put(UInt32(subsystems.ids.count), UInt32(0))
            for (key, id) in subsystems.ids.sorted(by: { $0.value < $1.value }) {
                let names = key.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
                entries.put(id, subsystems.offsets[names[0]] ?? 0, subsystems.offsets[names[1]] ?? 0)
            }
            entries.align()
        }
        let messages = processes.flatMap(\.messages)
        var set = Bytes()
        set.put(messages.map(\.ticks).min() ?? 0, messages.map(\.ticks).max() ?? 0)
        set.put(UInt32(size), UInt32(0x100), UInt32(processes.count))
        for index in processes.indices { set.put(UInt16(index)) }
        set.put(UInt32(0))
        set.align()
        let first = messages.filter { !$0.isLate }.map(\.ticks).min() ?? 0
        var bytes = Bytes()
        let strings = uuids.all.count
        let processOffset = strings + subsystems.text.count
        bytes.put(UInt16(strings), UInt16(processOffset), UInt16(processes.count))
        bytes.put(UInt16(processOffset + entries.all.count), UInt16(1))
        bytes.put(UInt16(0), UInt32(0))
        bytes.put(first)
        bytes.all += uuids.all + subsystems.text + entries.all + set.all
        return bytes.all
    }

    private mutating func firehose(
        _ messages: [(Int, Message)], _ process: Process, _ index: Int, _ subsystems: Subsystems
    ) -> [UInt8] {
        let base = messages.map(\.1.ticks).min() ?? 0
        var points = Bytes()
        var secrets: [UInt8] = []
        let secretSize = messages.filter { !$0.1.isOversize }.flatMap(\.1.values).reduce(0) { $0 + Self.secretSize($1) }
        let secretStart = 4096 - secretSize
        for (number, message) in messages {
            points.all += tracepoint(
                message, number: UInt16(number + 1), base: base, process, subsystems,
                secretStart: UInt16(secretStart + secrets.count))
            points.align()
            if !message.isOversize { secrets += Self.encode(message.values).secrets }
        }
        return Self.firehose(index, base: base, points.all, secretStart: secretStart) + secrets
    }

    /// The data of a firehose chunk, up to its private values.
    static func firehose(_ index: Int, base: UInt64, _ points: [UInt8], secretStart: Int = 4096) -> [UInt8] {
        var bytes = Bytes()
        bytes.put(UInt64(index + 1))
        bytes.put(UInt32(index + 100))
        bytes.all += [0, 0, 0, 0]
        bytes.put(UInt16(points.count + 32), UInt16(secretStart), UInt16(0))
        bytes.all += [0, 1]
        bytes.put(base)
        return bytes.all + points
    }

    private mutating func tracepoint(
        _ message: Message, number: UInt16, base: UInt64, _ process: Process, _ subsystems: Subsystems,
        secretStart: UInt16
    ) -> [UInt8] {
        let encoded = Self.encode(message.values)
        var flags: UInt16 = 0
        var data = Bytes()
        if message.activity != 0 {
            flags |= 0x1
            data.put(message.activity | 1 << 63)
        }
        if !encoded.secrets.isEmpty, !message.isOversize {
            flags |= 0x100
            data.put(secretStart, UInt16(encoded.secrets.count))
        }
        let reference = reference(of: message, process)
        flags |= reference.flags
        data.all += reference.location
        if let id = subsystems.id(message) {
            flags |= 0x200
            data.put(id)
        }
        if message.isOversize {
            flags |= 0x800
            data.put(number)
            data.all += [0, 0]
        } else {
            data.all += encoded.items + encoded.values
        }
        var bytes = Bytes()
        bytes.all += [4, message.level]
        bytes.put(flags)
        bytes.put(reference.low)
        bytes.put(message.thread)
        let delta = message.ticks - base
        bytes.put(UInt32(truncatingIfNeeded: delta))
        bytes.put(UInt16(delta >> 32), UInt16(data.all.count))
        return bytes.all + data.all
    }

    private mutating func reference(
        of message: Message, _ process: Process
    ) -> (low: UInt32, flags: UInt16, location: [UInt8]) {
        var location = Bytes()
        let uuid = Self.executable(process.pid)
        switch message.place {
        case .executable:
            location.put(UInt32(0x2000))
            return (executableOffset(message.format, uuid), 0x2, location.all)
        case .absolute:
            location.put(UInt32(truncatingIfNeeded: Self.imageAddress + 0x20))
            location.put(UInt16(Self.imageAddress >> 32))
            return (executableOffset(message.format, uuid), 0x8, location.all)
        case .uuid:
            location.put(UInt32(0x2000))
            location.put(uuid)
            return (executableOffset(message.format, uuid), 0xA, location.all)
        case .sharedCache:
            let offset = cacheOffset(message.format)
            location.put(UInt32(0x2000))
            location.put(UInt16(offset >> 31))
            return (UInt32(offset & 0x7FFF_FFFF), 0x4 | 0x20, location.all)
        case .largeSharedCache:
            let offset = cacheOffset(message.format)
            location.put(UInt32(0x2000))
            location.put(UInt16(offset >> 32))
            location.put(UInt16(offset >> 31))
            return (UInt32(offset & 0x7FFF_FFFF), 0xC | 0x20, location.all)
        case .dynamic:
            let text = sharedCacheVersion == 1 ? Self.textStart & 0x7FFF_FFFF : Self.textStart
            location.put(UInt32(0x2000))
            location.put(UInt16((text + 8) >> 31))
            return (UInt32((text + 8) & 0x7FFF_FFFF) | 0x8000_0000, 0x4 | 0x20, location.all)
        }
    }

    private mutating func executableOffset(_ format: String, _ uuid: LogUUID) -> UInt32 {
        if let known = executableTexts[uuid]?.offsets[format] { return known }
        let offset = UInt32(0x1000 + (executableTexts[uuid]?.text.count ?? 0))
        executableTexts[uuid]?.offsets[format] = offset
        executableTexts[uuid]?.text += Array(format.utf8) + [0]
        return offset
    }

    private mutating func cacheOffset(_ format: String) -> UInt64 {
        if let known = cacheOffsets[format] { return known }
        let offset = cacheBase + UInt64(cacheText.count)
        cacheOffsets[format] = offset
        cacheText += Array(format.utf8) + [0]
        return offset
    }

    /// The arguments of the first message of the first process, as a chunk for another chunk set.
    func oversizeChunk(_ message: Message) -> [UInt8] {
        padded(chunk(0x6002, 0, oversize(message, process: 0, number: 1)))
    }

    private func oversize(_ message: Message, process index: Int, number: UInt16) -> [UInt8] {
        let encoded = Self.encode(message.values)
        var bytes = Bytes()
        bytes.put(UInt64(index + 1))
        bytes.put(UInt32(index + 100))
        bytes.all += [0, 0, 0, 0]
        bytes.put(message.ticks)
        bytes.put(UInt32(number))
        bytes.put(UInt16(encoded.items.count + encoded.values.count), UInt16(encoded.secrets.count))
        bytes.all += encoded.items + encoded.values + encoded.secrets
        return bytes.all
    }

    private static func secretSize(_ value: Value) -> Int {
        if case .secret(let text) = value { return text.utf8.count + 1 }
        return 0
    }

    /// The descriptions, the values and the private values of arguments.
    private static func encode(_ values: [Value]) -> (items: [UInt8], values: [UInt8], secrets: [UInt8]) {
        var items: [UInt8] = [0, UInt8(values.count)]
        var data: [UInt8] = []
        var secrets: [UInt8] = []
        func range(_ type: UInt8, _ offset: Int, _ size: Int) -> [UInt8] {
            var bytes = Bytes()
            bytes.put(UInt16(offset), UInt16(size))
            return [type, 4] + bytes.all
        }
        for value in values {
            switch value {
            case .integer(let number, let size):
                items += [0, UInt8(size)] + (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
            case .precision(let number):
                var bytes = Bytes()
                bytes.put(number)
                items += [0x10, 4] + bytes.all
            case .text(let text), .object(let text):
                let bytes = Array(text.utf8) + [0]
                if case .text = value {
                    items += range(0x22, data.count, bytes.count)
                } else {
                    items += range(0x42, data.count, bytes.count)
                }
                data += bytes
            case .data(let bytes):
                items += range(0x32, data.count, bytes.count)
                data += bytes
            case .secret(let text):
                let bytes = Array(text.utf8) + [0]
                items += range(0x21, secrets.count, bytes.count)
                secrets += bytes
            case .concealed: items += range(0x21, 0, 0)
            case .sensitive: items += [0x25, 4, 0, 0, 0, 0]
            }
        }
        return (items, data, secrets)
    }
}
