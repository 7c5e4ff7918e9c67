/// How far compressed input may expand before it is taken for a bomb.
package struct ArchiveLimits: Sendable, Hashable {
    /// Times that the output of one compressed file may be larger than the file.
    package var ratio: Int64
    /// Bytes of output that are always allowed, whatever the ratio.
    package var floor: Int64
    /// The same for all members of an archive together: a ratio that logs never reach on so many bytes.
    package var wholeRatio: Int64
    package var wholeFloor: Int64
    /// Members that an archive may have.
    package var members: Int
    /// How deep compressed files and archives may lie inside each other.
    package var depth: Int

    package init(
        ratio: Int64 = 2000, floor: Int64 = 64 << 20, wholeRatio: Int64 = 500, wholeFloor: Int64 = 1 << 30,
        members: Int = 200_000, depth: Int = 5
    ) {
        self.ratio = ratio
        self.floor = floor
        self.wholeRatio = wholeRatio
        self.wholeFloor = wholeFloor
        self.members = members
        self.depth = depth
    }

    /// To how much all members of an archive may expand together that has so many bytes.
    func whole(of size: Int64) -> Int64 {
        let (product, isTooLarge) = size.multipliedReportingOverflow(by: wholeRatio)
        return isTooLarge ? .max : max(wholeFloor, product)
    }

    /// Says that an archive expands to more than that.
    ///
    /// - Parameters:
    ///   - path: the path as shown to people.
    ///   - what: what of it does.
    func bomb(_ path: String, what: String) -> ReadingError {
        ReadingError(
            code: .tooLarge, path: path,
            message: """
                \(what) to more than \(wholeRatio) times its size: it looks like an archive bomb, and is read no further; \
                what was read before is kept. If it is none, unpack it yourself and name the result
                """)
    }
}
