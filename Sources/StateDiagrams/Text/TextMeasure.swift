/// Widths of texts, measured without a font engine.
///
/// The figures are those of DejaVu Sans, the widest of the fonts that ``Typeface`` names: whichever of them is
/// installed, a text fits the space that was left for it.
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
        let properties = scalar.properties
        if properties.isEmojiPresentation || character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) {
            return 1300
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if isWide(scalar.value) { return 1000 }
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

    /// Whether the character fills an em, as Chinese, Japanese and Korean ones do.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
            0x20000...0x3FFFD:
            true
        default: false
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
