import GRDB

/// The schema of the database, its version, and how an older one becomes the present one.
enum Schema {
    /// Written into the header of every database of ours, so that a foreign one is recognised: `LFST`.
    static let applicationID: Int32 = 0x4C46_5354

    /// Version of the schema, in `PRAGMA user_version`.
    static let version: Int32 = 1

    /// The migrations, oldest first. A released one is never changed.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: tables and views") { db in
            try db.execute(sql: tables)
            try db.execute(sql: views)
            try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
        }
        return migrator
    }

    /// The tables and indexes as SQL.
    static var tables: String { String(decoding: PackageResources.tables_sql, as: UTF8.self) }

    /// What of a database is missing, or is not as this build makes it, so that it would be taken for something else.
    ///
    /// - Parameters:
    ///   - found: names and definitions of what the database has.
    ///   - sql: the statements that make what it should have.
    /// - Returns: the names, in order, each with whether it is missing.
    static func differences(_ found: [String: String], from sql: String) -> [(name: String, isMissing: Bool)] {
        var expected: [Substring: Substring] = [:]
        for line in sql.split(separator: "\n") where line.hasPrefix("CREATE ") {
            let words = line.split(separator: " ", maxSplits: 3)
            if words.count > 2 { expected[words[2]] = sql[line.startIndex...] }
        }
        let missing = (expected.keys.map(String.init) + [migrations]).filter { found[$0] == nil }.map { ($0, true) }
        // People may have views of their own.
        let others = found.filter { name, definition in
            guard let text = expected[name[...]] else { return name.hasPrefix("raw_") }
            return !text.utf8.starts(with: definition.utf8)
        }.map { ($0.key, false) }
        return (missing + others).sorted { $0.0 < $1.0 }
    }

    /// The table in which the migrations that were made are kept.
    private static let migrations = "grdb_migrations"

    /// The statement that tells names and definitions.
    static let definitions = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"

    /// The views as plain SQL.
    static let views = expand(annotatedViews)

    /// The views as written, with the abbreviations that ``expand(_:)`` replaces.
    static var annotatedViews: String {
        String(decoding: PackageResources.views_sql, as: UTF8.self)
    }

    /// Replaces the abbreviations of `views.sql` by plain SQL, so that each phrase is written once.
    ///
    /// - `iso8601(ns)`: the ISO 8601 text of a time, in UTC with nine digits of a second.
    /// - `entered_of(s)`: when the visit that step `s` ends began.
    /// - `begin_of(s, column)`: a column of the step that began the visit that `s` ends, or else of `s`.
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

    private static func phrase(_ name: String, _ arguments: [String]) -> String {
        let first = arguments.first ?? ""
        let second = arguments.count > 1 ? arguments[1] : ""
        switch name {
        case "iso8601":
            // Rounds towards the past, so that times before 1970 come out right as well.
            let part = "((\(first) % 1000000000 + 1000000000) % 1000000000)"
            return "strftime('%Y-%m-%dT%H:%M:%S', (\(first) - \(part)) / 1000000000, 'unixepoch') "
                + "|| printf('.%09dZ', \(part))"
        case "entered_of":
            return "CASE WHEN \(first).stay IS NOT NULL AND k.is_timed THEN \(first).time - \(first).stay "
                + "ELSE (SELECT b.time FROM raw_steps AS b WHERE b.step_id = \(first).opener) END"
        default:
            return "(SELECT b.\(second) FROM raw_steps AS b "
                + "WHERE b.step_id = coalesce(\(first).opener, \(first).step_id))"
        }
    }

    private struct Call {
        var name: String
        var arguments: [String]
        var start: Substring.Index
        var end: Substring.Index
    }

    /// The next abbreviation: its name, where it begins, and where its first argument does. Compares bytes, because this
    /// happens whenever a database is made.
    private static func nextName(in text: Substring) -> (name: String, start: Substring.Index, end: Substring.Index)? {
        var rest = text.utf8[...]
        while let bracket = rest.firstIndex(of: UInt8(ascii: "(")) {
            rest = rest[rest.index(after: bracket)...]
            for name in ["iso8601", "entered_of", "begin_of"] {
                let word = text.utf8[..<bracket].suffix(name.utf8.count)
                if word.elementsEqual(name.utf8) { return (name, word.startIndex, rest.startIndex) }
            }
        }
        return nil
    }

    private static func nextCall(in text: Substring) -> Call? {
        guard let (name, start, first) = nextName(in: text) else { return nil }
        var depth = 1
        var index = first
        var argumentStart = index
        var arguments: [String] = []
        while index < text.endIndex {
            switch text[index] {
            case "(": depth += 1
            case ")": depth -= 1
            default: break
            }
            if depth == 0 || (depth == 1 && text[index] == ",") {
                arguments.append(String(text[argumentStart..<index].trimmingPrefix { $0 == " " }))
                argumentStart = text.index(after: index)
            }
            index = text.index(after: index)
            if depth == 0 {
                return Call(name: name, arguments: arguments, start: start, end: index)
            }
        }
        return nil
    }
}
