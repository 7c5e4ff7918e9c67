/// Bytes as text.
package enum HexadecimalText {
    /// Two lower-case digits for every byte: `0a1b`.
    package static func digits(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
        return text
    }
}
