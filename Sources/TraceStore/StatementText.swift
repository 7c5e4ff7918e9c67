/// What the first word of a statement says of it.
struct StatementText {
    /// The first word in upper case, comments and blanks before it left out; empty when there is none.
    let firstWord: String

    init(_ sql: String) {
        var rest = Substring(sql)
        while let first = rest.first {
            if first.isWhitespace || first == ";" || first == "\u{FEFF}" {
                rest.removeFirst()
            } else if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                guard let end = rest.dropFirst(2).firstRange(of: "*/") else {
                    rest = ""
                    break
                }
                rest = rest[end.upperBound...]
            } else {
                break
            }
        }
        firstWord = rest.prefix { $0.isLetter }.uppercased()
    }

    /// Whether statements of this sort only read. What they call is the authorizer's to judge.
    var isReading: Bool {
        ["SELECT", "WITH", "VALUES", "EXPLAIN", "PRAGMA"].contains(firstWord)
    }
}
