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

    /// A text cut to at most `cells` cells, with `…` for the rest. Of a path the end is kept: the paths in a table
    /// often begin alike.
    package static func fitted(_ text: String, to cells: Int) -> String {
        guard text.contains("/"), !text.contains(" "), cells > 0, CellWidth.of(text) > cells else {
            return shortened(text, to: cells)
        }
        var kept: [Character] = []
        var used = 1
        for character in text.reversed() {
            used += CellWidth.of(character)
            guard used <= cells else { break }
            kept.append(character)
        }
        return "…" + String(kept.reversed())
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
}
