/// How a file is stored, by its first bytes.
enum FileKind {
    /// Text, as far as the bytes show.
    case plain
    /// Compressed, or an archive: libarchive knows more.
    case packed
    /// Not text, as far as the bytes go; text may follow a damaged beginning.
    case binary
    /// A tracev3 file: Apple's binary unified log.
    case unifiedLog
    /// Clocks or format strings of one: they are read with its tracev3 files.
    case unifiedLogPart
    /// A file of a known kind that is none of text: a database, a picture, a program.
    case foreign

    /// Bytes that are looked at.
    static let size = 4096
    /// Bytes that show how a file is compressed.
    static let magicSize = 6

    /// Bytes that show whether it is an archive.
    static let archiveSize = 512

    private static let archiveMagics: [[UInt8]] = [
        [0x50, 0x4B, 0x03, 0x04], [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C],
    ]
    private static let magics = Compression.magics + archiveMagics

    /// Beginnings of files that contain text and are not logs.
    private static let foreignMagics: [[UInt8]] = [
        Array("SQLite format 3".utf8), Array("bplist0".utf8), Array("%PDF-".utf8), Array("GIF8".utf8),
        Array("RIFF".utf8), Array("OggS".utf8), [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x7F, 0x45, 0x4C, 0x46],
        [0xCF, 0xFA, 0xED, 0xFE], [0xCE, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE], [0x4D, 0x5A, 0x90, 0x00],
        Array("!<arch>\n".utf8), Array("Rar!".utf8), Array("MSCF".utf8), Array("xar!".utf8), [0x00, 0x61, 0x73, 0x6D],
    ]

    /// How a tracev3 file begins: the header chunk.
    private static let unifiedLogMagic: [UInt8] = [0x00, 0x10, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00]

    /// How uuidtext, dsc and timesync files begin.
    private static let unifiedLogPartMagics: [[UInt8]] = [
        [0x99, 0x88, 0x77, 0x66], Array("hcsd".utf8), [0xB0, 0xBB, 0x30, 0x00, 0x00, 0x00, 0x00, 0x00],
    ]

    /// Whether a compressed file may begin so, as far as the bytes go.
    static func mayBePacked(_ bytes: [UInt8]) -> Bool { magics.contains { $0.starts(with: bytes.prefix($0.count)) } }

    init(_ bytes: [UInt8]) {
        if Self.isArchive(bytes) || Compression.magics.contains(where: { bytes.starts(with: $0) }) {
            self = .packed
        } else if bytes.starts(with: Self.unifiedLogMagic) {
            self = .unifiedLog
        } else if Self.unifiedLogPartMagics.contains(where: { bytes.starts(with: $0) }) {
            self = .unifiedLogPart
        } else if Self.foreignMagics.contains(where: { bytes.starts(with: $0) }) {
            self = .foreign
        } else {
            self = SourceBeginning(bytes).isBinary ? .binary : .plain
        }
    }

    /// Whether a file that begins so is an archive, be it one that is damaged.
    static func isArchive(_ bytes: [UInt8]) -> Bool {
        archiveMagics.contains { bytes.starts(with: $0) } || isTape(bytes)
    }

    /// Whether a member of a tar archive begins here: it has a mark, or, of whatever age, holds the sum of its own bytes.
    /// NUL bytes follow each of its texts.
    private static func isTape(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= archiveSize, bytes[0] != 0, bytes[..<archiveSize].contains(0) else { return false }
        if bytes[257..<262].elementsEqual("ustar".utf8) { return true }
        let sumPlace = 148..<156
        let digits = bytes[sumPlace].drop { $0 == 0x20 }.prefix { 0x30...0x37 ~= $0 }
        guard !digits.isEmpty, let sum = Int(String(decoding: digits, as: UTF8.self), radix: 8) else { return false }
        // The sum itself counts as blanks.
        let others = bytes[..<sumPlace.lowerBound] + bytes[sumPlace.upperBound..<archiveSize]
        return sum == others.reduce(sumPlace.count * 0x20) { $0 + Int($1) }
    }

    /// Looks at pieces of a file whose beginning is not text.
    struct Survey {
        /// Pieces, and those of them that hold a line of text. Gaps of NUL bytes don't count.
        private(set) var pieces = 0
        private(set) var texts = 0

        mutating func add(_ bytes: [UInt8]) {
            guard bytes.contains(where: { $0 != 0 }) else { return }
            pieces += 1
            if FileKind.holdsText(bytes) { texts += 1 }
        }

        /// Whether the file is worth reading. Unless it was named, much of it must be text.
        func isLog(named: Bool) -> Bool { named ? texts > 0 : texts > 0 && texts * 4 >= pieces }
    }

    /// Whether there is a whole line of text, too long to be one by chance.
    private static func holdsText(_ bytes: [UInt8]) -> Bool {
        let shortest = 20
        return bytes.split(separator: 0x0A).dropLast(bytes.last == 0x0A ? 0 : 1).contains { line in
            line.count >= shortest && line.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0D }
                && line.count { $0 < 0x80 } * 2 >= line.count
        }
    }
}
