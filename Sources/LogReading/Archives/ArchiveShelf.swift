import Synchronization

/// Keeps the archive that was read last open, at the member that was read last.
///
/// Members are read in their order. Without the shelf, each of them would begin with decompressing everything in front of
/// it: the work would grow with the square of their number.
enum ArchiveShelf {
    /// An archive that is not being read, with those that contain it.
    ///
    /// Unchecked, because an archive has one owner at a time and libarchive binds it to no thread: a stream gives it
    /// up when it ends, the shelf keeps it alone, and gives it away under its lock.
    private struct Resting: @unchecked Sendable {
        var handle: ArchiveHandle
        var status: SystemCalls.Status
    }

    private static let shelf = Mutex<Resting?>(nil)

    /// The archive with its member of that place open, opened anew or taken from the shelf.
    ///
    /// - Parameter path: what people see; for errors.
    static func open(
        _ file: String, member place: [Int], path: String, policy: ArchivePolicy
    ) throws(ReadingError) -> ArchiveHandle {
        let status = try SystemCalls.status(file).get()
        let resting = shelf.withLock { resting in
            defer { resting = nil }
            return resting
        }
        var archive: ArchiveHandle
        if let resting, resting.handle.file == file, resting.status.isSameContent(as: status),
            let handle = reusable(resting.handle, for: place)
        {
            archive = handle
        } else {
            archive = try ArchiveHandle(path: file, policy: policy)
        }
        while true {
            let level = archive.place.count - 1
            while archive.index < place[level] {
                guard try archive.nextMember() else {
                    throw ReadingError(code: .missing, path: path, message: "the archive no longer has such a member")
                }
            }
            guard level + 1 < place.count else { break }
            archive = try ArchiveHandle(inside: archive, path: path)
        }
        return archive
    }

    /// The innermost resting archive that is before the place.
    private static func reusable(_ resting: ArchiveHandle, for place: [Int]) -> ArchiveHandle? {
        var candidate: ArchiveHandle? = resting
        while let archive = candidate {
            let rests = archive.place
            let level = rests.count - 1
            if level < place.count, rests.dropLast().elementsEqual(place.prefix(level)), rests[level] < place[level] {
                return archive
            }
            candidate = archive.outer
        }
        return nil
    }

    /// Puts back an archive that is no longer read.
    static func put(_ handle: ArchiveHandle) {
        var sound: ArchiveHandle? = handle
        while let archive = sound, archive.isDamaged || archive.isSingleFile { sound = archive.outer }
        guard let sound, let status = sound.fileStatus else { return }
        let resting = Resting(handle: sound, status: status)
        shelf.withLock { $0 = resting }
    }
}

/// The bytes of a compressed file, or of one member of an archive.
final class ArchiveStream: ByteStream {
    private let handle: ArchiveHandle
    private let path: String
    private let policy: ArchivePolicy
    private let place: [Int]
    /// Whether it counts with the other members of an archive.
    private let isMember: Bool
    private var given: Int64 = 0
    /// Why nothing more can be read; what came before it is given first.
    private var failure: ReadingError?

    /// Opens a member by its place.
    convenience init(
        archive: String, place: [Int], path: String, policy: ArchivePolicy
    ) throws(ReadingError) {
        let handle = try ArchiveShelf.open(archive, member: place, path: path, policy: policy)
        self.init(handle, path: path, policy: policy, isMember: true)
    }

    /// Reads the open member of an archive, or a compressed file.
    init(_ handle: ArchiveHandle, path: String, policy: ArchivePolicy, isMember: Bool = false) {
        self.handle = handle
        self.path = path
        self.policy = policy
        self.isMember = isMember
        place = handle.place
    }

    deinit { ArchiveShelf.put(handle) }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if let failure { throw failure }
        var filled = 0
        // A decompressor gives small pieces; larger ones cost less further on.
        do throws(ReadingError) {
            while filled < room.count {
                let got = try handle.read(into: UnsafeMutableRawBufferPointer(rebasing: room[filled...]))
                if got == 0 { break }
                filled += got
            }
        } catch {
            failure = error
            if filled == 0 { throw error }
        }
        given += Int64(filled)
        try policy.allow(expanding: handle.storedBytes, to: given, path: path)
        if isMember { try policy.allow(reading: place, upTo: given, path: path) }
        return filled
    }
}
