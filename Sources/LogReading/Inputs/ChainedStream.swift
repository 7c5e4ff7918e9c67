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
