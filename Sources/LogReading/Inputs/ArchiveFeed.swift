/// Gives the bytes of an archive's open member to the reader of the archive inside it.
final class ArchiveFeed {
    let archive: ArchiveHandle
    private var beginning: [UInt8]
    /// What the reader looks at until it asks for more.
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    init(_ archive: ArchiveHandle, beginning: [UInt8]) {
        self.archive = archive
        self.beginning = beginning
    }

    deinit { room.deallocate() }

    /// Points to the next bytes and says how many there are: 0 at the end, negative when they cannot be read.
    func next(_ place: inout UnsafeRawPointer?) -> Int {
        place = UnsafeRawPointer(room.baseAddress)
        if !beginning.isEmpty {
            let count = min(beginning.count, room.count)
            room.copyBytes(from: beginning.prefix(count))
            beginning.removeFirst(count)
            return count
        }
        return (try? archive.read(into: room)) ?? -1
    }
}
