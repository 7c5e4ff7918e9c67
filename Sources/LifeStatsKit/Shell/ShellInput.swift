import NamedQueries

/// Puts the lines of a script together to what the shell can answer: a dot command or a named query is a line, a statement
/// of SQL goes on up to its semicolon.
public struct ShellInput: Sendable {
    private enum Place: Sendable {
        case code, lineComment, comment
        case quoted(by: Character)
    }

    private var text = ""
    private var place = Place.code
    private var hasCode = false

    public init() {}

    /// What a further line completes.
    public mutating func add(_ line: String) -> [String] {
        if !hasCode, case .code = place {
            let words = line.split(maxSplits: 1) { $0.isWhitespace || $0 == ";" }
            guard let first = words.first.map(String.init) else { return [] }
            if first.hasPrefix(".") || NamedQueries.query(named: first) != nil {
                text = ""
                return [line]
            }
        }
        var statements: [String] = []
        var last: Character?
        for character in line + "\n" {
            text.append(character)
            if take(character, after: last) {
                statements.append(text)
                text = ""
                hasCode = false
            }
            last = character
        }
        return statements
    }

    /// What the last lines hold when no semicolon comes any more; `nil` when that is nothing.
    public mutating func rest() -> String? {
        defer { self = ShellInput() }
        return hasCode ? text : nil
    }

    /// Goes on by a character; whether it ends a statement.
    private mutating func take(_ character: Character, after last: Character?) -> Bool {
        switch place {
        case .quoted(let quote):
            if character == quote { place = .code }
        case .lineComment:
            if character == "\n" { place = .code }
        case .comment:
            if character == "/", last == "*" { place = .code }
        case .code:
            switch character {
            case "'", "\"", "`": place = .quoted(by: character)
            case "[": place = .quoted(by: "]")
            case "-" where last == "-":
                place = .lineComment
                return false
            case "*" where last == "/":
                place = .comment
                return false
            case ";": return hasCode
            case "-", "/": return false
            default: break
            }
            hasCode = hasCode || !character.isWhitespace
        }
        return false
    }
}
