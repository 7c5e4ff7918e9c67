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

    private let options: ReadingOptions
    private var findings = Findings()
    private var seenFiles: Set<FileIdentity> = []
    private var seenFolders: Set<FileIdentity> = []

    private struct FileIdentity: Hashable {
        var device: UInt64
        var inode: UInt64

        init(_ status: SystemCalls.Status) {
            device = status.device
            inode = status.inode
        }
    }

    /// Looks through files, folders (recursively, hidden ones left out), shell patterns, archives and `-`.
    package static func find(_ paths: [String], options: ReadingOptions = ReadingOptions()) -> Findings {
        var finder = InputFinder(options: options)
        for path in paths { finder.add(named: path) }
        finder.findings.sources = finder.findings.sources.enumerated()
            .sorted { a, b in
                (a.element.stream, a.element.rank, a.offset) < (b.element.stream, b.element.rank, b.offset)
            }
            .map(\.element)
        return finder.findings
    }

    private init(options: ReadingOptions) { self.options = options }

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
                    path: path, stream: path, size: nil, isSeekable: false, location: .file(path: path)))
        case .pipe, .socket, .characterDevice, .blockDevice, .other:
            report(
                named ? .error : .warning, path,
                "is no file but a \(Self.word(status.kind)); only files, folders, pipes and '-' can be read")
        }
    }

    private mutating func addFile(_ path: String, _ status: SystemCalls.Status, named: Bool) {
        let slash = path.lastIndex(of: "/")
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let folder = slash.map { String(path[..<$0]) } ?? ""
        let rotation = RotationName(name)
        var source = SourceDescription(
            path: path, stream: folder.isEmpty ? rotation.stem : "\(folder)/\(rotation.stem)", rank: rotation.rank,
            size: status.size, isSeekable: true, location: .file(path: path))
        do throws(ReadingError) {
            switch FileKind(try StreamOpener.beginning(of: FileStream(path: path), size: FileKind.size)) {
            case .plain:
                findings.sources.append(source)
            case .binary:
                report(
                    named ? .error : .notice, path, "is no text but binary data; not a log that lifestats can read")
            case .packed:
                source.isSeekable = false
                try addPacked(source, named: named)
            }
        } catch {
            report(error, named: named)
        }
    }

    /// A compressed file is a source, the members of an archive are.
    private mutating func addPacked(_ file: SourceDescription, named: Bool) throws(ReadingError) {
        let archive = try ArchiveHandle(path: file.path)
        guard try archive.nextMember() else { return }
        if archive.isSingleFile {
            var source = file
            source.location = .compressed(path: file.path)
            findings.sources.append(source)
            return
        }
        var members: [SourceDescription] = []
        do throws(ReadingError) {
            repeat {
                guard archive.index < options.archiveLimits.members else {
                    throw ReadingError(
                        code: .tooLarge, path: file.path,
                        message: "has more than \(options.archiveLimits.members) members; unpack it yourself")
                }
                if let member = try Self.member(of: archive, file) { members.append(member) }
            } while try archive.nextMember()
        } catch {
            report(.warning, file.path, error.message)
        }
        if members.isEmpty { report(.notice, file.path, "is an archive without a text file in it") }
        findings.sources += members
    }

    /// Finds a member by the path that is shown for it, `ARCHIVE!/MEMBER`.
    private mutating func addMember(named path: String) -> Bool {
        guard let mark = Self.archiveMark(in: path),
            case .success(let status) = SystemCalls.status(String(path[..<mark])),
            status.kind == .file
        else { return false }
        var finder = InputFinder(options: options)
        finder.addFile(String(path[..<mark]), status, named: true)
        let members = finder.findings.sources.filter { $0.path == path }
        findings.sources += members
        return !members.isEmpty
    }

    /// The open member, if it is a text file that is not hidden.
    private static func member(
        of archive: ArchiveHandle, _ file: SourceDescription
    ) throws(ReadingError) -> SourceDescription? {
        guard archive.isRegularMember else { return nil }
        let parts = archive.memberName.split(separator: "/").filter { $0 != "." && $0 != ".." }
        guard let name = parts.last, !parts.contains(where: { $0.hasPrefix(".") }) else { return nil }
        let beginning = try archive.beginning(size: FileKind.size)
        guard !beginning.isEmpty, case .plain = FileKind(beginning) else { return nil }
        let rotation = RotationName(String(name))
        // The name is shown, never opened: nothing is unpacked to disk.
        let folder = ([file.path + "!"] + parts.dropLast().map(String.init)).joined(separator: "/")
        return SourceDescription(
            path: "\(folder)/\(name)", stream: "\(folder)/\(rotation.stem)", rank: rotation.rank, size: nil,
            isSeekable: false, location: .member(archive: file.path, index: archive.index))
    }

    private mutating func addFolder(_ path: String, _ status: SystemCalls.Status, named: Bool) {
        let identity = FileIdentity(status)
        guard seenFolders.insert(identity).inserted else {
            report(.notice, path, "leads to a folder that was already looked through (a link); left out")
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

    /// Where the name of the archive ends in the path of a member.
    private static func archiveMark(in path: String) -> String.Index? {
        var at = path.startIndex
        while let mark = path[at...].firstIndex(of: "!") {
            let next = path.index(after: mark)
            if next < path.endIndex, path[next] == "/" { return mark }
            at = next
        }
        return nil
    }

    private mutating func report(_ error: ReadingError, named: Bool) {
        findings.diagnostics.append(
            ReadingDiagnostic(named ? .error : .warning, path: error.path, message: error.message))
    }

    private mutating func report(_ severity: ReadingDiagnostic.Severity, _ path: String, _ message: String) {
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
