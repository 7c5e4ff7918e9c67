/// Makes texts of any origin fit: on one line, without control characters, no wider than there is room.
enum TextFit {
    /// The text as one line: control characters, line breaks and characters that turn the writing direction around
    /// become visible or a space, so that a name from a log shows what it is and can't rearrange the picture.
    static func line(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 9, 10, 13, 0x2028, 0x2029: result.append(" ")
            case 0..<32: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 127...159, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF:
                result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// The text on one line of at most `width` points, with an ellipsis where something was left out.
    static func shortened(_ text: String, to width: Double, size: Double, face: Typeface) -> String {
        wrapped(text, to: width, lines: 1, size: size, face: face).first ?? ""
    }

    /// The text on at most `lines` lines of at most `width` points each, broken at spaces, between ideographs and
    /// between the words of a camel-case name; with an ellipsis where something was left out.
    static func wrapped(_ text: String, to width: Double, lines: Int, size: Double, face: Typeface) -> [String] {
        // No more characters than could ever fit are looked at: a name may be as long as a book.
        let limit = Int(width / size * 4) * lines + 8
        let clean = line(String(text.prefix(limit)))
        let cut = text.count > limit
        let room = Int(width * 1000 / size)
        var result: [String] = []
        var rest = Substring(clean)
        while !rest.isEmpty {
            let isLast = result.count == lines - 1
            let taken = head(of: rest, room: room, face: face)
            if taken.endIndex == rest.endIndex, !(isLast && cut) {
                result.append(String(taken))
                return result
            }
            if isLast {
                let dots = TextMeasure.advance(of: "…", face: face)
                result.append(prefix(of: rest, room: room - dots, face: face) + "…")
                return result
            }
            result.append(trimmed(taken))
            rest = rest[taken.endIndex...].drop { $0 == " " }
        }
        return result.isEmpty ? [""] : result
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// What fits of the text, cut anywhere.
    private static func prefix(of text: Substring, room: Int, face: Typeface) -> String {
        var used = 0
        var end = text.startIndex
        for place in text.indices {
            used += TextMeasure.advance(of: text[place], face: face)
            if used > room { break }
            end = text.index(after: place)
        }
        return trimmed(text[..<end])
    }

    /// What fits of the text, cut at the last place where a line may be broken.
    private static func head(of text: Substring, room: Int, face: Typeface) -> Substring {
        var used = 0
        var lastBreak = text.startIndex
        var previous: Character?
        for place in text.indices {
            let character = text[place]
            if let previous, mayBreak(previous, character) { lastBreak = place }
            used += TextMeasure.advance(of: character, face: face)
            if used > room {
                if character == " " { return text[..<place] }
                if lastBreak > text.startIndex { return text[..<lastBreak] }
                return place > text.startIndex ? text[..<place] : text[...place]
            }
            previous = character
        }
        return text
    }

    private static func mayBreak(_ a: Character, _ b: Character) -> Bool {
        if a == " " || a == "-" || a == "." || a == "_" { return b != " " }
        if let scalar = b.unicodeScalars.first, scalar.value >= 0x2E80, !closing.contains(b) { return true }
        return a.isLowercase && b.isUppercase
    }

    /// Marks that never begin a line.
    private static let closing: Set<Character> = ["、", "。", "，", "）", "」", "』", "：", "；", "！", "？", "》", "…"]
}
