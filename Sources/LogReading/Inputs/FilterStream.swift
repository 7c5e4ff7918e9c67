import CArchive

/// What bzip2, xz, zstd or lz4 made, decompressed by libarchive: one layer of it. libarchive would undo all layers at one
/// go, and give no sign of life while those in between expand.
final class FilterStream: UnpackedStream {
    private let path: String
    private let archive: OpaquePointer
    private let feed: ArchiveFeed
    private var isOpen = false
    private var hasGiven = false
    /// What of the block that was decompressed last has not been given yet.
    private var block = UnsafeRawBufferPointer(start: nil, count: 0)
    private var isOver = false
    private var failure: ReadingError?

    init(_ stream: any ByteStream, filter: Int32, path: String) throws(ReadingError) {
        guard let archive = archive_read_new() else { throw ReadingError.noMemory(path) }
        self.path = path
        self.archive = archive
        feed = ArchiveFeed(stream)
        archive_read_append_filter(archive, filter)
        archive_read_support_format_raw(archive)
        archive_read_support_format_empty(archive)
    }

    deinit { archive_read_free(archive) }

    var storedBytes: Int64 { archive_filter_bytes(archive, -1) }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if let failure { throw failure }
        do throws(ReadingError) {
            return try decompress(into: room)
        } catch {
            failure = error
            throw error
        }
    }

    private func decompress(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if !isOpen { try open() }
        while block.isEmpty {
            if isOver { return 0 }
            var place: UnsafeRawPointer?
            var count = 0
            var start: Int64 = 0
            switch archive_read_data_block(archive, &place, &count, &start) {
            case ARCHIVE_OK: block = UnsafeRawBufferPointer(start: place, count: count)
            case ARCHIVE_EOF: try end()
            default: throw damage()
            }
        }
        let count = min(block.count, room.count)
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.prefix(count)))
        block = UnsafeRawBufferPointer(rebasing: block.dropFirst(count))
        hasGiven = true
        return count
    }

    private func open() throws(ReadingError) {
        isOpen = true
        var entry: OpaquePointer?
        // What libarchive could not decompress is no reason for it not to open it; the next call forgets why.
        guard feed.open(archive) == ARCHIVE_OK, archive_error_string(archive) == nil else { throw damage() }
        switch archive_read_next_header(archive, &entry) {
        case ARCHIVE_OK, ARCHIVE_WARN: break
        case ARCHIVE_EOF: try end()
        default: throw damage()
        }
    }

    /// Nothing more comes; libarchive takes bytes for the end, too, that it knows nothing of.
    private func end() throws(ReadingError) {
        isOver = true
        if feed.failure != nil { throw damage() }
        let end = storedBytes
        guard !feed.readToEnd(from: end) else { return }
        throw feed.failure
            ?? ReadingError(
                code: .damaged, path: path,
                message: """
                    the compressed data is damaged: what begins at its byte \(end) is no such data. \
                    \(hasGiven ? "The text before it is kept" : "Nothing before it could be read")
                    """)
    }

    private func damage() -> ReadingError {
        feed.failure ?? .damaged(path, by: archive, hasGiven: hasGiven)
    }
}
