/// Unsafe leaf functions: reads without bounds checks on the hot path. Every caller keeps its positions inside the
/// storage; nothing else in this target reads memory unchecked.
extension RawSpan {
    /// The byte at a position below ``byteCount``.
    @inline(__always)
    func byte(_ position: Int) -> UInt8 {
        assert(position >= 0 && position < byteCount)
        return unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
    }

    /// Four bytes as one number, least first. The last of them lies below ``byteCount``.
    @inline(__always)
    func word32(_ position: Int) -> UInt32 {
        assert(position >= 0 && position + 4 <= byteCount)
        return UInt32(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt32.self))
    }

    /// Eight bytes as one number, least first. The last of them lies below ``byteCount``.
    @inline(__always)
    func word64(_ position: Int) -> UInt64 {
        assert(position >= 0 && position + 8 <= byteCount)
        return UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self))
    }

    /// Whether `count` bytes here and there are the same text but for the case of letters.
    @inline(__always)
    func equalsFolded(_ position: Int, _ other: RawSpan, _ otherPosition: Int, count: Int) -> Bool {
        equals(position, other, otherPosition, count: count, ignoring: 0x2020_2020_2020_2020)
    }

    /// Whether `count` bytes here and there are the same.
    @inline(__always)
    func equals(_ position: Int, _ other: RawSpan, _ otherPosition: Int, count: Int) -> Bool {
        equals(position, other, otherPosition, count: count, ignoring: 0)
    }

    /// Compares eight bytes at a time; the last eight may overlap those before them.
    @inline(__always)
    private func equals(
        _ position: Int, _ other: RawSpan, _ otherPosition: Int, count: Int, ignoring ignored: UInt64
    ) -> Bool {
        if count >= 8 {
            var done = 0
            while done + 8 < count {
                if (word64(position + done) ^ other.word64(otherPosition + done)) & ~ignored != 0 { return false }
                done += 8
            }
            return (word64(position + count - 8) ^ other.word64(otherPosition + count - 8)) & ~ignored == 0
        }
        let ignored32 = UInt32(truncatingIfNeeded: ignored)
        if count >= 4 {
            let first = word32(position) ^ other.word32(otherPosition)
            let last = word32(position + count - 4) ^ other.word32(otherPosition + count - 4)
            return (first | last) & ~ignored32 == 0
        }
        let ignored8 = UInt8(truncatingIfNeeded: ignored)
        for offset in 0..<max(0, count)
        where (byte(position + offset) ^ other.byte(otherPosition + offset)) & ~ignored8 != 0 {
            return false
        }
        return true
    }

    /// A hash of a stretch of bytes that is the same in every run of the program.
    @inline(__always)
    func stableHash(_ position: Int, count: Int, seed: UInt64 = 0) -> UInt64 {
        var hash = seed ^ (UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15)
        var done = 0
        while done + 8 <= count {
            hash = StableHash.mix(hash ^ word64(position + done))
            done += 8
        }
        if done == count { return hash }
        if count >= 8 { return StableHash.mix(hash ^ word64(position + count - 8)) }
        var rest: UInt64 = 0
        while done < count {
            rest = rest << 8 | UInt64(byte(position + done))
            done += 1
        }
        return StableHash.mix(hash ^ rest)
    }
}

/// Questions about single bytes of ASCII text.
enum ByteClass {
    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    @inline(__always)
    static func isUpper(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }

    @inline(__always)
    static func isLower(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// A byte that can stand in a name of Swift or Objective-C; bytes of other scripts count.
    @inline(__always)
    static func isName(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == 0x5F || byte >= 0x80 }

    @inline(__always)
    static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

/// Mixing of 64-bit numbers that gives the same result in every run of the program, unlike `Hasher`: what it yields is
/// stored beside facts and compared with facts of earlier ingests.
enum StableHash {
    /// Folds the product with an odd constant, so that every bit of the input reaches every bit of the result.
    @inline(__always)
    static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }
}
