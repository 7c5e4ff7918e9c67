/// Compressed files, and the members of archives. Nothing is unpacked to disk.
extension InputFinder {
    /// A compressed file is a source, the members of an archive are, and what is packed inside them.
    mutating func addPacked(_ file: SourceDescription, named: Bool) throws(ReadingError) {
        let policy = ArchivePolicy(file: file.path, size: file.size, limits: options.archiveLimits)
        let archive = try ArchiveHandle(path: file.path, policy: policy)
        guard try archive.nextMember() else { return report(.notice, file.path, Self.emptiness(of: archive)) }
        if archive.isSingleFile {
            var room = options.archiveLimits.searchedBytes
            switch FileKind(try content(archive, &room)) {
            case .packed: return try addPackedTwice(file, policy, named: named)
            case .unifiedLog where options.format == nil, .unifiedLogPart where options.format == nil:
                report(named ? .error : .notice, file.path, Self.packedTrace)
            case .binary where !named || options.format == nil, .unifiedLog where !named, .unifiedLogPart where !named:
                report(
                    named ? .error : .notice, file.path,
                    "is compressed binary data, not a log\(room > 0 ? "" : ", as far as its first 64 MiB show")"
                        + (named ? "; --format NAME reads it anyway" : ""))
            case .plain, .binary, .unifiedLog, .unifiedLogPart:
                var source = file
                source.location = .compressed(path: file.path)
                findings.sources.append(source)
            }
            return
        }
        var found = ArchiveMembers(policy, isNamed: named)
        collect(from: archive, shown: file.path, depth: 1, into: &found)
        if found.isEmpty, !found.hasFailed { report(.notice, file.path, Self.noText) }
        add(found, of: file)
    }

    private static let packedTrace =
        "is a compressed file of a binary unified log: decompress it beside its timesync, uuidtext and dsc, or pack all of "
        + "them into one archive"
    private static let noText = "is an archive without a text file in it"

    /// Why there is nothing in an archive that has no member.
    private static func emptiness(of archive: ArchiveHandle) -> String {
        archive.isEmpty ? "is compressed, and empty" : noText
    }

    /// The bytes that show the kind of the open member.
    ///
    /// - Parameter room: how much of a gap at its beginning may be looked through.
    private func content(_ archive: ArchiveHandle, _ room: inout Int64) throws(ReadingError) -> [UInt8] {
        try FileKind.beginning(room: &room) { size throws(ReadingError) in try archive.lookedAt(size: size) }
    }

    /// A compressed file that holds another one, or an archive.
    private mutating func addPackedTwice(
        _ file: SourceDescription, _ policy: ArchivePolicy, named: Bool
    ) throws(ReadingError) {
        let archive = try ArchiveHandle(path: file.path, policy: policy)
        guard try archive.nextMember() else { return }
        var found = ArchiveMembers(policy, isNamed: named)
        try open(archive, file.path, [], depth: 1, into: &found)
        add(found, of: file)
    }

    private mutating func add(_ found: ArchiveMembers, of file: SourceDescription) {
        var found = found
        found.followLinks()
        found.addUnifiedLogs(of: file.path)
        if let (first, count) = found.outside {
            report(
                .notice, file.path,
                "names \(count == 1 ? "a member" : "\(count) members") outside itself ('\(first)'): read, "
                    + "but nothing is unpacked to disk")
        }
        for (reason, members) in found.leftOut.sorted(by: { $0.key < $1.key }) {
            let others = members.count == 1 ? "" : "; left out, with \(members.count - 1) more of the archive"
            report(.notice, members.first, reason + others)
        }
        // Streams come in the order in which the archive holds them, so that it is read once from front to back.
        for member in found.sources where archiveOrder[member.stream] == nil {
            archiveOrder[member.stream] = archiveOrder.count
        }
        findings.sources += found.sources.map { member in
            var member = member
            member.identity = file.identity
            member.policy = found.policy
            return member
        }
    }

