/// Finds the named parameters (`$name`) of a SQL text.
enum SQLParameters {
    /// The text with each parameter replaced; what stands in quotes or comments is left alone.
    static func replaced(in sql: String, by replacement: (String) -> String) -> String {
        var result = ""
        var rest = Substring(sql)
        while let first = rest.first {
            let end: Substring.Index
            switch first {
            case "'", "\"", "`":
                // A doubled quote begins the next literal, which is copied alike.
                let close = rest.dropFirst().firstIndex(of: first)
                end = close.map { rest.index(after: $0) } ?? rest.endIndex
            case "-" where rest.hasPrefix("--"):
                end = rest.firstIndex(of: "\n") ?? rest.endIndex
            case "/" where rest.hasPrefix("/*"):
                end = rest.firstRange(of: "*/")?.upperBound ?? rest.endIndex
            case "$":
                let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                result += name.isEmpty ? "$" : replacement(String(name))
                rest = rest[name.endIndex...]
                continue
            default: end = rest.index(after: rest.startIndex)
            }
            result += rest[..<end]
            rest = rest[end...]
        }
        return result
    }
}
