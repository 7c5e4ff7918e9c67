#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A log that is being written, through a buffer of its own.
struct LogFile: ~Copyable {
    /// Number of lines so far.
    private(set) var lines = 0
    private let path: String
    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer
    private var used = 0

    private static let capacity = 1 << 20

    /// Creates or replaces the file.
    init(path: String) throws(SimulationError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw .cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
        self.path = path
        buffer = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit {
        buffer.deallocate()
        close(descriptor)
    }

    /// Writes one line of three parts and a line break.
    mutating func write(_ first: [UInt8], _ second: [UInt8], _ third: [UInt8]) throws(SimulationError) {
        let length = first.count + second.count + third.count + 1
        if used + length > Self.capacity { try flush() }
        append(first)
        append(second)
        append(third)
        buffer[used] = UInt8(ascii: "\n")
        used += 1
        lines += 1
    }

    /// Copies bytes to the end of the buffer. A leaf of the hot path: the caller has made room for them.
    private mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(rebasing: buffer[used...]).copyMemory(from: source)
        }
        used += bytes.count
    }

    /// Hands everything written so far to the system.
    mutating func flush() throws(SimulationError) {
        var done = 0
        while done < used {
            #if canImport(Glibc)
                let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, used - done)
            #elseif canImport(Musl)
                let count = Musl.write(descriptor, buffer.baseAddress.map { $0 + done }, used - done)
            #else
                let count = Darwin.write(descriptor, buffer.baseAddress.map { $0 + done }, used - done)
            #endif
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw .cannotWrite(path: path, reason: String(cString: strerror(errno)))
            }
        }
        used = 0
    }
}
