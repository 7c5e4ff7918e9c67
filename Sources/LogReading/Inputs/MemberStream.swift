/// The bytes of an archive's open member, as those of an archive or a compressed file of its own.
final class MemberStream: ByteStream {
    private let archive: ArchiveHandle

    init(_ archive: ArchiveHandle) { self.archive = archive }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        let count = try archive.read(into: room)
        // Whatever lies inside may take them all without giving a byte.
        try archive.allowance.take(count)
        return count
    }
}
