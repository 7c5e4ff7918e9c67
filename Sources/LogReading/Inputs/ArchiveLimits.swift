/// How far compressed input may expand before it is taken for a bomb.
package struct ArchiveLimits: Sendable, Hashable {
    /// Times that the output of one compressed file may be larger than the file.
    package var ratio: Int64
    /// Bytes of output that are always allowed, whatever the ratio.
    package var floor: Int64
    /// Members that an archive may have.
    package var members: Int
    /// How deep compressed files and archives may lie inside each other.
    package var depth: Int

    package init(ratio: Int64 = 2000, floor: Int64 = 64 << 20, members: Int = 200_000, depth: Int = 5) {
        self.ratio = ratio
        self.floor = floor
        self.members = members
        self.depth = depth
    }
}
