#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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
            #if canImport(Glibc)
                let got = Glibc.read(descriptor, room.baseAddress, room.count)
            #elseif canImport(Musl)
                let got = Musl.read(descriptor, room.baseAddress, room.count)
            #else
                let got = Darwin.read(descriptor, room.baseAddress, room.count)
            #endif
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
