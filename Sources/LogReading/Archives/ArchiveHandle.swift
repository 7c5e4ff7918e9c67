import CArchive

/// An open archive or compressed file; owns what libarchive allocates for it.
final class ArchiveHandle {
    private let archive: OpaquePointer
    let path: String
    /// What was known of the file when it was opened; `nil` if it is not a file.
    private var status: SystemCalls.Status?
    let policy: ArchivePolicy
    /// Bytes that this opening of the file decompressed at all depths.
    private var passedHere: Int64 = 0
    /// The archive that this one is a member of, and what gives its bytes; `nil` for a file.
    let outer: ArchiveHandle?
    private let feed: ArchiveFeed?
    /// What decompresses it, where it is compressed as a whole.
    private let layer: (any UnpackedStream)?
    /// Whether reading has failed, and whether the members after the open one can still be read.
    private(set) var isDamaged = false
    private(set) var canGoOn = false
    /// Number of the member that was opened last, counted from 0; -1 before the first.
    private(set) var index = -1
    /// Name and kind of that member.
    private(set) var memberName = ""
    private(set) var isRegularMember = false
    /// The member that it is another name of, where it is one.
    private(set) var otherName: String?
    private var isEncrypted = false
    /// What of the block that was decompressed last has not been given yet, and where in the member that begins.
    private var block = UnsafeRawBufferPointer(start: nil, count: 0)
    private var blockStart: Int64 = 0
    /// Why nothing follows that block.
    private var failure: ReadingError?
    /// Whether something follows the end of a tar archive; known at that end.
    private(set) var hasMore = false
    /// How much of the open member has been given, and whether anything of any has.
    private(set) var given: Int64 = 0
    private var hasGiven = false

    /// Opens a file.
    convenience init(path: String, policy: ArchivePolicy) throws(ReadingError) {
        let file = try FileStream(path: path)
        let status = try SystemCalls.status(path).get()
        let beginning = try StreamOpener.beginning(of: file, size: FileKind.magicSize)
        if Compression(beginning) != nil {
            try self.init(
                ChainedStream(beginning, then: file), beginning: beginning, path: path, policy: policy)
            self.status = status
            return
        }
        try self.init(path: path, policy: policy, feed: nil, layer: nil, outer: nil, isArchive: true)
        self.status = status
        // By its name, because some archives are read from their end.
        let result = PathSpelling.withBytes(of: path) { archive_read_open_filename(archive, $0, 128 << 10) }
        guard result == ARCHIVE_OK else { throw damage() }
    }

    /// Opens the open member of an archive as an archive of its own.
    ///
    /// - Parameters:
    ///   - path: the path as shown to people.
    ///   - beginning: the bytes of the member that were read already.
    convenience init(inside outer: ArchiveHandle, path: String, beginning: [UInt8] = []) throws(ReadingError) {
        let beginning = beginning.isEmpty ? try outer.beginning(size: FileKind.magicSize) : beginning
        try self.init(
            ChainedStream(beginning, then: MemberStream(outer)), beginning: beginning, path: path,
            policy: outer.policy, outer: outer)
    }

    /// Opens a stream of bytes.
    ///
    /// - Parameter beginning: the first of these bytes.
    convenience init(
        _ stream: any ByteStream, beginning: [UInt8], path: String, policy: ArchivePolicy,
        outer: ArchiveHandle? = nil
    ) throws(ReadingError) {
        let layer = try Compression(beginning)?.undone(stream, path: path)
        let content = try layer.map { layer throws(ReadingError) in try Self.beginning(of: layer) }
        let feed = ArchiveFeed(layer.map { ChainedStream(content ?? [], then: $0) } ?? stream)
        try self.init(
            path: path, policy: policy, feed: feed, layer: layer, outer: outer,
            isArchive: content.map(FileKind.isArchive) ?? true)
        guard feed.open(archive) == ARCHIVE_OK else { throw damage() }
    }

    private init(
        path: String, policy: ArchivePolicy, feed: ArchiveFeed?, layer: (any UnpackedStream)?,
        outer: ArchiveHandle?, isArchive: Bool
    ) throws(ReadingError) {
        guard let archive = archive_read_new() else { throw ReadingError.noMemory(path) }
        self.archive = archive
        self.path = path
        self.policy = policy
        self.feed = feed
        self.layer = layer
        self.outer = outer
        archive_read_support_format_raw(archive)
        archive_read_support_format_empty(archive)
        // libarchive takes a text after a gap of NUL bytes for a tar archive without members.
        guard isArchive else { return }
        archive_read_support_format_tar(archive)
        archive_read_support_format_gnutar(archive)
        archive_read_support_format_zip(archive)
        archive_read_support_format_7zip(archive)
    }

    deinit { archive_read_free(archive) }

