/// Text inside DOT.
enum DotText {
    /// The text as a quoted string of DOT: only the quote and the backslash mean anything there, and control characters
    /// are made visible. Graphviz reads HTML entities in labels, so `&` is written as one.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for character in TextFit.line(text).unicodeScalars {
            switch character {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "&": result += "&amp;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result + "\""
    }

    /// Lines of a label, each centred.
    static func label(_ lines: [String]) -> String {
        let inner = lines.map { String(quoted($0).dropFirst().dropLast()) }
        return "\"" + inner.joined(separator: "\\n") + "\""
    }
}
