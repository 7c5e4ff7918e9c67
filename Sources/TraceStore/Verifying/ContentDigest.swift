/// A number for the content of a database that does not depend on row ids, on paths and lines of the sources, or on
/// the order and the pieces in which they were ingested.
///
/// The sum of the rows' hashes: rows count as often as they occur, and in any order.
package struct ContentDigest: Sendable, Hashable, CustomStringConvertible {
    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init() {}

    @inline(__always)
    mutating func add(_ row: RowHash) {
        lanes.0 &+= Self.spread(row.low)
        lanes.1 &+= Self.spread(row.high)
        lanes.2 &+= Self.spread(row.low &+ row.high)
        lanes.3 &+= Self.spread(row.low ^ (row.high << 32 | row.high >> 32))
    }

    /// Adds the rows of another part of the content.
    mutating func add(_ other: ContentDigest) {
        lanes.0 &+= other.lanes.0
        lanes.1 &+= other.lanes.1
        lanes.2 &+= other.lanes.2
        lanes.3 &+= other.lanes.3
    }

    /// 64 hexadecimal digits.
    package var description: String {
        [lanes.0, lanes.1, lanes.2, lanes.3].map(\.hexadecimal).joined()
    }

    package static func == (a: ContentDigest, b: ContentDigest) -> Bool { a.lanes == b.lanes }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(lanes.0)
        hasher.combine(lanes.1)
    }

    /// The finalizer of splitmix64: every bit of the input reaches every bit of the output.
    @inline(__always)
    private static func spread(_ value: UInt64) -> UInt64 {
        var x = value &+ 0x9E37_79B9_7F4A_7C15
        x = (x ^ (x >> 30)) &* 0xBF58_476D_1CE4_E5B9
        x = (x ^ (x >> 27)) &* 0x94D0_49BB_1331_11EB
        return x ^ (x >> 31)
    }
}

/// Builds up the hash of one row of content, value by value: 128 bits, equal for equal values in equal order.
///
/// Not cryptographic: it finds differences, it does not resist forgery.
struct RowHash: Hashable, Sendable {
    private(set) var low: UInt64
    private(set) var high: UInt64

    /// - Parameter table: distinguishes rows of different tables.
    init(_ table: StaticString) {
        low = 0x9E37_79B9_7F4A_7C15
        high = 0xC2B2_AE3D_27D4_EB4F
        table.withUTF8Buffer { add(bytes: $0) }
    }

    @inline(__always)
    mutating func add(_ value: UInt64) {
        low = Self.mix(low ^ value, 0xA076_1D64_78BD_642F)
        high = Self.mix(high &+ value, 0xE703_7ED1_A0B4_28DB) ^ low
    }

    @inline(__always)
    mutating func add(_ value: Int64?) {
        // NULL is told apart from every number by a mark of its own.
        if let value {
            add(UInt64(bitPattern: value))
        } else {
            add(0x6E75_6C6C_6E75_6C6C)
            add(0x2545_F491_4F6C_DD1D)
        }
    }

    mutating func add(_ other: RowHash) {
        add(other.low)
        add(other.high)
    }

    mutating func add(_ text: String?) {
        guard var text else { return add(nil as Int64?) }
        text.withUTF8 { add(bytes: $0) }
    }

    private mutating func add(bytes: UnsafeBufferPointer<UInt8>) {
        var word: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            word = word << 8 | UInt64(byte)
            if index & 7 == 7 {
                add(word)
                word = 0
            }
        }
        add(word)
        add(UInt64(bytes.count))
    }

    @inline(__always)
    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low ^ a
    }
}
