import NamedQueries
import Reports
import TraceStore

/// Parameters of queries as people type them.
enum ParameterText {
    /// The value of a parameter whose type is known.
    ///
    /// - Throws: ``LifeStatsError`` when the text is no such value.
    static func value(_ text: String, of parameter: NamedQuery.Parameter) throws -> SQLValue {
        switch parameter.type {
        case "integer":
            if let number = Int64(text) { return .integer(number) }
        case "real":
            if let number = Double(text), number.isFinite { return .real(number) }
        case "time":
            return time(try ISOTime.nanoseconds(text, option: "--param \(parameter.name)="))
        default:
            return .text(text)
        }
        throw LifeStatsError("--param \(parameter.name)=\(text): this is no \(parameter.type) number")
    }

    /// A point in time as the views print it: always with nine digits of a second, since texts are compared.
    static func time(_ nanoseconds: Int64) -> SQLValue {
        let rest = (nanoseconds % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
        let whole = CivilTime.readable(nanoseconds: nanoseconds).replacing(" ", with: "T")
        let digits = String(rest)
        return .text("\(whole).\(String(repeating: "0", count: 9 - digits.count))\(digits)Z")
    }

    /// The value of a parameter of the user's own SQL: a number where it looks like one.
    static func guess(_ text: String) -> SQLValue {
        if let number = Int64(text) { return .integer(number) }
        if let number = Double(text), number.isFinite { return .real(number) }
        return .text(text)
    }
}
