/// Texts of JSON, with their escapes undone.
enum JSONText {
    /// The text between the quotes of a string, as a range where nothing is escaped, else as new bytes; `nil` for
    /// values that are no strings.
    enum Value {
        case plain(Range<Int>)
        case unescaped([UInt8])
    }

    static func string(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> Value? {
        guard range.count >= 2, base[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
        let inner = range.lowerBound + 1..<range.upperBound - 1
        guard let first = inner.first(where: { base[$0] == UInt8(ascii: "\\") }) else { return .plain(inner) }
        var bytes = Array(UnsafeBufferPointer(start: base + inner.lowerBound, count: first - inner.lowerBound))
        var at = first
        while at < inner.upperBound {
            let byte = base[at]
            guard byte == UInt8(ascii: "\\"), at + 1 < inner.upperBound else {
                bytes.append(byte)
                at += 1
                continue
            }
            at += 2
            switch base[at - 1] {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "u"): at = appendUnicode(base, at, inner.upperBound, to: &bytes)
            case let other: bytes.append(other)
            }
        }
        return .unescaped(bytes)
    }

    /// The record `start..<end` without the blanks and line ends between its texts.
    static func onOneLine(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> [UInt8] {
        let walker = JSONWalker(base: base)
        var bytes: [UInt8] = []
        var at = start
        while at < end {
            if base[at] == UInt8(ascii: "\""), let next = walker.stringEnd(at, end) {
                bytes.append(contentsOf: UnsafeBufferPointer(start: base + at, count: next - at))
                at = next
                continue
            }
            switch base[at] {
            case 0x20, 0x09, 0x0A, 0x0D: break
            default: bytes.append(base[at])
            }
            at += 1
        }
        return bytes
    }

    /// Appends what the four digits at `start` stand for, with the second half of a pair; returns where to go on.
    private static func appendUnicode(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, to bytes: inout [UInt8]
    ) -> Int {
        guard let first = hexadecimal(base, start, end) else { return start }
        var at = start + 4
        var code = first
        if (0xD800..<0xDC00).contains(first), at + 1 < end, base[at] == UInt8(ascii: "\\"),
            base[at + 1] == UInt8(ascii: "u"), let second = hexadecimal(base, at + 2, end),
            (0xDC00..<0xE000).contains(second)
        {
            code = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
            at += 6
        }
        let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
        bytes.append(contentsOf: String(Character(scalar)).utf8)
        return at
    }

    private static func hexadecimal(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> UInt32? {
        guard start + 4 <= end else { return nil }
        var value: UInt32 = 0
        for index in start..<start + 4 {
            let byte = base[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 48)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 87)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 55)
            default: return nil
            }
        }
        return value
    }
}
