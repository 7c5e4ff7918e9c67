#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file of a database of SQLite, to which whole pages are added while no connection is using it.
///
/// Source: "Database File Format", section 1.3, The Database Header (https://www.sqlite.org/fileformat2.html#the_database_header).
final class PageFile {
    let pageSize: Int
    /// Pages of the database so far.
    private(set) var pageCount: Int
    private let descriptor: Int32
    private var header: [UInt8]

    private enum Offset {
        static let pageSize = 16
        static let reserved = 20
        static let changeCounter = 24
        static let pageCount = 28
        static let vacuum = 52
        static let validFor = 92
    }

    /// The byte that SQLite locks; the page with it is not used.
    static let lockByte = 0x4000_0000

    init(path: String) throws {
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure() }
        let file = descriptor
        var header = [UInt8](repeating: 0, count: 100)
        try header.withUnsafeMutableBytes {
            if let start = $0.baseAddress { try Self.read(start, 100, from: file, at: 0) }
        }
        self.header = header
        let size = Int(header[Offset.pageSize]) << 8 | Int(header[Offset.pageSize + 1])
        pageSize = size == 1 ? 65_536 : size
        pageCount = Int(Self.get(Offset.pageCount, in: header))
        guard header[Offset.reserved] == 0, Self.get(Offset.vacuum, in: header) == 0 else {
            throw StoreError.database(path: path, reason: "its pages are not laid out as they were made")
        }
    }

    deinit { close(descriptor) }

    /// Takes the next number for a page.
    func take() -> UInt32 {
        pageCount += 1
        if pageCount == Self.lockByte / pageSize + 1 { pageCount += 1 }
        return UInt32(pageCount)
    }

    /// Writes pages from a number on.
    func write(_ bytes: UnsafeRawBufferPointer, at number: UInt32) throws {
        try Self.write(bytes, to: descriptor, at: (Int(number) - 1) * pageSize)
    }

    /// Makes what was written part of the database: connections notice that it has changed.
    func commit() throws {
        let counter = Self.get(Offset.changeCounter, in: header) &+ 1
        Self.put(counter, at: Offset.changeCounter, in: &header)
        Self.put(counter, at: Offset.validFor, in: &header)
        Self.put(UInt32(pageCount), at: Offset.pageCount, in: &header)
        try header.withUnsafeBytes { try Self.write($0, to: descriptor, at: 0) }
    }

    // MARK: - Bytes

    static func get(_ offset: Int, in bytes: [UInt8]) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func put(_ value: UInt32, at offset: Int, in bytes: inout [UInt8]) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index)) }
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int) throws {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFailure() }
            done += count
        }
    }

    static func read(_ buffer: UnsafeMutableRawPointer, _ length: Int, from descriptor: Int32, at offset: Int) throws {
        var done = 0
        while done < length {
            let count = pread(descriptor, buffer + done, length - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFailure() }
            done += count
        }
    }
}
