/// What was found in an archive.
struct ArchiveMembers {
    /// Whether somebody named the archive.
    let isNamed: Bool
    private(set) var sources: [SourceDescription] = []
    /// The paths that are taken, each with the highest number that its name has got.
    private var uses: [String: Int] = [:]
    /// Other names of members, and the first ones.
    private var links: [(name: String, first: String)] = []
    /// Members looked at, of all archives, and how long their names are together, in bytes.
    var looked = 0
    var bytesOfNames = 0
    /// How many bytes of gaps of NUL bytes may still be looked through.
    var room = InputFinder.mostLookedAt
    /// Whether some of it could not be read.
    var hasFailed = false
    /// The first of the members whose names lead out of the archive, and how many there are.
    private(set) var outside: (first: String, count: Int)?
    /// The same for members that are left out, by the reason.
    private(set) var leftOut: [String: (first: String, count: Int)] = [:]

    init(isNamed: Bool) { self.isNamed = isNamed }

    mutating func noteOutside(_ name: String) { outside = (outside?.first ?? name, (outside?.count ?? 0) + 1) }

    mutating func leaveOut(_ name: String, _ reason: String) {
        leftOut[reason] = (leftOut[reason]?.first ?? name, (leftOut[reason]?.count ?? 0) + 1)
    }

    /// Remembers that a member is another name of one before it.
    mutating func addLink(_ name: String, to first: String) { links.append((name, first)) }

    /// Says which other names lead to members that are not read: a hidden one, for example.
    mutating func leaveOutLinks() {
        for link in links where uses[link.first] == nil {
            leaveOut(link.name, "is another name of a member that is not read")
        }
    }

    /// A source for a member. Archives may hold several of one name: later ones are numbered, so that each keeps its own
    /// place in the database.
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
