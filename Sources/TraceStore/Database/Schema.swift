import GRDB
import TraceRecords

/// The schema of the database and its version.
enum Schema {
    /// Written into the header of every lifestats database, so that others are recognised as foreign: `LFST`.
    static let applicationID: Int32 = 0x4C46_5354

    /// Version of the schema, in `PRAGMA user_version`. There are no migrations: a database of another version is refused.
    static let version: Int32 = 7

    /// Makes the tables and views of an empty database.
    ///
    /// The views are added as rows of SQLite's schema: parsing their text takes longer than all else, and writing does
    /// not use them. Where SQLite forbids that, they are created by their statements.
    static func create(in db: Database) throws {
        try db.execute(
            sql: tables + "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version);"
                + "PRAGMA writable_schema = ON")
        defer { try? db.execute(sql: "PRAGMA writable_schema = OFF") }
        guard let view = try? db.makeStatement(sql: "INSERT INTO sqlite_schema VALUES ('view', ?1, ?1, 0, ?2)") else {
            return try db.execute(sql: views)
        }
        for (name, text) in statements(of: views) { try view.execute(arguments: [name, text]) }
    }

    /// The tables and indexes as SQL.
    static var tables: String { String(decoding: PackageResources.tables_sql, as: UTF8.self) }

    /// The views as plain SQL.
    static let views = expand(annotatedViews)

    /// The views as written, with the abbreviations that ``expand(_:)`` replaces.
    static var annotatedViews: String { String(decoding: PackageResources.views_sql, as: UTF8.self) }

    /// The statement that lists what a database has. SQLite's own tables and indexes have names that begin with `sqlite_`.
    static let definitions = """
        SELECT name, type, coalesce(sql, '') FROM sqlite_schema
        WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR type IN ('view', 'trigger')
        """

    /// A way in which a database differs from what this program creates.
    struct Difference: Hashable {
        enum Kind { case missing, changed, foreign }

        var name: String
        var kind: Kind
        /// `table`, `view`, `index` or `trigger`.
        var type: String

        /// Whether it could make a query answer wrongly, or never end. Other tables and views in the
        /// file do no harm to reading.
        var disturbsReading: Bool { kind != .foreign || type == "trigger" }

        var description: String {
            switch kind {
            case .missing: "\(name) is missing"
            case .changed: "\(name) is not as lifestats creates it"
            case .foreign: "the \(type) \(name) is not part of a lifestats database"
            }
        }
    }

    /// Compares what a database has with what it should have.
    ///
    /// - Parameter found: the rows of ``definitions``.
    /// - Returns: the differences, by name.
    static func differences(_ found: [(name: String, type: String, sql: String)]) -> [Difference] {
        var rest = expected
        var differences: [Difference] = []
        for (name, type, sql) in found {
            if let text = rest.removeValue(forKey: name) {
                if text != sql {
                    differences.append(Difference(name: name, kind: .changed, type: type))
                }
            } else {
                differences.append(Difference(name: name, kind: .foreign, type: type))
            }
        }
        differences += rest.keys.map { Difference(name: $0, kind: .missing, type: "") }
        return differences.sorted { $0.name < $1.name }
    }

    /// The statement that creates something, by its name.
    static func definition(of name: String) -> String? { expected[name] }

    /// The text of each definition, by the name of what it creates.
    private static let expected = Dictionary(statements(of: tables) + statements(of: views)) { first, _ in first }

