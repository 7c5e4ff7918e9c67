/// A source's bytes, decompressed and decoded to UTF-8, from the first to the last.
protocol ByteStream: AnyObject {
    /// Whether bytes come when somebody writes them, so that waiting for more may take for ever.
    var isLive: Bool { get }

    /// Reads at most `room.count` bytes; 0 means that there are no more at present.
    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int

    /// Leaves out the next `count` bytes; stops early at the end.
    func skip(_ count: Int64) throws(ReadingError)
}

extension ByteStream {
    var isLive: Bool { false }

    func skip(_ count: Int64) throws(ReadingError) { try readOver(count) }

    /// Leaves out bytes by reading them.
    func readOver(_ count: Int64) throws(ReadingError) {
        let size = 64 << 10
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { room.deallocate() }
        var left = count
        while left > 0 {
            let part = UnsafeMutableRawBufferPointer(rebasing: room[..<Int(min(Int64(size), left))])
            let got = try read(into: part)
            guard got > 0 else { return }
            left -= Int64(got)
        }
    }
}
