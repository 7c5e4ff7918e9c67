/// What was found in an archive.
struct ArchiveMembers {
    /// The first bytes of a member, to tell whether a later one of its name goes on with it.
    private struct Beginning {
        var hash: Int
        var count: Int
        var size: Int64
        /// Where the member stands among the sources.
        var index: Int
    }

    /// Whether somebody named the archive.
    let isNamed: Bool
    private(set) var sources: [SourceDescription] = []
    /// The paths that are taken, each with the highest number that its name has got.
    private var uses: [String: Int] = [:]
    /// The last member of each name.
    private var beginnings: [String: Beginning] = [:]
    /// Other names of members, and the first ones.
    private var links: [(name: String, first: String)] = []
    /// Members looked at, of all archives, and how long their names are together, in bytes.
    var looked = 0
    var bytesOfNames = 0
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

    /// A source for a member. Of several of one name the later ones are numbered, so that each keeps its own place in the
    /// database; but a log that has grown and was appended to its archive once more takes the place of the former one, as
    /// it does when the archive is unpacked.
    mutating func add(_ archive: ArchiveHandle, _ name: String, beginning: [UInt8]) {
        var now = Beginning(
            hash: beginning.hashValue, count: beginning.count, size: archive.memberSize ?? 0, index: sources.count)
        defer { beginnings[name] = now }
        if let former = beginnings[name], former.count <= beginning.count, former.size <= now.size,
            Array(beginning.prefix(former.count)).hashValue == former.hash
        {
            leaveOut(name, "stands there again, longer or as it is: only the last one of the name is read")
            now.index = former.index
            sources[former.index].location = .member(archive: archive.file, place: archive.place)
            return
        }
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
