import TraceStore

/// Checks the invariants of a database.
public enum DatabaseCheck {
    /// The result of a verification.
    public struct Result: Sendable {
        /// 64 hexadecimal digits: equal for equal content.
        public var digest: String
        /// Broken invariants, one sentence each; of many alike, the rest is counted.
        public var problems: [String]
    }

    /// Checks a database without changing it.
    ///
    /// - Throws: ``LifeStatsError`` when there is no database at the path.
    public static func verify(_ path: String, limit: ReadingLimit = ReadingLimit()) throws -> Result {
        try DatabaseReading.watch("the invariants of \(path)", limit: limit) {
            let found = try Verifier.verify(path: path)
            var problems = found.problems.map { "\($0.check): \($0.message)" }
            for (check, count) in found.counts.sorted(by: { $0.key < $1.key }) where count > Verification.most {
                problems.append("\(check): \(count - Verification.most) more of these")
            }
            return Result(digest: found.digest.description, problems: problems)
        }
    }
}
