/// A source's bytes, decompressed and decoded to UTF-8, from the first to the last.
protocol ByteStream: AnyObject {
    /// Whether bytes come when somebody writes them, so that waiting for more may take for ever.
    var isLive: Bool { get }

    /// How long a live stream waits for more before it says that there is nothing at present, in milliseconds;
    /// negative: for ever. Others never wait.
    var patience: Int32 { get set }

    /// Whether the last read gave nothing because nothing can come any more, and not because nothing had come yet.
    var hasEnded: Bool { get }

    /// Reads at most `room.count` bytes; 0 means that there are no more at present.
    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int

    /// Leaves out the next `count` bytes; stops early at the end.
    func skip(_ count: Int64) throws(ReadingError)
}

extension ByteStream {
    var isLive: Bool { false }
    var patience: Int32 {
        get { -1 }
        set {}
    }
    var hasEnded: Bool { true }

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
