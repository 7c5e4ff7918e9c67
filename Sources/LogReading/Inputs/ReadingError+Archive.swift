import CArchive

extension ReadingError {
    static func noMemory(_ path: String) -> ReadingError {
        ReadingError(code: .io, path: path, message: "there is no memory to decompress it")
    }

    /// What libarchive could not read on.
    ///
    /// - Parameter hasGiven: whether anything could be read before.
    static func damaged(_ path: String, by archive: OpaquePointer, hasGiven: Bool) -> ReadingError {
        let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown reason"
        let kept =
            hasGiven
            ? "the text before it is kept, but for the block that it lies in (64 KiB as a rule). To read that too"
            : "nothing before it could be read. To read what there may be"
        return ReadingError(
            code: .damaged, path: path,
            message: """
                the compressed data is damaged or cut off (\(reason)); \(kept), decompress the file with its own tool, \
                which goes up to the damage, and name the result
                """)
    }
}
