/// Builds up the bytes of a batch of facts: numbers of seven bits a byte, the lowest first, and texts.
struct FactBytes {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    @inline(__always)
    mutating func byte(_ value: UInt8) { bytes.append(value) }

    @inline(__always)
    mutating func number(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A number with a sign, small ones of either sign in few bytes.
    @inline(__always)
    mutating func signed(_ value: Int64) { number(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    @inline(__always)
    mutating func hash(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    mutating func text(_ text: String) {
        number(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }
}

/// Reads them again. Whatever the bytes are, reading ends with values or with an error.
struct FactScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    static let damage = DamagedRow(description: "a batch of facts is not what was written")

    @inline(__always)
    mutating func byte() throws -> UInt8 {
        guard place < bytes.count else { throw Self.damage }
        defer { place += 1 }
        return bytes[place]
    }

    @inline(__always)
    mutating func number() throws -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
            if shift > 63 { throw Self.damage }
        }
    }

    @inline(__always)
    mutating func signed() throws -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// A number below a limit: an index into a table that was read before.
    @inline(__always)
    mutating func index(below limit: Int) throws -> Int {
        let value = try number()
        guard value < UInt64(limit) else { throw Self.damage }
        return Int(value)
    }

    /// How many items follow; each takes at least a byte.
    mutating func count() throws -> Int { try index(below: bytes.count - place + 1) }

    mutating func hash() throws -> UInt16 { UInt16(try byte()) | UInt16(try byte()) << 8 }

    mutating func text() throws -> String {
        let length = try count()
        guard length <= bytes.count - place else { throw Self.damage }
        defer { place += length }
        return String(decoding: bytes[place..<place + length], as: UTF8.self)
    }
}
