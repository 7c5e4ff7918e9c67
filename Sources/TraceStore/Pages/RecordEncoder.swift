/// Builds the bytes of one row as SQLite stores it: a header with the types of all columns, then their values.
///
/// Source: "Database File Format", section 2.1, Record Format (https://www.sqlite.org/fileformat2.html#record_format).
struct RecordEncoder: ~Copyable {
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

    mutating func text(_ text: String) { add(Array(text.utf8), type: 13) }

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
