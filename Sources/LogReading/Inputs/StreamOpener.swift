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
        case .compressed(let path):
            return try ArchiveStream(archive: path, place: [0], path: source.path, limits: limits)
        case .member(let archive, let place):
            return try ArchiveStream(archive: archive, place: place, path: source.path, limits: limits)
        }
    }

    /// The first bytes of a stream, as many as it gives without being asked to wait for more.
    static func beginning(
        of stream: any ByteStream, size: Int = SourceBeginning.size
    ) throws(ReadingError) -> [UInt8] {
        var failure: ReadingError?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, filled in
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
        // Whoever reads on meets the failure behind those bytes again.
        if let failure, bytes.isEmpty { throw failure }
        return bytes
    }
}
