/// Text from logs made safe to show: characters that would control the display become visible instead.
///
/// Every text of unknown origin that reaches a terminal, a page or a picture passes through here.
package enum VisibleText {
    /// Escape sequences, other control characters, line separators and marks that change the writing direction as
    /// visible characters: `␛`, `␊`, `<U+202E>`.
    ///
    /// - Parameter keepsLines: Leaves line feeds and tabs as they are, for output that can hold several lines.
    package static func neutralised(_ text: String, keepsLines: Bool = false) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var visible = ""
        for scalar in text.unicodeScalars {
            if !isHarmful(scalar) || (keepsLines && (scalar == "\n" || scalar == "\t")) {
                visible.unicodeScalars.append(scalar)
            } else {
                visible += symbol(for: scalar)
            }
        }
        return visible
    }

    /// The same on one line of running text: line ends and tabs become spaces.
    package static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        let spaced = text.unicodeScalars.map { $0.properties.isWhitespace && isHarmful($0) ? " " : $0 }
        return neutralised(String(String.UnicodeScalarView(spaced)))
    }

    /// Whether a character controls a display: C0 and C1 controls, line and paragraph separators, direction marks, and
    /// the two code points that XML does not allow.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    /// What is shown instead of a control character: its picture, or its number in angle brackets.
    package static func symbol(for scalar: Unicode.Scalar) -> String {
        if scalar.value == 0x7F { return "\u{2421}" }
        if scalar.value < 0x20, let picture = Unicode.Scalar(0x2400 + scalar.value) { return String(picture) }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "<U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)>"
    }

    /// The beginning of a text in at most `cells` cells, with `…` for the rest.
    package static func shortened(_ text: String, to cells: Int) -> String {
        guard CellWidth.of(text) > cells else { return text }
        var kept = ""
        var used = 0
        for character in text {
            let width = CellWidth.of(character)
            guard used + width <= cells - 1 else { break }
            kept.append(character)
            used += width
        }
        return cells > 0 ? kept + "…" : ""
    }

    /// A text in at most `cells` cells, with `…` for its middle: names of apps may differ only at their ends.
    package static func shortenedInside(_ text: String, to cells: Int) -> String {
        guard CellWidth.of(text) > cells else { return text }
        let end = String(shortened(String(text.reversed()), to: cells / 2).dropLast().reversed())
        return shortened(text, to: cells - CellWidth.of(end)) + end
    }
}

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

/// How many cells of a terminal a text takes: two for East Asian wide characters and emoji, none for combining marks.
package enum CellWidth {
    /// Cells of a text without control characters (see ``VisibleText``).
    package static func of(_ text: String) -> Int {
        let utf8 = text.utf8
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// Cells of one character as a reader sees it; it may consist of many code points.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 { return of(first) }
        // A joiner, a variation selector, a skin tone or the two letters of a flag make one emoji of several.
        let isEmoji = scalars.contains {
            $0.value == 0xFE0F || $0.properties.isEmojiModifier || isRegionalIndicator($0) || $0.value == 0x20E3
                || ($0.value == 0x200D && first.properties.isEmoji)
        }
        return isEmoji ? 2 : scalars.reduce(0) { $0 + of($1) }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value == 0xAD ? 1 : (value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1) }
        // Vowels and final consonants of Hangul are drawn inside their syllable.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return scalar.properties.isEmojiPresentation || isWide(value) ? 2 : 1
        }
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// Whether a character takes two cells, as Chinese, Japanese and Korean ones do.
    package static func isWide(_ value: UInt32) -> Bool {
        value >= 0x1100 && wide.contains { $0.contains(value) }
    }

    /// Unicode's East Asian wide and fullwidth ranges, merged across unassigned code points; Swift knows the emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x4E00...0xA4CF, 0x3041...0x3247, 0x3250...0x4DBF, 0xAC00...0xD7A3, 0x2E80...0x303E, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x1100...0x115F, 0x2329...0x232A, 0xA960...0xA97C, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6B, 0x16FE0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
