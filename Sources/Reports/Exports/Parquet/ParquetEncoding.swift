import Foundation

/// Parquet's hybrid of run lengths and packed bits, for small numbers: dictionary indices, and which values are NULL.
enum RunLengths {
    /// Appends numbers of at most `width` bits: eight or more equal ones as a run, the others packed in groups of eight.
    static func append(_ values: [UInt32], width: Int, to bytes: inout [UInt8]) {
        values.withUnsafeBufferPointer { values in
            var index = 0
            while index < values.count {
                let end = endOfRun(values, from: index)
                if end - index >= 8 {
                    bytes.append(varint: UInt64(end - index) << 1)
                    for byte in 0..<(width + 7) / 8 {
                        bytes.append(UInt8(truncatingIfNeeded: values[index] >> (8 * byte)))
                    }
                    index = end
                } else {
                    let start = index
                    repeat { index += 8 } while index < values.count && endOfRun(values, from: index) - index < 8
                    // Only the last group of all may be short: a reader knows how many numbers there are.
                    bytes.append(varint: UInt64((index - start) / 8) << 1 | 1)
                    pack(values, start..<index, width, &bytes)
                }
            }
        }
    }

    private static func endOfRun(_ values: UnsafeBufferPointer<UInt32>, from index: Int) -> Int {
        var end = index + 1
        while end < values.count, values[end] == values[index] { end += 1 }
        return end
    }

    /// The lowest bit of the first number first; numbers beyond the end are 0.
    private static func pack(
        _ values: UnsafeBufferPointer<UInt32>, _ range: Range<Int>, _ width: Int, _ bytes: inout [UInt8]
    ) {
        var pending: UInt64 = 0
        var bits = 0
        for index in range {
            pending |= UInt64(index < values.count ? values[index] : 0) << bits
            bits += width
            while bits >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                bits -= 8
            }
        }
    }
}

/// The different values of a column, numbered in the order in which they occur.
///
/// A hash table over bytes without deletion: a Swift `Dictionary` would need a `String` for every value of every row.
struct ValueDictionary {
    /// All values one after another.
    private(set) var bytes: [UInt8] = []
    /// Where the values end in ``bytes``.
    private(set) var ends: [Int] = []
    /// Numbers of values plus one, by hash; 0 is empty. At most half of the slots are taken.
    private var slots = [UInt32](repeating: 0, count: 64)
    private var last = 0

    private static let (mostValues, mostBytes) = (1 << 16, 1 << 20)

    var count: Int { ends.count }

    /// A value by its number.
    func value(_ number: Int) -> ArraySlice<UInt8> { bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]] }

    /// The number of a value, which is new if the value is; `nil` when the dictionary is full.
    mutating func number(of value: UnsafeRawBufferPointer) -> Int? {
        if count > 0, isEqual(last, value) { return last }
        var slot = Self.hash(value) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if isEqual(number, value) {
                last = number
                return number
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        guard count < Self.mostValues, bytes.count + value.count <= Self.mostBytes else { return nil }
        bytes.append(contentsOf: value)
        ends.append(bytes.count)
        slots[slot] = UInt32(count)
        last = count - 1
        if count * 2 > slots.count { grow() }
        return last
    }

    private func isEqual(_ number: Int, _ value: UnsafeRawBufferPointer) -> Bool {
        let start = number == 0 ? 0 : ends[number - 1]
        guard ends[number] - start == value.count else { return false }
        guard let other = value.baseAddress else { return true }
        return bytes.withUnsafeBytes { known in
            guard let known = known.baseAddress else { return false }
            // The call would cost more than the comparison of a number.
            return value.count == 8
                ? (known + start).loadUnaligned(as: UInt64.self) == other.loadUnaligned(as: UInt64.self)
                : memcmp(known + start, other, value.count) == 0
        }
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        bytes.withUnsafeBytes { all in
            var start = 0
            for (number, end) in ends.enumerated() {
                var slot = Self.hash(UnsafeRawBufferPointer(rebasing: all[start..<end])) & (slots.count - 1)
                while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
                slots[slot] = UInt32(number + 1)
                start = end
            }
        }
    }

    private static func hash(_ value: UnsafeRawBufferPointer) -> Int {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        var index = 0
        while index + 8 <= value.count {
            hash = (hash ^ value.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 32
            index += 8
        }
        while index < value.count {
            hash = (hash ^ UInt64(value[index])) &* 0xFF51_AFD7_ED55_8CCD
            index += 1
        }
        return Int(truncatingIfNeeded: (hash ^ hash >> 29) & 0x7FFF_FFFF_FFFF_FFFF)
    }
}

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
