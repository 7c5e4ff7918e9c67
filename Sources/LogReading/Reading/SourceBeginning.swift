/// What the first bytes of a source tell about all of it.
struct SourceBeginning {
    /// How texts are encoded.
    enum Encoding: String {
        case utf8, utf16LittleEndian, utf16BigEndian, latin1
    }

    /// How many bytes are looked at.
    static let size = 64 << 10

    var encoding = Encoding.utf8
    /// Bytes of a mark at the beginning, which belong to no line.
    var markLength = 0
    /// Whether lines with metadata end the records.
    var hasMetadata = false
    /// Whether there are colour codes of terminals.
    var hasColours = false
    /// Whether it is no text at all.
    var isBinary = false

    init() {}

    init(_ bytes: [UInt8]) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            markLength = 3
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            encoding = .utf16LittleEndian
            markLength = 2
        } else if bytes.starts(with: [0xFE, 0xFF]) {
            encoding = .utf16BigEndian
            markLength = 2
        }
        hasColours = bytes.contains(0x1B)
        guard encoding == .utf8 else { return }
        hasMetadata = Self.contains(bytes, "Type: ") && Self.contains(bytes, " | Timestamp: ")
        let (valid, invalid) = Self.sequences(bytes)
        let controls = bytes.count { $0 < 0x20 && !(0x07...0x0D).contains($0) && $0 != 0x1B && $0 != 0 }
        let zeros = bytes.count { $0 == 0 }
        // Text has no control characters to speak of; NUL bytes alone are the gap that a crash leaves in a file.
        isBinary =
            bytes.count >= 16 && controls * 20 > bytes.count - zeros
            || (zeros > 0 && zeros * 10 > bytes.count && !bytes.contains(0x0A))
        if invalid > valid, !isBinary { encoding = .latin1 }
    }

    private static func contains(_ bytes: [UInt8], _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count >= count else { return false }
        let first = text.utf8Start[0]
        return (0...bytes.count - count).contains { at in
            bytes[at] == first && (1..<count).allSatisfy { bytes[at + $0] == text.utf8Start[$0] }
        }
    }

    /// Number of well-formed sequences of several bytes, and of bytes that are none; one that the end cuts counts as
    /// neither.
    private static func sequences(_ bytes: [UInt8]) -> (valid: Int, invalid: Int) {
        var (valid, invalid, at) = (0, 0, 0)
        while at < bytes.count {
            let length: Int
            switch bytes[at] {
            case 0..<0x80:
                at += 1
                continue
            case 0xC2..<0xE0: length = 2
            case 0xE0..<0xF0: length = 3
            case 0xF0..<0xF5: length = 4
            default:
                invalid += 1
                at += 1
                continue
            }
            if at + length > bytes.count { break }
            if (1..<length).allSatisfy({ bytes[at + $0] & 0xC0 == 0x80 }) {
                valid += 1
                at += length
            } else {
                invalid += 1
                at += 1
            }
        }
        return (valid, invalid)
    }
}
