import TraceRecords

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Records that are not told by their first line: JSON objects, and messages whose metadata follows.
///
/// They are looked for ahead, at most as far as an entry may be long, and taken as a whole or not at all. No line can
/// continue them.
extension EntryScanner {
    enum Record {
        case none
        case incomplete
        /// The lines up to there are dealt with.
        case consumed(Int)
    }

    mutating func record(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ count: Int, isEnd: Bool
    ) -> Record {
        hasMetadata ? recordBeforeMetadata(base, start, count, isEnd: isEnd) : .none
    }

    // MARK: JSON

    /// What begins with a bracket or a comma, if it is a record: an object over several lines, or a line of objects.
    mutating func jsonRecord(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ first: Int, _ count: Int, isEnd: Bool
    ) -> Record {
        switch base[first] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","): break
        default: return .none
        }
        let walker = JSONWalker(base: base)
        let limit = min(count, start + entryBytes)
        let mayGrow = limit == count && !isEnd
        let brace = walker.skipPunctuation(first, limit)
        guard brace < limit, base[brace] == UInt8(ascii: "{") else { return .none }
        guard let looksRight = walker.looksLikeObject(brace, limit) else { return mayGrow ? .incomplete : .none }
        guard looksRight else { return .none }
        let end: Int
        switch walker.end(from: brace, limit: limit, lineStart: start) {
        case .complete(let found): end = found
        case .incomplete where mayGrow: return .incomplete
        case .incomplete, .malformed: return brokenRecord(base, start, brace, count, isEnd: isEnd)
        }
        let lineEnd = Self.lineEnd(base, end, count)
        if lineEnd == nil, mayGrow { return .incomplete }
        let lastLine = Self.lineStart(base, end, from: start)
        if lastLine == start {
            let record = recordsOfLine(base, start, count, isEnd: isEnd)
            guard case .none = record else { return record }
            guard walker.isSound(brace, end) else { return brokenRecord(base, start, brace, count, isEnd: isEnd) }
            noteResource(base, brace, end)
            return .none
        }
        let stop = min(lineEnd ?? count, limit)

        // The last line may begin the next record: it is that one's first line, then.
        let rest = walker.skipPunctuation(end, stop)
        let beginsAnother = rest < stop && base[rest] == UInt8(ascii: "{")
        let behind = beginsAnother ? lastLine : (lineEnd.map { $0 + 1 } ?? count)
        let lines = Self.lines(base, start, behind)
        switch take(base, brace, end, count, isEnd: isEnd, lines: lines, process: resource) {
        case .taken: break
        case .refused where json.ignores(base, brace, end):
            blank()
            counts.lines += lines
            counts.other += lines - 1
            offset += Int64(behind - start)
            return .consumed(behind)
        case .refused where (rest == stop || beginsAnother) && walker.isSound(brace, end):
            noteResource(base, brace, end)
            return .none
        case .refused: return brokenRecord(base, start, brace, count, isEnd: isEnd)
        case .needsMore: return .incomplete
        }
        counts.lines += lines
        counts.entry += 1
        counts.continuation += lines - 1
        offset += Int64(behind - start)
        return .consumed(behind)
    }

    /// Keeps the process that an object names, if it is such an attribute, for the records that follow.
    private mutating func noteResource(_ base: UnsafePointer<UInt8>, _ brace: Int, _ end: Int) {
        guard let name = json.processOfAttribute(base, brace, end) else { return }
        // What is open began under another resource: a reading that goes on must not go back behind this.
        close()
        openLayout = -1
        resource = Array(UnsafeBufferPointer(start: base + name.lowerBound, count: name.count))
    }

    /// What became of an object.
    enum Taking {
        case taken
        /// No layout knows it.
        case refused
        /// What follows it must be there first.
        case needsMore
    }

    /// Makes an entry of the record `brace..<end`, which begins on the next line.
    ///
    /// - Parameter process: what the object around the record names, for layouts that take it from there.
    mutating func take(
        _ base: UnsafePointer<UInt8>, _ brace: Int, _ end: Int, _ count: Int, isEnd: Bool, lines: Int64,
        process: [UInt8] = []
    ) -> Taking {
        var found: (layout: Int, record: JSONRecord)?
        var inner: (match: LineMatch, text: [UInt8])?
        var matcher = self.matcher
        let layouts = self.layouts
        let known = json.read(base, brace, end) { layout, record in
            // Such a layout reads the lines of a record one by one, where there are several.
            if lines > 1, layouts[layout].keepsWholeLine { return false }
            if let wrapped = record.wrapped {
                guard let unwrapped = Self.unwrap(wrapped, base, &matcher) else { return false }
                inner = unwrapped
            }
            found = (layout, record)
            return true
        }
        guard known, let (layout, record) = found else { return .refused }
        var entry = Entry(line: counts.lines + 1, lineCount: Int32(clamping: lines))
        if let (match, text) = inner {
            if match.hasTime { entry.time = context.resolve(match.time) }
            if match.hasPid { entry.pid = match.pid }
            let shift = extraStart + extra.count
            entry.process = match.process.range(shift)
            entry.device = match.device.range(shift)
            entry.subsystem = match.subsystem.range(shift)
            entry.message = match.message.range(shift)
            extra += text
        } else {
            entry.time = record.epoch
            if let raw = record.time, entry.time == nil { entry.time = time(raw, layout) }
            if entry.time == nil, layouts[layout].json?.takesTimeBefore == true { entry.time = context.timeBefore() }
            entry.pid = record.pid
            if record.pid == nil, let key = layouts[layout].json?.pidOfNext {
                guard let pid = pid(key, behind: end, base, count, isEnd: isEnd) else { return .needsMore }
                entry.pid = pid
            }
            let isPart = record.process == nil && layouts[layout].json?.processAttribute.isEmpty == false
            entry.process = place(isPart && !process.isEmpty ? .unescaped(process) : record.process)
            entry.device = place(record.device)
            entry.subsystem = record.subsystem == nil ? label(of: layout) : place(record.subsystem)
            if record.message != nil {
                entry.message = place(record.message)
            } else if lines > 1 {
                // Recognition looks at one line at a time, and such a record is one statement.
                entry.message = place(.unescaped(JSONText.onOneLine(base, brace, end)))
            } else {
                entry.message = ByteRange(offset: brace, length: end - brace)
            }
        }
        appendWhole(entry, layout)
        return .taken
    }

    /// The process id that the object behind a record has under a key; `nil` inside when it has none, outside when more
    /// bytes must tell.
    private func pid(
        _ key: [UInt8], behind end: Int, _ base: UnsafePointer<UInt8>, _ count: Int, isEnd: Bool
    ) -> Int32?? {
        let walker = JSONWalker(base: base)
        let limit = min(count, end + entryBytes)
        let brace = walker.skipBlanks(end, limit)
        let member =
            brace < limit && base[brace] != UInt8(ascii: "{")
            ? .absent
            : walker.member(key, ofObjectAt: brace, limit: limit)
        switch member {
        case .value(let range): return .some(JSONRecordReader.number(base, range).flatMap { Int32(exactly: $0) })
        case .incomplete where limit == count && !isEnd: return nil
        case .incomplete, .absent: return .some(nil)
        }
    }

    /// Adds an entry that no line can continue.
    mutating func appendWhole(_ entry: Entry, _ layout: Int) {
        close()
        openLayout = -1
        afterBlank = false
        entriesByLayout[layout] += 1
        layoutOfLine?[entry.line] = layout
        entries.append(entry)
        note(entry.time)
    }

    private static func unwrap(
        _ text: JSONText.Value, _ base: UnsafePointer<UInt8>, _ matcher: inout LineMatcher
    ) -> (LineMatch, [UInt8])? {
        let bytes: [UInt8] =
            switch text {
            case .plain(let range):
                Array(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
            case .unescaped(let bytes): bytes
            }
        return bytes.withUnsafeBufferPointer { buffer in
            var match = LineMatch()
            guard let base = buffer.baseAddress, !buffer.isEmpty,
                case .entry = matcher.match(base, buffer.count, into: &match)
            else { return nil }
            return (match, bytes)
        }
    }

    /// The range of a text: in the chunk as it stands, or behind it when its escapes had to be undone.
    private mutating func place(_ value: JSONText.Value?) -> ByteRange {
        switch value {
        case nil: return .none
        case .plain(let range)?: return ByteRange(offset: range.lowerBound, length: range.count)
        case .unescaped(let bytes)?:
            let range = ByteRange(offset: extraStart + extra.count, length: bytes.count)
            extra += bytes
            return range
        }
    }

    // MARK: Metadata that follows

    private mutating func recordBeforeMetadata(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ count: Int, isEnd: Bool
    ) -> Record {
        guard offset >= withoutMetadata else { return .none }
        let limit = min(count, start + entryBytes)
        var at = start
        var messageEnd = start
        var lines: Int64 = 0
        while at < limit {
            guard let lineEnd = Self.lineEnd(base, at, limit) ?? (isEnd || limit < count ? limit : nil) else {
                return .incomplete
            }
            var end = lineEnd
            if end > at, base[end - 1] == 0x0D { end -= 1 }
            if undoesColours {
                // Doing so twice changes nothing, so that these lines may be read again.
                var original: [UInt8] = []
                end = Colours.end(UnsafeMutablePointer(mutating: base), at, end, original: &original)
            }
            var match = LineMatch()
            if end > at {
                switch matcher.match(base + at, end - at, into: &match) {
                case .metadata(let layout):
                    guard match.hasTime else { return withoutRecord(before: at, start) }
                    return takeMessage(base, start, messageEnd, lines, at, lineEnd, match, layout, count)
                case .entry: return withoutRecord(before: at, start)
                default: messageEnd = end
                }
            }
            lines += 1
            at = lineEnd + 1
        }
        if limit == count, !isEnd { return .incomplete }
        return withoutRecord(before: at, start)
    }

    /// The lines before `position` are known to be no part of such a record.
    private mutating func withoutRecord(before position: Int, _ start: Int) -> Record {
        withoutMetadata = offset + Int64(position - start)
        return .none
    }

    private mutating func takeMessage(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ messageEnd: Int, _ lines: Int64, _ metadata: Int, _ lineEnd: Int,
        _ match: LineMatch, _ layout: Int, _ count: Int
    ) -> Record {
        var entry = Entry(line: counts.lines + 1, lineCount: Int32(clamping: lines + 1))
        entry.time = time(match.time, layout)
        entry.process = match.process.range(metadata)
        entry.subsystem = match.subsystem.range(metadata)
        entry.message = ByteRange(offset: start, length: messageEnd - start)
        appendWhole(entry, layout)
        counts.lines += lines + 1
        counts.entry += 1
        counts.continuation += lines
        let behind = min(lineEnd + 1, count)
        offset += Int64(behind - start)
        return .consumed(behind)
    }

    // MARK: Lines

    static func lineEnd(_ base: UnsafePointer<UInt8>, _ start: Int, _ limit: Int) -> Int? {
        guard start < limit else { return nil }
        return memchr(base + start, 0x0A, limit - start).map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
    }

    private static func lineStart(_ base: UnsafePointer<UInt8>, _ position: Int, from start: Int) -> Int {
        var at = position
        while at > start, base[at - 1] != 0x0A { at -= 1 }
        return at
    }

    /// Number of lines in a range, of which the last may lack its end.
    static func lines(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int64 {
        var lines: Int64 = 0
        for at in start..<end where base[at] == 0x0A { lines += 1 }
        return end > start && base[end - 1] != 0x0A ? lines + 1 : lines
    }
}
