/// Compressed files, and the members of archives. Nothing is unpacked to disk.
extension InputFinder {
    /// A compressed file is a source, the members of an archive are.
    mutating func addPacked(_ file: SourceDescription, named: Bool) throws(ReadingError) {
        let archive = try ArchiveHandle(path: file.path)
        guard try archive.nextMember() else { return }
        if archive.isSingleFile {
            var source = file
            source.location = .compressed(path: file.path)
            findings.sources.append(source)
            return
        }
        var members: [SourceDescription] = []
        var packed = 0
        do throws(ReadingError) {
            repeat {
                guard archive.index < options.archiveLimits.members else {
                    throw ReadingError(
                        code: .tooLarge, path: file.path,
                        message: "has more than \(options.archiveLimits.members) members; unpack it yourself")
                }
                if let member = try Self.member(of: archive, file, packed: &packed) { members.append(member) }
            } while try archive.nextMember()
        } catch {
            report(.warning, file.path, error.message)
        }
        if members.isEmpty { report(.notice, file.path, "is an archive without a text file in it") }
        if packed > 0 {
            report(
                .notice, file.path, "\(packed) members are compressed themselves and left out; unpack it to read them")
        }
        // Streams come in the order in which the archive holds them, so that it is read once from front to back.
        for member in members where archiveOrder[member.stream] == nil {
            archiveOrder[member.stream] = archiveOrder.count
        }
        findings.sources += members
    }

    /// Finds a member by the path that is shown for it, `ARCHIVE!/MEMBER`.
    mutating func addMember(named path: String) -> Bool {
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
        of archive: ArchiveHandle, _ file: SourceDescription, packed: inout Int
    ) throws(ReadingError) -> SourceDescription? {
        guard archive.isRegularMember else { return nil }
        let parts = archive.memberName.split(separator: "/").filter { $0 != "." && $0 != ".." }
        guard let name = parts.last, !parts.contains(where: { $0.hasPrefix(".") }) else { return nil }
        let beginning = try archive.beginning(size: FileKind.size)
        guard !beginning.isEmpty else { return nil }
        switch FileKind(beginning) {
        case .plain: break
        case .binary: return nil
        case .packed:
            packed += 1
            return nil
        }
        let rotation = RotationName(String(name))
        // The name is shown, never opened: nothing is unpacked to disk.
        let folder = ([file.path + "!"] + parts.dropLast().map(String.init)).joined(separator: "/")
        return SourceDescription(
            path: "\(folder)/\(name)", stream: "\(folder)/\(rotation.stem)", rank: rotation.rank, size: nil,
            isSeekable: false, location: .member(archive: file.path, index: archive.index))
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
}
