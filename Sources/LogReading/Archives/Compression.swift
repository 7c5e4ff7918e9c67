import CArchive
import CZlib

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

/// A gzip file, decompressed up to its damage. libarchive would hold back the whole block in which a damage lies, which is
/// all of a small log; zlib gives every byte before it.
final class GzipStream: UnpackedStream, LayeredStream {
    private enum Stage {
        /// Before a member.
        case between
        case inside
        case ended
    }

    private static let inputSize = 64 << 10
    /// Bytes of a member's header that are always there.
    private static let headerSize = 10
    /// A window of any size, and a gzip header.
    private static let windowBits: Int32 = 15 + 16

    let source: any ByteStream
    private let path: String
    private let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 16)
    /// What of the input has not been decompressed yet.
    private var unread = 0..<0
    private var inputHasEnded = false
    private var stage = Stage.between
    private var damage: ReadingError?
    private var hasGiven = false
    private var isFirst = true
    private(set) var storedBytes: Int64 = 0

    init(_ stream: any ByteStream, path: String) throws(ReadingError) {
        source = stream
        self.path = path
        state.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(state, Self.windowBits, ZLIB_VERSION, size) == Z_OK else {
            throw ReadingError.noMemory(path)
        }
    }

    deinit {
        inflateEnd(state)
        state.deallocate()
        input.deallocate()
    }

    /// How every gzip file begins.
    static let magic: [UInt8] = [0x1F, 0x8B]

    var hasEnded: Bool { stage == .ended }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        while true {
            switch stage {
            case .ended:
                if let damage { throw damage }
                return 0
            case .between:
                if try !openMember() { return 0 }
            case .inside:
                let given = try inflate(into: room)
                if given > 0 { return given }
                if stage == .inside { return 0 }
            }
        }
    }

    /// Goes to the next member, or to the end. False when a live stream has to be waited for.
    private func openMember() throws(ReadingError) -> Bool {
        while true {
            if unread.count < Self.headerSize, !inputHasEnded {
                if try !refill() { return false }
                continue
            }
            if stage == .ended { return true }
            if unread.isEmpty {
                stage = .ended
                return true
            }
            guard input[unread.lowerBound] == 0 else {
                if beginsMember {
                    isFirst = false
                    inflateReset(state)
                    stage = .inside
                } else {
                    note("what follows is not gzip data")
                }
                return true
            }
            // Zeros fill the last block of a tape.
            unread = (input[unread].firstIndex { $0 != 0 } ?? unread.upperBound)..<unread.upperBound
        }
    }

    /// Whether the unread input begins with the header of a member: the first one is known by its mark alone.
    private var beginsMember: Bool {
        let header = input[unread]
        guard header.starts(with: Self.magic) else { return false }
        return isFirst || header.count >= Self.headerSize && header.dropFirst(2).first == 8
    }

    /// Decompresses what there is room for; 0 when the member ends here, or a live stream has to be waited for.
    private func inflate(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        while true {
            if unread.isEmpty, !inputHasEnded, try !refill() { return 0 }
            let bytes = room.bindMemory(to: UInt8.self)
            state.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress?.advanced(by: unread.lowerBound)
            state.pointee.avail_in = UInt32(unread.count)
            state.pointee.next_out = bytes.baseAddress
            state.pointee.avail_out = UInt32(clamping: room.count)
            let result = CZlib.inflate(state, Z_SYNC_FLUSH)
            unread = unread.upperBound - Int(state.pointee.avail_in)..<unread.upperBound
            let given = Int(UInt32(clamping: room.count) - state.pointee.avail_out)
            hasGiven = hasGiven || given > 0
            switch result {
            case Z_STREAM_END:
                stage = .between
            case Z_OK, Z_BUF_ERROR:
                if given == 0, unread.isEmpty, inputHasEnded { note("it ends too early") }
            default:
                note(state.pointee.msg.map { String(cString: $0) } ?? "error \(result)")
            }
            if given > 0 || stage != .inside { return given }
        }
    }

    /// Nothing more can be read.
    private func note(_ reason: String) {
        stage = .ended
        damage = ReadingError(
            code: .damaged, path: path,
            message: """
                the compressed data is damaged or cut off (\(reason)): \(hasGiven ? "the text" : "nothing") before the \
                damage \(hasGiven ? "is kept" : "could be read"). The rest is lost: if you need it, \
                copy the file again from its source
                """)
    }

    /// Reads more input after what is unread. False when a live stream has nothing at present.
    private func refill() throws(ReadingError) -> Bool {
        input.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[unread]))
        unread = 0..<unread.count
        let got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: input[unread.upperBound...]))
        unread = 0..<unread.count + got
        storedBytes += Int64(got)
        if got == 0 {
            guard source.hasEnded else { return false }
            inputHasEnded = true
        }
        return true
    }
}

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
        // What libarchive could not decompress does not keep it from opening it; the next call forgets why.
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
                    the compressed data is damaged: from its byte \(end) on, it is something else. \
                    \(hasGiven ? "The text before it is kept" : "Nothing before it could be read")
                    """)
    }

    private func damage() -> ReadingError {
        feed.failure ?? .damaged(path, by: archive, hasGiven: hasGiven)
    }
}
