/// The bytes of an archive's open member.
final class MemberStream: ByteStream {
    private let archive: ArchiveHandle

    init(_ archive: ArchiveHandle) { self.archive = archive }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int { try archive.read(into: room) }
}
