/// Bytes that were read ahead, then the rest of their stream.
final class ChainedStream: ByteStream {
    private var ahead: MemoryStream?
    private let rest: any ByteStream

    init(_ ahead: [UInt8], then rest: any ByteStream) {
        self.ahead = ahead.isEmpty ? nil : MemoryStream(ahead)
        self.rest = rest
    }

    var isLive: Bool { rest.isLive }
    var patience: Int32 {
        get { rest.patience }
        set { rest.patience = newValue }
    }
    var hasEnded: Bool { ahead == nil && rest.hasEnded }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if let ahead {
            let got = try ahead.read(into: room)
            if got > 0 { return got }
            self.ahead = nil
        }
        return try rest.read(into: room)
    }

    func skip(_ count: Int64) throws(ReadingError) {
        let skipped = ahead?.skipAtMost(count) ?? 0
        if skipped < count { try rest.skip(count - skipped) }
    }
}
