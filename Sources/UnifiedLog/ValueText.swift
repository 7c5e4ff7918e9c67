import Foundation

/// Writes one argument of a message as `log show` does.
struct ValueText {
    private let conversion: FormatString.Conversion
    /// What an argument of its own gives as the precision.
    private let precision: Int?

    init(_ conversion: FormatString.Conversion, precision: Int?) {
        self.conversion = conversion
        self.precision = precision
    }

    /// Appends a value as it is stored, little-endian.
    func append(_ bytes: RawSpan, to text: inout [UInt8]) {
        switch conversion.specifier {
        case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "i"): appendSigned(bytes, to: &text)
        case UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "@"), UInt8(ascii: "P"):
            appendString(bytes, to: &text)
        case UInt8(ascii: "m"):
            let number = bytes.byteCount == 4 ? ByteReader(bytes).number : nil
            text += (number.map(Decoders.errorText) ?? Decoders.unsupported).utf8
        case UInt8(ascii: "a"), UInt8(ascii: "A"), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "f"),
            UInt8(ascii: "F"), UInt8(ascii: "g"), UInt8(ascii: "G"):
            appendFloat(bytes, to: &text)
        default: appendUnsigned(bytes, to: &text)
        }
    }

    private func appendSigned(_ bytes: RawSpan, to text: inout [UInt8]) {
        guard let value = ByteReader(bytes).number else {
            text += Decoders.unsupported.utf8
            return
        }
        let shift = UInt64(64 - bytes.byteCount * 8)
        let signed = Int64(bitPattern: value << shift) >> Int64(shift)
        let sign = signed < 0 ? "-" : conversion.hasSign ? "+" : conversion.hasBlank ? " " : ""
        pad(signed.magnitude, radix: 10, prefix: sign, to: &text)
    }

    private func appendUnsigned(_ bytes: RawSpan, to text: inout [UInt8]) {
        guard let value = ByteReader(bytes).number else {
            text += Decoders.unsupported.utf8
            return
        }
        let isAlternate = conversion.isAlternate && value != 0
        switch conversion.specifier {
        case UInt8(ascii: "x"): pad(value, radix: 16, prefix: isAlternate ? "0x" : "", to: &text)
        case UInt8(ascii: "X"):
            pad(Array(String(value, radix: 16, uppercase: true).utf8), prefix: isAlternate ? "0X" : "", to: &text)
        case UInt8(ascii: "p"): pad(value, radix: 16, prefix: "0x", to: &text)
        case UInt8(ascii: "o"), UInt8(ascii: "O"): pad(value, radix: 8, prefix: isAlternate ? "0" : "", to: &text)
        case UInt8(ascii: "c"), UInt8(ascii: "C"):
            let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: value)) ?? "\u{FFFD}"
            pad(Array(String(Character(scalar)).utf8), prefix: "", to: &text)
        default: pad(value, radix: 10, prefix: "", to: &text)
        }
    }

    private func appendString(_ bytes: RawSpan, to text: inout [UInt8]) {
        guard !bytes.isEmpty else {
            text += "(null)".utf8
            return
        }
        bytes.withUnsafeBytes { all in
            var value = all[...]
            while value.last == 0 { value.removeLast() }
            // The size that is stored has been cut by the precision already, and "%.0s" cuts nothing.
            if conversion.specifier != UInt8(ascii: "P"), let given = precision ?? conversion.precision, given > 0,
                given < value.count
            {
                value = value.prefix(given)
            }
            let blanks = conversion.width == 0 ? 0 : max(0, conversion.width - value.count { $0 & 0xC0 != 0x80 })
            if !conversion.isLeft { append(blanks, UInt8(ascii: " "), to: &text) }
            text.append(contentsOf: UnsafeRawBufferPointer(rebasing: value))
            if conversion.isLeft { append(blanks, UInt8(ascii: " "), to: &text) }
        }
    }

    private func appendFloat(_ bytes: RawSpan, to text: inout [UInt8]) {
        guard let bits = ByteReader(bytes).number, bytes.byteCount >= 4 else {
            text += Decoders.unsupported.utf8
            return
        }
        let value =
            bytes.byteCount == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
        let digits = min(FormatString.mostWidth, conversion.precision ?? precision ?? 6)
        var format = "%" + (conversion.isAlternate ? "#" : "") + (conversion.isLeft ? "-" : "")
        format +=
            (conversion.isZeroPadded ? "0" : "") + (conversion.hasSign ? "+" : "") + (conversion.hasBlank ? " " : "")
        format += "*.*" + String(UnicodeScalar(conversion.specifier))
        // The longest number has 310 digits before the point.
        let most = 400 + conversion.width + digits
        let formatted = [UInt8](unsafeUninitializedCapacity: most) { room, count in
            let written = withVaList([Int32(conversion.width), Int32(digits), value]) {
                vsnprintf(
                    UnsafeMutableRawPointer(room.baseAddress)?.assumingMemoryBound(to: CChar.self), most, format, $0)
            }
            count = max(0, min(Int(written), most - 1))
        }
        text += formatted
    }

    private func pad(_ value: UInt64, radix: UInt64, prefix: String, to text: inout [UInt8]) {
        guard conversion.width == 0, conversion.precision == nil else {
            return pad(Array(String(value, radix: Int(radix)).utf8), prefix: prefix, to: &text)
        }
        if !prefix.isEmpty { text += prefix.utf8 }
        text.append(value, radix: radix)
    }

    private func pad(_ digits: [UInt8], prefix: String, to text: inout [UInt8]) {
        // A precision of an integer is its least number of digits.
        let zeros = max(0, (conversion.precision ?? 0) - digits.count)
        var missing = max(0, conversion.width - digits.count - prefix.utf8.count - zeros)
        if !conversion.isLeft, !conversion.isZeroPadded || conversion.hasPrecision {
            append(missing, UInt8(ascii: " "), to: &text)
            missing = 0
        }
        text += prefix.utf8
        if !conversion.isLeft {
            append(missing, UInt8(ascii: "0"), to: &text)
            missing = 0
        }
        append(zeros, UInt8(ascii: "0"), to: &text)
        text += digits
        append(missing, UInt8(ascii: " "), to: &text)
    }

    private func append(_ count: Int, _ byte: UInt8, to text: inout [UInt8]) {
        if count > 0 { text.append(contentsOf: repeatElement(byte, count: count)) }
    }
}

extension ByteReader {
    /// The bytes as one number, where there are 1, 2, 4 or 8 of them.
    var number: UInt64? {
        switch count {
        case 1: integer(at: 0, UInt8.self).map(UInt64.init)
        case 2: integer(at: 0, UInt16.self).map(UInt64.init)
        case 4: integer(at: 0, UInt32.self).map(UInt64.init)
        case 8: integer(at: 0, UInt64.self)
        default: nil
        }
    }
}

extension [UInt8] {
    /// Appends the digits of a number, in lower case.
    package mutating func append(_ value: UInt64, radix: UInt64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { room in
            var start = 64
            var rest = value
            repeat {
                let digit = UInt8(truncatingIfNeeded: rest % radix)
                start -= 1
                room[start] = digit < 10 ? 0x30 + digit : 0x57 + digit
                rest /= radix
            } while rest > 0
            append(contentsOf: UnsafeBufferPointer(rebasing: room[start...]))
        }
    }
}
