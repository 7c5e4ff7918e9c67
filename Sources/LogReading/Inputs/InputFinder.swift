/// Finds what there is to read under the paths that the user named.
package struct InputFinder {
    /// What was found.
    package struct Findings: Sendable {
        /// The sources, stream by stream, each stream from its oldest rotation to its newest.
        package var sources: [SourceDescription] = []
        /// What was left out, and why. A named path that cannot be read is an error.
        package var diagnostics: [ReadingDiagnostic] = []

        /// Whether every path that was named can be read.
        package var isComplete: Bool { !diagnostics.contains { $0.severity == .error } }
    }

    let options: ReadingOptions
    var findings = Findings()
    /// Place of the streams of archives: they are not sorted by name.
    var archiveOrder: [String: Int] = [:]
    /// The member of an archive that is named, and read whatever it looks like.
    var wantedMember: String?
    /// The first of the files that belong to binary unified logs, and how many there are.
    private var unifiedLogParts: (first: String, count: Int)?
    private var seenFiles: Set<FileIdentity> = []
    private var seenFolders: Set<FileIdentity> = []

    /// Looks through files, folders (recursively, hidden ones left out), shell patterns, archives and `-`.
    package static func find(_ paths: [String], options: ReadingOptions = ReadingOptions()) -> Findings {
        var finder = InputFinder(options: options)
        for path in paths { finder.add(named: path) }
        if let (first, count) = finder.unifiedLogParts {
            let others = count == 1 ? "" : ", like \(count - 1) more"
            finder.report(.notice, first, "is read with the tracev3 files of its binary unified log\(others)")
        }
        finder.sort()
        return finder.findings
    }

    init(options: ReadingOptions) { self.options = options }

    /// Streams by name, those of an archive as it holds them; within a stream the oldest rotation first.
    mutating func sort() {
        let order = archiveOrder
        func group(_ source: SourceDescription) -> (String, Int, String) {
            switch source.location {
            case .member(let archive, _), .packedUnifiedLog(let archive, _):
                return (archive, order[source.stream] ?? 0, source.stream)
            default: return (source.stream, 0, "")
            }
        }
        let found = findings.sources
        let sorted = found.indices.sorted { a, b in
            let (left, right) = (group(found[a]), group(found[b]))
            if left != right { return left < right }
            if found[a].rank != found[b].rank { return found[a].rank < found[b].rank }
            return a < b
        }
        findings.sources = sorted.map { found[$0] }
    }

    private mutating func add(named path: String) {
        if path == "-" {
            findings.sources.append(
                SourceDescription(
                    path: "-", stream: "-", size: nil, isSeekable: false, location: .standardInput))
            return
        }
        switch SystemCalls.status(path) {
        case .success(let status):
            add(path, status, named: true)
        case .failure(let error):
            if addMember(named: path) { return }
            let isPattern = path.contains { "*?[".contains($0) }
            let matches = isPattern ? SystemCalls.glob(path) : []
            guard !matches.isEmpty else {
                let near = error.code == .missing ? NearestPath.question(path) : nil
                var message = near.map { error.message.replacing("check the spelling", with: $0) } ?? error.message
                if isPattern, near == nil, error.code == .missing { message = "no file or folder has such a name" }
                findings.diagnostics.append(ReadingDiagnostic(.error, path: error.path, message: message))
                return
            }
            for match in matches {
                switch SystemCalls.status(match) {
                case .success(let status): add(match, status, named: true)
                case .failure(let error): report(error, named: true)
                }
            }
        }
    }

    private static let seenNote = "the same file was already found under another name"

    private mutating func add(_ path: String, _ status: SystemCalls.Status, named: Bool) {
        switch status.kind {
        case .file:
            guard seenFiles.insert(FileIdentity(status)).inserted else {
                report(.notice, path, Self.seenNote)
                return
            }
            addFile(path, status, named: named)
        case .directory:
            addFolder(path, status, named: named)
        case .pipe where named:
            findings.sources.append(
                SourceDescription(
                    path: path, stream: path, size: nil, isSeekable: false, location: .pipe(path: path)))
        case .pipe, .socket, .characterDevice, .blockDevice, .other:
            reportNoFile(path, status, named: named)
        }
    }

    mutating func addFile(_ path: String, _ status: SystemCalls.Status, named: Bool) {
        var source = SourceDescription(file: path, size: status.size, identity: FileIdentity(status))
        do throws(ReadingError) {
            let stream = try FileStream(path: path)
            var room = options.archiveLimits.searchedBytes
            let beginning = try FileKind.beginning(room: &room) { size throws(ReadingError) in
                try StreamOpener.beginning(of: stream, size: size)
            }
            var kind = FileKind(beginning)
            // One whose beginning is damaged, or that is empty, is one all the same.
            if case .packed = kind {
            } else if path.hasSuffix(".tracev3") && (beginning.isEmpty || SourceBeginning(beginning).isBinary)
                || named && options.format == UnifiedLogStream.format
            {
                kind = .unifiedLog
            }
            switch kind {
            case .plain where !named && Self.isDocument(path):
                report(.notice, path, Self.documentNote)
            case .plain:
                findings.sources.append(source)
            case .binary where named && options.format != nil:
                findings.sources.append(source)
            case .binary where beginning.starts(with: FileKind.databaseMagic):
                report(
                    named ? .error : Self.isNamedAsLog(path) ? .warning : .notice, path,
                    "is a database, not a log" + (named ? "; write --db \(path) to answer from it" : ""))
            case .binary:
                report(
                    named ? .error : Self.isNamedAsLog(path) ? .warning : .notice, path,
                    FileKind.binaryNote
                        + (named ? "; `ingest --format NAME` reads it anyway, and --db names a database" : ""))
            case .unifiedLog:
                source.isSeekable = false
                source.location = .unifiedLog(folder: ArchiveFolder.folder(ofTrace: path), traces: [path])
                findings.sources.append(source)
            case .unifiedLogPart where !named:
                unifiedLogParts = (unifiedLogParts?.first ?? path, (unifiedLogParts?.count ?? 0) + 1)
            case .unifiedLogPart where options.format == nil:
                report(
                    .error, path, "has clocks or strings of a binary unified log; name its tracev3 file or its folder")
            case .unifiedLogPart:
                findings.sources.append(source)
            case .packed:
                source.isSeekable = false
                try addPacked(source, named: named)
            }
        } catch {
            report(error, named: named)
        }
    }

    /// Whether a file that was not named is a text about logs: prose and code mention callbacks, too.
    static func isDocument(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return documents.contains(name[name.index(after: dot)...].lowercased())
    }

    static let documentNote = "looks like a document or source code; name the file itself to read it as a log"

    private static let documents: Set<String> = [
        "md", "rst", "html", "htm", "css", "yaml", "yml", "toml", "plist", "xml", "sql", "swift", "m", "mm", "h", "c",
        "cc", "cpp", "py", "rb", "js", "ts", "sh", "java", "kt", "storyboard", "xib", "svg", "scxml", "dot",
    ]

    private mutating func addFolder(_ path: String, _ status: SystemCalls.Status, named: Bool) {
        let identity = FileIdentity(status)
        guard seenFolders.insert(identity).inserted else {
            report(
                .notice, path,
                named ? "was already searched" : "is a link to a folder that was already searched; left out")
            return
        }
        let log = ArchiveFolder.traces(in: path)
        if let log { addUnifiedLog(path, log.files, log.unreadable) }
        switch SystemCalls.names(in: path) {
        case .failure(let error):
            report(error, named: named)
        case .success(let names):
            let prefix = path.hasSuffix("/") ? path : path + "/"
            for name in names where !name.hasPrefix(".") {
                if log != nil, LogArchiveFile.isPart(name) {
                    addRest(ofArchive: prefix + name)
                } else {
                    add(inFolder: prefix + name)
                }
            }
        }
    }

    private mutating func add(inFolder path: String) {
        switch SystemCalls.status(path) {
        case .success(let status): add(path, status, named: false)
        case .failure(let error): report(error, named: false)
        }
    }

    /// Adds what somebody has put into a folder of a log archive.
    private mutating func addRest(ofArchive path: String) {
        guard case .success(let status) = SystemCalls.status(path), status.kind == .directory,
            case .success(let names) = SystemCalls.names(in: path), seenFolders.insert(FileIdentity(status)).inserted
        else { return }
        let folder = path.split(separator: "/").suffix(1)
        for name in names where !name.hasPrefix(".") && LogArchiveFile(folder + [name[...]]) == nil {
            if LogArchiveFile.isPart(name) {
                addRest(ofArchive: "\(path)/\(name)")
            } else {
                add(inFolder: "\(path)/\(name)")
            }
        }
    }

    private mutating func addUnifiedLog(_ folder: String, _ traces: [String], _ unreadable: [ReadingError]) {
        for error in unreadable { report(error, named: false) }
        let files = traces.filter { trace in
            // One that cannot be read is reported when it should be.
            guard case .success(let status) = SystemCalls.status(trace) else { return true }
            // A link to a device has no end.
            guard status.kind == .file else {
                reportNoFile(trace, status, named: false)
                return false
            }
            guard seenFiles.insert(FileIdentity(status)).inserted else {
                report(.notice, trace, Self.seenNote)
                return false
            }
            return true
        }
        findings.sources.append(
            SourceDescription(
                path: folder, stream: folder, size: nil, isSeekable: false,
                location: .unifiedLog(folder: folder, traces: files)))
    }

    /// Whether a file is called as logs are: one that cannot be read may matter.
    private static func isNamedAsLog(_ path: String) -> Bool {
        let name = path.split(separator: "/").last?.lowercased() ?? ""
        return name.contains(".log") || name.hasSuffix(".txt")
    }

    private mutating func reportNoFile(_ path: String, _ status: SystemCalls.Status, named: Bool) {
        report(
            named ? .error : .warning, path,
            "is not a file but a \(Self.word(status.kind)); only files, folders, pipes\(named ? "" : " that are named") and "
                + "'-' can be read")
    }

    /// Reports what cannot be read. Damaged files are errors even if they were not named.
    mutating func report(_ error: ReadingError, named: Bool) {
        report(named || error.code == .damaged ? .error : .warning, error.path, error.message)
    }

    mutating func report(_ severity: ReadingDiagnostic.Severity, _ path: String, _ message: String) {
        findings.diagnostics.append(ReadingDiagnostic(severity, path: path, message: message))
    }

    private static func word(_ kind: SystemCalls.Status.Kind) -> String {
        switch kind {
        case .file: "file"
        case .directory: "folder"
        case .pipe: "pipe"
        case .socket: "socket"
        case .characterDevice, .blockDevice: "device"
        case .other: "file of unknown kind"
        }
    }
}

