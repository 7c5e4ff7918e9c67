/// The escapes of vis(3), by which the system's log writes bytes that are no ASCII: `\M-C\M-)` is `é`, `\M^H` the byte
/// 0x88, `\240` the byte 0xA0.
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