    /// The bytes that show whether the compressed content is an archive.
    private static func beginning(of layer: any UnpackedStream) throws(ReadingError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < FileKind.archiveSize {
            let more = try StreamOpener.beginning(of: layer, size: FileKind.archiveSize - bytes.count)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// Takes note of bytes that were decompressed, read or passed over.
    ///
    /// - Throws: ``ReadingError`` of code `tooLarge` when they are too many.
    func pass(_ bytes: Int) throws(ReadingError) {
        if let outer { return try outer.pass(bytes) }
        passedHere += Int64(bytes)
        try policy.allow(passing: passedHere)
    }

    /// Whether nothing of the file is decompressed any more.
    var isSpent: Bool { outer?.isSpent ?? policy.isSpent(after: passedHere) }

    /// The file that everything lies in.
    var file: String { outer?.file ?? path }
    var fileStatus: SystemCalls.Status? { outer?.fileStatus ?? status }

    /// Place of the open member: its number in each archive, the outermost first.
    var place: [Int] { (outer?.place ?? []) + [index] }

    /// Whether it is one compressed file and no archive; known from the first member on.
    var isSingleFile: Bool { archive_format(archive) == ARCHIVE_FORMAT_RAW }

    /// Whether it is empty; known when there is no first member.
    var isEmpty: Bool { archive_format(archive) == ARCHIVE_FORMAT_EMPTY }

    /// Opens the next member; false after the last.
    func nextMember() throws(ReadingError) -> Bool {
        try passOver()
        block = UnsafeRawBufferPointer(start: nil, count: 0)
        blockStart = 0
        failure = nil
        given = 0
        var entry: OpaquePointer?
        switch archive_read_next_header(archive, &entry) {
        case ARCHIVE_EOF:
            try lookBehindEnd()
            return false
        case ARCHIVE_OK, ARCHIVE_WARN: break
        default: throw damage()
        }
        guard !isSingleFile || layer != nil else {
            isDamaged = true
            throw ReadingError(
                code: .damaged, path: path,
                message: "begins like an archive but cannot be read as one: its beginning is damaged")
        }
        index += 1
        memberName = ""
        isRegularMember = isSingleFile
        otherName = nil
        isEncrypted = false
        if !isSingleFile { feed?.owner = self }
        guard let entry else { return true }
        if let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) {
            memberName = PathSpelling.text(of: name)
        }
        isEncrypted = archive_entry_is_encrypted(entry) != 0
        otherName = (archive_entry_hardlink_utf8(entry) ?? archive_entry_hardlink(entry)).map { String(cString: $0) }
        // Links lead to members that are found by themselves.
        let isLink = otherName != nil || archive_entry_symlink(entry) != nil
        isRegularMember = isSingleFile || (archive_entry_filetype(entry) == 0o100000 && !isLink)
        return true
    }

    private var isTape: Bool { archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR }

    /// Finds out whether anything but zeros follows what libarchive wanted.
    private func lookBehindEnd() throws(ReadingError) {
        let end = archive_filter_bytes(archive, -1)
        if let feed {
            hasMore = !feed.readToEnd(from: end) && isTape
            if let failure = feed.failure { throw damage(failure) }
        } else if isTape {
            let rest = try FileStream(path: path)
            try rest.skip(end)
            // A sparse file may go on for ever.
            var room = policy.limits.searchedBytes
            while !hasMore, room > 0 {
                let bytes = try StreamOpener.beginning(of: rest, size: 64 << 10)
                if bytes.isEmpty { break }
                room -= Int64(bytes.count)
                hasMore = bytes.contains { $0 != 0 }
            }
        }
    }

    /// Goes to the end of the open member, where libarchive would decompress it to do so, in one go, however far it
    /// expands: always in 7z, and in a zip archive that is not a file of its own when it wants to.
    private func passOver() throws(ReadingError) {
        guard index >= 0, isDecompressedHere else { return }
        var place: UnsafeRawPointer?
        var count = 0
        var start: Int64 = 0
        // Damage is reported when the next member is opened.
        while Self.givesBytes(archive_read_data_block(archive, &place, &count, &start)) { try pass(count) }
    }

    /// Whether a block was read, even if the checksum after it is wrong.
    private static func givesBytes(_ result: Int32) -> Bool { result == ARCHIVE_OK || result == ARCHIVE_WARN }

    /// Whether members expand in the archive itself, and not in what feeds it, where that is counted.
    private var isDecompressedHere: Bool {
        let format = archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK
        return format == ARCHIVE_FORMAT_7ZIP || format == ARCHIVE_FORMAT_ZIP && feed != nil
    }

    /// The next bytes of the open member, which are only looked at: they count like those that are passed over.
    func lookedAt(size: Int) throws(ReadingError) -> [UInt8] {
        let bytes = try beginning(size: size)
        if isDecompressedHere { try pass(bytes.count) }
        return bytes
    }

    /// Bytes that have been read of the file, as stored.
    var storedBytes: Int64 { outer?.storedBytes ?? layer?.storedBytes ?? archive_filter_bytes(archive, -1) }

    /// Reads the open member; 0 at its end.
    ///
    /// Block by block: `archive_read_data` loses the good blocks of the room that it fills when a later one is damaged.
    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        while block.isEmpty, blockStart <= given {
            if let failure { throw failure }
            var place: UnsafeRawPointer?
            var count = 0
            let result = archive_read_data_block(archive, &place, &count, &blockStart)
            if result == ARCHIVE_EOF {
                if let failure = feed?.failure { throw damage(failure) }
                return 0
            }
            guard Self.givesBytes(result) else {
                canGoOn = result == ARCHIVE_FAILED
                throw damage()
            }
            block = UnsafeRawBufferPointer(start: place, count: count)
            if result == ARCHIVE_WARN {
                isDamaged = true
                canGoOn = true
                failure = .doubtful(path, by: archive)
            }
        }
        let count: Int
        if blockStart > given {
            // A hole of a sparse file.
            count = min(Int(clamping: blockStart - given), room.count)
            UnsafeMutableRawBufferPointer(rebasing: room.prefix(count)).initializeMemory(as: UInt8.self, repeating: 0)
        } else {
            count = min(block.count, room.count)
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.prefix(count)))
            block = UnsafeRawBufferPointer(rebasing: block.dropFirst(count))
            blockStart += Int64(count)
        }
        given += Int64(count)
        hasGiven = true
        return count
    }

    /// The first bytes of the open member, as far as they can be read.
    func beginning(size: Int) throws(ReadingError) -> [UInt8] {
        var failure: ReadingError?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, filled in
            do throws(ReadingError) {
                while filled < room.count {
                    let rest = UnsafeMutableBufferPointer(rebasing: room[filled...])
                    let got = try read(into: UnsafeMutableRawBufferPointer(rest))
                    if got == 0 { break }
                    filled += got
                }
            } catch {
                failure = error
            }
        }
        if let failure, bytes.isEmpty { throw failure }
        return bytes
    }

    /// Why nothing more can be read: what feeds the archive knows it best.
    private func damage(_ failure: ReadingError? = nil) -> ReadingError {
        isDamaged = true
        if let failure = failure ?? feed?.failure { return failure }
        return isEncrypted ? .encrypted(path) : .damaged(path, by: archive, hasGiven: hasGiven)
    }
}

