/// Text inside XML 1.0, in an element or in an attribute.
enum XMLText {
    /// Markup characters become entities; what XML cannot hold (control characters) becomes visible.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default:
                if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
                    escaped += VisibleText.neutralised(String(scalar))
                } else {
                    escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }
}