/// How a file is stored, by its first bytes.
enum FileKind {
    /// Text, as far as the bytes show.
    case plain
    /// Compressed, or an archive: libarchive knows more.
    case packed
    /// Binary data, or a known type of file that is not a log: a database, a picture, a program.
    case binary
    /// A tracev3 file: Apple's binary unified log.
    case unifiedLog
    /// Clocks or format strings of one: they are read with its tracev3 files.
    case unifiedLogPart

    static let binaryNote = "is binary data: not text, and not a log that lifestats can read"

    /// Bytes that are looked at.
    static let size = 4096
    /// Bytes that show how a file is compressed.
    static let magicSize = 6

    /// Bytes that show whether it is an archive.
    static let archiveSize = 512

    private static let archiveMagics: [[UInt8]] = [
        [0x50, 0x4B, 0x03, 0x04], [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C],
    ]
    private static let magics = Compression.magics + archiveMagics

    static let databaseMagic = Array("SQLite format 3".utf8)

    /// Beginnings of files that contain text and are not logs.
    private static let foreignMagics: [[UInt8]] = [
        databaseMagic, Array("bplist0".utf8), Array("%PDF-".utf8), Array("GIF8".utf8),
        Array("RIFF".utf8), Array("OggS".utf8), [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x7F, 0x45, 0x4C, 0x46],
        [0xCF, 0xFA, 0xED, 0xFE], [0xCE, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE], [0x4D, 0x5A, 0x90, 0x00],
        Array("!<arch>\n".utf8), Array("Rar!".utf8), Array("MSCF".utf8), Array("xar!".utf8), [0x00, 0x61, 0x73, 0x6D],
    ]