/// Gives libarchive the bytes of an archive that is not a file of its own.
final class ArchiveFeed {
    private let stream: any ByteStream
    /// The archive that the bytes count for; `nil` where they are those of one compressed file.
    weak var owner: ArchiveHandle?
    /// Why the bytes end before their end. libarchive gets an end instead, because it would drop what it has.
    private(set) var failure: ReadingError?
    /// Bytes that were given, and how many of them the last time.
    private(set) var given: Int64 = 0
    private var lastCount = 0
    /// What the reader looks at until it asks for more.
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    init(_ stream: any ByteStream) { self.stream = stream }

    deinit { room.deallocate() }

    /// Opens an archive whose bytes these are. It may be used as long as the feed is there.
    func open(_ archive: OpaquePointer) -> Int32 {
        archive_read_open(
            archive, Unmanaged.passUnretained(self).toOpaque(), nil,
            { _, data, place in
                guard let data, let place else { return -1 }
                return Unmanaged<ArchiveFeed>.fromOpaque(data).takeUnretainedValue().next(&place.pointee)
            }, nil)
    }

    /// Reads what the archive did not want, because the checksum may be there.
    ///
    /// - Parameter end: how many bytes it did want.
    /// - Returns: whether nothing follows them but the zeros that fill the last block of a tape.
    @discardableResult
    func readToEnd(from end: Int64 = 0) -> Bool {
        var left = Int(clamping: given - end)
        var isFilling = left <= lastCount
        var place: UnsafeRawPointer?
        repeat {
            isFilling = isFilling && room[..<lastCount].suffix(left).allSatisfy { $0 == 0 }
            left = next(&place)
        } while left > 0
        return isFilling
    }

    /// Points to the next bytes and returns how many there are: 0 at the end.
    private func next(_ place: inout UnsafeRawPointer?) -> Int {
        place = UnsafeRawPointer(room.baseAddress)
        guard failure == nil else { return 0 }
        do throws(ReadingError) {
            let count = try stream.read(into: room)
            given += Int64(count)
            if count > 0 { lastCount = count }
            try owner?.pass(count)
            return count
        } catch {
            failure = error
            return 0
        }
    }
}

/// The bytes of an archive's open member, as those of an archive or a compressed file of its own.
final class MemberStream: ByteStream {
    private let archive: ArchiveHandle

    init(_ archive: ArchiveHandle) { self.archive = archive }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        let count = try archive.read(into: room)
        // Whatever lies inside may take them all without giving a byte.
        try archive.pass(count)
        return count
    }
}
