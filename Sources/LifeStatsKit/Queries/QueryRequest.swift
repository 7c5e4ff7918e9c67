import Foundation
import NamedQueries
public import Reports
import TraceRecords

/// A query, and how to write its result.
public struct QueryRequest: Sendable {
    /// The query.
    public enum Question: Sendable, Hashable {
        /// A file of `queries/`, by name.
        case named(String)
        /// SQL.
        case sql(String)
        /// A file of the user, with or without a header like those of `queries/`.
        case file(String, sql: String)

        /// One word is a name unless it is an SQL keyword; anything else is SQL. Surrounding blanks and semicolons are
        /// ignored.
        public init(_ given: String) {
            let text = given.trimmingCharacters(in: .whitespacesAndNewlines.union([";"]))
            let statements: Set<String> = ["vacuum", "analyze", "reindex", "begin", "commit", "rollback", "end"]
            let isName =
                !statements.contains(text.lowercased()) && !text.isEmpty
                && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            // Errors in SQL give their place in the text as typed.
            self = isName ? .named(text) : .sql(given)
        }

        /// The SQL of a file.
        ///
        /// - Throws: ``LifeStatsError`` when the file cannot be read or is empty.
        public static func file(_ path: String) throws -> Question {
            .file(path, sql: try filled(try TextFile.read(path), path))
        }

        /// The SQL on standard input.
        ///
        /// - Throws: ``LifeStatsError`` when there is none.
        public static func standardInput() throws -> Question {
            .sql(try filled(TextFile.readStandardInput(), "standard input"))
        }

        private static func filled(_ text: String, _ place: String) throws -> String {
            guard text.allSatisfy(\.isWhitespace) else { return text }
            throw LifeStatsError("\(place) is empty", remedy: "write an SQL statement into it")
        }
    }

    public var database: String
    public var question: Question
    /// Values by name, as typed.
    public var parameters: [(name: String, value: String)] = []
    /// Number of a row of the answer, counted from 1, of which the rows behind it are shown instead; for a named query.
    public var rowsBehind: Int?
    public var format = OutputFormat.table
    /// Durations and shares as plain numbers in tables.
    public var raw = false
    /// Whether lines of CSV end with CR and LF.
    public var crlf = false
    /// Whether to use colours.
    public var colors = false
    /// Whether the result goes to a terminal, which must not receive control characters.
    public var isTerminal = false
    /// Columns of the terminal, to which texts in tables are shortened; `nil` for no limit.
    public var width: Int?
    /// The time limit in seconds.
    public var timeout = 30.0
    /// Maximum number of rows; `nil` for all.
    public var maxRows: Int?
    public var wayBack = OneStep.WayBack()
    /// See ``ReadingLimit/giveUp``.
    public var giveUp: (@Sendable (LifeStatsError) -> Void)?

    public init(database: String, question: Question) {
        self.database = database
        self.question = question
    }
}

/// Output formats: the values of `--format`.
public typealias OutputFormat = TableFormat

/// Parameters of queries as typed.
enum ParameterText {
    /// The value of a parameter whose type is known.
    ///
    /// - Throws: ``LifeStatsError`` when the text is not such a value.
    static func value(_ text: String, of parameter: NamedQuery.Parameter) throws -> SQLValue {
        let value = try value(text, type: parameter.type, name: parameter.name)
        if case .integer(let number) = value, let least = parameter.least, number < least {
            throw LifeStatsError("--param \(parameter.name)=\(text): must be at least \(least)")
        }
        let choices = parameter.choices
        guard choices.isEmpty || choices.contains(text) else {
            throw LifeStatsError(
                "--param \(parameter.name)=\(text): there is no such value",
                remedy: Suggestion.remedy(text, among: choices, or: "use \(choices.joined(separator: ", "))"))
        }
        return value
    }

