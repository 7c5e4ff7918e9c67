import TraceRecords

/// Fits texts of any origin into the room that they have, without control characters.
enum TextFit {
    /// A text for a tooltip: on one line, at most 400 characters long.
    static func short(_ text: String) -> String {
        text.count > 400 ? VisibleText.line(String(text.prefix(400))) + "…" : VisibleText.line(text)
    }

    /// The text on one line of at most `width` points, with an ellipsis when it was cut.
    static func shortened(_ text: String, to width: Double, size: Double, face: Typeface) -> String {
        wrapped(text, to: width, lines: 1, size: size, face: face).first ?? ""
    }

    /// The text on at most `lines` lines of at most `width` points each, broken at spaces, between ideographs and at the
    /// colons and brackets of a method; within a name, between words in camel case, only where the name is too long for a
    /// line. With an ellipsis when it was cut.
    static func wrapped(_ text: String, to width: Double, lines: Int, size: Double, face: Typeface) -> [String] {
        // A name may be as long as a book: only as many characters as could ever fit are examined.
        let limit = Int(width / size * 4) * lines + 8
        let clean = VisibleText.line(String(text.prefix(limit)))
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

    /// The name of a run on one or two lines, broken anywhere rather than cut, and cut in its middle: its end has the process
    /// id, and names of apps may differ only there.
    static func keepingEnd(
        _ name: String, to width: Double, lines: Int, size: Double, face: Typeface
    ) -> [String] {
        let whole = wrapped(name, to: width, lines: lines + 1, size: size, face: face)
        if whole.count <= lines { return whole }
        let (full, limit) = (Int(width * 1000 / size), Int(width / size * 4))
        func visible(_ part: Substring) -> String { VisibleText.line(String(part)) }
        let broken = prefix(of: Substring(visible(name.prefix(limit))), room: full, face: face)
        let rest = String(visible(name.prefix(2 * limit)).dropFirst(broken.count))
        if lines > 1, name.count < 2 * limit, TextMeasure.width(rest, size: size, face: face) <= width {
            return [broken, rest]
        }
        let room = full - TextMeasure.advance(of: "…", face: face)
        let part = lines > 1 ? room : room / 2
        let first = prefix(of: Substring(visible(name.prefix(limit))), room: part, face: face) + "…"
        let end = String(visible(name.suffix(limit)).reversed())
        let last = String(prefix(of: Substring(end), room: part, face: face).reversed())
        return lines > 1 ? [first, last] : [first + last]
    }

    /// The width of the widest part of a text that ``wrapped(_:to:lines:size:face:)`` does not break.
    static func widestWord(of text: String, size: Double, face: Typeface) -> Double {
        var (widest, word) = (0, 0)
        var previous: Character?
        for character in VisibleText.line(String(text.prefix(60))) {
            if let previous,
                character == " " || mayBreak(previous, character)
                    || (face != .code && isCamel(previous, character))
            {
                word = 0
            }
            if character != " " { word += TextMeasure.advance(of: character, face: face) }
            (widest, previous) = (max(widest, word), character)
        }
        return Double(widest) * size / 1000
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// The part of the text that fits, cut anywhere.
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

    /// The part of the text that fits, cut at the last possible line break.
    private static func head(of text: Substring, room: Int, face: Typeface) -> Substring {
        var used = 0
        var (lastBreak, lastWord) = (text.startIndex, text.startIndex)
        var previous: Character?
        for place in text.indices {
            let character = text[place]
            if let previous, mayBreak(previous, character) { lastBreak = place }
            if let previous, isCamel(previous, character) { lastWord = place }
            used += TextMeasure.advance(of: character, face: face)
            if used > room {
                if character == " " { return text[..<place] }
                for end in [lastBreak, lastWord] where end > text.startIndex { return text[..<end] }
                return place > text.startIndex ? text[..<place] : text[...place]
            }
            previous = character
        }
        return text
    }

    private static func mayBreak(_ a: Character, _ b: Character) -> Bool {
        if " -._:".contains(a) { return b != " " && b != ")" }
        if b == "(" { return true }
        if let scalar = b.unicodeScalars.first, scalar.value >= 0x2E80, !closing.contains(b) { return true }
        return false
    }

    private static func isCamel(_ a: Character, _ b: Character) -> Bool { a.isLowercase && b.isUppercase }

    /// Punctuation that must not begin a line.
    private static let closing: Set<Character> = ["、", "。", "，", "）", "」", "』", "：", "；", "！", "？", "》", "…"]
}

/// Widths of texts, measured without a font engine.
///
/// The widths are those of DejaVu Sans, the widest of the fonts that ``Typeface`` names. Whichever of them is installed,
/// a text fits into its space.
enum TextMeasure {
    /// Width of one line of text in points.
    static func width(_ text: String, size: Double, face: Typeface) -> Double {
        var thousandths = 0
        for character in text { thousandths += advance(of: character, face: face) }
        return Double(thousandths) * size / 1000
    }

    /// Advance of a character in thousandths of the font size.
    static func advance(of character: Character, face: Typeface) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.value < 127 {
            guard scalar.value >= 32 else { return 0 }
            let place = Int(scalar.value) - 32
            switch face {
            case .text: return regular[place]
            case .bold: return bold[place]
            case .code: return 602
            }
        }
        if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) {
            return 1300
        }
        let cells = CellWidth.of(character)
        if cells != 1 { return cells * 500 }
        if face == .code { return 602 }
        let narrow = narrowWidth(scalar.value)
        return face == .bold ? narrow * 112 / 100 : narrow
    }

    private static func narrowWidth(_ value: UInt32) -> Int {
        switch value {
        case 0xA0, 0xB7: 318
        case 0x202F: 200
        case 0x2013: 500
        case 0x2014, 0x2026: 1000
        case 0xC0..<0x250: 640
        case 0x370..<0x530: 700
        default: 838
        }
    }

    /// Advances of U+0020 to U+007E in DejaVu Sans.
    private static let regular: [Int] = [
        318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636,
        636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656,
        557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613,
        635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818,
        592, 592, 525, 636, 337, 636, 838,
    ]

    /// The same in DejaVu Sans Bold.
    private static let bold: [Int] = [
        348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696,
        696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775,
        637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675,
        716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924,
        645, 652, 582, 712, 365, 712, 838,
    ]
}
