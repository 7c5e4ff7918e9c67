/// Puts format string and arguments together.
struct MessageComposer {
    static let missing = Array("<decode: missing data>".utf8)
    static let concealed = Array("<private>".utf8)
    static let unresolved = Array("<compose failure [missing precomposed log]>".utf8)

    /// The message of a record.
    ///
    /// - Parameters:
    ///   - secrets: the private data of the record, from where its own begin.
    static func message(
        _ format: FormatString, _ arguments: Arguments, values: ArraySlice<UInt8>, secrets: ArraySlice<UInt8>
    ) -> [UInt8] {
        var text: [UInt8] = []
        var items = arguments.items.makeIterator()
        for part in format.parts {
            switch part {
            case .text(let literal): text += literal
            case .conversion(let conversion):
                var precision: Int?
                var item = items.next()
                while let given = item, given.type == 0x10 || given.type == 0x12 {
                    precision = Decoders.unsigned(given.data).map { Int(clamping: $0) }
                    item = items.next()
                }
                append(item, conversion, precision: precision, values: values, secrets: secrets, to: &text)
            }
        }
        return text
    }

    private static func append(
        _ item: Arguments.Item?, _ conversion: FormatString.Conversion, precision: Int?, values: ArraySlice<UInt8>,
        secrets: ArraySlice<UInt8>, to text: inout [UInt8]
    ) {
        guard let item else {
            text += missing
            return
        }
        switch item.type {
        case 0x00, 0x02:
            ValueText.append(item.data, conversion, precision: precision, to: &text)
        case 0x20, 0x22, 0x40, 0x42, 0x30, 0x32, 0x72, 0xF2:
            ValueText.append(range(item, of: values), conversion, precision: precision, to: &text)
        case 0x21, 0x41:
            let value = range(item, of: secrets)
            if value.isEmpty {
                text += concealed
            } else {
                ValueText.append(value, conversion, precision: precision, to: &text)
            }
        case 0x01, 0x25, 0x31, 0x35, 0x45:
            text += concealed
        default:
            text += Decoders.unsupported.utf8
        }
    }

    /// The bytes that an item refers to; empty where they lie outside.
    private static func range(_ item: Arguments.Item, of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var reader = ByteReader(item.data)
        guard let offset: UInt16 = reader.integer(), let size: UInt16 = reader.integer() else { return [] }
        let all = ByteReader(bytes)
        return all.slice(at: Int(offset), Int(size)) ?? []
    }
}
