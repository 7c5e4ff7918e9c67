/// Callback names that are too short for ``NeedleIndex``. They are looked for where a line names a method: after the
/// class in brackets, at the beginning, and at the end.
struct ShortNames: Sendable {
    /// The place of a short name, and what it needs.
    struct Hit {
        var context: Lexicon.Context
        var start: Int
        var end: Int
    }

    private static let fold: UInt32 = 0x2020_2020
    /// Names of fewer bytes are words of every language.
    static let shortest = 4

    private var names: [(text: [UInt8], context: Lexicon.Context)] = []
    /// The first and the last four bytes of the names, in lower case.
    private var heads: [UInt32] = []
    private var tails: [UInt32] = []
    /// The bytes by which the names begin and end: one bit for the lower five bits of each.
    private var begins: UInt32 = 0
    private var ends: UInt32 = 0

    init(_ names: [(text: [UInt8], context: Lexicon.Context)]) {
        for name in names where name.text.count >= Self.shortest {
            let bytes = name.text.span.bytes
            heads.append(bytes.word32(0) | Self.fold)
            begins |= 1 << UInt32(bytes.byte(0) & 0x1F)
            self.names.append(name)
            // Nothing ends in the beginning of a name.
            if name.context.isBeginning { continue }
            tails.append(bytes.word32(bytes.byteCount - 4) | Self.fold)
            ends |= 1 << UInt32(bytes.byte(bytes.byteCount - 1) & 0x1F)
        }
    }

    /// Whether a short name may stand in a line: a cheap look at its first and last bytes, which most lines fail.
    @inline(__always)
    func mayStand(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        guard end - start >= Self.shortest else { return false }
        let first = bytes.byte(start)
        if begins >> UInt32(first & 0x1F) & 1 != 0, heads.contains(bytes.word32(start) | Self.fold) { return true }
        // Behind a number or a mark a method in brackets may stand.
        if first == 0x2D || first == 0x2B || ByteClass.isDigit(first) || first >= 0x80 { return true }
        let closing = bytes.byte(end - 1)
        if ByteClass.isLetter(closing), ends >> UInt32(closing & 0x1F) & 1 == 0 { return false }
        return mayClose(bytes, start, end)
    }

    /// Whether a line may end in a short name.
    @inline(never)
    private func mayClose(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        let last = closing(bytes, start, end)
        if last >= start + 4, ends >> UInt32(bytes.byte(last - 1) & 0x1F) & 1 != 0,
            tails.contains(bytes.word32(last - 4) | Self.fold)
        {
            return true
        }
        return last > start && bytes.byte(last - 1) >= 0x80
    }

    /// The short name in a line, if it stands where a method's name stands.
    func hit(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Hit? {
        if let hit = name(bytes, at: start, end) ?? afterClass(bytes, start, end) { return hit }
        let last = closing(bytes, start, end)
        if let hit = name(bytes, endingAt: last, start) { return hit }
        // An emoji may close the line.
        var letter = last
        while letter > max(start, last - 16), !ByteClass.isLetter(bytes.byte(letter - 1)) { letter -= 1 }
        return letter < last ? name(bytes, endingAt: letter, start) : nil
    }

    /// Where the text of a line ends, before a few marks and brackets.
    @inline(__always)
    private func closing(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int {
        var last = end
        while last > max(start, end - 4), !ByteClass.isLetter(bytes.byte(last - 1)), bytes.byte(last - 1) < 0x80 {
            last -= 1
        }
        return last
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
        return position + 1 < blankLimit ? name(bytes, at: position + 1, end) : nil
    }

    private func name(_ bytes: RawSpan, at start: Int, _ end: Int) -> Hit? {
        for name in names where start + name.text.count <= end {
            let last = start + name.text.count
            if last < end, name.context.closesWithLetter, ByteClass.isLetter(bytes.byte(last)) { continue }
            if bytes.equalsFolded(start, name.text.span.bytes, 0, count: name.text.count) {
                return Hit(context: name.context, start: start, end: last)
            }
        }
        return nil
    }

    private func name(_ bytes: RawSpan, endingAt end: Int, _ start: Int) -> Hit? {
        for name in names where end - name.text.count >= start && !name.context.isBeginning {
            let first = end - name.text.count
            if first > start, name.context.opensWithLetter, ByteClass.isLetter(bytes.byte(first - 1)) { continue }
            if bytes.equalsFolded(first, name.text.span.bytes, 0, count: name.text.count) {
                return Hit(context: name.context, start: first, end: end)
            }
        }
        return nil
    }
}