    /// How a tracev3 file begins: the header chunk.
    private static let unifiedLogMagic: [UInt8] = [0x00, 0x10, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00]

    /// How uuidtext, dsc and timesync files begin.
    private static let unifiedLogPartMagics: [[UInt8]] = [
        [0x99, 0x88, 0x77, 0x66], Array("hcsd".utf8), [0xB0, 0xBB, 0x30, 0x00, 0x00, 0x00, 0x00, 0x00],
    ]

    /// Whether a compressed file may begin so, as far as the bytes go.
    static func mayBePacked(_ bytes: [UInt8]) -> Bool { magics.contains { $0.starts(with: bytes.prefix($0.count)) } }

    init(_ bytes: [UInt8]) {
        if Self.isArchive(bytes) || Compression.magics.contains(where: { bytes.starts(with: $0) }) {
            self = .packed
        } else if bytes.starts(with: Self.unifiedLogMagic) {
            self = .unifiedLog
        } else if Self.unifiedLogPartMagics.contains(where: { bytes.starts(with: $0) }) {
            self = .unifiedLogPart
        } else {
            let isForeign = Self.foreignMagics.contains { bytes.starts(with: $0) }
            self = isForeign || SourceBeginning(bytes).isBinary ? .binary : .plain
        }
    }

    /// Whether a file that begins so is an archive, be it one that is damaged.
    static func isArchive(_ bytes: [UInt8]) -> Bool {
        archiveMagics.contains { bytes.starts(with: $0) } || isTape(bytes)
    }

