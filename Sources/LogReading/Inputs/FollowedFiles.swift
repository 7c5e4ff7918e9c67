import Foundation

/// Finds the rotations that turn up beside files that are followed: a file that was renamed, or copied before it was
/// cut, may hold last lines that were not read yet.
package struct RotationWatch {
    private let followed: [(folder: String, stem: String, path: String)]
    /// The files that were there before following began and were not asked for.
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

/// Keeps files open that are followed: a file that was deleted or moved elsewhere can
/// still be read to its end.
package struct HeldFiles {
    /// The most files that are kept open: the newest one of a log is the one that is written.
    private static let mostFiles = 64
    /// A file that a rotation renames while it is looked for is found at the next look.
    private static let looksUntilMoved = 4
    /// For how many looks a file that has gone is kept, because it may still be written to.
    private static let looksKept = 40

    private var held: [FileIdentity: Held] = [:]

    private struct Held {
        let file: HeldFile
        /// Where it was found last.
        var source: SourceDescription
        /// How long it was when it was read.
        var sizeRead: Int64 = 0
        var looksWithoutIt = 0
    }

    package init() {}

    /// Keeps the newest file of each log open, before the sources are read.
    package mutating func hold(_ sources: [SourceDescription]) {
        var newest: [String: SourceDescription] = [:]
        for source in sources where source.isSeekable { newest[source.stream] = source }
        for source in sources {
            guard let identity = source.identity, case .file(let path) = source.location else { continue }
            if held[identity] != nil {
                held[identity]?.source = source
                held[identity]?.looksWithoutIt = 0
            } else if newest[source.stream] == source, held.count < Self.mostFiles,
                let file = HeldFile(path: path, identity: identity)
            {
                held[identity] = Held(file: file, source: source)
            }
        }
    }

    /// Takes note that sources were read as far as they went when they were found.
    package mutating func noteRead(_ sources: [SourceDescription]) {
        for source in sources {
            if let identity = source.identity { held[identity]?.sizeRead = source.size ?? 0 }
        }
    }

    /// The files that no path leads to any more, and that hold more than was read of them: to be read as what they were.
    package mutating func gone(from sources: [SourceDescription]) -> [SourceDescription] {
        let found = Set(sources.compactMap(\.identity))
        var gone: [SourceDescription] = []
        for (identity, one) in held where !found.contains(identity) {
            guard let status = one.file.status, one.looksWithoutIt < Self.looksKept else {
                held[identity] = nil
                continue
            }
            held[identity]?.looksWithoutIt += 1
            let isGone = status.links == 0 || one.looksWithoutIt >= Self.looksUntilMoved
            guard isGone, status.size > one.sizeRead else { continue }
            held[identity]?.looksWithoutIt = Self.looksUntilMoved
            var source = one.source
            source.held = one.file
            source.size = status.size
            gone.append(source)
        }
        return gone.sorted { $0.path < $1.path }
    }
}

/// A file that is kept open, so that it can be read although no path leads to it any more.
package final class HeldFile: Sendable, Hashable {
    let descriptor: Int32

    /// Opens a file; `nil` where another one lies there by now, or no more can be open.
    init?(path: String, identity: FileIdentity) {
        descriptor = PathSpelling.withBytes(of: path) { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
        guard descriptor >= 0, let status, FileIdentity(status) == identity else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// What the file system knows about it now.
    var status: SystemCalls.Status? { try? SystemCalls.status(descriptor: descriptor, path: "").get() }

    package static func == (a: HeldFile, b: HeldFile) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
