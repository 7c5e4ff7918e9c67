import Foundation

/// A source's bytes, decompressed and decoded to UTF-8, from the first to the last.
protocol ByteStream: AnyObject {
    /// Whether bytes come when somebody writes them, so that waiting for more may take forever.
    var isLive: Bool { get }

    /// Milliseconds that a live stream waits for more before it reports that there is nothing; negative: forever.
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
                "the pipe has an archive, but only single compressed files can be read from pipes: save it as a "
                + "file and name that")
    }

    static func unifiedLogInPipe(_ path: String) -> ReadingError {
        ReadingError(
            code: .unsuitable, path: path,
            message: "a binary unified log cannot be read from a pipe: save it as a file, with the folders timesync, "
                + "uuidtext and dsc of its device beside it, and name that")
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

/// A file, a pipe, or standard input. Read, not mapped: a file that shrinks meanwhile is an early end, not a crash.
final class FileStream: ByteStream {
    private let descriptor: Int32
    private let path: String
    private let ownsDescriptor: Bool
    /// Stays open as long as it is read.
    private let held: HeldFile?
    let isLive: Bool
    var patience: Int32 = -1
    private(set) var hasEnded = false
    /// Distinguishes it from another file at the same path.
    let identity: FileIdentity?

    /// Opens a file.
    init(path: String) throws(ReadingError) {
        #if canImport(Darwin)
            let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY
        #else
            // Waits for the writer of a named pipe where the wait can be ended: in poll, not here.
            let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        #endif
        descriptor = PathSpelling.withBytes(of: path) { open($0, flags) }
        guard descriptor >= 0 else { throw SystemCalls.error(errno, path) }
        self.path = path
        held = nil
        ownsDescriptor = true
        let status = try? SystemCalls.status(descriptor: descriptor, path: path).get()
        isLive = status?.kind != .file
        identity = status.map(FileIdentity.init)
        #if canImport(Glibc)
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        #endif
    }

    /// Reads a file that is kept open, from its beginning: one stream at a time.
    init(_ held: HeldFile, path: String) throws(ReadingError) {
        self.held = held
        descriptor = held.descriptor
        self.path = path
        ownsDescriptor = false
        isLive = false
        guard lseek(descriptor, 0, SEEK_SET) >= 0 else { throw SystemCalls.error(errno, path) }
        identity = try? FileIdentity(SystemCalls.status(descriptor: descriptor, path: path).get())
    }

    /// Reads an open file, and leaves it open.
    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
        held = nil
        ownsDescriptor = false
        isLive = (try? SystemCalls.status(descriptor: descriptor, path: path).get())?.kind != .file
        identity = nil
    }

    deinit {
        if ownsDescriptor { close(descriptor) }
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        hasEnded = false
        while true {
            if isLive {
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                let ready = poll(&request, 1, patience)
                // A signal ends the wait as silence does: the caller looks for a request to stop before it reads on.
                if ready == 0 || ready < 0 && errno == EINTR { return 0 }
            }
            let got = Foundation.read(descriptor, room.baseAddress, room.count)
            if got >= 0 {
                hasEnded = got == 0
                return got
            }
            guard errno == EINTR || errno == EAGAIN else { throw SystemCalls.error(errno, path) }
        }
    }

    func skip(_ count: Int64) throws(ReadingError) {
        guard !isLive else { return try readOver(count) }
        guard lseek(descriptor, off_t(count), SEEK_CUR) >= 0 else { throw SystemCalls.error(errno, path) }
    }

    /// How many bytes there are now.
    var size: Int64? { try? SystemCalls.status(descriptor: descriptor, path: path).get().size }

    /// The bytes of a range as they are now, as far as there are any; what is read next stays the same.
    func bytes(in range: Range<Int64>) throws(ReadingError) -> [UInt8] {
        var failure: ReadingError?
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { room, filled in
            while filled < room.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[filled...])
                let got = pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound) + off_t(filled))
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = SystemCalls.error(errno, path) }
                if got <= 0 { break }
                filled += got
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
