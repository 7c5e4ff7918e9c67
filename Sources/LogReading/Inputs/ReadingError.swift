import CArchive

/// Why a source cannot be read, or cannot be read to its end.
package struct ReadingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure.
    package enum Code: String, Sendable {
        /// No such file.
        case missing
        /// Not allowed to read it.
        case denied
        /// A socket, a device, or something else that is not a file.
        case unsuitable
        /// The operating system reported an error.
        case io
        /// Compressed data or an archive is damaged.
        case damaged
        /// It expands beyond every sensible size.
        case tooLarge
        /// It is another file than the one that was found at its path.
        case changed
        /// The name of a layout, zone or option is not known.
        case unknown

        /// Whether it can only come of a file that could be read when it was found.
        package var tellsOfChange: Bool {
            switch self {
            case .changed, .missing, .denied, .io: true
            case .unsuitable, .damaged, .tooLarge, .unknown: false
            }
        }
    }

    package var code: Code
    /// The path, as shown to people.
    package var path: String
    /// What happened, why, and how to fix it.
    package var message: String

    package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// Something about an input that the user should know and that did not stop the reading.
package struct ReadingDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// How serious it is.
    package enum Severity: String, Sendable {
        /// Worth knowing (a hidden folder was skipped).
        case notice
        /// Something was left out that may matter.
        case warning
        /// A path that was named cannot be read: the exit code is 2.
        case error
    }

    package var severity: Severity
    /// The path, as shown to people.
    package var path: String
    /// Line of the source, where there is one to name.
    package var line: Int64?
    /// What happened, why, and how to fix it.
    package var message: String

    package var description: String {
        line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)"
    }

    package init(_ severity: Severity, path: String, line: Int64? = nil, message: String) {
        self.severity = severity
        self.path = path
        self.line = line
        self.message = message
    }
}

extension ReadingError {
    static func noMemory(_ path: String) -> ReadingError {
        ReadingError(code: .io, path: path, message: "not enough memory to decompress it")
    }

    static func encrypted(_ path: String) -> ReadingError {
        ReadingError(
            code: .damaged, path: path,
            message: "it is encrypted; decrypt it with the tool that made it, and name the result")
    }

    /// It could be read to its end, but its checksum is wrong.
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
