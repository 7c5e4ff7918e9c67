/// Text that stays text in Markdown, in a table too.
package enum MarkdownText {
    package static func escaped(_ text: String) -> String {
        guard text.contains(where: isSpecial) else { return text }
        var escaped = ""
        var previous: Character = " "
        let characters = Array(text)
        for (index, character) in characters.enumerated() {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            // Inside a word an underline means nothing, and `not_running` stays readable.
            case "_":
                let next = index + 1 < characters.count ? characters[index + 1] : " "
                escaped += isWord(previous) && isWord(next) ? "_" : "\\_"
            case _ where isSpecial(character): escaped += "\\\(character)"
            default: escaped.append(character)
            }
            previous = character
        }
        return escaped
    }

    private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    private static func isSpecial(_ character: Character) -> Bool {
        switch character {
        case "|", "\\", "`", "*", "[", "]", "<", ">", "&", "~", "_": true
        default: false
        }
    }
}
