/// A figure as MetricKit prints it in the language of the device: `1,456秒`, `700 sec`, `1.456 Sek.`, `12`.
struct LocalisedFigure: Hashable {
    var number: Double
    /// What stands behind the number, without blanks.
    var unit: String

    /// `nil` when the text does not begin with a number.
    init?(_ text: String) {
        var digits = ""
        var rest = Substring(text)
        while let first = rest.first, first.isWholeNumber || ",. \u{A0}\u{202F}'’".contains(first) {
            // A blank groups digits only when a digit follows.
            if !first.isWholeNumber, !(rest.dropFirst().first?.isWholeNumber ?? false) { break }
            if let value = first.wholeNumberValue { digits += String(value) } else { digits.append(first) }
            rest = rest.dropFirst()
        }
        guard let number = Double(Self.withoutGroups(digits)) else { return nil }
        self.number = number
        unit = rest.filter { !$0.isWhitespace }
    }

    /// The figure as a time in seconds.
    var seconds: Double {
        switch unit.lowercased() {
        case "ms": number / 1000
        case "min": number * 60
        case "h", "hr": number * 3600
        default: number
        }
    }

    /// A mark groups digits when exactly three follow it up to the next mark or the end; the last other one is the
    /// decimal mark.
    private static func withoutGroups(_ digits: String) -> String {
        var pieces: [Substring] = []
        var marks: [Character] = []
        var piece = digits.startIndex
        for index in digits.indices where !digits[index].isWholeNumber {
            pieces.append(digits[piece..<index])
            marks.append(digits[index])
            piece = digits.index(after: index)
        }
        pieces.append(digits[piece...])
        var plain = String(pieces[0])
        for (mark, piece) in zip(marks, pieces.dropFirst()) {
            let groups = piece.count == 3 && pieces[0] != "0" && (mark != "." || marks.allSatisfy { $0 == "." })
            plain += groups ? piece : "." + piece
        }
        return plain
    }
}
