import Foundation

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

/// Builds the bytes of one row as SQLite stores it: a header with the types of all columns, then their values.
///
/// Source: "Database File Format", section 2.1, Record Format (https://www.sqlite.org/fileformat2.html#record_format).
struct RecordEncoder: ~Copyable, RowColumns {
    /// The types, without the length of the header in front of them.
    private let types: UnsafeMutablePointer<UInt8>
    private var typesLength = 0
    private var values: UnsafeMutablePointer<UInt8>
    private var valuesLength = 0
    private var capacity: Int

    /// Types take at most nine bytes each.
    private static let bytesOfType = 9
    /// Values are stored eight bytes at a time, whatever their length.
    private static let margin = 8

    init(columns: Int) {
        types = .allocate(capacity: columns * Self.bytesOfType)
        capacity = max(64, columns * 8)
        values = .allocate(capacity: capacity + Self.margin)
    }

    deinit {
        types.deallocate()
        values.deallocate()
    }

    @inline(__always)
    mutating func reset() {
        typesLength = 0
        valuesLength = 0
    }

    @inline(__always)
    mutating func null() { add(type: 0) }

    /// Leaves out what is NULL at the end: values that a record lacks there are NULL (section 2.1).
    @inline(__always)
    mutating func trim() {
        while typesLength > 1, types[typesLength - 1] == 0 { typesLength -= 1 }
    }

    @inline(__always)
    mutating func integer(_ value: Int64?) {
        guard let value else { return null() }
        switch value {
        case 0: add(type: 8)
        case 1: add(type: 9)
        case -0x80...0x7F: add(value, type: 1, bytes: 1)
        case -0x8000...0x7FFF: add(value, type: 2, bytes: 2)
        case -0x80_0000...0x7F_FFFF: add(value, type: 3, bytes: 3)
        case -0x8000_0000...0x7FFF_FFFF: add(value, type: 4, bytes: 4)
        case -0x8000_0000_0000...0x7FFF_FFFF_FFFF: add(value, type: 5, bytes: 6)
        default: add(value, type: 6, bytes: 8)
        }
    }

    mutating func real(_ value: Double) {
        add(Int64(bitPattern: value.bitPattern), type: 7, bytes: 8)
    }

    mutating func text(_ text: String?) {
        guard let text else { return null() }
        add(Array(text.utf8), type: 13)
    }

    mutating func blob(_ bytes: [UInt8]) { add(bytes, type: 12) }

    @inline(__always)
    private mutating func add(type: UInt8) {
        types[typesLength] = type
        typesLength += 1
    }

    /// The lowest bytes of a number, the highest of them first.
    @inline(__always)
    private mutating func add(_ value: Int64, type: UInt8, bytes: Int) {
        add(type: type)
        if valuesLength + 8 > capacity { grow(to: valuesLength + 8) }
        let shifted = value << Int64(64 - 8 * bytes)
        UnsafeMutableRawPointer(values + valuesLength).storeBytes(of: shifted.bigEndian, as: Int64.self)
        valuesLength += bytes
    }

    private mutating func add(_ bytes: [UInt8], type: Int) {
        typesLength += Varint.write(UInt64(bytes.count * 2 + type), to: types + typesLength)
        if valuesLength + bytes.count > capacity { grow(to: valuesLength + bytes.count) }
        bytes.withUnsafeBufferPointer {
            if let start = $0.baseAddress { (values + valuesLength).update(from: start, count: bytes.count) }
        }
        valuesLength += bytes.count
    }

    private mutating func grow(to wanted: Int) {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted * 2 + Self.margin)
        larger.update(from: values, count: valuesLength)
        values.deallocate()
        values = larger
        capacity = wanted * 2
    }

    /// Length of the record in bytes.
    var length: Int { headerLength + valuesLength }

    /// The length counts itself.
    @inline(__always)
    private var headerLength: Int {
        typesLength < 127 ? typesLength + 1 : typesLength + Varint.length(UInt64(typesLength + 2))
    }

    /// Copies the record.
    @inline(__always)
    func write(to target: UnsafeMutablePointer<UInt8>) {
        let start = target + Varint.write(UInt64(headerLength), to: target)
        start.update(from: types, count: typesLength)
        (start + typesLength).update(from: values, count: valuesLength)
    }
}

/// The variable-length integers of SQLite's file format: seven bits a byte, the highest first, and eight in a ninth.
enum Varint {
    static let most = 9

    @inline(__always)
    static func length(_ value: UInt64) -> Int {
        value >> 56 != 0 ? 9 : max(1, (70 - value.leadingZeroBitCount) / 7)
    }

    /// Writes a number, and returns how many bytes it takes.
    @inline(__always)
    @discardableResult
    static func write(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        if value < 0x80 {
            target[0] = UInt8(truncatingIfNeeded: value)
            return 1
        }
        let length = length(value)
        var rest = value
        var place = length - 1
        if length == 9 {
            target[8] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
            place = 7
        }
        while place >= 0 {
            target[place] = UInt8(truncatingIfNeeded: rest & 0x7F) | 0x80
            rest >>= 7
            place -= 1
        }
        if length < 9 { target[length - 1] &= 0x7F }
        return length
    }

    /// Reads a number and moves on behind it.
    @inline(__always)
    static func read(_ bytes: UnsafePointer<UInt8>, _ place: inout Int) -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<8 {
            let byte = bytes[place]
            place += 1
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        value = value << 8 | UInt64(bytes[place])
        place += 1
        return value
    }
}
