/// A parsed format string of os_log: literal text, and conversions with their decoders.
///
/// `%[{decoders}][flags][width][.precision][length]specifier`; see os_log(3) and printf(3).
struct FormatString {
    struct Conversion {
        /// Decoders in braces, without those that only say who may see the value.
        var decoders: [String] = []
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

    enum Part {
        case text(ArraySlice<UInt8>)
        case conversion(Conversion)
    }

    private(set) var parts: [Part] = []
    let conversions: Int

    /// The format of a text that is logged as it is.
    static let plainText: ArraySlice<UInt8> = [0x25, 0x73]

    /// The most conversions of a format, and the largest width: more is damage.
    private static let mostConversions = 256
    static let mostWidth = 4096

    init(_ format: ArraySlice<UInt8>) {
        var textStart = format.startIndex
        var place = format.startIndex
        var count = 0
        while let percent = format[place...].firstIndex(of: 0x25) {
            guard let (conversion, end) = Self.conversion(format, from: percent + 1), count < Self.mostConversions
            else {
                place = percent + 1
                continue
            }
            if textStart < percent { parts.append(.text(format[textStart..<percent])) }
            if let conversion {
                parts.append(.conversion(conversion))
                count += 1
            } else {
                parts.append(.text([0x25]))
            }
            place = end
            textStart = end
        }
        if textStart < format.endIndex { parts.append(.text(format[textStart...])) }
        conversions = count
    }

    /// The conversion after a per cent sign, `nil` for `%%`; no result when it is neither.
    private static func conversion(_ format: ArraySlice<UInt8>, from start: Int) -> (Conversion?, end: Int)? {
        var place = start
        func byte() -> UInt8 { place < format.endIndex ? format[place] : 0 }
        if byte() == 0x25 { return (nil, place + 1) }
        var result = Conversion(specifier: 0)
        if byte() == 0x7B {
            guard let close = format[place...].firstIndex(of: 0x7D), close - place <= 129 else { return nil }
            result.decoders = decoders(format[(place + 1)..<close])
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

    private static func decoders(_ bytes: ArraySlice<UInt8>) -> [String] {
        let ignored: Set<String> = ["", "private", "public", "sensitive", "xcode:size-in-bytes", "bluetooth:OI_STATUS"]
        return String(decoding: bytes, as: UTF8.self).split(separator: ",")
            .map { String($0.drop(while: { $0 == " " }).reversed().drop(while: { $0 == " " }).reversed()) }
            .filter { !ignored.contains($0) && !$0.hasPrefix("name=") && !$0.hasPrefix("Name:") }
    }
}
