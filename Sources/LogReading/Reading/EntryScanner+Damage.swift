import TraceRecords

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Bytes that are no text: the gap of NUL bytes that a crash or a truncated file leaves, a block that was overwritten.
/// They have no line ends, so that a good line may stand right behind them, on what counts as the same line.
extension EntryScanner {
    /// How far behind the last control character a record is looked for: of random bytes one in ten is such a character.
    private static let reach = 128

    /// Leaves out the NUL bytes that a line begins with; they may be more than fit into memory. Returns where it goes on.
    mutating func leaveOutGap(_ base: UnsafePointer<UInt8>, _ start: Int, _ count: Int, isEnd: Bool) -> Int {
        var at = start
        while at < count, base[at] == 0 { at += 1 }
        // Those at the end may be the place of what is yet to be written.
        guard at > start, at < count || isEnd || at - start > entryBytes else { return start }
        leftOutDamage = true
        offset += Int64(at - start)
        return at
    }

    /// How much of a line is kept that has a gap, to find what stands behind it.
    private static let longestGap = 8 << 20

    /// Up to where the line is looked at that begins at `start` and holds NUL bytes before `end`: as far behind the first
    /// gap as an entry may be long. `nil`: it holds none.
    func endOfGap(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ lineEnd: Int) -> Int? {
        guard let found = memchr(base + start, 0, end - start) else { return nil }
        var at = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        while at < lineEnd, base[at] == 0 { at += 1 }
        return max(end, min(at + entryBytes, lineEnd > at && base[lineEnd - 1] == 0x0D ? lineEnd - 1 : lineEnd))
    }

    /// Whether a line whose end has not been read, and that is longer than an entry may be, is so for a gap: then the end
    /// is waited for.
    func mayStandBehindGap(_ base: UnsafePointer<UInt8>, _ start: Int, _ count: Int) -> Bool {
        guard count - start <= Self.longestGap, let found = memchr(base + start, 0, entryBytes) else { return false }
        var at = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        while at < count, base[at] == 0 { at += 1 }
        return count - at <= entryBytes
    }

    /// Takes the records that begin behind control characters inside a line, and the one before them; false when there
    /// is none behind them, so that the line is what it is.
    mutating func takeBehindDamage(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, line: Int64
    ) -> Bool {
        guard let damage = Self.nextDamage(base, start, end) else { return false }
        var isFound = false
        var gap: Range<Int>? = damage
        while let present = gap {
            gap = Self.nextDamage(base, present.upperBound, end)
            let pieceEnd = gap?.lowerBound ?? end
            let isGap = present.count > 1 && present.allSatisfy { base[$0] == 0 }
            // Only behind the last of them may more of the damage stand that looks like text.
            let last = gap == nil ? min(pieceEnd, present.upperBound + Self.reach) : present.upperBound + 1
            for place in present.upperBound..<max(last, present.upperBound) where place < pieceEnd {
                var match = LineMatch()
                guard case .entry(let layout) = matcher.match(base + place, pieceEnd - place, into: &match),
                    match.hasTime || isGap && place == present.upperBound
                else { continue }
                if !isFound { takeBefore(base, start, damage.lowerBound, line: line) }
                isFound = true
                append(match, layout, at: place, line: line)
                break
            }
        }
        return isFound
    }

    /// Takes what stands before the damage, if it is a record.
    private mutating func takeBefore(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, line: Int64) {
        leftOutDamage = true
        var match = LineMatch()
        guard end > start, case .entry(let layout) = matcher.match(base + start, end - start, into: &match) else {
            return
        }
        append(match, layout, at: start, line: line)
    }

    private mutating func append(_ match: LineMatch, _ layout: Int, at start: Int, line: Int64) {
        var entry = match.entry(line: line, shift: start)
        if match.hasTime { entry.time = time(match.time, layout) }
        if entry.subsystem.isEmpty { entry.subsystem = label(of: layout) }
        appendWhole(entry, layout)
    }

    /// The next control characters that no text has.
    private static func nextDamage(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Range<Int>? {
        var first = start
        while first < end, !isDamage(base[first]) { first += 1 }
        guard first < end else { return nil }
        var last = first
        while last < end, isDamage(base[last]) { last += 1 }
        return first..<last
    }

    /// Bell to carriage return and the escape character are text.
    private static func isDamage(_ byte: UInt8) -> Bool { byte < 0x07 || (byte > 0x0D && byte < 0x20 && byte != 0x1B) }
}
