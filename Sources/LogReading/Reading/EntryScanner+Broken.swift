import TraceRecords

/// JSON records that are damaged, or that lost their end because the log was cut off in them. What is left of one would
/// be read as lines that have neither time nor process, which is worse than not to read it.
extension EntryScanner {
    private static let reason = "a JSON record that is cut off or damaged, or longer than a record may be"

    /// Deals with an object that begins at `brace`, on the line at `start`, and that no layout can read as it is.
    mutating func brokenRecord(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ brace: Int, _ count: Int, isEnd: Bool
    ) -> Record {
        let limit = min(count, start + entryBytes)
        let lineEnd = Self.lineEnd(base, start, limit)
        let first = Self.firstVisible(base, start, limit) ?? brace
        if continuesOpenEntry(base, start, lineEnd ?? limit, first) { return .none }
        if Self.firstVisible(base, brace + 1, lineEnd ?? limit) == nil {
            guard let end = endOfLines(base, start, depth: first - start, count, isEnd: isEnd) else {
                return .incomplete
            }
            return linesHoldMessage(base, start, end) ? reject(base, start..<end, Self.reason) : .none
        }
        // Whole records may stand in a line that is not whole.
        switch recordsOfLine(base, start, count, isEnd: isEnd) {
        case .none: break
        case let record: return record
        }
        guard let end = lineEnd ?? (limit == count ? count : nil) else { return .none }
        if case .complete = JSONWalker(base: base).end(from: brace, limit: end) {
            // People write braces, too; records have keys.
            guard (brace..<end).contains(where: { json.isMessageKey(base, $0, end) }) else { return .none }
        }
        return reject(base, start..<min(end + 1, count), Self.reason)
    }

    /// Where the lines end that belong to an object of several: those that are indented deeper than it, and the one that
    /// closes it, unless it opens the next. `nil`: more bytes must tell.
    private func endOfLines(
        _ base: UnsafePointer<UInt8>, _ start: Int, depth: Int, _ count: Int, isEnd: Bool
    ) -> Int? {
        let walker = JSONWalker(base: base)
        var at = start
        while at < count {
            guard let end = Self.lineEnd(base, at, count) ?? (isEnd ? count : nil) else {
                return at - start < entryBytes ? nil : at
            }
            if at > start, let first = Self.firstVisible(base, at, end), first - at <= depth {
                let rest = walker.skipPunctuation(first, end)
                return rest > first && rest == end ? min(end + 1, count) : at
            }
            if at - start >= entryBytes { return at }
            at = min(end + 1, count)
        }
        return isEnd ? count : nil
    }

    /// Whether one of the lines `start..<end` begins with the key of a message, as far in as the first member.
    private func linesHoldMessage(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        var depth: Int?
        var at = start
        while let lineEnd = Self.lineEnd(base, at, end), lineEnd + 1 < end {
            at = lineEnd + 1
            guard let first = Self.firstVisible(base, at, Self.lineEnd(base, at, end) ?? end) else { continue }
            if depth == nil { depth = first - at }
            if first - at == depth, json.isMessageKey(base, first, end) { return true }
        }
        return false
    }

    /// The first line is the one that could not be read; the others belong to it.
    mutating func reject(_ base: UnsafePointer<UInt8>, _ lines: Range<Int>, _ reason: String) -> Record {
        let count = Self.lines(base, lines.lowerBound, lines.upperBound)
        counts.lines += 1
        let end = Self.lineEnd(base, lines.lowerBound, lines.upperBound) ?? lines.upperBound
        reject(base, lines.lowerBound, end, reason)
        counts.lines += count - 1
        counts.other += count - 1
        offset += Int64(lines.count)
        return .consumed(lines.upperBound)
    }

    /// Gives up a line, and says why.
    mutating func reject(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ reason: String) {
        close()
        openLayout = -1
        afterBlank = false
        counts.rejected += 1
        let bytes = UnsafeBufferPointer(start: base + start, count: min(end - start, 200))
        rejects.append(
            Reject(line: counts.lines, byteOffset: offset, reason: reason, text: String(decoding: bytes, as: UTF8.self))
        )
    }
}
