internal import Mustache

/// Text made safe for HTML, code point by code point.
///
/// The engine's own escaping goes by characters as readers see them, and misses a `<` that follows a prepending mark
/// or carries a combining one; a browser would see a tag there.
struct SafeHTML: MustacheContentType {
    /// Name of the content type in the templates.
    static let name = "SAFE_HTML"

    func escapeText(_ text: String) -> String { Self.escaped(text) }

    static func escaped(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "&")
                && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'")
        }
        if isPlain { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            default:
                escaped += VisibleText.neutralised(String(scalar)).replacing("<", with: "&lt;").replacing(
                    ">", with: "&gt;")
            }
        }
        return escaped
    }
}
