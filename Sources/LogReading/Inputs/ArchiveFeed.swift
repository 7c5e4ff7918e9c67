import CArchive

/// Gives libarchive the bytes of an archive that is no file of its own.
final class ArchiveFeed {
    private let stream: any ByteStream
    /// What the bytes count for; `nil` where they are those of one compressed file.
    var allowance: ArchiveAllowance?
    /// Why the bytes end before their end. libarchive is told of an end, because it would drop what it has.
    private(set) var failure: ReadingError?
    /// Bytes that were given, and how many of them the last time.
    private(set) var given: Int64 = 0
    private var lastCount = 0
    /// What the reader looks at until it asks for more.
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    init(_ stream: any ByteStream) { self.stream = stream }

    deinit { room.deallocate() }

    /// Opens an archive whose bytes these are. It may be used as long as the feed is there.
    func open(_ archive: OpaquePointer) -> Int32 {
        archive_read_open(
            archive, Unmanaged.passUnretained(self).toOpaque(), nil,
            { _, data, place in
                guard let data, let place else { return -1 }
                return Unmanaged<ArchiveFeed>.fromOpaque(data).takeUnretainedValue().next(&place.pointee)
            }, nil)
    }

    /// Reads what the archive did not want, because the sum that says whether all was right may stand there.
    ///
    /// - Parameter end: how many bytes it did want.
    /// - Returns: whether nothing stands behind them but the zeros that fill the last block of a tape.
    @discardableResult
    func readToEnd(from end: Int64 = 0) -> Bool {
        var left = Int(clamping: given - end)
        var isFilling = left <= lastCount
        var place: UnsafeRawPointer?
        repeat {
            isFilling = isFilling && room[..<lastCount].suffix(left).allSatisfy { $0 == 0 }
            left = next(&place)
        } while left > 0
        return isFilling
    }

    /// Points to the next bytes and says how many there are: 0 at the end.
    private func next(_ place: inout UnsafeRawPointer?) -> Int {
        place = UnsafeRawPointer(room.baseAddress)
        guard failure == nil else { return 0 }
        do throws(ReadingError) {
            let count = try stream.read(into: room)
            given += Int64(count)
            if count > 0 { lastCount = count }
            try allowance?.take(count)
            return count
        } catch {
            failure = error
            return 0
        }
    }
}
