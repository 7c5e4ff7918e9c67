import TraceRecords

/// Bytes that are not text: the gap of NUL bytes that a crash or a truncated file leaves, a block that was overwritten.
/// They have no line ends, so that a good line may follow them directly, on what counts as the same line.
enum DamagedLines {
    /// How far after the last control character a record is looked for: of random bytes one in ten is such a character.
    private static let reach = 128
    /// How much of a line is kept that has a gap, to find what follows it.
    private static let longestGap = 8 << 20

    /// Where the NUL bytes end that a line begins with; they may be more than fit into memory.
    static func endOfGap(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ count: Int, isEnd: Bool, entryBytes: Int
    ) -> Int {
        var at = start
        while at < count, base[at] == 0 { at += 1 }
        // Those at the end may be the place of what has not been written yet.
        return at > start && (at < count || isEnd || at - start > entryBytes) ? at : start
    }

    /// Up to where the line `start..<lineEnd` is looked at that holds NUL bytes before `end`: as far after the first gap as
    /// an entry may be long. `nil`: it holds none.
    static func endBehindGap(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ lineEnd: Int, entryBytes: Int
    ) -> Int? {
        guard var at = Bytes.find(0, base, start, end) else { return nil }
        while at < lineEnd, base[at] == 0 { at += 1 }
        return max(end, min(at + entryBytes, lineEnd > at && base[lineEnd - 1] == 0x0D ? lineEnd - 1 : lineEnd))
    }

    /// Whether a line whose end has not been read is longer than an entry may be only because of a gap: then the end is
    /// waited for.
    static func isLongForGap(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ count: Int, entryBytes: Int
    ) -> Bool {
        guard count - start <= longestGap, var at = Bytes.find(0, base, start, start + entryBytes) else { return false }
        while at < count, base[at] == 0 { at += 1 }
        return count - at <= entryBytes
    }

    /// Takes the records that begin after control characters inside a line, and the one before them; false when there are
    /// none after them, so that the line is what it is.
    static func takeRecords(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, line: Int64, _ builder: inout EntryBuilder,
        _ matcher: inout LineMatcher
    ) -> Bool {
        guard let damage = nextDamage(base, start, end) else { return false }
        var isFound = false
        var gap: Range<Int>? = damage
        while let present = gap {
            gap = nextDamage(base, present.upperBound, end)
            let pieceEnd = gap?.lowerBound ?? end
            let isGap = present.count > 1 && present.allSatisfy { base[$0] == 0 }
            // Only after the last of them may more of the damage follow that looks like text.
            let last = gap == nil ? min(pieceEnd, present.upperBound + reach) : present.upperBound + 1
            for place in present.upperBound..<max(last, present.upperBound) where place < pieceEnd {
                var match = LineMatch()
                guard case .entry(let layout) = matcher.match(base + place, pieceEnd - place, into: &match),
                    match.hasTime || isGap && place == present.upperBound
                else { continue }
                if !isFound { takeRecord(base, start, damage.lowerBound, line: line, &builder, &matcher) }
                isFound = true
                builder.appendWhole(match, layout, at: place, line: line)
                break
            }
        }
        return isFound
    }

    /// Takes what comes before the damage, if it is a record.
    private static func takeRecord(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, line: Int64, _ builder: inout EntryBuilder,
        _ matcher: inout LineMatcher
    ) {
        builder.leftOutDamage = true
        var match = LineMatch()
        guard end > start, case .entry(let layout) = matcher.match(base + start, end - start, into: &match) else {
            return
        }
        builder.appendWhole(match, layout, at: start, line: line)
    }

    /// The next control characters that text does not have.
    private static func nextDamage(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Range<Int>? {
        var first = start
        while first < end, !isDamage(base[first]) { first += 1 }
        guard first < end else { return nil }
        var last = first
        while last < end, isDamage(base[last]) { last += 1 }
        return first..<last
    }

    /// Bell to carriage return and the escape character are text.
    static func isDamage(_ byte: UInt8) -> Bool { byte < 0x07 || (byte > 0x0D && byte < 0x20 && byte != 0x1B) }
}
