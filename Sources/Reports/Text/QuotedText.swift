/// Text that stays text in Markdown, also inside a table.
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
            // Inside a word an underscore has no meaning, and `not_running` stays readable.
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

    private static func isSpecial(_ character: Character) -> Bool { "|\\`*[]<>&~_".contains(character) }
}

/// A word of a command that can be pasted into a shell.
package enum ShellText {
    /// The word as it is where the shell leaves it alone, otherwise in single quotes.
    package static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_./:@%+=,".unicodeScalars.contains($0)
            }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

/// A path as a URI reference after RFC 3986: `logs/my%20app.log`, `file:///var/log/app.log`.
enum FileURI {
    static func text(path: String) -> String {
        var text = path.hasPrefix("/") ? "file://" : ""
        // A colon in the first segment would read as a scheme.
        let firstSlash = path.utf8.firstIndex(of: UInt8(ascii: "/")) ?? path.utf8.endIndex
        for index in path.utf8.indices {
            let byte = path.utf8[index]
            if plain.contains(byte) || (byte == UInt8(ascii: ":") && index > firstSlash) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
}

/// Bytes as text.
package enum HexadecimalText {
    /// Two lower-case digits for every byte: `0a1b`.
    package static func digits(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// A SQL literal: `x'0a1b'`.
    static func blob(_ bytes: [UInt8]) -> String { "x'\(digits(bytes))'" }
}