    /// Whether a member of a tar archive begins here: it has a mark, or, of whatever age, holds the sum of its own bytes.
    /// NUL bytes follow each of its texts.
    private static func isTape(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= archiveSize, bytes[0] != 0, bytes[..<archiveSize].contains(0) else { return false }
        if bytes[257..<262].elementsEqual("ustar".utf8) { return true }
        let sumPlace = 148..<156
        let digits = bytes[sumPlace].drop { $0 == 0x20 }.prefix { 0x30...0x37 ~= $0 }
        guard !digits.isEmpty, let sum = Int(String(decoding: digits, as: UTF8.self), radix: 8) else { return false }
        // The sum itself counts as blanks.
        let others = bytes[..<sumPlace.lowerBound] + bytes[sumPlace.upperBound..<archiveSize]
        return sum == others.reduce(sumPlace.count * 0x20) { $0 + Int($1) }
    }

    /// The bytes that show the kind of a file, without the gap of NUL bytes of a log that was emptied while written to.
    ///
    /// - Parameters:
    ///   - room: how many of them are looked through.
    ///   - next: the next bytes of the file; none at its end.
    static func beginning(
        room: inout Int64, next: (Int) throws(ReadingError) -> [UInt8]
    ) throws(ReadingError) -> [UInt8] {
        var bytes = try next(size)
        while room > 0, bytes.allSatisfy({ $0 == 0 }) {
            let more = try next(size)
            if more.isEmpty { break }
            room -= Int64(more.count)
            bytes = more
        }
        let gap = bytes.prefix { $0 == 0 }.count
        return gap >= 16 && gap < bytes.count ? Array(bytes[gap...]) : bytes
    }
}
