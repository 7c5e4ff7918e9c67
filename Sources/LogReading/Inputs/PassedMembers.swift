/// Members of an archive that were passed over on the way to a later one, as many of the last ones as there is room for.
struct PassedMembers {
    private let file: String
    private let status: SystemCalls.Status?
    private var members: [[Int]: [UInt8]] = [:]
    /// Their places, in the order of the archive; those before ``first`` had to go.
    private var places: [[Int]] = []
    private var first = 0
    private var size = 0

    /// Bytes of one member, and of all.
    private static let mostOfOne = 8 << 20
    private static let mostOfAll = 64 << 20

    /// None, of no archive.
    init() {
        file = ""
        status = nil
    }

    init(_ file: String, _ status: SystemCalls.Status) {
        self.file = file
        self.status = status
    }

    func bytes(of place: [Int], in file: String, _ status: SystemCalls.Status) -> [UInt8]? {
        guard file == self.file, self.status?.isSameContent(as: status) == true else { return nil }
        return members[place]
    }

    /// Reads the open member of an archive, if it is to be passed over as a whole and is no larger than it may be.
    mutating func keep(_ archive: ArchiveHandle) throws(ReadingError) {
        guard let count = archive.memberSize, 0...Int64(Self.mostOfOne) ~= count,
            let bytes = try archive.wholeMember(of: Int(count))
        else { return }
        members[archive.place] = bytes
        places.append(archive.place)
        size += bytes.count
        while size > Self.mostOfAll {
            size -= members.removeValue(forKey: places[first])?.count ?? 0
            first += 1
        }
    }
}
