/// A source's bytes, decompressed and decoded to UTF-8, from the first to the last.
protocol ByteStream: AnyObject {
    /// Whether bytes come when somebody writes them, so that waiting for more may take forever.
    var isLive: Bool { get }

    /// How long a live stream waits for more before it reports that there is nothing at present, in milliseconds;
    /// negative: forever. Others never wait.
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

/// A stream made from the bytes of another: whether and how long to wait for more is the other's affair.
protocol LayeredStream: ByteStream {
    /// The stream below.
    var source: any ByteStream { get }
}

extension LayeredStream {
    var isLive: Bool { source.isLive }
    var patience: Int32 {
        get { source.patience }
        set { source.patience = newValue }
    }
    var hasEnded: Bool { source.hasEnded }
}

/// A stream from which one layer of compression is taken.
protocol UnpackedStream: ByteStream {
    /// Compressed bytes that were read.
    var storedBytes: Int64 { get }
}

/// Bytes that are already in memory: samples, and the first part of a stream that was looked at.
final class MemoryStream: ByteStream {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        let count = min(room.count, bytes.count - position)
        guard count > 0 else { return 0 }
        bytes.withUnsafeBytes { all in
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[position..<position + count]))
        }
        position += count
        return count
    }

    /// Leaves out bytes; returns how many there were.
    func skipAtMost(_ count: Int64) -> Int64 {
        let skipped = min(Int(clamping: count), bytes.count - position)
        position += skipped
        return Int64(skipped)
    }
}

/// Bytes that were read ahead, then the rest of their stream.
final class ChainedStream: LayeredStream {
    private var ahead: MemoryStream?
    let source: any ByteStream

    init(_ ahead: [UInt8], then rest: any ByteStream) {
        self.ahead = ahead.isEmpty ? nil : MemoryStream(ahead)
        source = rest
    }

    var hasEnded: Bool { ahead == nil && source.hasEnded }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if let ahead {
            let got = try ahead.read(into: room)
            if got > 0 { return got }
            self.ahead = nil
        }
        return try source.read(into: room)
    }

    func skip(_ count: Int64) throws(ReadingError) {
        let skipped = ahead?.skipAtMost(count) ?? 0
        if skipped < count { try source.skip(count - skipped) }
    }
}

/// Text whose lines end with carriage returns alone, with line feeds in their place.
final class ReturnStream: LayeredStream {
    let source: any ByteStream

    init(_ stream: any ByteStream) { source = stream }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        let count = try source.read(into: room)
        for at in 0..<count where room[at] == 0x0D { room[at] = 0x0A }
        return count
    }

    func skip(_ count: Int64) throws(ReadingError) { try source.skip(count) }
}
