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
