import Foundation

/// Writes files with the calls of the system, because their errors tell what happened: to Foundation a file that may
/// not grow further is an unknown error.
enum SystemFile {
    /// Why the system refused.
    struct Failure: Error {
        var reason: String

        /// Words for the number of an error.
        init(_ code: Int32) {
            reason =
                switch code {
                case EFBIG: "the file would be larger than a limit allows (File too large)"
                case EDQUOT: "the quota of the disk is used up (Disk quota exceeded)"
                default: String(cString: strerror(code))
                }
        }
    }

    /// Writes a file beside its place and renames it; on failure nothing is left, and what stood there stays.
    static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
        let draft = "\(path).\(getpid())"
        try create(draft, with: bytes)
        var known = stat()
        if stat(path, &known) == 0 { chmod(draft, known.st_mode & 0o7777) }
        guard rename(draft, path) == 0 else {
            let failure = Failure(errno)
            unlink(draft)
            throw failure
        }
    }

    /// Writes a new file, whole or not at all; `mode` says who may do what with it.
    static func create(_ path: String, with bytes: [UInt8], mode: mode_t = 0o666) throws(Failure) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw Failure(errno) }
        do throws(Failure) {
            try write(bytes, to: file)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Writes into what is there: a device or a pipe.
    static func fill(_ path: String, with bytes: [UInt8]) throws(Failure) {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(errno) }
        try write(bytes, to: file)
    }

    /// Writes everything and closes the file, whatever happens.
    private static func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        var failure: Failure?
        bytes.withUnsafeBytes { room in
            var written = 0
            while written < room.count, failure == nil {
                let count = Foundation.write(file, room.baseAddress.map { $0 + written }, room.count - written)
                if count >= 0 {
                    written += count
                } else if errno != EINTR {
                    failure = Failure(errno)
                }
            }
        }
        // Only now do some file systems say that there is no room.
        if close(file) != 0, failure == nil { failure = Failure(errno) }
        if let failure { throw failure }
    }
}
