/// What checking a database found.
package struct Verification: Sendable {
    /// Something that should not be so.
    package struct Problem: Sendable, Hashable {
        /// Which check: `integrity`, `references`, `schema`, `lines`, `events`, `numbers`, `kinds`, `tiling`,
        /// `borders`, `marking`, `suspensions`, `summary`.
        package var check: String
        /// What is wrong, and where.
        package var message: String
    }

    /// Digest of the content.
    package var digest = ContentDigest()
    /// Problems, at most ``most`` of each check.
    package internal(set) var problems: [Problem] = []
    /// How many problems each check found.
    package internal(set) var counts: [String: Int] = [:]

    /// Most problems of one check that are told one by one.
    package static let most = 20

    /// Whether nothing was found.
    package var isSound: Bool { counts.isEmpty }

    mutating func report(_ check: String, _ message: @autoclosure () -> String) {
        counts[check, default: 0] += 1
        if counts[check, default: 0] <= Self.most { problems.append(Problem(check: check, message: message())) }
    }
}
