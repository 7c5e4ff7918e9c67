import UnifiedLog

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file of a log archive that is a member of an archive, such as a sysdiagnose.
package struct PackedFile: Sendable, Hashable {
    /// Its path below the folder of the log archive; of format strings `XX/…` or `dsc/…`.
    var name: String
    /// Its place in the archive: see ``SourceDescription/Location/member(archive:place:)``.
    var place: [Int]
    var isTrace: Bool
}

/// A log archive inside an archive.
///
/// An archive can be read only from front to back, and several files of a log archive are read at a time. So they are copied
/// to one temporary file that has no name any more: it is gone with the process, however that ends.
final class PackedLogArchive: LogArchive {
    private let files: [PackedFile]
    private let spool: SpoolFile
    private var parts: [String: SpoolPart] = [:]

    /// Copies the files, in the order of the archive.
    ///
    /// - Throws: ``ReadingError`` when the archive cannot be read, expands too far, or the temporary folder is full.
    init(
        _ archive: String, _ files: [PackedFile], path: String, policy: ArchivePolicy
    ) throws(ReadingError) {
        self.files = files
        spool = try SpoolFile(for: path)
        for file in files.sorted(by: { $0.place.lexicographicallyPrecedes($1.place) }) {
            let stream = try ArchiveStream(archive: archive, place: file.place, path: path, policy: policy)
            parts[file.name] = try spool.append(stream)
        }
    }

    func timeSyncs() -> [[UInt8]] {
        files.filter { $0.name.hasSuffix(".timesync") }
            .compactMap { parts[$0.name].map { Array($0.bytes(at: 0, count: $0.count)) } }
    }

    func traces() -> [any TraceBytes] {
        files.filter(\.isTrace).compactMap { file in parts[file.name].map { TracePart(name: file.name, part: $0) } }
    }

    func uuidText(_ uuid: LogUUID) -> (any StringBytes)? { parts[LogArchiveFile.name(ofExecutable: uuid)] }

    func sharedCache(_ uuid: LogUUID) -> (any StringBytes)? { parts[LogArchiveFile.name(ofSharedCache: uuid)] }
}

/// A temporary file without a name.
private final class SpoolFile {
    private let descriptor: Int32
    private let path: String
    private var size: off_t = 0

    /// - Parameter path: what is read; for errors.
    init(for path: String) throws(ReadingError) {
        self.path = path
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/lifestats-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.failure(path) }
        unlink(template)
    }

    deinit { close(descriptor) }

    private static func failure(_ path: String) -> ReadingError {
        ReadingError(
            code: .io, path: path,
            message: """
                cannot be copied to the temporary folder: \(String(cString: strerror(errno))); name a folder with \
                room in TMPDIR
                """)
    }

    /// Appends all bytes of a stream.
    func append(_ stream: ArchiveStream) throws(ReadingError) -> SpoolPart {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { room.deallocate() }
        let start = size
        while case let got = try stream.read(into: room), got > 0 {
            var written = 0
            while written < got {
                let rest = UnsafeRawBufferPointer(rebasing: room[written..<got])
                let count = pwrite(descriptor, rest.baseAddress, rest.count, size)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.failure(path) }
                written += count
                size += off_t(count)
            }
        }
        return SpoolPart(file: self, start: start, count: Int(size - start))
    }

    /// Bytes from an offset, fewer at the end.
    func bytes(at offset: off_t, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[filled..<count]))
                let got = pread(descriptor, rest.baseAddress, rest.count, offset + off_t(filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
    }
}

/// One file in the temporary file.
private struct SpoolPart: StringBytes {
    let file: SpoolFile
    let start: off_t
    let count: Int

    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
        guard offset >= 0, offset < self.count, count > 0 else { return [] }
        return file.bytes(at: start + off_t(offset), count: min(count, self.count - offset))[...]
    }
}

private struct TracePart: TraceBytes {
    let name: String
    let part: SpoolPart
    private var offset = 0

    init(name: String, part: SpoolPart) {
        self.name = name
        self.part = part
    }

    mutating func read(_ count: Int) -> [UInt8] {
        let bytes = Array(part.bytes(at: offset, count: count))
        offset += bytes.count
        return bytes
    }
}
