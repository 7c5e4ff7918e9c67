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
            let matches = path.contains(where: { "*?[".contains($0) }) ? SystemCalls.glob(path) : []
            guard !matches.isEmpty else {
                findings.diagnostics.append(ReadingDiagnostic(.error, path: error.path, message: error.message))
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

    private mutating func add(_ path: String, _ status: SystemCalls.Status, named: Bool) {
        switch status.kind {
        case .file:
            guard seenFiles.insert(FileIdentity(status)).inserted else {
                report(.notice, path, "the same file was already found under another name")
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
            report(
                named ? .error : .warning, path,
                "is not a file but a \(Self.word(status.kind)); only files, folders, pipes and '-' can be read")
        }
    }

    mutating func addFile(_ path: String, _ status: SystemCalls.Status, named: Bool) {
        var source = SourceDescription(file: path, size: status.size, identity: FileIdentity(status))
        do throws(ReadingError) {
            let kind = FileKind(try StreamOpener.beginning(of: FileStream(path: path), size: FileKind.size))
            switch kind {
            case .plain where !named && Self.isDocument(path):
                report(.notice, path, Self.documentNote)
            case .plain:
                findings.sources.append(source)
            case .binary, .foreign:
                if try isRead(path, kind, size: status.size, named: named) {
                    findings.sources.append(source)
                } else {
                    report(
                        named ? .error : .notice, path,
                        "is binary data, not text, not a log that lifestats can read"
                            + (named ? "; --format NAME reads it all the same" : ""))
                }
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

    /// Whether a file is read although its beginning is not text: because the user gave its format, or because there are
    /// lines of text in it, as after a damaged beginning.
    private func isRead(
        _ path: String, _ kind: FileKind, size: Int64, named: Bool
    ) throws(ReadingError) -> Bool {
        if options.format != nil { return named }
        guard case .binary = kind else { return false }
        let pieceSize = Int64(FileKind.size)
        let step = max(pieceSize, size / 64)
        let places = Array(stride(from: 0, to: size, by: Int(clamping: step))) + [max(0, size - pieceSize)]
        var survey = FileKind.Survey()
        for place in places {
            let stream = try FileStream(path: path)
            try stream.skip(place)
            survey.add(try StreamOpener.beginning(of: stream, size: FileKind.size))
        }
        return survey.isLog(named: named)
    }

    /// Whether a file that was not named is a text about logs: prose and code mention callbacks, too.
    static func isDocument(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return documents.contains(name[name.index(after: dot)...].lowercased())
    }

    static let documentNote = "looks like a document or source code; name it to read it as a log"

    private static let documents: Set<String> = [
        "md", "rst", "html", "htm", "css", "yaml", "yml", "toml", "plist", "xml", "sql", "swift", "m", "mm", "h", "c",
        "cc", "cpp", "py", "rb", "js", "ts", "sh", "java", "kt", "storyboard", "xib", "svg", "scxml", "dot",
    ]

    private mutating func addFolder(_ path: String, _ status: SystemCalls.Status, named: Bool) {
        let identity = FileIdentity(status)
        guard seenFolders.insert(identity).inserted else {
            report(.notice, path, "leads to a folder that was already looked through (a link); left out")
            return
        }
        if let traces = ArchiveFolder.traces(in: path) {
            findings.sources.append(
                SourceDescription(
                    path: path, stream: path, size: nil, isSeekable: false,
                    location: .unifiedLog(folder: path, traces: traces)))
            return
        }
        switch SystemCalls.names(in: path) {
        case .failure(let error):
            report(error, named: named)
        case .success(let names):
            let prefix = path.hasSuffix("/") ? path : path + "/"
            for name in names where !name.hasPrefix(".") {
                switch SystemCalls.status(prefix + name) {
                case .success(let status): add(prefix + name, status, named: false)
                case .failure(let error): report(error, named: false)
                }
            }
        }
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
        case .other: "thing unknown to lifestats"
        }
    }
}
