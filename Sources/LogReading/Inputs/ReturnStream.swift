/// Text whose lines end with carriage returns alone, with line feeds in their place.
final class ReturnStream: ByteStream {
    private let stream: any ByteStream

    init(_ stream: any ByteStream) { self.stream = stream }

    var isLive: Bool { stream.isLive }
    var patience: Int32 {
        get { stream.patience }
        set { stream.patience = newValue }
    }
    var hasEnded: Bool { stream.hasEnded }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        let count = try stream.read(into: room)
        for at in 0..<count where room[at] == 0x0D { room[at] = 0x0A }
        return count
    }

    func skip(_ count: Int64) throws(ReadingError) { try stream.skip(count) }
}
