import Foundation
internal import TraceRecords

/// Colour and weight on a terminal, or none; the caller decides (`NO_COLOR`, a pipe).
package struct TextStyle: Sendable, Hashable {
    package var isOn: Bool
    /// Columns of the terminal; `nil` where there is none, and nothing is wrapped.
    package var width: Int?

    package init(isOn: Bool, width: Int? = nil) { (self.isOn, self.width) = (isOn, width) }

    /// A text in lines that begin with this many spaces, as wide as the terminal; one that fits stays as it is.
    package func wrapped(_ text: String, indent: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indent)
        guard let width, !fits(margin + text) else { return [margin + text] }
        return WrappedList.lines(of: text, room: max(20, width - indent)).map { margin + $0 }
    }

    /// Whether a text without colours fits into a line of the terminal.
    package func fits(_ text: String) -> Bool { width.map { CellWidth.of(text) <= $0 } ?? true }

    package func bold(_ text: String) -> String { wrapped(text, "1") }
    package func dim(_ text: String) -> String { wrapped(text, "2") }
    package func red(_ text: String) -> String { wrapped(text, "31") }
    package func green(_ text: String) -> String { wrapped(text, "32") }
    package func yellow(_ text: String) -> String { wrapped(text, "33") }
    package func blue(_ text: String) -> String { wrapped(text, "34") }

    /// A severity, by the name that it has in the database, as the word for people.
    package func severity(_ name: String) -> String {
        switch Severity(rawValue: name) {
        case .error: red(name)
        case .warning: yellow(name)
        case .info: blue(Severity.info.name)
        case nil: name
        }
    }

    private func wrapped(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// Names with their explanations beside them, for a terminal.
package enum WrappedList {
    /// One entry after another; a long explanation continues on further lines, broken between words.
    package static func text(_ entries: [(name: String, text: String)], width: Int) -> String {
        let indent = (entries.map { CellWidth.of($0.name) }.max() ?? 0) + 2
        // Where hardly a word would fit beside the names, the explanations go below them.
        let isNarrow = width - indent < 24
        let room = max(20, isNarrow ? width - 2 : width - indent)
        let margin = String(repeating: " ", count: isNarrow ? 2 : indent)
        return entries.map { name, text in
            let body = lines(of: text, room: room).joined(separator: "\n" + margin)
            return isNarrow ? "\(name)\n\(margin)\(body)\n" : "\(name.padded(to: indent))\(body)\n"
        }.joined()
    }

    /// A text in lines of at most this many cells, broken between words.
    package static func lines(of text: String, room: Int) -> [String] {
        var lines = [""]
        for word in words(of: text) {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = word
            } else if CellWidth.of(last) + 1 + CellWidth.of(word) <= room {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(word)
            }
        }
        return lines
    }

    /// A message in lines of at most this many cells. What goes on below is indented, under the text where a short name
    /// stands before it. Commands stay on one line, so that they can be copied.
    package static func message(_ text: String, width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            guard CellWidth.of(String(line)) > width else { return String(line) }
            let margin = line.prefix { $0 == " " }
            let gap = line[margin.endIndex...].firstMatch(of: /[ ]{2,}/)?.range
            func wrapped(_ text: Substring, hang: Int) -> [String] {
                lines(of: String(text), room: max(20, width - hang)).map { String(repeating: " ", count: hang) + $0 }
            }
            if line[margin.endIndex...].hasPrefix("lifestats ") {
                guard let gap else { return String(line) }
                let purpose = wrapped(line[gap.upperBound...], hang: margin.count + 4)
                return ([String(line[..<gap.lowerBound])] + purpose).joined(separator: "\n")
            }
            let head = gap.map { line[..<$0.upperBound] }.flatMap { CellWidth.of(String($0)) > width / 3 ? nil : $0 }
            let hang = head.map { CellWidth.of(String($0)) } ?? margin.count + 2
            let text = wrapped(line[(head ?? margin).endIndex...], hang: hang).joined(separator: "\n")
            return String(head ?? margin) + text.dropFirst(hang)
        }.joined(separator: "\n")
    }

    /// A line of a log in pieces of at most this many cells, cut after blanks where there are some; nothing is left out.
    package static func pieces(of line: String, room: Int) -> [String] {
        var (pieces, piece, cells) = ([String](), "", 0)
        for character in line {
            let width = CellWidth.of(character)
            if cells + width > room, !piece.isEmpty {
                let blank = piece.lastIndex(of: " ").map(piece.index(after:)) ?? piece.endIndex
                let cut = piece.distance(from: piece.startIndex, to: blank) > room / 2 ? blank : piece.endIndex
                pieces.append(String(piece[..<cut]))
                piece = String(piece[cut...])
                cells = CellWidth.of(piece)
            }
            piece.append(character)
            cells += width
        }
        return pieces + [piece]
    }

    /// The words of a text; a duration is one.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        for word in text.split(separator: " ") {
            words.append(String(word))
            guard words.count > 1, units.contains(words[words.count - 1]), isNumber(words[words.count - 2]) else {
                continue
            }
            let unit = words.removeLast()
            let quantity = "\(words.removeLast()) \(unit)"
            if let last = words.last, last.contains(" ") {
                words[words.count - 1] = "\(last) \(quantity)"
            } else {
                words.append(quantity)
            }
        }
        return words
    }

    private static func isNumber(_ word: String) -> Bool {
        word.allSatisfy { $0.isNumber || $0 == "." || $0 == "−" }
    }

    private static let units: Set<String> = ["ns", "µs", "ms", "s", "min", "h", "d"]
}

extension String {
    /// The text with spaces after it, up to a number of cells.
    func padded(to cells: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, cells - CellWidth.of(self)))
    }

    /// The text with spaces before it, up to a number of cells.
    package func leftPadded(to cells: Int) -> String {
        String(repeating: " ", count: Swift.max(0, cells - CellWidth.of(self))) + self
    }
}

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
        let escaped = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
        if path.hasPrefix("/") { return "file://" + escaped }
        // A colon in the first segment would read as a scheme.
        let first = escaped.prefix { $0 != "/" }
        return String(first.replacing(":", with: "%3A") + escaped.dropFirst(first.count))
    }

    private static let plain = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/:")
}
