/// JSON after RFC 8259, written byte by byte.
package enum JSONText {
    /// Appends a text with its quotes. Control characters are escaped, those of terminals (C1) too.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var utf8 = text.utf8.makeIterator()
        while let byte = utf8.next() {
            switch byte {
            case UInt8(ascii: "\""): bytes.append(#"\""#)
            case UInt8(ascii: "\\"): bytes.append(#"\\"#)
            case 0x0A: bytes.append(#"\n"#)
            case 0x0D: bytes.append(#"\r"#)
            case 0x09: bytes.append(#"\t"#)
            case 0x00..<0x20, 0x7F: escape(byte, to: &bytes)
            case 0xC2:
                // U+0080 to U+00BF: the lower half are the C1 controls, which some terminals obey.
                guard let next = utf8.next() else { break }
                if next < 0xA0 {
                    escape(next, to: &bytes)
                } else {
                    bytes.append(byte)
                    bytes.append(next)
                }
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// A text with its quotes.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A number; `null` when it is none.
    static func number(_ value: Double) -> String {
        value.isFinite ? NumberText.exact(value) : "null"
    }

    private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
        let digits = String(byte, radix: 16)
        bytes.append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
}