    /// Looks at the members of an archive from the open one on. Damage ends it, and nothing else.
    private mutating func collect(
        from archive: ArchiveHandle, shown path: String, depth: Int, into found: inout ArchiveMembers
    ) {
        do throws(ReadingError) {
            repeat {
                let written = archive.memberName
                found.looked += 1
                let refusal = found.policy.refusal(ofName: written)
                if refusal == nil { found.bytesOfNames += written.utf8.count }
                try found.policy.allow(members: found.looked, nameBytes: found.bytesOfNames, path: path)
                if let refusal {
                    found.leaveOut("\(path)!/\(written.prefix(40))…", refusal)
                    continue
                }
                if written.hasPrefix("/") || written.split(separator: "/").contains("..") {
                    found.noteOutside(written)
                }
                let parts = Self.parts(ofName: written)
                guard !parts.isEmpty, !parts.contains(where: { $0.hasPrefix(".") }) else { continue }
                // The name is shown, never opened: nothing is unpacked to disk.
                let name = Self.shown(parts, of: path)
                let kind = LogArchiveFile(parts)
                if let other = archive.otherName {
                    let file = kind.map { ($0, [Substring(path + "!")] + parts) }
                    found.addLink(name, to: Self.shown(Self.parts(ofName: other), of: path), of: file)
                }
                guard archive.isRegularMember else {
                    if kind != nil, archive.otherName == nil {
                        found.leaveOut(name, "is not a file but a link, a pipe or a device; its log is read without it")
                    }
                    continue
                }
                if parts.dropLast().last?.hasSuffix(".logarchive") == true,
                    LogArchiveFile.isPart(String(parts[parts.count - 1])), kind == nil
                {
                    continue
                }
                if let kind {
                    found.add(kind, [Substring(path + "!")] + parts, archive.place)
                    continue
                }
                guard let beginning = try beginningOfMember(archive, name, &found) else { continue }
                if case .packed = FileKind(beginning) {
                    openMember(archive, name, beginning, depth: depth, into: &found)
                } else {
                    add(archive, name, beginning: beginning, to: &found)
                }
            } while try nextMember(of: archive)
            if archive.hasMore {
                found.leaveOut(path, "data after the end of the archive is not read; split it off to read it")
            }
        } catch {
            leaveUnread(path, error, &found)
        }
    }

    private static func parts(ofName name: String) -> [Substring] {
        name.split(separator: "/").filter { $0 != "." && $0 != ".." }
    }

    private static func shown(_ parts: [Substring], of archive: String) -> String {
        ([archive + "!"] + parts.map(String.init)).joined(separator: "/")
    }

    /// The first bytes of the open member; `nil` where it alone cannot be read, which is reported.
    private mutating func beginningOfMember(
        _ archive: ArchiveHandle, _ path: String, _ found: inout ArchiveMembers
    ) throws(ReadingError) -> [UInt8]? {
        do throws(ReadingError) {
            return try content(archive, &found.room)
        } catch {
            guard archive.canGoOn else { throw error }
            leaveUnread(path, error, &found)
            return nil
        }
    }

    /// Opens the next member; false after the last, and after a bomb was reported.
    private func nextMember(of archive: ArchiveHandle) throws(ReadingError) -> Bool {
        guard !archive.isSpent else { return false }
        return try archive.nextMember()
    }

    /// Looks into a member that is compressed or an archive itself, if it can be opened.
    private mutating func openMember(
        _ outer: ArchiveHandle, _ path: String, _ beginning: [UInt8], depth: Int, into found: inout ArchiveMembers
    ) {
        do throws(ReadingError) {
            try open(outer, path, beginning, depth: depth, into: &found)
        } catch {
            leaveUnread(error.path, error, &found)
        }
    }

    private mutating func leaveUnread(_ path: String, _ error: ReadingError, _ found: inout ArchiveMembers) {
        found.hasFailed = true
        report(ReadingError(code: error.code, path: path, message: error.message), named: found.isNamed)
    }

    /// Adds the open member, if it is a text.
    private func add(
        _ archive: ArchiveHandle, _ name: String, beginning: [UInt8], to found: inout ArchiveMembers
    ) {
        if beginning.isEmpty { return }
        switch FileKind(beginning) {
        case .unifiedLog: found.leaveOut(name, Self.packedTrace)
        case .plain where name != wantedMember && Self.isDocument(name): found.leaveOut(name, Self.documentNote)
        case .plain: found.add(archive, name)
        case .packed, .binary, .unifiedLogPart: found.leaveOut(name, "is binary data, not text")
        }
    }

    /// Looks into the open member of an archive, which is compressed or an archive itself.
    private mutating func open(
        _ outer: ArchiveHandle, _ path: String, _ beginning: [UInt8], depth: Int, into found: inout ArchiveMembers
    ) throws(ReadingError) {
        try found.policy.allow(depth: depth, path: path)
        let archive = try ArchiveHandle(inside: outer, path: path, beginning: beginning)
        guard try archive.nextMember() else { return found.leaveOut(path, Self.emptiness(of: archive)) }
        guard archive.isSingleFile else {
            return collect(from: archive, shown: path, depth: depth + 1, into: &found)
        }
        let inside = try content(archive, &found.room)
        if case .packed = FileKind(inside) {
            try open(archive, path, inside, depth: depth + 1, into: &found)
        } else {
            add(archive, path, beginning: inside, to: &found)
        }
    }

