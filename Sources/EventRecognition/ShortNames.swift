/// Callback names that are too short for ``NeedleIndex``. They are looked for where a line names a method: after the
/// class in brackets, as the first word, and as the last word.
struct ShortNames: Sendable {
    /// Where a short name stands, and what it needs.
    struct Hit {
        var context: Lexicon.Context
        var start: Int
        var end: Int
    }

    private var table = ByteTable(foldsCase: true)
    private var contexts: [Lexicon.Context] = []
    /// Whether some name begins or ends with a letter; by letter, in lower case.
    private var begins: UInt32 = 0
    private var ends: UInt32 = 0
    private var longest = 0

    init(_ names: [(text: [UInt8], context: Lexicon.Context)]) {
        for name in names {
            let bytes = name.text.span.bytes
            guard let first = name.text.first, let last = name.text.last,
                table.value(bytes, 0, count: bytes.byteCount) == nil
            else { continue }
            table.insert(bytes, 0, count: bytes.byteCount, value: UInt32(contexts.count))
            contexts.append(name.context)
            begins |= 1 << UInt32(first & 0x1F)
            ends |= 1 << UInt32(last & 0x1F)
            longest = max(longest, name.text.count)
        }
    }

    /// Whether a short name may stand in a line: a cheap look at its first and last bytes, which most lines fail.
    @inline(__always)
    func mayStand(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        guard end - start >= 4 else { return false }
        let first = bytes.byte(start)
        if ByteClass.isLetter(first) {
            if begins >> UInt32(first & 0x1F) & 1 != 0 { return true }
        } else if first != 0x5B {
            // Behind other marks a method in brackets may stand.
            return true
        }
        var last = end - 1
        while last > end - 4, !ByteClass.isLetter(bytes.byte(last)) { last -= 1 }
        return ends >> UInt32(bytes.byte(last) & 0x1F) & 1 != 0
    }

    /// The short name in a line, if it stands where a method's name stands.
    func hit(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Hit? {
        guard end > start, longest > 0 else { return nil }
        let first = bytes.byte(start)
        if ByteClass.isLetter(first) {
            if begins >> UInt32(first & 0x1F) & 1 != 0, let hit = word(bytes, at: start, end) { return hit }
        } else if let hit = afterClass(bytes, start, end) {
            return hit
        }
        return lastWord(bytes, start, end)
    }

    /// `-[Class name`: the bracket stands near the beginning.
    private func afterClass(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Hit? {
        var position = start
        let limit = min(end, start + 24)
        while position < limit, bytes.byte(position) != 0x5B { position += 1 }
        guard position < limit, position > start else { return nil }
        let mark = bytes.byte(position - 1)
        guard mark == 0x2D || mark == 0x2B else { return nil }
        let blankLimit = min(end, position + 128)
        while position < blankLimit, bytes.byte(position) != 0x20 { position += 1 }
        guard position + 1 < blankLimit else { return nil }
        return word(bytes, at: position + 1, end)
    }

    /// The last word, before marks and brackets.
    private func lastWord(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Hit? {
        var last = end
        let limit = max(start, end - 4)
        while last > limit, !ByteClass.isLetter(bytes.byte(last - 1)) { last -= 1 }
        guard last > limit, ends >> UInt32(bytes.byte(last - 1) & 0x1F) & 1 != 0 else { return nil }
        var from = last
        while from > start, last - from <= longest, ByteClass.isLetter(bytes.byte(from - 1)) { from -= 1 }
        return known(bytes, from, last)
    }

    private func word(_ bytes: RawSpan, at start: Int, _ end: Int) -> Hit? {
        var last = start
        while last < end, last - start <= longest, ByteClass.isLetter(bytes.byte(last)) { last += 1 }
        return known(bytes, start, last)
    }

    private func known(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Hit? {
        guard end > start, end - start <= longest, let number = table.value(bytes, start, count: end - start)
        else { return nil }
        return Hit(context: contexts[Int(number)], start: start, end: end)
    }
}
