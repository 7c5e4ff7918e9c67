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
    }

    /// The path as shown to people; for a member of an archive `ARCHIVE!MEMBER`.
    package var path: String
    /// Folder plus file name without its rotation: sources with the same stream hold one sequence of lines.
    package var stream: String
    /// Place among the rotations of the stream: lower is older. Sources of one stream are read in this order, then
    /// by path.
    package var rank: Int64
    /// Size in bytes as stored; `nil` for a pipe.
    package var size: Int64?
    /// Whether the reading can go on at an offset, without reading what comes before.
    package var isSeekable: Bool
    package var location: Location
    /// The file that was found there; a rotation puts another one in its place.
    package var identity: FileIdentity?
    /// The open file, where no path leads to it any more.
    package var held: HeldFile?

    /// What the members of its archive may expand to together.
    var budget: ArchiveBudget?

    /// Whether it gives its bytes once, so that nothing can be looked at beforehand or again.
    package var isOnce: Bool {
        switch location {
        case .standardInput, .pipe: true
        case .file, .compressed, .member: false
        }
    }

    /// Whether both are one file, or one member of one archive, however their paths are spelled.
    package func isSameFile(as other: SourceDescription) -> Bool {
        guard let identity, identity == other.identity else { return false }
        guard case .member(_, let place) = location, case .member(_, let otherPlace) = other.location else {
            return true
        }
        return place == otherPlace
    }

    package init(
        path: String, stream: String, rank: Int64 = 0, size: Int64?, isSeekable: Bool, location: Location,
        identity: FileIdentity? = nil
    ) {
        self.path = path
        self.stream = stream
        self.rank = rank
        self.size = size
        self.isSeekable = isSeekable
        self.location = location
        self.identity = identity
    }

    /// A file, whose name tells which rotation of which log it is.
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
