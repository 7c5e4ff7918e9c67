import Synchronization

/// Keeps the archive that was read last open, at the member that was read last.
///
/// Members are read in the order in which they stand. Without the shelf, each of them would begin with decompressing
/// everything in front of it: the work would grow with the square of their number. Rotations are read from the oldest
/// on, which often stands last; what is passed over on the way to it is kept.
enum ArchiveShelf {
    /// An archive at rest, with those that it lies in: nobody reads it.
    ///
    /// Unchecked, because an archive has one owner at a time and libarchive binds it to no thread: a stream gives it
    /// up when it ends, the shelf keeps it alone, and gives it away under its lock.
    private struct Resting: @unchecked Sendable {
        var handle: ArchiveHandle
        var status: SystemCalls.Status
    }

    private struct Contents {
        var resting: Resting?
        var passed = PassedMembers()
    }

    private static let shelf = Mutex(Contents())

    /// The bytes of a member of that place, when it was passed over lately.
    static func bytes(of file: String, member place: [Int]) -> [UInt8]? {
        guard case .success(let status) = SystemCalls.status(file) else { return nil }
        return shelf.withLock { $0.passed.bytes(of: place, in: file, status) }
    }

    /// The archive with its member of that place open, opened anew or taken from the shelf.
    ///
    /// - Parameter path: what people see; for errors.
    static func open(
        _ file: String, member place: [Int], path: String, limits: ArchiveLimits
    ) throws(ReadingError) -> ArchiveHandle {
        let status = try SystemCalls.status(file).get()
        let resting = shelf.withLock { contents in
            let taken = contents.resting
            contents.resting = nil
            return taken
        }
        var handle: ArchiveHandle?
        var passed: PassedMembers?
        if let resting, resting.handle.file == file, resting.status.isSameContent(as: status) {
            handle = reusable(resting.handle, for: place)
            // Whoever goes back once goes back again.
            if handle == nil {
                passed = PassedMembers(file, status)
                shelf.withLock { $0.passed = PassedMembers() }
            }
        }
        var archive: ArchiveHandle
        if let handle { archive = handle } else { archive = try ArchiveHandle(path: file, limits: limits) }
        while true {
            let level = archive.place.count - 1
            while archive.index < place[level] {
                try passed?.keep(archive)
                guard try archive.nextMember() else {
                    throw ReadingError(code: .missing, path: path, message: "the archive has no such member any more")
                }
            }
            guard level + 1 < place.count else { break }
            archive = try ArchiveHandle(inside: archive, path: path)
        }
        if let passed { shelf.withLock { $0.passed = passed } }
        return archive
    }

    /// The innermost archive at rest that stands before the place.
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

    /// Puts an archive back that nobody reads any more.
    static func put(_ handle: ArchiveHandle) {
        var sound: ArchiveHandle? = handle
        while let archive = sound, archive.isDamaged || archive.isSingleFile { sound = archive.outer }
        guard let sound, let status = sound.fileStatus else { return }
        let resting = Resting(handle: sound, status: status)
        shelf.withLock { $0.resting = resting }
    }
}