    private static func value(_ text: String, type: String, name: String) throws -> SQLValue {
        switch type {
        case "integer":
            if let number = Int64(text) { return .integer(number) }
        case "real":
            if let number = Double(text), number.isFinite { return .real(number) }
        case "time":
            return time(try ISOTime.nanoseconds(text, option: "--param \(name)="))
        default:
            return .text(text)
        }
        throw LifeStatsError("--param \(name)=\(text): not a \(type == "integer" ? "whole" : "real") number")
    }

    /// A time as the views print it, always with nine decimal places, because texts are compared.
    static func time(_ nanoseconds: Int64) -> SQLValue {
        let rest = (nanoseconds % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
        let whole = CivilTime.readable(nanoseconds: nanoseconds).replacing(" ", with: "T")
        let digits = String(rest)
        return .text("\(whole).\(String(repeating: "0", count: 9 - digits.count))\(digits)Z")
    }

    /// The name and value of a parameter of the user's SQL: of the declared type (`version:text`), otherwise a number if it
    /// looks like one.
    ///
    /// - Throws: ``LifeStatsError`` when there is no such type, or the text is not such a value.
    static func guess(_ given: String, _ text: String) throws -> (name: String, value: SQLValue) {
        let parts = given.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return (given, number(text) ?? .text(text)) }
        guard types.contains(parts[1]) else {
            throw LifeStatsError(
                "--param \(given): there is no type \(parts[1])",
                remedy: Suggestion.remedy(parts[1], among: types, or: "types are \(types.joined(separator: ", "))"))
        }
        return (parts[0], try value(text, type: parts[1], name: parts[0]))
    }

    private static let types = ["text", "integer", "real", "time"]

    /// A number in its usual spelling: `007` and `1.10` are versions or names.
    private static func number(_ text: String) -> SQLValue? {
        if let number = Int64(text), String(number) == text { return .integer(number) }
        if let number = Double(text), number.isFinite, String(number) == text { return .real(number) }
        return nil
    }
}

/// ISO 8601 times as typed: `2026-03-01`, `2026-03-01 08:30`, `2026-03-01T08:30:00.25+01:00`.
enum ISOTime {
    /// Nanoseconds since 1970 UTC, clamped to the range of 64 bits (1677-09-21 to 2262-04-11): no log lies outside, so
    /// that `9999-12-31` leaves nothing out.
    ///
    /// - Parameter option: the option before the text, as typed: `--since ` or `--param since=`.
    /// - Throws: ``LifeStatsError`` naming the option when the text is not a time.
    static func nanoseconds(_ text: String, option: String) throws -> Int64 {
        guard let value = parse(text) else {
            throw LifeStatsError(
                "\(option)\(text): not a time",
                remedy: "write it as 2026-03-01, 2026-03-01T08:30 or 2026-03-01T08:30:00.250+01:00")
        }
        return value
    }

    private static func parse(_ text: String) -> Int64? {
        let pattern =
            /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?)?/
        guard let match = text.wholeMatch(of: pattern),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
            CivilDate.isValid(year: year, month: month, day: day)
        else { return nil }
        let hour = match.4.flatMap { Int64($0) } ?? 0
        let minute = match.5.flatMap { Int64($0) } ?? 0
        let second = match.6.flatMap { Int64($0) } ?? 0
        guard hour < 24, minute < 60, second < 61 else { return nil }
        let fraction = match.7.map { $0 + String(repeating: "0", count: 9 - $0.count) }.flatMap { Int64($0) } ?? 0
        var seconds = CivilDate.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
        if let zone = match.8, zone != "Z" {
            let digits = zone.filter(\.isNumber)
            guard let value = Int64(digits), value / 100 < 24, value % 100 < 60 else { return nil }
            let offset = (value / 100) * 3600 + (value % 100) * 60
            seconds -= zone.hasPrefix("-") ? -offset : offset
        }
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (time, passes) = whole.addingReportingOverflow(fraction)
        guard overflows || passes else { return time }
        return seconds < 0 ? .min : .max
    }
}
