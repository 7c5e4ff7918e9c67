import CArchive

extension ReadingError {
    static func noMemory(_ path: String) -> ReadingError {
        ReadingError(code: .io, path: path, message: "there is no memory to decompress it")
    }

    static func encrypted(_ path: String) -> ReadingError {
        ReadingError(
            code: .damaged, path: path,
            message: "it is encrypted; decrypt it with the tool that made it, and name the result")
    }

    /// What was read to its end and is not what the archive says that it is.
    static func doubtful(_ path: String, by archive: OpaquePointer) -> ReadingError {
        ReadingError(
            code: .damaged, path: path,
            message: """
                the compressed data is damaged (\(reason(of: archive))): what could be read of it is kept, and some of it \
                may be wrong; get the file anew
                """)
    }

    private static func reason(of archive: OpaquePointer) -> String {
        guard let text = archive_error_string(archive) else { return "unknown reason" }
        return String(cString: text).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// What libarchive could not read on.
    ///
    /// - Parameter hasGiven: whether anything could be read before.
    static func damaged(_ path: String, by archive: OpaquePointer, hasGiven: Bool) -> ReadingError {
        let reason = reason(of: archive)
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
