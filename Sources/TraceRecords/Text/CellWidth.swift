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
