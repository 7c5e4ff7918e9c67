#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes one argument of a message as `log show` does.
enum ValueText {
    /// Appends a value.
    ///
    /// - Parameters:
    ///   - bytes: the value as it is stored, little-endian.
    ///   - precision: what an argument of its own gives as the precision.
    static func append(
        _ bytes: ArraySlice<UInt8>, _ conversion: FormatString.Conversion, precision: Int?, to text: inout [UInt8]
    ) {
        if let decoder = conversion.decoders.first {
            text += Decoders.text(of: bytes, by: decoder).utf8
            return
        }
        switch conversion.specifier {
        case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "i"): appendSigned(bytes, conversion, to: &text)
        case UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "@"), UInt8(ascii: "P"):
            appendString(bytes, conversion, precision: precision, to: &text)
        case UInt8(ascii: "m"):
            text += (Decoders.errorNumber(bytes).map(Decoders.errorText) ?? Decoders.unsupported).utf8
        case UInt8(ascii: "a"), UInt8(ascii: "A"), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "f"),
            UInt8(ascii: "F"), UInt8(ascii: "g"), UInt8(ascii: "G"):
            appendFloat(bytes, conversion, precision: precision, to: &text)
        default: appendUnsigned(bytes, conversion, to: &text)
        }
    }

    private static func appendSigned(
        _ bytes: ArraySlice<UInt8>, _ conversion: FormatString.Conversion, to text: inout [UInt8]
    ) {
        guard let value = Decoders.unsigned(bytes) else {
            text += Decoders.unsupported.utf8
            return
        }
        let shift = UInt64(64 - bytes.count * 8)
        let signed = Int64(bitPattern: value << shift) >> Int64(shift)
        let sign = signed < 0 ? "-" : conversion.hasSign ? "+" : conversion.hasBlank ? " " : ""
        pad(String(signed.magnitude), prefix: sign, conversion, to: &text)
    }

    private static func appendUnsigned(
        _ bytes: ArraySlice<UInt8>, _ conversion: FormatString.Conversion, to text: inout [UInt8]
    ) {
        guard let value = Decoders.unsigned(bytes) else {
            text += Decoders.unsupported.utf8
            return
        }
        let isAlternate = conversion.isAlternate && value != 0
        switch conversion.specifier {
        case UInt8(ascii: "x"): pad(String(value, radix: 16), prefix: isAlternate ? "0x" : "", conversion, to: &text)
        case UInt8(ascii: "X"):
            pad(String(value, radix: 16, uppercase: true), prefix: isAlternate ? "0X" : "", conversion, to: &text)
        case UInt8(ascii: "p"): pad(String(value, radix: 16), prefix: "0x", conversion, to: &text)
        case UInt8(ascii: "o"), UInt8(ascii: "O"):
            pad(String(value, radix: 8), prefix: isAlternate ? "0" : "", conversion, to: &text)
        case UInt8(ascii: "c"), UInt8(ascii: "C"):
            let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: value)) ?? "\u{FFFD}"
            pad(String(Character(scalar)), prefix: "", conversion, to: &text)
        default: pad(String(value), prefix: "", conversion, to: &text)
        }
    }

    private static func appendString(
        _ bytes: ArraySlice<UInt8>, _ conversion: FormatString.Conversion, precision: Int?, to text: inout [UInt8]
    ) {
        var value = bytes
        while value.last == 0 { value.removeLast() }
        guard !bytes.isEmpty else {
            text += "(null)".utf8
            return
        }
        // The size that is stored has been cut by the precision already, and "%.0s" cuts nothing.
        if conversion.specifier != UInt8(ascii: "P"), let given = precision ?? conversion.precision, given > 0,
            given < value.count
        {
            value = value.prefix(given)
        }
        guard conversion.width > 0 else {
            text += value
            return
        }
        let blanks = repeatElement(UInt8(ascii: " "), count: max(0, conversion.width - characters(of: value)))
        if !conversion.isLeft { text += blanks }
        text += value
        if conversion.isLeft { text += blanks }
    }

    private static func characters(of utf8: ArraySlice<UInt8>) -> Int { utf8.count { $0 & 0xC0 != 0x80 } }

    private static func appendFloat(
        _ bytes: ArraySlice<UInt8>, _ conversion: FormatString.Conversion, precision: Int?, to text: inout [UInt8]
    ) {
        guard let bits = Decoders.unsigned(bytes), bytes.count >= 4 else {
            text += Decoders.unsupported.utf8
            return
        }
        let value =
            bytes.count == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
        let digits = min(FormatString.mostWidth, conversion.precision ?? precision ?? 6)
        var format = "%" + (conversion.isAlternate ? "#" : "") + (conversion.isLeft ? "-" : "")
        format +=
            (conversion.isZeroPadded ? "0" : "") + (conversion.hasSign ? "+" : "") + (conversion.hasBlank ? " " : "")
        format += "*.*" + String(UnicodeScalar(conversion.specifier))
        var room = [CChar](repeating: 0, count: 400 + FormatString.mostWidth + digits)
        let count = withVaList([Int32(conversion.width), Int32(digits), value]) {
            vsnprintf(&room, room.count, format, $0)
        }
        guard count > 0 else { return }
        text += room.prefix(Int(count)).map(UInt8.init(bitPattern:))
    }

    private static func pad(
        _ digits: String, prefix: String, _ conversion: FormatString.Conversion, to text: inout [UInt8]
    ) {
        // A precision of an integer is its least number of digits.
        let zeros = max(0, (conversion.precision ?? 0) - digits.utf8.count)
        var missing = max(0, conversion.width - digits.utf8.count - prefix.utf8.count - zeros)
        if !conversion.isLeft, !conversion.isZeroPadded || conversion.hasPrecision {
            text += repeatElement(UInt8(ascii: " "), count: missing)
            missing = 0
        }
        text += prefix.utf8
        if !conversion.isLeft {
            text += repeatElement(UInt8(ascii: "0"), count: missing)
            missing = 0
        }
        text += repeatElement(UInt8(ascii: "0"), count: zeros)
        text += digits.utf8
        text += repeatElement(UInt8(ascii: " "), count: missing)
    }
}
