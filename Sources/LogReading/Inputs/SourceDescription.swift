import CArchive
import TraceRecords

/// One thing to read: a file, a member of an archive, or standard input.
package struct SourceDescription: Sendable, Hashable {
    /// Where the bytes are.
    package enum Location: Sendable, Hashable {
        case file(path: String)
        case standardInput
        /// A pipe that has a name: what was read from it is gone.
        case pipe(path: String)
        /// A file that is compressed as a whole.
        case compressed(path: String)
        /// A member of an archive, by its number in it, counted from 0; for archives and compressed files inside the
        /// archive, by the number in each of them, the outermost first.
        case member(archive: String, place: [Int])
        /// The tracev3 files of a binary unified log, and the folder with their clocks and format strings.
        case unifiedLog(folder: String, traces: [String])
        /// The files of a binary unified log that are members of an archive.
        case packedUnifiedLog(archive: String, files: [PackedFile])
    }

    /// The path as shown to people; for a member of an archive `ARCHIVE!MEMBER`.
    package var path: String
    /// Folder plus file name without its rotation: sources with the same stream hold one sequence of lines.
    package var stream: String
    /// Place among the rotations of the stream: lower is older. Sources of a stream are read in this order, then by
    /// path.
    package var rank: Int64 = 0
    /// Size in bytes as stored; `nil` for a pipe.
    package var size: Int64?
    /// Whether the reading can go on at an offset, without reading what comes before.
    package var isSeekable: Bool
    package var location: Location
    /// The file that was found there; a rotation puts another one in its place.
    package var identity: FileIdentity?
    /// The open file, where no path leads to it any more.
    package var held: HeldFile?

    /// What decides how far the members of its archive are read; shared by all of them.
    var policy: ArchivePolicy?

    /// Whether it gives its bytes once, so that nothing can be looked at beforehand or again.
    package var isOnce: Bool {
        switch location {
        case .standardInput, .pipe: true
        case .file, .compressed, .member, .unifiedLog, .packedUnifiedLog: false
        }
    }

    /// Whether both are one file, or one member of one archive, however their paths are spelled.
    package func isSameFile(as other: SourceDescription) -> Bool {
        guard let identity, identity == other.identity else { return false }
        switch (location, other.location) {
        case (.member(_, let place), .member(_, let otherPlace)): return place == otherPlace
        case (.packedUnifiedLog(_, let files), .packedUnifiedLog(_, let others)): return files == others
        case (.member, .packedUnifiedLog), (.packedUnifiedLog, .member): return false
        default: return true
        }
    }
}

extension SourceDescription {
    /// A file, whose name shows which rotation of which log it is.
    package init(file path: String, size: Int64? = nil, identity: FileIdentity? = nil) {
        let slash = path.lastIndex(of: "/")
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let folder = slash.map { String(path[..<$0]) } ?? ""
        let rotation = RotationName(name)
        self.init(
            path: path, stream: folder.isEmpty ? rotation.stem : "\(folder)/\(rotation.stem)", rank: rotation.rank,
            size: size, isSeekable: true, location: .file(path: path), identity: identity)
    }
}

/// The rotation that a file name means: `app.log.2.gz` is an older part of `app.log`.
package struct RotationName: Sendable, Hashable {
    /// The name without rotation and compression.
    package var stem: String
    /// Place among the rotations: lower is older, the current file comes last.
    package var rank: Int64

    private static let compressions = [".gz", ".bz2", ".xz", ".zst", ".lz4"]

    package init(_ name: String) {
        var rest = Substring(name)
        for suffix in Self.compressions where rest.hasSuffix(suffix) && rest.count > suffix.count {
            rest.removeLast(suffix.count)
            break
        }
        stem = String(rest)
        rank = Int64.max
        guard let dot = rest.lastIndex(where: { $0 == "." || $0 == "-" || $0 == "_" }) else { return }
        let suffix = rest[rest.index(after: dot)...]
        let before = rest[..<dot]
        guard !before.isEmpty, !suffix.isEmpty, suffix.utf8.allSatisfy({ $0 &- 48 < 10 }), let number = Int64(suffix)
        else {
            dated(rest)
            return
        }
        if suffix.utf8.count == 8 && Self.isDate(number)
            || suffix.utf8.count == 10 && Self.isDate(number / 100) && number % 100 < 24
        {
            // logrotate's dateext: app.log-20240131, by the hour app.log-2024013123; a later one is newer.
            stem = String(before)
            rank = number
        } else if rest[dot] == ".", suffix.utf8.count <= 4 {
            // app.log.1: a higher number is older.
            stem = String(before)
            rank = -number
        } else {
            dated(rest)
        }
    }

    /// `app.log.2024-01-31`, `app-2024-01-31.log`, `app 2024-01-31--07-30-00-000.log`: the date comes before or after the
    /// extension.
    private mutating func dated(_ name: Substring) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated().reversed() {
            guard let date = Self.trailingDate(part) else { continue }
            var kept = parts
            let text = part[..<date.start]
            kept[index] = text.last.map { "-_ ".contains($0) } == true ? text.dropLast() : text
            stem = kept.filter { !$0.isEmpty }.joined(separator: ".")
            guard !stem.isEmpty else {
                stem = String(name)
                return
            }
            rank = date.rank
            return
        }
    }

    /// The date at the end of a part of a name, and the time of day behind it if there is one: `2024-01-31`,
    /// `2024-01-31_073000`, `2024-01-31--07-30-00-000`. A later one is newer.
    private static func trailingDate(_ text: Substring) -> (rank: Int64, start: Substring.Index)? {
        let groups = text.split { !("0"..."9").contains($0) }
        guard groups.last?.endIndex == text.endIndex else { return nil }
        let lengths = groups.map(\.count)
        guard let form = dateForms.first(where: { lengths.suffix($0.count) == $0[...] }) else { return nil }
        let numbers = groups.suffix(form.count)
        guard let start = numbers.first?.startIndex, let day = Int64(numbers.prefix(3).joined()), isDate(day),
            text[start...].dropFirst(4).first == "-", text[start...].dropFirst(7).first == "-"
        else { return nil }
        let clock = (numbers.dropFirst(3).joined() + "000000000").prefix(9)
        return (form.count == 3 ? day : day * 1_000_000_000 + (Int64(clock) ?? 0), start)
    }

    /// How many digits the numbers of a date have, and those of a time behind it.
    private static let dateForms = [[4, 2, 2, 2, 2, 2, 3], [4, 2, 2, 2, 2, 2], [4, 2, 2, 6], [4, 2, 2]]

    private static func isDate(_ number: Int64) -> Bool {
        CivilDate.isValid(year: Int(number / 10_000), month: Int(number / 100 % 100), day: Int(number % 100))
            && (1970...2261).contains(number / 10_000)
    }
}

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
    /// Whether what came before was read.
    package var isInPart = false

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
                may be wrong; copy the file again from its source
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
            ? "the text before it is kept, except for the block that it is in (usually 64 KiB). To read that too"
            : "nothing before it could be read. To read what there may be"
        return ReadingError(
            code: .damaged, path: path,
            message: """
                the compressed data is damaged or cut off (\(reason)); \(kept), decompress the file with its own tool, \
                which reads up to the damage, and name the result
                """)
    }
}
