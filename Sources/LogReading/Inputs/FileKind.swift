/// What the first bytes of a file say about how it is stored.
enum FileKind {
    /// Text, as far as can be told.
    case plain
    /// Compressed, or an archive: libarchive knows more.
    case packed
    /// No text.
    case binary

    /// Bytes that are looked at.
    static let size = 4096
    /// Bytes that tell how a file is compressed.
    static let magicSize = 6

    private static let magics: [[UInt8]] = [
        [0x1F, 0x8B], Array("BZh".utf8), [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], [0x28, 0xB5, 0x2F, 0xFD],
        [0x50, 0x4B, 0x03, 0x04], [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], [0x04, 0x22, 0x4D, 0x18], [0x1F, 0x9D],
    ]

    /// Whether a compressed file may begin so, as far as the bytes go.
    static func mayBePacked(_ bytes: [UInt8]) -> Bool { magics.contains { $0.starts(with: bytes.prefix($0.count)) } }

    init(_ bytes: [UInt8]) {
        if Self.magics.contains(where: { bytes.starts(with: $0) }) {
            self = .packed
        } else if bytes.count > 262, bytes[257..<262].elementsEqual("ustar".utf8) {
            self = .packed
        } else {
            self = SourceBeginning(bytes).isBinary ? .binary : .plain
        }
    }
}
