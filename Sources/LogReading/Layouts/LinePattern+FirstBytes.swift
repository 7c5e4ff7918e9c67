extension LinePattern {
    /// The bytes that a line of this pattern can begin with: most lines are told from most patterns by the first.
    static func firstBytes(of steps: [MatchStep], pool: [UInt8], words: [[UInt8]], time: TimePattern?) -> ByteSet {
        firstBytes(0, steps, pool, words, time)
    }

    private static func firstBytes(
        _ index: Int, _ steps: [MatchStep], _ pool: [UInt8], _ words: [[UInt8]], _ time: TimePattern?
    ) -> ByteSet {
        guard index < steps.count else { return .all }
        var set = ByteSet()
        switch steps[index] {
        case .literal(let start, _, _):
            set.insert(pool[Int(start)])
        case .blanks(let minimum):
            if minimum == 0 { set = firstBytes(index + 1, steps, pool, words, time) }
            set.insert(0x20)
            set.insert(0x09)
        case .time:
            switch time?.parts.first {
            case .literal(let byte)?: set.insert(byte)
            case .monthName?: for byte in "JFMASOND".utf8 { set.insert(byte) }
            default: for byte in "0123456789".utf8 { set.insert(byte) }
            }
        case .digits, .milliseconds:
            for byte in "0123456789".utf8 { set.insert(byte) }
        case .choice(_, let first, let count):
            for word in words[Int(first)..<Int(first + count)] {
                if let byte = word.first { set.insert(byte) }
            }
        case .group(let otherwise):
            set = firstBytes(index + 1, steps, pool, words, time)
            set.formUnion(firstBytes(Int(otherwise), steps, pool, words, time))
        case .noInterval:
            set = firstBytes(index + 1, steps, pool, words, time)
        case .text, .hex, .word, .rest:
            return .all
        }
        return set
    }
}
