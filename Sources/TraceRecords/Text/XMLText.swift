/// Text inside XML 1.0 or HTML, in an element or in a quoted attribute.
package enum XMLText {
    /// Markup characters become entities. Characters that XML does not allow or that control a display become visible
    /// (see ``VisibleText``).
    ///
    /// It goes by code points: a `<` that carries a combining mark is still a tag to a parser.
    package static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && !markup.contains($0) }) { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            case _ where VisibleText.isHarmful(scalar):
                escaped += VisibleText.symbol(for: scalar).replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let markup = Array("&<>\"'".utf8)
}
