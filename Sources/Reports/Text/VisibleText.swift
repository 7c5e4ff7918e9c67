/// Text from logs made safe for a terminal and for one line: what would control something becomes visible instead.
package enum VisibleText {
    /// Control characters become their pictures (`␛`, `␊`); C1 controls, line separators and the marks that turn the
    /// reading direction of what follows become their number in angle brackets (`<U+202E>`).
    package static func neutralised(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !isHarmful(scalar) {
                visible.append(scalar)
            } else if scalar.value < 0x20, let picture = Unicode.Scalar(0x2400 + scalar.value) {
                visible.append(picture)
            } else if scalar.value == 0x7F {
                visible.append("\u{2421}")
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                visible.append(contentsOf: "<U+\(padded)>".unicodeScalars)
            }
        }
        return String(visible)
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x2028, 0x2029: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// A text in at most `cells` cells, with `…` for what was left out: the beginning, and of a path the end, because
    /// the paths of a table begin alike.
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

    /// The beginning of a text in at most `cells` cells, with `…` for what was left out.
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
