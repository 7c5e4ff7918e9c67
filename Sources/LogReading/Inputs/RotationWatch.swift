/// Finds the rotations that turn up beside files that are followed: a file that was renamed, or copied before it was
/// cut, may hold last lines that were not read yet.
package struct RotationWatch {
    private let followed: [(folder: String, stem: String, path: String)]
    /// What lay beside the files when following began: nobody asked for it.
    private let strangers: Set<FileIdentity>
    private let options: ReadingOptions

    /// Watches over files that were named; folders are looked through anyway.
    package init(_ paths: [String], options: ReadingOptions) {
        var followed: [(folder: String, stem: String, path: String)] = []
        var strangers: Set<FileIdentity> = []
        for path in paths {
            guard case .success(let status) = SystemCalls.status(path), status.kind == .file else { continue }
            let (folder, name) = Self.split(path)
            followed.append((folder, RotationName(name).stem, path))
            for sibling in Self.siblings(folder, RotationName(name).stem) where sibling.path != path {
                strangers.insert(FileIdentity(sibling.status))
            }
        }
        self.followed = followed
        self.strangers = strangers
        self.options = options
    }

    /// Adds the rotations that have turned up since to what was found, in their order.
    package func addRotations(to findings: inout InputFinder.Findings) {
        var finder = InputFinder(options: options)
        finder.findings = findings
        // Several files of one log have the same ones beside them.
        var known = Set(findings.sources.map(\.path))
        for file in followed {
            for sibling in Self.siblings(file.folder, file.stem)
            where !strangers.contains(FileIdentity(sibling.status)) && known.insert(sibling.path).inserted {
                finder.addFile(sibling.path, sibling.status, named: false)
            }
        }
        finder.sort()
        findings = finder.findings
    }

    /// The files beside a path that are rotations of one log with it, and the file itself.
    package static func rotations(of path: String, options: ReadingOptions) -> [SourceDescription] {
        let (folder, name) = split(path)
        var finder = InputFinder(options: options)
        for sibling in siblings(folder, RotationName(name).stem) {
            finder.addFile(sibling.path, sibling.status, named: false)
        }
        return finder.findings.sources
    }

    private static func siblings(_ folder: String, _ stem: String) -> [(path: String, status: SystemCalls.Status)] {
        guard case .success(let names) = SystemCalls.names(in: folder.isEmpty ? "." : folder) else { return [] }
        return names.filter { $0.hasPrefix(stem) && RotationName($0).stem == stem }.compactMap { name in
            let path = folder + name
            guard case .success(let status) = SystemCalls.status(path), status.kind == .file else { return nil }
            return (path, status)
        }
    }

    /// The folder of a path with its slash, and the name.
    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }
}
