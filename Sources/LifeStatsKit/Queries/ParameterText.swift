import NamedQueries
import Reports
import TraceStore

/// Parameters of queries as people type them.
enum ParameterText {
    /// The value of a parameter whose type is known.
    ///
    /// - Throws: ``LifeStatsError`` when the text is no such value.
    static func value(_ text: String, of parameter: NamedQuery.Parameter) throws -> SQLValue {
        try value(text, type: parameter.type, name: parameter.name)
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
        throw LifeStatsError("--param \(name)=\(text): this is no \(type == "integer" ? "whole" : "real") number")
    }

    /// A point in time as the views print it: always with nine digits of a second, since texts are compared.
    static func time(_ nanoseconds: Int64) -> SQLValue {
        let rest = (nanoseconds % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
        let whole = CivilTime.readable(nanoseconds: nanoseconds).replacing(" ", with: "T")
        let digits = String(rest)
        return .text("\(whole).\(String(repeating: "0", count: 9 - digits.count))\(digits)Z")
    }

    /// The name and the value of a parameter of the user's own SQL: of the type that is said (`version:text`), else a
    /// number where it is written as one.
    ///
    /// - Throws: ``LifeStatsError`` when there is no such type, or the text is no such value.
    static func guess(_ given: String, _ text: String) throws -> (name: String, value: SQLValue) {
        let parts = given.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return (given, number(text) ?? .text(text)) }
        guard types.contains(parts[1]) else {
            throw LifeStatsError(
                "--param \(given): there is no type \(parts[1])",
                remedy: Suggestion.remedy(parts[1], among: types, or: "there are \(types.joined(separator: ", "))"))
        }
        return (parts[0], try value(text, type: parts[1], name: parts[0]))
    }

    private static let types = ["text", "integer", "real", "time"]

    /// A number that is written as numbers are: `007` and `1.10` are versions or names.
    private static func number(_ text: String) -> SQLValue? {
        if let number = Int64(text), String(number) == text { return .integer(number) }
        if let number = Double(text), number.isFinite, String(number) == text { return .real(number) }
        return nil
    }
}