    /// What creates something, by its name: as SQLite keeps it, from `CREATE` up to the semicolon at the end of a line.
    private static func statements(of sql: String) -> [(name: String, text: String)] {
        var statements: [(name: String, text: String)] = []
        var begin: Int?
        let bytes = Array(sql.utf8)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "CREATE ".utf8) { begin = line.startIndex }
            guard let start = begin, line.last == UInt8(ascii: ";") else { continue }
            let text = String(decoding: bytes[start..<line.endIndex - 1], as: UTF8.self)
            let words = text.prefix { $0 != "\n" }.split(separator: " ", maxSplits: 3)
            if words.count > 2 { statements.append((String(words[2]), text)) }
            begin = nil
        }
        return statements
    }

    /// Replaces the abbreviations of `views.sql` by plain SQL, so that each phrase is written once.
    ///
    /// - `iso8601(ns)`: the ISO 8601 text of a time, in UTC with nine digits of a second.
    /// - `duration_of(ns)`: a duration from 10 ms on in words, as ``HumanDuration`` writes it.
    /// - `time_of(id)`: the time of a step.
    /// - `entered_of(s)`: when the visit that step `s`, of kind `k`, ends began.
    /// - `begin_line_of(s)`: line of the step that began the visit that `s` ends, or else of `s`.
    /// - `path_of(id)`: path of the source of a step.
    /// - `ends_by(w)`: whether the end of run `r` is that of the attached run `w`: only that one shows it, and `r` does not
    ///   go on after it; or it shows a crash after `r` was told to terminate.
    /// - `end_of(column)`: a column about the end of run `r`, from `w` where it ends by that.
    /// - `last_seen_of(w)`: the last sign of life of run `r`, also in `w` if it ends by that.
    /// - `words_of(w)`: what a finding says of the end of a run.
    static func expand(_ sql: String) -> String {
        var result = ""
        var rest = Substring(sql)
        while let call = nextCall(in: rest) {
            result += rest[..<call.start]
            result += phrase(call.name, call.arguments.map(expand))
            rest = rest[call.end...]
        }
        return result + rest
    }

    private static let abbreviations = [
        "iso8601", "duration_of", "entered_of", "time_of", "begin_line_of", "path_of", "end_of",
        "ends_by", "last_seen_of", "words_of",
    ]

    private static func phrase(_ name: String, _ arguments: [String]) -> String {
        let first = arguments.first ?? ""
        switch name {
        case "iso8601":
            // Rounds down, so that times before 1970 are right as well.
            let part = "((\(first)) % 1000000000 + 1000000000) % 1000000000"
            return "strftime('%Y-%m-%dT%H:%M:%S', ((\(first)) - (\(part))) / 1000000000, 'unixepoch') "
                + "|| printf('.%09dZ', \(part))"
        case "duration_of":
            return duration(first)
        case "entered_of":
            return
                "CASE WHEN \(first).dwell IS NOT NULL AND k.is_timed THEN (\(first).time - \(first).dwell) * k.unit_ns "
                + "ELSE \(phrase("time_of", ["\(first).step_id - \(first).to_opener"])) END"
        case "time_of":
            return "(SELECT b.time * o.unit_ns FROM raw_steps AS b JOIN raw_kinds AS o ON o.kind_id = b.kind "
                + "WHERE b.step_id = \(first))"
        case "begin_line_of":
            return "(SELECT b.line FROM raw_steps AS b "
                + "WHERE b.step_id = coalesce(\(first).step_id - \(first).to_opener, \(first).step_id))"
        case "end_of":
            // A signal, say, is no reason: the state in which the log of the run ends decides.
            let known =
                first == "end_reason"
                ? "CASE WHEN w.silent_reason IS NULL THEN w.end_reason "
                    + "ELSE coalesce(r.silent_reason, w.end_reason) END" : "w.\(first)"
            return "CASE WHEN \(phrase("ends_by", ["w"])) THEN \(known) ELSE r.\(first) END"
        case "ends_by":
            return "(\(first).end_evidence = 'observed' AND (r.end_evidence = 'inferred' "
                + "AND coalesce(r.last_seen_ns <= \(first).ended_ns + 60000000000, 1) "
                + "OR r.end_reason = 'terminated' AND \(first).end_reason IN ('crash', 'watchdog')))"
        case "last_seen_of":
            return "CASE WHEN \(phrase("ends_by", [first])) AND \(first).last_seen_ns > coalesce(r.last_seen_ns, 0) "
                + "THEN \(first).last_seen_ns ELSE r.last_seen_ns END"
        case "words_of":
            let known = EndReason.allCases.compactMap { reason in
                reason.words.map { "WHEN '\(reason.rawValue)' THEN '\($0)' " }
            }
            return "CASE \(first).end_reason \(known.joined())ELSE \(first).end_detail END"
        default:
            return "(SELECT c.path FROM raw_blocks AS l JOIN raw_sources AS c ON c.source_id = l.source "
                + "WHERE l.block_id = (\(first)) >> 16)"
        }
    }

    private static func duration(_ ns: String) -> String {
        func rounded(to unit: Int64) -> String { "(((\(ns)) + \(unit / 2)) / \(unit))" }
        func twoParts(_ small: Int64, of count: Int, _ names: (large: String, small: String)) -> String {
            let smalls = rounded(to: small)
            return "(\(smalls) / \(count)) || ' \(names.large)' || "
                + "CASE \(smalls) % \(count) WHEN 0 THEN '' ELSE ' ' || (\(smalls) % \(count)) || ' \(names.small)' END"
        }
        let tenths = rounded(to: 100_000_000)
        return """
            CASE WHEN \(ns) < 999500000 THEN \(rounded(to: 1_000_000)) || ' ms' \
            WHEN \(ns) < 59950000000 THEN (\(tenths) / 10) || CASE \(tenths) % 10 WHEN 0 THEN '' ELSE '.' || (\(tenths) % 10) END || ' s' \
            WHEN \(ns) < 3599500000000 THEN \(twoParts(1_000_000_000, of: 60, ("min", "s"))) \
            WHEN \(ns) < 86370000000000 THEN \(twoParts(60_000_000_000, of: 60, ("h", "min"))) \
            ELSE \(twoParts(3_600_000_000_000, of: 24, ("d", "h"))) END
            """
    }

    private struct Call {
        var name: String
        var arguments: [String]
        var start: Substring.Index
        var end: Substring.Index
    }

    /// The next abbreviation: its name, where it begins, and where its first argument does. Compares bytes, because this
    /// happens whenever a database is opened.
    private static func nextName(in text: Substring) -> (name: String, start: Substring.Index, end: Substring.Index)? {
        var rest = text.utf8[...]
        while let bracket = rest.firstIndex(of: UInt8(ascii: "(")) {
            rest = rest[rest.index(after: bracket)...]
            for name in abbreviations {
                let word = text.utf8[..<bracket].suffix(name.utf8.count)
                if word.elementsEqual(name.utf8) { return (name, word.startIndex, rest.startIndex) }
            }
        }
        return nil
    }

    private static func nextCall(in text: Substring) -> Call? {
        guard let (name, start, first) = nextName(in: text) else { return nil }
        let bytes = text.utf8
        var depth = 1
        var index = first
        var argumentStart = index
        var arguments: [String] = []
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            if depth == 0 || (depth == 1 && bytes[index] == UInt8(ascii: ",")) {
                arguments.append(String(text[argumentStart..<index].trimmingPrefix { $0 == " " }))
                argumentStart = bytes.index(after: index)
            }
            index = bytes.index(after: index)
            if depth == 0 { return Call(name: name, arguments: arguments, start: start, end: index) }
        }
        return nil
    }
}