    /// Finds a member by the path that is shown for it, `ARCHIVE!/MEMBER`.
    mutating func addMember(named path: String) -> Bool {
        guard let mark = Self.archiveMark(in: path),
            case .success(let status) = SystemCalls.status(String(path[..<mark])),
            status.kind == .file
        else { return false }
        var finder = InputFinder(options: options)
        finder.wantedMember = path
        finder.addFile(String(path[..<mark]), status, named: true)
        let members = finder.findings.sources.filter { $0.path == path }
        findings.sources += members
        return !members.isEmpty
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

/// What was found in an archive.
struct ArchiveMembers {
    let policy: ArchivePolicy
    /// Whether the user named the archive.
    let isNamed: Bool
    private(set) var sources: [SourceDescription] = []
    /// The paths that are taken, each with the highest number that its name has got.
    private var uses: [String: Int] = [:]
    /// Other names of members, and the first ones.
    private var links: [(name: String, first: String, file: (kind: LogArchiveFile, path: [Substring])?)] = []
    /// Members looked at, of all archives, and how long their names are together, in bytes.
    var looked = 0
    var bytesOfNames = 0
    /// How many bytes of gaps of NUL bytes may still be looked through.
    var room: Int64
    /// Files of binary unified logs, with the parts of their shown paths.
    private var unifiedFiles: [(kind: LogArchiveFile, path: [Substring], place: [Int])] = []
    /// Whether some of it could not be read.
    var hasFailed = false
    /// The first of the members whose names lead out of the archive, and how many there are.
    private(set) var outside: (first: String, count: Int)?
    /// The same for members that are left out, by the reason.
    private(set) var leftOut: [String: (first: String, count: Int)] = [:]

    init(_ policy: ArchivePolicy, isNamed: Bool) {
        self.policy = policy
        self.isNamed = isNamed
        room = policy.limits.searchedBytes
    }

    var isEmpty: Bool { sources.isEmpty && unifiedFiles.isEmpty }

    mutating func noteOutside(_ name: String) { outside = (outside?.first ?? name, (outside?.count ?? 0) + 1) }

    mutating func leaveOut(_ name: String, _ reason: String) {
        leftOut[reason] = (leftOut[reason]?.first ?? name, (leftOut[reason]?.count ?? 0) + 1)
    }

    /// Remembers that a member is another name of one before it.
    ///
    /// - Parameter file: what it is in a binary unified log.
    mutating func addLink(_ name: String, to first: String, of file: (LogArchiveFile, [Substring])?) {
        links.append((name, first, file))
    }

    /// Adds the other names of files of a binary unified log, and reports those of members that are not read.
    mutating func followLinks() {
        let unified = Dictionary(unifiedFiles.map { ($0.path.joined(separator: "/"), $0.place) }) { first, _ in first }
        for link in links {
            if let file = link.file, let place = unified[link.first] {
                add(file.kind, file.path, place)
            } else if link.file != nil {
                leaveOut(
                    link.name, "is another name of a member outside of the binary unified log, which is read without it"
                )
            } else if uses[link.first] == nil, unified[link.first] == nil {
                leaveOut(link.name, "is another name of a member that is not read")
            }
        }
    }

    /// Keeps a file of a binary unified log until all of the archive's files are known.
    mutating func add(_ kind: LogArchiveFile, _ path: [Substring], _ place: [Int]) {
        unifiedFiles.append((kind, path, place))
    }

    /// A source for every folder with tracev3 files: its clocks and format strings belong to it.
    mutating func addUnifiedLogs(of archive: String) {
        let traces = unifiedFiles.filter { $0.kind == .trace }
        let rest = unifiedFiles.filter { $0.kind != .trace }
        let archives = Dictionary(grouping: traces, by: { LogArchiveFile.root(ofTrace: $0.path) })
        for (root, traces) in archives.sorted(by: { $0.value[0].place.lexicographicallyPrecedes($1.value[0].place) }) {
            var files = traces.map { trace in
                PackedFile(
                    name: trace.path.dropFirst(root.count).joined(separator: "/"), place: trace.place, isTrace: true)
            }
            for file in rest {
                let folder = file.path.dropLast(2)
                guard folder == root[...] || folder == root + ["uuidtext"] || folder == root.dropLast() + ["uuidtext"]
                else { continue }
                files.append(
                    PackedFile(
                        name: file.path.suffix(2).joined(separator: "/"), place: file.place, isTrace: false))
            }
            let path = root.joined(separator: "/")
            sources.append(
                SourceDescription(
                    path: path, stream: path, size: nil, isSeekable: false,
                    location: .packedUnifiedLog(archive: archive, files: files)))
        }
        if traces.isEmpty, let first = rest.first {
            leaveOut(first.path.joined(separator: "/"), "belongs to a binary unified log that is not in the archive")
        }
    }

    /// A source for a member. Of several with one name, later ones are numbered, as each has its own place in the
    /// database.
    mutating func add(_ archive: ArchiveHandle, _ name: String) {
        var number = uses[name, default: 0] + 1
        var path = number == 1 ? name : "\(name)#\(number)"
        while uses[path] != nil {
            number += 1
            path = "\(name)#\(number)"
        }
        uses[path] = 1
        uses[name] = number
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let rotation = RotationName(String(path[slash...]))
        sources.append(
            SourceDescription(
                path: path, stream: path[..<slash] + rotation.stem, rank: rotation.rank, size: nil, isSeekable: false,
                location: .member(archive: archive.file, place: archive.place)))
    }
}
