/// What checking a database found.
package struct Verification: Sendable {
    /// Something that should not be so.
    package struct Problem: Sendable, Hashable {
        /// Which check: `integrity`, `schema`, or the name of an assertion (`references`, `lines`, `tiling` …).
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

    /// Most problems of one check that are listed one by one.
    package static let most = 20

    /// Whether nothing was found.
    package var isSound: Bool { counts.isEmpty }

    mutating func report(_ check: String, _ message: @autoclosure () -> String) {
        counts[check, default: 0] += 1
        if counts[check, default: 0] <= Self.most { problems.append(Problem(check: check, message: message())) }
    }
}

/// One of the assertions of `assertions.sql`: a query that returns no rows in a sound database.
struct Assertion: Sendable {
    /// Name of the check.
    var name: String
    /// What it proves.
    var purpose: String
    /// Returns one message for each problem.
    var sql: String

    /// The assertions, in order.
    static let all: [Assertion] = parse(String(decoding: PackageResources.assertions_sql, as: UTF8.self))

    /// An assertion is a comment `name: purpose` and the statement after it.
    static func parse(_ text: String) -> [Assertion] {
        text.split(separator: "\n\n").compactMap { block in
            let comment = block.split(separator: "\n").prefix { $0.hasPrefix("--") }
            let words = comment.map { $0.dropFirst(3) }.joined(separator: " ").split(separator: ":", maxSplits: 1)
            let sql = block.split(separator: "\n").dropFirst(comment.count).joined(separator: "\n")
            guard words.count == 2, !sql.isEmpty else { return nil }
            return Assertion(name: String(words[0]), purpose: String(words[1].dropFirst()), sql: sql)
        }
    }
}
