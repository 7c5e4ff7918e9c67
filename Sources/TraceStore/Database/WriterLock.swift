#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The right to write to a database: a locked file beside it, which goes away with the lock.
///
/// SQLite's own locks are per transaction; an ingest may be many of them, and what it makes of what it reads before the
/// first belongs to them.
final class WriterLock {
    private let path: String
    private let descriptor: Int32

    /// Takes the lock, waiting for another writer when there is one.
    ///
    /// - Parameters:
    ///   - file: the path of the database's file, the same for everybody who writes to it.
    ///   - shown: the path as shown to people.
    ///   - waiting: called once, before waiting.
    /// - Throws: ``StoreError/cannotOpen(path:reason:)`` when the lock file cannot be made or locked.
    init(file: String, shown: String, waiting: () -> Void) throws {
        let path = file + "-writer"
        self.path = path
        func failure() -> StoreError {
            let reason = String(cString: strerror(errno))
            return .cannotOpen(path: shown, reason: access(path, F_OK) == 0 ? "\(path): \(reason)" : reason)
        }
        var announced = false
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw failure() }
            var operation = LOCK_EX | LOCK_NB
            while flock(descriptor, operation) != 0 {
                guard errno == EWOULDBLOCK || errno == EINTR else {
                    defer { close(descriptor) }
                    throw failure()
                }
                guard errno == EWOULDBLOCK else { continue }
                operation = LOCK_EX
                if !announced {
                    announced = true
                    waiting()
                }
            }
            // The writer before may have removed the file while this one waited for it.
            var held = stat()
            var named = stat()
            if fstat(descriptor, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
    }

    deinit {
        unlink(path)
        close(descriptor)
    }
}
