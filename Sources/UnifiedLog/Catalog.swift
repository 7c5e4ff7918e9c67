/// The processes, images and subsystems that the chunk sets after it refer to.
///
/// Format: libyal dtformats, "Apple Unified Logging and Activity Tracing formats", catalog chunk.
struct Catalog {
    struct ProcessKey: Hashable {
        var first: UInt64
        var second: UInt32
    }

    /// An image that a process has loaded.
    struct LoadedImage {
        var size: UInt64
        var uuid: LogUUID
        var address: UInt64
    }

    /// A process, shared by the records that it wrote.
    final class Process {
        let pid: Int32
        let executable: LogUUID?
        let sharedCache: LogUUID?
        let name: LogName
        /// By their addresses.
        private let images: [LoadedImage]
        /// By their numbers; made when a record first names them.
        private var subsystems: [Subsystem]
        private let names: Names

        init(
            pid: Int32, executable: LogUUID?, sharedCache: LogUUID?, name: LogName, images: [LoadedImage],
            subsystems: [Subsystem], names: Names
        ) {
            self.pid = pid
            self.executable = executable
            self.sharedCache = sharedCache
            self.name = name
            self.images = images.sorted { $0.address < $1.address }
            self.subsystems = subsystems.sorted { $0.id < $1.id }
            self.names = names
        }

        /// The image whose code is at an address.
        func image(at address: UInt64) -> LogUUID? {
            let place = images.partitionPoint { $0.address <= address } - 1
            guard place >= 0, images[place].address >> 32 == address >> 32,
                address - images[place].address <= images[place].size
            else { return nil }
            return images[place].uuid
        }

        func subsystem(_ id: UInt16) -> LogSubsystem? {
            let place = subsystems.partitionPoint { $0.id < id }
            guard place < subsystems.count, subsystems[place].id == id else { return nil }
            if let known = subsystems[place].made { return known }
            let made = LogSubsystem(
                subsystem: names.text(at: subsystems[place].subsystem),
                category: names.text(at: subsystems[place].category))
            subsystems[place].made = made
            return made
        }
    }

    /// A subsystem with a category: the places of their names.
    struct Subsystem {
        var id: UInt16
        var subsystem: UInt16
        var category: UInt16
        var made: LogSubsystem?
    }

    /// The names of all subsystems and categories.
    final class Names {
        /// The longest name: more is damage.
        private static let most = 256
        private let bytes: [UInt8]

        init(_ bytes: RawSpan) { self.bytes = bytes.array }

        func text(at place: UInt16) -> String {
            String(decoding: bytes.dropFirst(Int(place)).prefix(Self.most).prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private(set) var processes: [ProcessKey: Process] = [:]
    /// Whether all processes could be read; those before the damage can be.
    private(set) var isWhole = true

    /// When the records that a catalog describes begin.
    ///
    /// - Parameter chunk: the catalog with its header.
    /// - Returns: the ticks that it states, and of its chunk sets the earliest before them: that of records handed over late.
    static func ticks(_ chunk: RawSpan) -> (start: UInt64, early: UInt64?) {
        var reader = ByteReader(chunk)
        guard let start: UInt64 = reader.integer(at: 32), let offset: UInt16 = reader.integer(at: 22),
            let count: UInt16 = reader.integer(at: 24), reader.seek(40 + Int(offset))
        else { return (0, nil) }
        var early = start
        for _ in 0..<count {
            // Its latest ticks, size and compression follow; then numbers of processes, then places of subsystems.
            guard let first: UInt64 = reader.integer(), reader.skip(16), let processes: UInt32 = reader.integer(),
                reader.skip(2 * Int(processes)), let subsystems: UInt32 = reader.integer(),
                reader.skip(2 * Int(subsystems))
            else { break }
            reader.align()
            early = min(early, first)
        }
        return (start, early < start ? early : nil)
    }

    /// - Parameters:
    ///   - bytes: the chunk without its header.
    ///   - strings: names the executables.
    init?(_ bytes: RawSpan, _ strings: StringCatalog) {
        var reader = ByteReader(bytes)
        guard let stringOffset: UInt16 = reader.integer(), let processOffset: UInt16 = reader.integer(),
            let processCount: UInt16 = reader.integer(), reader.skip(18), stringOffset <= processOffset
        else { return nil }
        let start = reader.offset
        var uuids: [LogUUID] = []
        for _ in 0..<Int(stringOffset) / 16 {
            guard let uuid = reader.uuid() else { return nil }
            uuids.append(uuid)
        }
        guard let texts = reader.slice(at: start + Int(stringOffset), Int(processOffset) - Int(stringOffset)),
            reader.seek(start + Int(processOffset))
        else { return nil }
        let names = Names(texts)
        for _ in 0..<processCount {
            isWhole = isWhole && addProcess(&reader, uuids, names, strings)
        }
    }

    /// Reads the entry of a process.
    ///
    /// - Returns: whether it is sound.
    private mutating func addProcess(
        _ reader: inout ByteReader, _ uuids: [LogUUID], _ names: Names, _ strings: StringCatalog
    ) -> Bool {
        guard reader.skip(4), let main: UInt16 = reader.integer(), let cache: UInt16 = reader.integer(),
            let first: UInt64 = reader.integer(), let second: UInt32 = reader.integer(),
            let pid: Int32 = reader.integer(),
            reader.skip(8), let imageCount: UInt32 = reader.integer(), reader.skip(4),
            Int(imageCount) <= reader.remaining / 16
        else { return false }
        func uuid(_ index: UInt16) -> LogUUID? { Int(index) < uuids.count ? uuids[Int(index)] : nil }
        var images: [LoadedImage] = []
        for _ in 0..<imageCount {
            guard let size: UInt32 = reader.integer(), reader.skip(4), let index: UInt16 = reader.integer(),
                let low: UInt32 = reader.integer(), let high: UInt16 = reader.integer()
            else { return false }
            guard let uuid = uuid(index) else { continue }
            images.append(
                LoadedImage(size: UInt64(size), uuid: uuid, address: UInt64(high) << 32 | UInt64(low)))
        }
        guard let subsystemCount: UInt32 = reader.integer(), reader.skip(4), Int(subsystemCount) <= reader.remaining / 6
        else { return false }
        var subsystems: [Subsystem] = []
        for _ in 0..<subsystemCount {
            guard let id: UInt16 = reader.integer(), let subsystem: UInt16 = reader.integer(),
                let category: UInt16 = reader.integer()
            else { return false }
            subsystems.append(Subsystem(id: id, subsystem: subsystem, category: category))
        }
        reader.align()
        processes[ProcessKey(first: first, second: second)] = Process(
            pid: pid, executable: uuid(main), sharedCache: uuid(cache), name: uuid(main).map(strings.name) ?? .unknown,
            images: images, subsystems: subsystems, names: names)
        return true
    }
}