/// The public views and their columns, as the comments of the schema document them.
package enum SchemaDocumentation {
    /// A column of a view.
    package struct Column: Sendable, Hashable {
        package var name: String
        /// `integer`, `real`, `text`; `time` (nanoseconds since 1970 UTC), `duration` (nanoseconds) or `seconds`.
        package var type: String
        package var purpose: String
    }

    /// A view.
    package struct View: Sendable, Hashable {
        package var name: String
        package var purpose: String
        /// The columns, in the order of `SELECT *`.
        package var columns: [Column]
    }

    /// The views, in the order of the pipeline.
    package static let views: [View] = parse(Schema.annotatedViews)

    /// The view of a name; `nil` when there is none.
    package static func view(named name: String) -> View? {
        views.first { $0.name == name }
    }

    /// The physical tables, which may change with any version.
    package static let tables = Schema.tables.matches(of: /CREATE TABLE (\w+)/).map { String($0.1) }

    /// Reads `views.sql`: comment lines before `CREATE VIEW` describe the view, `AS name, -- type: purpose` a column.
    static func parse(_ sql: String) -> [View] {
        var views: [View] = []
        var comment: [String] = []
        var readsColumns = false
        for line in sql.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                comment = []
            } else if line.hasPrefix("-- ") && !readsColumns {
                comment.append(String(line.dropFirst(3)))
            } else if let name = line.wholeMatch(of: /CREATE VIEW (\w+) AS/)?.1 {
                views.append(View(name: String(name), purpose: comment.joined(separator: " "), columns: []))
                readsColumns = true
            } else if line.hasPrefix("FROM ") || line.hasPrefix("SELECT *") {
                readsColumns = false
            } else if readsColumns, let column = line.firstMatch(of: /\sAS (\w+),? *-- (\w+): (.+)$/) {
                views[views.count - 1].columns.append(
                    Column(name: String(column.1), type: String(column.2), purpose: String(column.3)))
            }
        }
        return views.map { view in
            guard view.columns.isEmpty, let visits = views.first(where: { $0.name == "visits" }) else { return view }
            return View(name: view.name, purpose: view.purpose, columns: visits.columns)
        }
    }
}
