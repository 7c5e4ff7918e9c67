import Synchronization

/// Keeps the archive that was read last open, at the member that was read last.
///
/// Members are read in the order in which they stand. Without the shelf, each of them would begin with decompressing
/// everything in front of it: the work would grow with the square of their number.
enum ArchiveShelf {
    /// An archive at rest: nobody reads it.
    ///
    /// Unchecked, because an archive has one owner at a time and libarchive binds it to no thread: a stream gives it
    /// up when it ends, the shelf keeps it alone, and gives it away under its lock.
    private struct Resting: @unchecked Sendable {
        var handle: ArchiveHandle
        var device: UInt64
        var inode: UInt64
        var size: Int64
    }

    private static let shelf = Mutex<Resting?>(nil)

    /// The archive, opened anew or taken from the shelf, before or at the member of that number.
    static func take(_ path: String, before index: Int) throws(ReadingError) -> ArchiveHandle {
        let status = try SystemCalls.status(path).get()
        let resting = shelf.withLock { slot in
            let taken = slot
            slot = nil
            return taken
        }
        if let resting, resting.handle.path == path, resting.handle.index < index, resting.device == status.device,
            resting.inode == status.inode, resting.size == status.size
        {
            return resting.handle
        }
        return try ArchiveHandle(path: path)
    }

    /// Puts an archive back that nobody reads any more.
    static func put(_ handle: ArchiveHandle) {
        guard !handle.isDamaged, !handle.isSingleFile, case .success(let status) = SystemCalls.status(handle.path)
        else {
            return
        }
        let resting = Resting(handle: handle, device: status.device, inode: status.inode, size: status.size)
        shelf.withLock { $0 = resting }
    }
}
