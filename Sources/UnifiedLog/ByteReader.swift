/// Reads little-endian values from bytes. Every access is checked: a value outside the bytes is `nil`, never a crash.
///
/// It cannot outlive the bytes that it reads, and copies none of them.
struct ByteReader: ~Escapable {
    let bytes: RawSpan
    /// Offset of the next byte, relative to the beginning of `bytes`.
    private(set) var offset = 0

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) { self.bytes = bytes }

    var count: Int { bytes.byteCount }
    var remaining: Int { bytes.byteCount - offset }

    mutating func seek(_ offset: Int) -> Bool {
        guard offset >= 0, offset <= count else { return false }
        self.offset = offset
        return true
    }

    mutating func skip(_ length: Int) -> Bool { length >= 0 && length <= remaining && seek(offset + length) }

    /// Continues at the next multiple of eight.
    mutating func align() { offset = min(count, (offset + 7) & ~7) }

    mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type = T.self) -> T? {
        guard let value: T = integer(at: offset) else { return nil }
        offset += MemoryLayout<T>.size
        return value
    }

    func integer<T: FixedWidthInteger & BitwiseCopyable>(at place: Int, _ type: T.Type = T.self) -> T? {
        guard place >= 0, place <= count - MemoryLayout<T>.size else { return nil }
        return T(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: place, as: T.self))
    }

    @_lifetime(copy self)
    mutating func slice(_ length: Int) -> RawSpan? {
        guard let slice = slice(at: offset, length) else { return nil }
        offset += length
        return slice
    }

    @_lifetime(copy self)
    func slice(at place: Int, _ length: Int) -> RawSpan? {
        guard place >= 0, length >= 0, place <= count - length else { return nil }
        return bytes.extracting(place..<place + length)
    }

    /// All bytes from the next one on.
    @_lifetime(copy self)
    func rest() -> RawSpan { bytes.extracting(offset..<count) }

    mutating func uuid() -> LogUUID? {
        guard let high: UInt64 = integer(), let low: UInt64 = integer() else { return nil }
        return LogUUID(high: high.byteSwapped, low: low.byteSwapped)
    }
}

extension RawSpan {
    /// A copy of the bytes.
    var array: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The text up to a NUL, or to the end.
    var text: String { withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) } }
}

extension [UInt8] {
    mutating func append(_ bytes: RawSpan) { bytes.withUnsafeBytes { append(contentsOf: $0) } }
}

/// The identifier of an executable, a library, a shared cache or a boot.
package struct LogUUID: Sendable, Hashable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    /// 32 hexadecimal digits in upper case: the names of files in `uuidtext` are made of them.
    package var digits: String { text(dashes: false) }

    package var description: String { text(dashes: true) }

    /// The digits, with dashes as UUIDs are written.
    private func text(dashes: Bool) -> String {
        String(unsafeUninitializedCapacity: 36) { room in
            var count = 0
            for place in 0..<32 {
                if dashes, place == 8 || place == 12 || place == 16 || place == 20 {
                    room[count] = UInt8(ascii: "-")
                    count += 1
                }
                let digit = UInt8(truncatingIfNeeded: (place < 16 ? high : low) >> UInt64(60 - 4 * (place & 15))) & 15
                room[count] = digit < 10 ? 0x30 + digit : 0x37 + digit
                count += 1
            }
            return count
        }
    }
}

/// Decompresses the chunk sets of a tracev3 file: LZ4 blocks between Apple's markers.
///
/// Block format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md. Markers: `bv41` (compressed), `bv4-` (plain),
/// `bv4$` (end).
enum LZ4Block {
    /// The most bytes of one chunk set. Real ones have 64 KiB; much more is an attack.
    static let mostBytes = 1 << 20

    private static let compressed: UInt32 = 0x3134_7662
    private static let plain: UInt32 = 0x2D34_7662
    private static let end: UInt32 = 0x2434_7662

    /// Decompresses a chunk set.
    ///
    /// - Parameter output: its bytes; where it is damaged or too large, those before the damage.
    /// - Returns: whether it is sound.
    static func decompress(_ bytes: RawSpan, into output: inout [UInt8]) -> Bool {
        output.removeAll(keepingCapacity: true)
        var reader = ByteReader(bytes)
        while let marker: UInt32 = reader.integer() {
            switch marker {
            case end:
                return true
            case plain:
                guard let size: UInt32 = reader.integer(), output.count + Int(size) <= mostBytes else { return false }
                let there = min(Int(size), reader.remaining)
                guard let slice = reader.slice(there) else { return false }
                output.append(slice)
                if there < size { return false }
            case compressed:
                guard let size: UInt32 = reader.integer(), let length: UInt32 = reader.integer(),
                    output.count + Int(size) <= mostBytes, let slice = reader.slice(min(Int(length), reader.remaining)),
                    append(slice, size: Int(size), to: &output)
                else { return false }
            default:
                return false
            }
        }
        return false
    }

    /// Unsafe leaf function of the hot path: appends one block up to its damage. Both buffers are checked.
    private static func append(_ block: RawSpan, size: Int, to output: inout [UInt8]) -> Bool {
        let base = output.count
        output.append(contentsOf: repeatElement(0, count: size))
        let (written, isWhole) = block.withUnsafeBytes { input in
            output.withUnsafeMutableBufferPointer { decode(input.assumingMemoryBound(to: UInt8.self), $0, from: base) }
        }
        output.removeLast(size - written)
        return written == size && isWhole
    }

    /// - Returns: how many bytes the block has, up to damage, and whether it ends there.
    private static func decode(
        _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>, from base: Int
    ) -> (written: Int, isWhole: Bool) {
        guard let source = input.baseAddress, let target = output.baseAddress else { return (0, input.isEmpty) }
        var read = 0
        var write = base
        func length(_ nibble: Int) -> Int? {
            guard nibble == 15 else { return nibble }
            var total = 15
            while read < input.count {
                let byte = Int(source[read])
                read += 1
                total += byte
                if byte != 255 { return total <= mostBytes ? total : nil }
            }
            return nil
        }
        while read < input.count {
            let token = Int(source[read])
            read += 1
            guard let stated = length(token >> 4) else { return (write - base, false) }
            let literals = min(stated, input.count - read, output.count - write)
            (target + write).update(from: source + read, count: literals)
            read += literals
            write += literals
            if literals < stated { return (write - base, false) }
            if read == input.count { break }
            guard read + 2 <= input.count else { return (write - base, false) }
            let distance = Int(source[read]) | Int(source[read + 1]) << 8
            read += 2
            guard distance > 0, distance <= write - base, let more = length(token & 15),
                more + 4 <= output.count - write
            else {
                return (write - base, false)
            }
            let count = more + 4
            if distance == 1 {
                (target + write).update(repeating: target[write - 1], count: count)
            } else if distance >= count {
                (target + write).update(from: target + write - distance, count: count)
            } else {
                for place in write..<write + count { target[place] = target[place - distance] }
            }
            write += count
        }
        return (write - base, true)
    }
}
