/// What the first word of a statement says of it.
struct StatementText {
    /// The first word in upper case, comments and blanks before it left out; empty when there is none.
    let firstWord: String
    /// How much there is from the first word, or what stands in place of it, to the end, in bytes.
    let length: Int
    /// The beginning of that, for a message; `nil` when there is nothing.
    let beginning: String?

    private static let longestBeginning = 40

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
        length = rest.utf8.count
        let line = rest.prefix { !$0.isNewline }
        let shown = line.prefix(Self.longestBeginning)
        beginning = rest.isEmpty ? nil : shown.count < line.count ? "\(shown)…" : String(shown)
    }

    /// Whether statements of this sort only read. What they call is the authorizer's to judge.
    var isReading: Bool { Self.reading.contains(firstWord) }

    /// Why a statement that is not of such a sort is not asked.
    var refusal: StoreError {
        guard let beginning else { return .sql(message: "there is no statement", sql: "", offset: nil) }
        guard Self.writing.contains(firstWord) else {
            let words = Self.reading.joined(separator: ", ")
            let first = firstWord.isEmpty ? beginning : firstWord
            return .sql(message: "a question begins with \(words), not with \(first)", sql: "", offset: nil)
        }
        return .forbidden(reason: "\(firstWord) statements")
    }

    private static let reading = ["SELECT", "WITH", "VALUES", "EXPLAIN", "PRAGMA"]
    private static let writing: Set = [
        "ALTER", "ANALYZE", "ATTACH", "BEGIN", "COMMIT", "CREATE", "DELETE", "DETACH", "DROP", "END", "INSERT",
        "REINDEX", "RELEASE", "REPLACE", "ROLLBACK", "SAVEPOINT", "UPDATE", "VACUUM",
    ]
}
