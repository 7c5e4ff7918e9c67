import TraceRecords

/// Lines that a terminal or a web page broke inside a word.
extension Recognizer {
    /// Lines that are longer were not broken to fit somewhere.
    private static let longestWrapped = 512

    /// Recognises a name that begins on the line `start..<last` of an entry and goes on at the beginning of the next.
    /// Returns where the line after that one begins, or `nil` when there is no such name.
    mutating func recognizeWrapped(
        _ entry: Entry, _ line: Int64, _ bytes: RawSpan, _ start: Int, _ last: Int, _ end: Int,
        _ facts: inout [FactBatch.Fact]
    ) -> Int? {
        guard last > start, last - start <= Self.longestWrapped, last + 1 < end,
            ByteClass.isLetter(bytes.byte(last - 1)), ByteClass.isLetter(bytes.byte(last + 1))
        else { return nil }
        var nextEnd = last + 1
        while nextEnd < end, bytes.byte(nextEnd) != 0x0A { nextEnd += 1 }
        guard nextEnd - last <= Self.longestWrapped else { return nil }
        var text: [UInt8] = []
        swap(&text, &joined)
        defer { swap(&text, &joined) }
        text.removeAll(keepingCapacity: true)
        for position in start..<last { text.append(bytes.byte(position)) }
        for position in last + 1..<nextEnd { text.append(bytes.byte(position)) }
        let whole = text.span.bytes
        let candidate = lexicon.candidate(whole, from: 0, 0, text.count)
        guard holdsName(whole, around: last - start, candidate: candidate, text.count),
            recognizeLine(entry, line, whole, candidate: candidate, 0, text.count, &facts)
        else { return nil }
        return nextEnd + 1
    }

    private func holdsName(_ bytes: RawSpan, around place: Int, candidate: Int, _ end: Int) -> Bool {
        var candidate = candidate
        while candidate < end, let hit = lexicon.hit(bytes, candidate: candidate, 0, end) {
            if hit.nameStart < place, hit.nameEnd > place, !hit.context.isBeginning { return true }
            guard hit.next < end else { return false }
            candidate = lexicon.candidate(bytes, from: hit.next, 0, end)
        }
        return false
    }
}
