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

    /// Goes on at the next multiple of eight.
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

    /// The text up to a NUL, or to the end.
    func text(at place: Int) -> String? {
        guard place >= 0, place <= count else { return nil }
        return bytes.extracting(place..<count).text
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
