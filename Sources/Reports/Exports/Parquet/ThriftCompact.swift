/// A structure in the compact protocol of Thrift, in which Parquet writes its headers and its footer.
///
/// Fields are written in ascending order of their numbers, each under its number in Parquet's `parquet.thrift`.
struct ThriftCompact {
    private(set) var bytes: [UInt8] = []
    /// The last field of each structure that is open.
    private var last = [0]

    /// The types of elements in a list.
    enum Element: UInt8 {
        case number = 5
        case text = 8
        case structure = 12
    }

    /// A structure on its own.
    static func bytes(_ body: (inout ThriftCompact) -> Void) -> [UInt8] {
        var thrift = ThriftCompact()
        body(&thrift)
        thrift.bytes.append(0)
        return thrift.bytes
    }

    mutating func number(_ field: Int, _ value: Int) {
        begin(field, type: 5)
        zigzag(Int64(value))
    }

    mutating func long(_ field: Int, _ value: Int64) {
        begin(field, type: 6)
        zigzag(value)
    }

    mutating func flag(_ field: Int, _ value: Bool) { begin(field, type: value ? 1 : 2) }

    mutating func text(_ field: Int, _ value: some Collection<UInt8>) {
        begin(field, type: 8)
        element(value)
    }

    mutating func structure(_ field: Int, _ body: (inout ThriftCompact) -> Void) {
        begin(field, type: 12)
        element(body)
    }

    mutating func list<Items: Collection>(
        _ field: Int, of type: Element, _ items: Items, _ body: (Items.Element, inout ThriftCompact) -> Void
    ) {
        begin(field, type: 9)
        if items.count < 15 {
            bytes.append(UInt8(items.count) << 4 | type.rawValue)
        } else {
            bytes.append(0xF0 | type.rawValue)
            bytes.append(varint: UInt64(items.count))
        }
        for item in items { body(item, &self) }
    }

    /// An element of a list.
    mutating func element(_ value: Int) { zigzag(Int64(value)) }

    /// An element of a list.
    mutating func element(_ value: some Collection<UInt8>) {
        bytes.append(varint: UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// An element of a list.
    mutating func element(_ body: (inout ThriftCompact) -> Void) {
        last.append(0)
        body(&self)
        last.removeLast()
        bytes.append(0)
    }

    private mutating func begin(_ field: Int, type: UInt8) {
        let distance = field - last[last.count - 1]
        if (1...15).contains(distance) {
            bytes.append(UInt8(distance) << 4 | type)
        } else {
            bytes.append(type)
            zigzag(Int64(field))
        }
        last[last.count - 1] = field
    }

    private mutating func zigzag(_ value: Int64) {
        bytes.append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }
}

extension [UInt8] {
    /// Appends a number in groups of seven bits, the lowest first.
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends the bytes of a number, the lowest first.
    mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
