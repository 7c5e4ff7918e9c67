import Foundation

/// What is at the path of a database, determined without changing it.
enum DatabaseFile: Equatable {
    /// No file, or an empty one.
    case absent
    /// A lifestats database.
    case ours

    /// Looks at the header of the file.
    ///
    /// - Throws: ``StoreError`` when there is something other than a lifestats database.
    static func inspect(_ path: String) throws -> DatabaseFile {
        // SQLite takes these for a database that vanishes when it is closed, or for a name with options.
        guard !path.isEmpty, path != ":memory:", !path.hasPrefix("file:") else {
            throw StoreError.cannotOpen(path: "'\(path)'", reason: "this is not the name of a file")
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return .absent }
            throw StoreError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError.cannotOpen(path: path, reason: "it is not a regular file")
        }
        if status.st_size == 0 { return .absent }
        let header = try read(path, count: 100)
        guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw StoreError.notADatabase(path: path, reason: "the file does not begin like an SQLite database")
        }
        // Bytes 68 to 71 hold the application id, 60 to 63 the user version, both big-endian.
        guard number(header[68..<72]) == Schema.applicationID else { throw StoreError.foreign(path: path) }
        let version = number(header[60..<64])
        guard version <= Schema.version else { throw StoreError.tooNew(path: path, version: version) }
        // Without a version a database was begun but has no tables, or it is damaged: its schema shows which.
        guard version == Schema.version || version == 0 else { throw StoreError.tooOld(path: path) }
        return .ours
    }

    /// The path that a path leads to through links, whether there is a file or not. The files beside a database (journal,
    /// writer lock) are named after it.
    static func resolved(_ path: String) -> String {
        var path = path
        for _ in 0..<mostLinks {
            if let whole = realpath(path, nil) {
                defer { free(whole) }
                return String(cString: whole)
            }
            let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
            guard let target = target(of: path) else {
                guard let folder = realpath(end == path.startIndex ? "." : String(path[..<end]), nil) else { break }
                defer { free(folder) }
                return String(cString: folder) + "/" + path[end...]
            }
            path = target.hasPrefix("/") ? target : path[..<end] + target
        }
        return path
    }

    private static let mostLinks = 40

    /// The target of a link; `nil` when the path is not a link.
    private static func target(of path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &target, target.count)
        guard count >= 0 else { return nil }
        return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// What is there in place of a database that is absent.
    static func absence(of path: String) -> StoreError {
        var status = stat()
        if stat(path, &status) == 0 { return .empty(path: path) }
        guard let target = target(of: path) else { return .missing(path: path) }
        return .dangling(path: path, target: target)
    }

    /// What is missing of a database that SQLite can't open, when it was cut off; `nil` when nothing is.
    static func shortfall(of path: String) -> String? {
        var status = stat()
        // Beside a write-ahead log the file may be shorter than it says.
        guard access(resolved(path) + "-wal", F_OK) != 0, stat(path, &status) == 0,
            let header = try? read(path, count: 100), header.count == 100
        else { return nil }
        // Bytes 16 and 17 hold the size of a page, where 1 stands for 65,536, and 28 to 31 their number.
        let size = Int64(number(header[16..<18]))
        let expected = Int64(number(header[28..<32])) * (size == 1 ? 65_536 : size)
        guard status.st_size < expected else { return nil }
        return "it was cut off: it has \(status.st_size) of \(expected) bytes"
    }

    /// Whether a database was left in write-ahead mode and whole: nothing beside it belongs to it.
    static func isWhole(_ path: String) -> Bool {
        let file = resolved(path)
        guard !holdsAnything(file + "-wal"), !holdsAnything(file + "-journal") else { return false }
        // Bytes 18 and 19 hold the versions of the format for writing and reading: 2 is write-ahead mode.
        return (try? read(path, count: 20))?.suffix(2) == [2, 2]
    }

    /// Whether there is a file, and it is not empty.
    static func holdsAnything(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    /// - Throws: ``StoreError/cannotOpen(path:reason:)`` when the file of a database has several names (hard links): each
    ///   would have a journal and a writer of its own.
    static func requireOneName(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_nlink > 1 else { return }
        throw StoreError.cannotOpen(
            path: path,
            reason: "its file has \(status.st_nlink) names (hard links), and writing through one of them would "
                + "destroy it for the others: copy it, and use the copy")
    }

    /// A new database must not have the name of a file that SQLite keeps beside another one, and takes for its own.
    static func requireOwnName(_ path: String) throws {
        for suffix in ["-wal", "-shm", "-journal"] where path.hasSuffix(suffix) {
            throw StoreError.cannotOpen(
                path: path, reason: "SQLite keeps \(suffix) files beside its databases: choose another name")
        }
    }

    /// Removes a database that could not be completed, with the files that SQLite keeps beside it.
    static func remove(_ path: String) {
        unlink(path)
        removeCompanions(of: path)
    }

    private static func removeCompanions(of path: String) {
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    /// Renames a finished file to a database, durably: afterwards the database is there, whatever happens.
    static func publish(_ finished: String, as path: String) throws {
        try synchronize(finished)
        // The journal of a process that was killed with an empty file there would undo the new one.
        removeCompanions(of: path)
        guard rename(finished, path) == 0 else { throw SystemFailure() }
        let end = path.lastIndex(of: "/") ?? path.startIndex
        try synchronize(end == path.startIndex ? "/" : String(path[..<end]))
    }

    private static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure() }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemFailure() }
    }

    private static func read(_ path: String, count: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        return Array(unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, Foundation.read(descriptor, buffer.baseAddress, count))
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int32 {
        bytes.reduce(0) { $0 << 8 | Int32($1) }
    }
}

/// The right to write to a database: a locked file beside it, which goes away with the lock.
///
/// SQLite's own locks are per transaction. An ingest may consist of many, and what it derives from what it reads before
/// the first one must not change in between.
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
