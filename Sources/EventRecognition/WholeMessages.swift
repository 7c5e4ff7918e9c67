/// Messages that state something as they stand, in exactly these letters: a bare `active`.
struct WholeMessages: Sendable {
    private var table = ByteTable()
    private var rules: [DialectRule] = []
    /// Length of the longest one.
    private(set) var longest = 0

    init(_ messages: [(text: String, rule: DialectRule)]) {
        for (text, rule) in messages {
            let bytes = Array(text.utf8)
            let span = bytes.span.bytes
            guard table.value(span, 0, count: bytes.count) == nil else { continue }
            table.insert(span, 0, count: bytes.count, value: UInt32(rules.count))
            rules.append(rule)
            longest = max(longest, bytes.count)
        }
    }

    /// The rule that a whole message is; `nil` when it is none.
    func rule(_ bytes: RawSpan, _ start: Int, _ end: Int) -> DialectRule? {
        guard end - start <= longest, let number = table.value(bytes, start, count: end - start) else { return nil }
        return rules[Int(number)]
    }
}
