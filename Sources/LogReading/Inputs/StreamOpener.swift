/// Opens the bytes of a source.
enum StreamOpener {
    static func open(
        _ source: SourceDescription, limits: ArchiveLimits
    ) throws(ReadingError) -> any ByteStream {
        switch source.location {
        case .standardInput:
            return FileStream(descriptor: 0, path: source.path)
        case .file(let path):
            return try FileStream(path: path)
        case .member(let archive, _):
            throw ReadingError(code: .unsuitable, path: archive, message: "archives cannot be read")
        }
    }

    /// The first bytes of a stream, as many as it gives without being asked to wait for more.
    static func beginning(of stream: any ByteStream) throws(ReadingError) -> [UInt8] {
        var failure: ReadingError?
        let bytes = [UInt8](unsafeUninitializedCapacity: SourceBeginning.size) { room, filled in
            do throws(ReadingError) {
                repeat {
                    let rest = UnsafeMutableBufferPointer(rebasing: room[filled...])
                    let got = try stream.read(into: UnsafeMutableRawBufferPointer(rest))
                    if got == 0 { break }
                    filled += got
                } while filled < room.count && !stream.isLive
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
