/// A parsed format string of os_log: literal text, and conversions with their decoders.
///
/// `%[{decoders}][flags][width][.precision][length]specifier`; see os_log(3) and printf(3).
final class FormatString {
    struct Conversion {
        /// Number of the decoder in braces.
        var decoder: Int?
        var specifier: UInt8
        var isAlternate = false
        var isLeft = false
        var isZeroPadded = false
        var hasSign = false
        var hasBlank = false
        var width = 0
        /// `nil` where none is given; `*` is given by an argument of its own.
        var precision: Int?
        var hasPrecision = false
    }

    /// Literal text, then a conversion; none at the end.
    struct Part {
        var literal: Range<Int>
        var conversion: Conversion?
    }

    private let parts: [Part]
    /// The literal text of all parts.
    private let literals: [UInt8]
    /// The decoders that conversions name.
    private let decoders: [String]

    /// How much memory it takes, about.
    var byteCount: Int { literals.count + parts.count * MemoryLayout<Part>.stride }

    static let plainText: ArraySlice<UInt8> = [0x25, 0x73]

    /// The most conversions of a format, and the largest width: more is damage.
    private static let mostConversions = 256
    static let mostWidth = 4096

    init(_ format: ArraySlice<UInt8>) {
        var parts: [Part] = []
        var literals: [UInt8] = []
        var decoders: [String] = []
        var textStart = format.startIndex
        var place = format.startIndex
        var literalStart = 0
        while let percent = format[place...].firstIndex(of: 0x25) {
            guard let (conversion, end) = Self.conversion(format, from: percent + 1, &decoders),
                parts.count < Self.mostConversions
            else {
                place = percent + 1
                continue
            }
            literals += format[textStart..<percent]
            if let conversion {
                parts.append(Part(literal: literalStart..<literals.count, conversion: conversion))
                literalStart = literals.count
            } else {
                literals.append(0x25)
            }
            place = end
            textStart = end
        }
        literals += format[textStart...]
        if literalStart < literals.count { parts.append(Part(literal: literalStart..<literals.count)) }
        (self.parts, self.literals, self.decoders) = (parts, literals, decoders)
    }

    /// The conversion after a per cent sign, `nil` for `%%`; no result when it is neither.
    private static func conversion(
        _ format: ArraySlice<UInt8>, from start: Int, _ decoders: inout [String]
    ) -> (Conversion?, end: Int)? {
        var place = start
        func byte() -> UInt8 { place < format.endIndex ? format[place] : 0 }
        if byte() == 0x25 { return (nil, place + 1) }
        var result = Conversion(specifier: 0)
        if byte() == 0x7B {
            guard let close = format[place...].firstIndex(of: 0x7D), close - place <= 129 else { return nil }
            if let decoder = decoder(format[(place + 1)..<close]) {
                result.decoder = decoders.count
                decoders.append(decoder)
            }
            place = close + 1
        }
        flags: while true {
            switch byte() {
            case UInt8(ascii: "#"): result.isAlternate = true
            case UInt8(ascii: "-"): result.isLeft = true
            case UInt8(ascii: "0"): result.isZeroPadded = true
            case UInt8(ascii: "+"): result.hasSign = true
            case UInt8(ascii: " "): result.hasBlank = true
            case UInt8(ascii: "'"): break
            default: break flags
            }
            place += 1
        }
        result.width = number(format, &place) ?? 0
        if byte() == UInt8(ascii: ".") {
            place += 1
            result.hasPrecision = true
            let isArgument = byte() == UInt8(ascii: "*")
            let given = number(format, &place)
            result.precision = isArgument ? nil : given ?? 0
        }
        while "hjlLtqz".utf8.contains(byte()) { place += 1 }
        guard "@aAcCdDeEfFgGimnoOpPsSuUxX".utf8.contains(byte()) else { return nil }
        result.specifier = byte()
        return (result, place + 1)
    }

    private static func number(_ format: ArraySlice<UInt8>, _ place: inout Int) -> Int? {
        if place < format.endIndex, format[place] == UInt8(ascii: "*") {
            place += 1
            return nil
        }
        var value: Int?
        while place < format.endIndex, (0x30...0x39).contains(format[place]) {
            value = min(mostWidth, (value ?? 0) * 10 + Int(format[place] - 0x30))
            place += 1
        }
        return value
    }

    /// The first decoder that does not only say who may see the value.
    private static func decoder(_ bytes: ArraySlice<UInt8>) -> String? {
        let ignored: Set<String> = ["", "private", "public", "sensitive", "xcode:size-in-bytes", "bluetooth:OI_STATUS"]
        return String(decoding: bytes, as: UTF8.self).split(separator: ",")
            .map { String($0.drop(while: { $0 == " " }).reversed().drop(while: { $0 == " " }).reversed()) }
            .first { !ignored.contains($0) && !$0.hasPrefix("name=") && !$0.hasPrefix("Name:") }
    }
}

/// Format string and arguments become a message.
extension FormatString {
    private static let missing = Array("<decode: missing data>".utf8)
    private static let concealed = Array("<private>".utf8)
    static let unresolved = Array("<compose failure [missing precomposed log]>".utf8)

    /// Appends the message of a record.
    ///
    /// - Parameters:
    ///   - secrets: the private data of the record, from where its own begin.
    func append(_ arguments: consuming Arguments, secrets: RawSpan, to text: inout [UInt8]) {
        for part in parts {
            if !part.literal.isEmpty {
                literals.withUnsafeBufferPointer { all in
                    text.append(contentsOf: UnsafeBufferPointer(rebasing: all[part.literal]))
                }
            }
            if let conversion = part.conversion { append(conversion, &arguments, secrets, to: &text) }
        }
    }

    private func append(
        _ conversion: Conversion, _ arguments: inout Arguments, _ secrets: RawSpan, to text: inout [UInt8]
    ) {
        var precision: Int?
        while let item = arguments.next() {
            switch item.type {
            case 0x10, 0x12:
                // The precision of the value that follows.
                precision = ByteReader(item.data).number.map { Int(clamping: $0) }
                continue
            case 0x00, 0x02:
                append(item.data, conversion, precision, to: &text)
            case 0x20, 0x22, 0x40, 0x42, 0x30, 0x32, 0x72, 0xF2:
                append(Self.range(item, of: arguments.values), conversion, precision, to: &text)
            case 0x21, 0x41:
                let secret = Self.range(item, of: secrets)
                if secret.isEmpty { text += Self.concealed } else { append(secret, conversion, precision, to: &text) }
            case 0x01, 0x25, 0x31, 0x35, 0x45:
                text += Self.concealed
            default:
                text += Decoders.unsupported.utf8
            }
            return
        }
        text += Self.missing
    }

    private func append(_ bytes: RawSpan, _ conversion: Conversion, _ precision: Int?, to text: inout [UInt8]) {
        if let decoder = conversion.decoder {
            text += Decoders.text(of: bytes.array[...], by: decoders[decoder]).utf8
        } else {
            ValueText(conversion, precision: precision).append(bytes, to: &text)
        }
    }

    /// The bytes that an item refers to; empty where they are out of bounds.
    @_lifetime(copy bytes)
    private static func range(_ item: borrowing Arguments.Item, of bytes: RawSpan) -> RawSpan {
        var reader = ByteReader(item.data)
        guard let offset: UInt16 = reader.integer(), let size: UInt16 = reader.integer(),
            let range = ByteReader(bytes).slice(at: Int(offset), Int(size))
        else { return bytes.extracting(0..<0) }
        return range
    }
}
