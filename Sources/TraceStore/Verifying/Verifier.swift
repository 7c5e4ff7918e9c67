import Synchronization

/// What checking a database found.
package struct Verification: Sendable {
    /// A problem.
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

    /// Adds what other checks found.
    mutating func add(_ other: Verification) {
        digest.add(other.digest)
        for (check, count) in other.counts {
            let listed = other.problems.filter { $0.check == check }
            problems += listed.prefix(max(0, Self.most - counts[check, default: 0]))
            counts[check, default: 0] += count
        }
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

    /// Whether it asks for what a ``StepSurvey`` found.
    var isAboutSteps: Bool { sql.contains("json_each($") }

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

/// Checks what must hold in every database, and sums up its content. Prints nothing.
///
/// Several threads, each with a reader of its own, can share the work.
package final class Verifier: Sendable {
    private enum Check {
        case steps, tables, integrity, schema
        case assertion(Assertion)
    }

    /// What reads all steps takes longest, and so comes first.
    private static let checks: [Check] =
        [.steps, .tables, .integrity, .schema] + Assertion.all.filter { !$0.isAboutSteps }.map(Check.assertion)

    /// How many checks were taken, and what they found.
    private let state = Mutex((taken: 0, found: [Verification](repeating: Verification(), count: checks.count)))

    package init() {}

    /// What all threads found.
    package var result: Verification {
        state.withLock { state in state.found.dropFirst().reduce(into: state.found[0]) { $0.add($1) } }
    }

    /// Takes one check after the other, until none is left.
    ///
    /// - Parameter reader: should be lenient.
    /// - Throws: ``StoreError`` when the database cannot be read.
    package func work(on reader: TraceReader) throws {
        while let next = state.withLock({ state in
            defer { state.taken += 1 }
            return state.taken < Self.checks.count ? state.taken : nil
        }) {
            do {
                let found = try Self.run(Self.checks[next], reader)
                state.withLock { $0.found[next] = found }
            } catch StoreError.sql(let message, let sql, let offset) {
                // Without a table there is nothing to check, and no content.
                guard let difference = try Self.differences(reader).first(where: \.disturbsReading) else {
                    throw StoreError.sql(message: message, sql: sql, offset: offset)
                }
                throw StoreError.foreignSchema(path: reader.path, difference: difference.description)
            }
        }
    }

    private static func run(_ check: Check, _ reader: TraceReader) throws -> Verification {
        var found = Verification()
        switch check {
        case .steps:
            let survey = try StepSurvey(reader)
            found.digest = survey.digest
            for assertion in Assertion.all where assertion.isAboutSteps {
                try survey.check(assertion) { found.report(assertion.name, $0.text(0) ?? "") }
            }
        case .tables:
            found.digest = try digestOfTables(reader)
        case .integrity:
            try reader.query("PRAGMA integrity_check") { row in
                let message = row.text(0) ?? ""
                if message != "ok" { found.report("integrity", message) }
            }
        case .schema:
            for difference in try differences(reader) { found.report("schema", difference.description) }
        case .assertion(let assertion):
            try reader.query(assertion.sql) { found.report(assertion.name, $0.text(0) ?? "") }
        }
        return found
    }

    private static func differences(_ reader: TraceReader) throws -> [Schema.Difference] {
        Schema.differences(try reader.definitions())
    }

    /// The digest of everything apart from steps, scenarios and suspensions.
    private static func digestOfTables(_ reader: TraceReader) throws -> ContentDigest {
        var digest = ContentDigest()
        for table in tables {
            try reader.query(table.sql) { row in
                var hash = RowHash(table.name)
                for column in 0..<row.count { hash.add(row.text(column)) }
                digest.add(hash)
            }
        }
        return digest
    }

    /// Their content without ids, paths and lines.
    private static let tables: [(name: StaticString, sql: String)] = [
        (
            "run",
            """
            SELECT r.run_key, r.device, r.app, r.pid, r.profile, r.os_version,
                coalesce(r.app_version, r.reported_version), r.started_ns, r.ended_ns, r.end_reason, r.end_evidence,
                r.first_seen_ns, r.last_seen_ns, r.next_seen_ns, r.end_detail, r.launch_cause, a.run_key, w.run_key
            FROM raw_runs AS r LEFT JOIN raw_runs AS a ON a.run_id = r.attached_run
            LEFT JOIN raw_runs AS w ON w.run_id = r.witness
            """
        ),
        (
            "finding",
            """
            SELECT r.run_key, i.label, k.layer, k.rule, k.deviation, k.severity, f.time_ns
            FROM raw_findings AS f JOIN raw_finding_kinds AS k ON k.kind_id = f.kind JOIN raw_runs AS r ON r.run_id = f.run
            LEFT JOIN raw_instances AS i ON i.instance_id = f.instance
            """
        ),
        ("reject", "SELECT text FROM raw_rejects"),
        ("total", "SELECT app, app_version, from_ns, until_ns, metric, value, unit FROM raw_daily_totals"),
    ]
}
