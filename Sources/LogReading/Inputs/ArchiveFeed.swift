/// Gives libarchive the bytes of an archive that is no file of its own.
final class ArchiveFeed {
    private let stream: any ByteStream
    /// What the bytes count for; `nil` where they are those of one compressed file.
    var allowance: ArchiveAllowance?
    /// Why the bytes end before their end. libarchive is told of an end, because it would drop what it has.
    private(set) var failure: ReadingError?
    /// What the reader looks at until it asks for more.
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    init(_ stream: any ByteStream) { self.stream = stream }

    deinit { room.deallocate() }

    /// Points to the next bytes and says how many there are: 0 at the end.
    func next(_ place: inout UnsafeRawPointer?) -> Int {
        place = UnsafeRawPointer(room.baseAddress)
        guard failure == nil else { return 0 }
        do throws(ReadingError) {
            let count = try stream.read(into: room)
            try allowance?.take(count)
            return count
        } catch {
            failure = error
            return 0
        }
    }
}
