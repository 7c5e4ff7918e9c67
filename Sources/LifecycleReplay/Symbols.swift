import TraceRecords

/// The texts of a log under the replay's own numbers, so that runs and labels are compared by number.
struct Symbols: Codable {
    private var texts: [String] = [""]
    private var numbers: [String: UInt32] = ["": 0]
    /// Number of the text without regard to case, by number; 0 while not asked for.
    private var folded: [UInt32] = [0]

    private enum CodingKeys: CodingKey { case texts }

    init() {}

    init(from decoder: any Decoder) throws {
        texts = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .texts)
        numbers = Dictionary(texts.enumerated().map { ($1, UInt32($0)) }) { first, _ in first }
    }

    var count: Int { texts.count }

    /// The number of a text, new if the text is; 0 for the absent text.
    mutating func number(of text: String?) -> UInt32 {
        guard let text else { return 0 }
        if let number = numbers[text] { return number }
        let number = UInt32(texts.count)
        texts.append(text)
        numbers[text] = number
        return number
    }

    /// The text of a number; `nil` for 0.
    func text(_ number: UInt32) -> String? { number == 0 ? nil : texts[Int(number)] }

    /// The number that stands for the spellings of a process name: ``RunRecord/foldedName(_:)``.
    mutating func foldedName(_ number: UInt32) -> UInt32 {
        text(number).map { self.number(of: RunRecord.foldedName($0)) } ?? 0
    }

    /// The number that stands for all spellings of a text in upper and lower case.
    mutating func caseless(_ number: UInt32) -> UInt32 {
        let place = Int(number)
        if place >= folded.count { folded += Array(repeating: 0, count: texts.count - folded.count) }
        if folded[place] == 0, let text = text(number) {
            let lower = self.number(of: text.lowercased())
            folded[place] = lower
        }
        return folded[place]
    }

    /// Keeps the texts whose numbers are used. Returns the new number of each of those.
    mutating func keep(_ used: [Bool]) -> [UInt32] {
        var kept = Symbols()
        var numbers = Array(repeating: UInt32(0), count: used.count)
        for number in used.indices where used[number] { numbers[number] = kept.number(of: text(UInt32(number))) }
        self = kept
        return numbers
    }
}
