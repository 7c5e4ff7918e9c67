/// A set of words that is asked in bytes, in any case of letters.
struct WordList: Sendable {
    private var table = ByteTable(foldsCase: true)

    init(_ words: [String]) {
        for word in words {
            let bytes = Array(word.utf8)
            let span = bytes.span.bytes
            if table.value(span, 0, count: bytes.count) == nil {
                table.insert(span, 0, count: bytes.count, value: 1)
            }
        }
    }

    func contains(_ bytes: RawSpan, _ word: Range<Int>) -> Bool {
        !word.isEmpty && table.value(bytes, word.lowerBound, count: word.count) != nil
    }
}
