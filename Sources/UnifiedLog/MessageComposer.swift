/// Puts format string and arguments together.
enum MessageComposer {
    private static let missing = Array("<decode: missing data>".utf8)
    private static let concealed = Array("<private>".utf8)
    static let unresolved = Array("<compose failure [missing precomposed log]>".utf8)

    /// Appends the message of a record.
    ///
    /// - Parameters:
    ///   - secrets: the private data of the record, from where its own begin.
    static func append(
        _ format: FormatString, _ arguments: consuming Arguments, secrets: RawSpan, to text: inout [UInt8]
    ) {
        for part in format.parts {
            if !part.literal.isEmpty { text += format.literals[part.literal] }
            guard let conversion = part.conversion else { continue }
            append(conversion, of: format, &arguments, secrets, to: &text)
        }
    }

    private static func append(
        _ conversion: FormatString.Conversion, of format: FormatString, _ arguments: inout Arguments,
        _ secrets: RawSpan, to text: inout [UInt8]
    ) {
        var value = ValueText(conversion, decoder: conversion.decoder.map { format.decoders[$0] })
        while let item = arguments.next() {
            switch item.type {
            case 0x10, 0x12:
                // The precision of the value that follows.
                value.precision = ByteReader(item.data).number.map { Int(clamping: $0) }
                continue
            case 0x00, 0x02:
                value.append(item.data, to: &text)
            case 0x20, 0x22, 0x40, 0x42, 0x30, 0x32, 0x72, 0xF2:
                value.append(range(item, of: arguments.values), to: &text)
            case 0x21, 0x41:
                let secret = range(item, of: secrets)
                if secret.isEmpty { text += concealed } else { value.append(secret, to: &text) }
            case 0x01, 0x25, 0x31, 0x35, 0x45:
                text += concealed
            default:
                text += Decoders.unsupported.utf8
            }
            return
        }
        text += missing
    }

    /// The bytes that an item refers to; empty where they lie outside.
    @_lifetime(copy bytes)
    private static func range(_ item: borrowing Arguments.Item, of bytes: RawSpan) -> RawSpan {
        var reader = ByteReader(item.data)
        guard let offset: UInt16 = reader.integer(), let size: UInt16 = reader.integer(),
            let range = ByteReader(bytes).slice(at: Int(offset), Int(size))
        else { return bytes.extracting(0..<0) }
        return range
    }
}
