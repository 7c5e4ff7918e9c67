/// Opens the bytes of a source.
enum StreamOpener {
    static func open(
        _ source: SourceDescription, limits: ArchiveLimits
    ) throws(ReadingError) -> any ByteStream {
        switch source.location {
        case .standardInput:
            return try unpacked(FileStream(descriptor: 0, path: source.path), path: source.path, limits)
        case .pipe(let path):
            return try unpacked(FileStream(path: path), path: path, limits)
        case .file(let path):
            return try FileStream(path: path)
        case .compressed(let path):
            return try ArchiveStream(archive: path, place: [0], path: source.path, limits: limits)
        case .member(let archive, let place):
            return try ArchiveStream(archive: archive, place: place, path: source.path, limits: limits)
        }
    }

    /// What a pipe gives, decompressed where it is compressed: it cannot be looked at beforehand.
    private static func unpacked(
        _ stream: FileStream, path: String, _ limits: ArchiveLimits
    ) throws(ReadingError) -> any ByteStream {
        var head: [UInt8] = []
        while head.count < FileKind.magicSize, head.isEmpty || FileKind.mayBePacked(head) {
            let more = try beginning(of: stream, size: FileKind.magicSize - head.count)
            if more.isEmpty { break }
            head += more
        }
        let whole = ChainedStream(head, then: stream)
        guard case .packed = FileKind(head) else { return whole }
        let archive = try ArchiveHandle(whole, beginning: head, path: path)
        guard try archive.nextMember(), archive.isSingleFile else {
            throw ReadingError(
                code: .unsuitable, path: path,
                message: "a pipe gives an archive; only single compressed files can be read from one: save the archive "
                    + "as a file and name that")
        }
        return ArchiveStream(archive, path: path, limits: limits)
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
