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
    let isLive: Bool
    var patience: Int32 = -1
    private(set) var hasEnded = false

    /// Opens a file.
    init(path: String) throws(ReadingError) {
        #if canImport(Darwin)
            let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY
        #else
            // Waits for the writer of a named pipe where the wait can be ended: in poll, not here.
            let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        #endif
        descriptor = open(path, flags)
        guard descriptor >= 0 else { throw SystemCalls.error(errno, path) }
        self.path = path
        ownsDescriptor = true
        isLive = !Self.isRegular(descriptor)
        #if canImport(Glibc)
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        #endif
    }

    /// Reads an open file, and leaves it open.
    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
        ownsDescriptor = false
        isLive = !Self.isRegular(descriptor)
    }

    private static func isRegular(_ descriptor: Int32) -> Bool {
        var info = stat()
        return fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
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
                // A signal ends the wait as silence does: whoever asked for the stop looks before reading on.
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
}
