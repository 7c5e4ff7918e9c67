import CArchive

/// How a file is compressed, by its first bytes.
enum Compression {
    /// What zlib undoes.
    case gzip
    /// What a filter of libarchive undoes, by the number that it has there.
    case filter(Int32)

    /// - Parameter bytes: the first ones, ``FileKind/magicSize`` of them where there are so many.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: GzipStream.magic) {
            self = .gzip
        } else if let filter = Self.filters.first(where: { bytes.starts(with: $0.magic) }) {
            self = .filter(filter.number)
        } else {
            return nil
        }
    }

    /// How compressed files begin.
    static let magics = filters.map(\.magic) + [GzipStream.magic]

    private static let filters: [(magic: [UInt8], number: Int32)] =
        [
            (Array("BZh".utf8), ARCHIVE_FILTER_BZIP2), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], ARCHIVE_FILTER_XZ),
            ([0x28, 0xB5, 0x2F, 0xFD], ARCHIVE_FILTER_ZSTD), ([0x04, 0x22, 0x4D, 0x18], ARCHIVE_FILTER_LZ4),
        ]
        // Frames that are to be skipped, as parallel compressors write them in front.
        + (0x50...0x5F).map { ([$0, 0x2A, 0x4D, 0x18], ARCHIVE_FILTER_ZSTD) }

    /// A stream without this compression, and with all that lies below it.
    func undone(_ stream: any ByteStream, path: String) throws(ReadingError) -> any UnpackedStream {
        switch self {
        case .gzip: try GzipStream(stream, path: path)
        case .filter(let number): try FilterStream(stream, filter: number, path: path)
        }
    }
}
