/// Opens the bytes of a source.
enum StreamOpener {
    /// Opens the bytes of a source.
    ///
    /// - Throws: ``ReadingError`` when it cannot be opened, or when another file lies there than the one that was found:
    ///   what is known of that one does not hold for this one.
    static func open(
        _ source: SourceDescription, options: ReadingOptions
    ) throws(ReadingError) -> any ByteStream {
        let stream = try stream(of: source, options)
        let now: FileIdentity? =
            switch source.location {
            case .standardInput, .pipe, .unifiedLog: source.identity
            case .file: (stream as? FileStream)?.identity
            case .compressed(let path), .member(let path, _), .packedUnifiedLog(let path, _):
                try FileIdentity(SystemCalls.status(path).get())
            }
        guard source.identity == nil || now == source.identity else {
            throw ReadingError(
                code: .changed, path: source.path, message: "another file has taken its place since it was found")
        }
        return stream
    }

    private static func stream(
        of source: SourceDescription, _ options: ReadingOptions
    ) throws(ReadingError) -> any ByteStream {
        switch source.location {
        case .standardInput:
            return try unpacked(FileStream(descriptor: 0, path: source.path), path: source.path, options)
        case .pipe(let path):
            return try unpacked(FileStream(path: path), path: path, options)
        case .file(let path):
            if let held = source.held { return try FileStream(held, path: path) }
            return try FileStream(path: path)
        case .compressed(let path):
            let policy = ArchivePolicy(file: path, size: source.size, limits: options.archiveLimits)
            let handle = try ArchiveShelf.open(path, member: [0], path: source.path, policy: policy)
            return ArchiveStream(handle, path: source.path, policy: policy)
        case .unifiedLog(let folder, let traces):
            return try UnifiedLogStream(ArchiveFolder(folder, traces: traces))
        case .packedUnifiedLog(let archive, let files):
            let policy =
                source.policy ?? ArchivePolicy(file: archive, size: source.size, limits: options.archiveLimits)
            return try UnifiedLogStream(PackedLogArchive(archive, files, path: source.path, policy: policy))
        case .member(let archive, let place):
            let policy =
                source.policy ?? ArchivePolicy(file: archive, size: source.size, limits: options.archiveLimits)
            if let bytes = ArchiveShelf.bytes(of: archive, member: place),
                (try? policy.allow(reading: place, upTo: Int64(bytes.count), path: source.path)) != nil
            {
                return MemoryStream(bytes)
            }
            return try ArchiveStream(archive: archive, place: place, path: source.path, policy: policy)
        }
    }

    /// What a pipe gives, decompressed where it is compressed: it cannot be looked at beforehand.
    private static func unpacked(
        _ stream: any ByteStream, path: String, _ options: ReadingOptions, depth: Int = 0
    ) throws(ReadingError) -> any ByteStream {
        stream.patience = options.patience ?? -1
        var head: [UInt8] = []
        while head.count < FileKind.magicSize, head.isEmpty || FileKind.mayBePacked(head) {
            let more = try beginning(of: stream, size: FileKind.magicSize - head.count, isStopped: options.isStopped)
            if more.isEmpty { break }
            head += more
        }
        stream.patience = -1
        let whole = ChainedStream(head, then: stream)
        guard case .packed = FileKind(head) else { return whole }
        let policy = ArchivePolicy(file: path, size: nil, limits: options.archiveLimits)
        let archive = try ArchiveHandle(whole, beginning: head, path: path, policy: policy)
        let hasMember = try archive.nextMember()
        if !hasMember, archive.isEmpty { return MemoryStream([]) }
        guard hasMember, archive.isSingleFile, depth < options.archiveLimits.depth else { throw archiveInPipe(path) }
        let content = ArchiveStream(archive, path: path, policy: policy)
        return try unpacked(content, path: path, options, depth: depth + 1)
    }

    static func archiveInPipe(_ path: String) -> ReadingError {
        ReadingError(
            code: .unsuitable, path: path,
            message:
                "a pipe gives an archive; only single compressed files can be read from one: save the archive as a "
                + "file and name that")
    }

    /// The first bytes of a stream, as many as it gives without being asked to wait for more. While there are none, a
    /// stream that has patience is waited for until `isStopped` is true.
    static func beginning(
        of stream: any ByteStream, size: Int = SourceBeginning.size, isStopped: () -> Bool = { false }
    ) throws(ReadingError) -> [UInt8] {
        let patience = stream.patience
        defer { stream.patience = patience }
        var failure: ReadingError?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, filled in
            do throws(ReadingError) {
                repeat {
                    let rest = UnsafeMutableBufferPointer(rebasing: room[filled...])
                    let got = try stream.read(into: UnsafeMutableRawBufferPointer(rest))
                    if got == 0 {
                        if filled == 0, stream.isLive, !stream.hasEnded, !isStopped() { continue }
                        break
                    }
                    filled += got
                    stream.patience = 0
                } while filled < room.count
            } catch {
                failure = error
            }
        }
        // The failure comes again when these bytes are used up.
        if let failure, bytes.isEmpty { throw failure }
        return bytes
    }
}
