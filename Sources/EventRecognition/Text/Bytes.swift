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

/// Numbers by text, where the text is looked up as bytes: no `String` is made to find one.
struct ByteTable: Sendable {
    private struct Slot: Sendable {
        var hash: UInt64
        var start: Int32
        var length: Int32
        var value: UInt32
    }

    /// Whether letters are looked up in any case.
    private let foldsCase: Bool
    private var keys: [UInt8] = []
    private var slots: [Slot]
    private(set) var count = 0

    init(foldsCase: Bool = false) {
        self.foldsCase = foldsCase
        slots = [Slot](repeating: Slot(hash: 0, start: 0, length: -1, value: 0), count: 64)
    }

    /// The number of a text; `nil` when the table does not have it.
    func value(_ bytes: RawSpan, _ start: Int, count length: Int) -> UInt32? {
        let hash = hash(bytes, start, length)
        var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while true {
            let slot = slots[index]
            if slot.length < 0 { return nil }
            if slot.hash == hash, Int(slot.length) == length, matches(bytes, start, slot) { return slot.value }
            index = (index + 1) & (slots.count - 1)
        }
    }

    /// Adds a text that the table does not have yet.
    mutating func insert(_ bytes: RawSpan, _ start: Int, count length: Int, value: UInt32) {
        if (count + 1) * 2 > slots.count { grow() }
        let slot = Slot(
            hash: hash(bytes, start, length), start: Int32(keys.count), length: Int32(length), value: value)
        for position in start..<start + length { keys.append(bytes.byte(position)) }
        place(slot)
        count += 1
    }

    private func hash(_ bytes: RawSpan, _ start: Int, _ length: Int) -> UInt64 {
        guard foldsCase else { return bytes.stableHash(start, count: length) }
        var hash = UInt64(truncatingIfNeeded: length)
        for position in start..<start + length { hash = hash &* 31 &+ UInt64(bytes.byte(position) & ~0x20) }
        return StableHash.mix(hash)
    }

    private func matches(_ bytes: RawSpan, _ start: Int, _ slot: Slot) -> Bool {
        let stored = keys.span.bytes
        return foldsCase
            ? bytes.equalsFolded(start, stored, Int(slot.start), count: Int(slot.length))
            : bytes.equals(start, stored, Int(slot.start), count: Int(slot.length))
    }

    private mutating func place(_ slot: Slot) {
        var index = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
        while slots[index].length >= 0 { index = (index + 1) & (slots.count - 1) }
        slots[index] = slot
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(hash: 0, start: 0, length: -1, value: 0), count: old.count * 2)
        for slot in old where slot.length >= 0 { place(slot) }
    }
}

/// The escapes of vis(3) for bytes that are not ASCII: `\M-C\M-)` is `é`, `\M^H` the byte 0x88, `\240` the byte 0xA0.
enum VisText {
    private static let backslash: UInt8 = 0x5C
    private static let meta: UInt8 = 0x4D

    /// The text as that log writes it.
    static func escaped(_ text: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = []
        for byte in text {
            let low = byte & 0x7F
            switch byte {
            case ..<0x80: escaped.append(byte)
            case 0xA0: escaped += Array(#"\240"#.utf8)
            case _ where low < 0x20 || low == 0x7F: escaped += [backslash, meta, UInt8(ascii: "^"), low ^ 0x40]
            default: escaped += [backslash, meta, UInt8(ascii: "-"), low]
            }
        }
        return escaped
    }

    /// The text as it is and, where that differs, as that log writes it.
    static func spellings(_ text: String) -> [String] {
        let escaped = String(decoding: escaped(Array(text.utf8)), as: UTF8.self)
        return escaped == text ? [text] : [text, escaped]
    }

    /// The text with the characters that such escapes stand for. Escapes that make no UTF-8 stay as they are.
    static func plain(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(backslash) else { return text }
        var plain: [UInt8] = []
        var at = 0
        while at < text.count {
            var stretch: [UInt8] = []
            while let byte = escapedByte(text, at + 4 * stretch.count) { stretch.append(byte) }
            guard !stretch.isEmpty else {
                plain.append(text[at])
                at += 1
                continue
            }
            let next = at + 4 * stretch.count
            let isText = String(decoding: stretch, as: UTF8.self).utf8.elementsEqual(stretch)
            plain += isText ? stretch : Array(text[at..<next])
            at = next
        }
        return plain
    }

    /// The byte above ASCII that the escape at a place stands for; all of them have four characters.
    private static func escapedByte(_ text: [UInt8], _ at: Int) -> UInt8? {
        guard at + 3 < text.count, text[at] == backslash else { return nil }
        let last = text[at + 3]
        switch (text[at + 1], text[at + 2]) {
        case (meta, UInt8(ascii: "-")): return last > 0x20 && last < 0x7F ? last | 0x80 : nil
        case (meta, UInt8(ascii: "^")): return last >= 0x3F && last < 0x60 ? (last ^ 0x40) | 0x80 : nil
        case (let first, let second):
            let digits = [first, second, last].map { $0 &- 0x30 }
            guard digits.allSatisfy({ $0 < 8 }), digits[0] == 2 || digits[0] == 3 else { return nil }
            return digits[0] << 6 | digits[1] << 3 | digits[2]
        }
    }
}
