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

    struct Process {
        var pid: Int32
        var executable: LogUUID?
        var sharedCache: LogUUID?
        var images: [LoadedImage]
        var subsystems: [UInt16: (subsystem: String, category: String)]
    }

    private(set) var processes: [ProcessKey: Process] = [:]

    /// - Parameter bytes: the chunk without its header.
    init?(_ bytes: ArraySlice<UInt8>) {
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
        guard let strings = reader.slice(at: start + Int(stringOffset), Int(processOffset) - Int(stringOffset)),
            reader.seek(start + Int(processOffset))
        else { return nil }
        let texts = ByteReader(strings)
        for _ in 0..<processCount {
            guard let (key, process) = Self.process(&reader, uuids, texts) else { return nil }
            processes[key] = process
        }
    }

    private static func process(
        _ reader: inout ByteReader, _ uuids: [LogUUID], _ texts: ByteReader
    ) -> (ProcessKey, Process)? {
        guard reader.skip(4), let main: UInt16 = reader.integer(), let cache: UInt16 = reader.integer(),
            let first: UInt64 = reader.integer(), let second: UInt32 = reader.integer(),
            let pid: Int32 = reader.integer(),
            reader.skip(8), let imageCount: UInt32 = reader.integer(), reader.skip(4),
            Int(imageCount) <= reader.remaining / 16
        else { return nil }
        func uuid(_ index: UInt16) -> LogUUID? { Int(index) < uuids.count ? uuids[Int(index)] : nil }
        var process = Process(pid: pid, executable: uuid(main), sharedCache: uuid(cache), images: [], subsystems: [:])
        for _ in 0..<imageCount {
            guard let size: UInt32 = reader.integer(), reader.skip(4), let index: UInt16 = reader.integer(),
                let low: UInt32 = reader.integer(), let high: UInt16 = reader.integer()
            else { return nil }
            guard let uuid = uuid(index) else { continue }
            process.images.append(
                LoadedImage(size: UInt64(size), uuid: uuid, address: UInt64(high) << 32 | UInt64(low)))
        }
        guard let subsystemCount: UInt32 = reader.integer(), reader.skip(4), Int(subsystemCount) <= reader.remaining / 6
        else { return nil }
        for _ in 0..<subsystemCount {
            guard let id: UInt16 = reader.integer(), let subsystem: UInt16 = reader.integer(),
                let category: UInt16 = reader.integer()
            else { return nil }
            process.subsystems[id] = (
                String(decoding: texts.text(at: Int(subsystem)) ?? [], as: UTF8.self),
                String(decoding: texts.text(at: Int(category)) ?? [], as: UTF8.self)
            )
        }
        reader.align()
        return (ProcessKey(first: first, second: second), process)
    }
}
