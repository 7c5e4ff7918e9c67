import TraceRecords

/// Splits bytes into lines and classifies each. Hot path: works on the batch's bytes in place.
///
/// What a line counts as depends on the lines before it alone, never on where a chunk ends.
struct EntryScanner {
    var builder: EntryBuilder
    private var matcher: LineMatcher
    private var framer: JSONFramer
    /// Whether metadata lines end the records of this source, and whether it has colours: its first bytes show it.
    private let hasMetadata: Bool
    private let hasColours: Bool
    /// Lines before this offset are known not to be ended by a metadata line.
    private var withoutMetadata: Int64 = 0
    /// Inside a line whose beginning has been dealt with: everything up to its end is only counted.
    private var skipsLine = false
    /// Whether the chunk holds NUL bytes.
    private var holdsNUL = false

    init(
        catalog: LayoutCatalog, matcher: LineMatcher, options: ReadingOptions, position: SourcePosition,
        beginning: SourceBeginning
    ) {
        builder = EntryBuilder(layouts: catalog.layouts, options: options, position: position)
        self.matcher = matcher
        framer = JSONFramer(catalog.json, layouts: catalog.layouts, recordBytes: builder.entryBytes)
        hasMetadata = beginning.hasMetadata && catalog.layouts.contains { $0.followsMessage }
        hasColours = beginning.hasColours
    }

    /// Scans the lines of `bytes` that begin at `start` or later, as far as they are complete, and the beginning of a line
    /// that is longer than an entry may be. Returns where the first line begins that needs more bytes: because it is not
    /// complete, or because it may begin a record of several lines that is not.
    ///
    /// - Parameter isEnd: nothing follows; the rest of the bytes is a line, and records are taken as they are.
    mutating func scan(_ bytes: UnsafeMutableBufferPointer<UInt8>, from start: Int, isEnd: Bool) -> Int {
        guard let room = bytes.baseAddress else { return start }
        let chunk = Chunk(base: UnsafePointer(room), count: bytes.count, isEnd: isEnd)
        let count = bytes.count
        guard start < count else { return start }
        holdsNUL = Bytes.find(0, chunk.base, start, count) != nil
        var at = start
        while at < count {
            if !skipsLine { at = holdsNUL ? leaveOutGap(chunk, at) : takeRepeats(chunk.base, from: at, count) }
            guard at < count, let end = chunk.lineEnd(at, count) else { break }
            if skipsLine {
                skipsLine = false
                builder.longLine = nil
                builder.offset &+= Int64(end &+ 1 &- at)
                at = end &+ 1
                continue
            }
            guard let next = line(room, at, lineEnd: end, chunk) else { return at }
            at = next
        }
        if skipsLine {
            builder.offset += Int64(count - at)
            return count
        }
        guard at < count, isEnd || count - at > builder.entryBytes else { return at }
        if isEnd {
            _ = line(room, at, lineEnd: count, chunk)
            return at
        }
        if framer.waits(for: chunk, at) { return at }
        let beginning = builder.bookmark
        guard line(room, at, lineEnd: nil, chunk) != nil else { return at }
        builder.longLine = beginning
        skipsLine = true
        return count
    }

    /// Leaves out the NUL bytes that a line begins with. Returns where it goes on.
    private mutating func leaveOutGap(_ chunk: Chunk, _ start: Int) -> Int {
        let end = NULGap.end(
            chunk.base, start, chunk.count, isEnd: chunk.isEnd, entryBytes: builder.entryBytes)
        if end > start { builder.leftOutDamage = true }
        builder.offset += Int64(end - start)
        return end
    }

    /// Takes lines that repeat the header of earlier ones. Returns where the first other or incomplete line begins.
    private mutating func takeRepeats(_ base: UnsafePointer<UInt8>, from start: Int, _ count: Int) -> Int {
        // After a line without a layout the next one is looked at more closely: it may repeat the text with a time.
        // Colour codes are taken out of a line before it is classified.
        guard builder.matches == nil, !builder.hasOpenBareLine, !hasColours, let (layout, lane) = matcher.lane
        else {
            return start
        }
        var taken = RepeatLane.Taken()
        let before = builder.entries.count
        let end = lane.take(
            base, from: start, count, line: builder.counts.lines, stated: builder.zone(of: layout),
            entryBytes: builder.entryBytes, into: &builder.entries, &builder.context, &taken)
        taken.count -= before
        if taken.count > 0 { builder.take(taken, before: end, layout: layout) }
        return end
    }

    // MARK: Lines

    /// Classifies one line that does not simply repeat a header, with further lines when they are one record. Returns
    /// where the next line begins, or `nil` when more bytes must come first.
    ///
    /// - Parameter lineEnd: `nil` when the line goes on after the chunk.
    private mutating func line(
        _ room: UnsafeMutablePointer<UInt8>, _ start: Int, lineEnd: Int?, _ chunk: Chunk
    ) -> Int? {
        let base = chunk.base
        let stop = lineEnd ?? chunk.count
        var end = min(stop, start + builder.entryBytes)
        let isCut = end < stop
        if end > start, base[end - 1] == 0x0D, end == stop { end -= 1 }
        var original: [UInt8] = []
        if hasColours { end = Colours.end(room, start, end, original: &original) }
        guard let first = InvisibleBytes.firstVisible(base, start, end) else {
            builder.countLine(isCut: isCut)
            builder.skipLine()
            return next(start, stop, chunk.count)
        }
        switch framer.frame(chunk, start, first, stop, &builder, &matcher) {
        case .line: return next(start, stop, chunk.count)
        case .lines(let next): return next
        case .incomplete: return putBack(original, room, start)
        case .text: break
        }
        var match = LineMatch()
        switch matcher.match(base + start, end - start, into: &match) {
        case .entry(let layout):
            if match.hasTime, ContinuationRule.isRepeated(builder, base, by: match.message.range(start)) {
                builder.takeBackOpenEntry()
            }
            builder.countLine(isCut: isCut)
            builder.begin(at: start, match, layout)
        case .metadata, .ignored:
            builder.countLine()
            builder.skipLine()
        case .impossibleTime(let layout):
            builder.countLine()
            let reason = "this time does not exist (read as \(builder.layouts[layout].name))"
            builder.reject(UnsafeBufferPointer(start: base + start, count: end - start), at: builder.offset, reason)
        case .none:
            switch recordBeforeMetadata(chunk, start) {
            case .lines(let next): return next
            case .incomplete: return putBack(original, room, start)
            case .line, .text: break
            }
            builder.countLine(isCut: isCut)
            lineWithoutLayout(base, start, end, first)
        }
        return next(start, stop, chunk.count)
    }

    /// A line needs more bytes: it becomes what it was, to be read again as if for the first time.
    private func putBack(_ original: [UInt8], _ room: UnsafeMutablePointer<UInt8>, _ start: Int) -> Int? {
        for (place, byte) in original.enumerated() { room[start + place] = byte }
        return nil
    }

    /// Goes on after a line, and counts its bytes.
    private mutating func next(_ start: Int, _ lineEnd: Int, _ count: Int) -> Int {
        let next = lineEnd < count ? lineEnd + 1 : count
        builder.offset += Int64(next - start)
        return next
    }

    /// A line that no layout matches, and that has been counted.
    private mutating func lineWithoutLayout(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ first: Int) {
        if Bytes.find(0, base, start, end) != nil {
            builder.reject(
                UnsafeBufferPointer(start: base + start, count: end - start), at: builder.offset,
                "contains NUL bytes and matches no layout: damaged")
        } else if ContinuationRule.repeatsOpenEntry(builder, base, start, end) {
            builder.skipLine()
        } else if ContinuationRule.continues(builder, base, start, end, first) {
            builder.continueEntry(start, end)
        } else if JSONWalker(base: base).isPunctuation(start, end) {
            builder.skipLine()
        } else {
            var match = LineMatch()
            match.message = LineMatch.Field(start: 0, end: Int32(truncatingIfNeeded: end - start))
            builder.begin(at: start, match, builder.layouts.count)
        }
    }

    // MARK: Metadata that follow their message

    /// Takes the lines of a message whose metadata follow it, if the line at `start` begins one. The metadata are looked for
    /// at most as far ahead as an entry may be long.
    private mutating func recordBeforeMetadata(_ chunk: Chunk, _ start: Int) -> JSONFramer.Outcome {
        guard hasMetadata, builder.offset >= withoutMetadata else { return .text }
        let limit = min(chunk.count, start + builder.entryBytes)
        var at = start
        var messageEnd = start
        var lines: Int64 = 0
        while at < limit {
            guard
                let lineEnd = chunk.lineEnd(at, limit) ?? (chunk.isEnd || limit < chunk.count ? limit : nil)
            else { return .incomplete }
            var end = lineEnd
            if end > at, chunk.base[end - 1] == 0x0D { end -= 1 }
            if hasColours {
                // Doing so twice changes nothing, so that these lines may be read again.
                var original: [UInt8] = []
                end = Colours.end(UnsafeMutablePointer(mutating: chunk.base), at, end, original: &original)
            }
            var match = LineMatch()
            if end > at {
                switch matcher.match(chunk.base + at, end - at, into: &match) {
                case .metadata(let layout) where match.hasTime:
                    takeMessage(ByteRange(offset: start, length: messageEnd - start), lines, at, match, layout)
                    let next = min(lineEnd + 1, chunk.count)
                    builder.offset += Int64(next - start)
                    return .lines(upTo: next)
                case .metadata, .entry: return withoutRecord(before: at, start)
                default: messageEnd = end
                }
            }
            lines += 1
            at = lineEnd + 1
        }
        return limit == chunk.count && !chunk.isEnd ? .incomplete : withoutRecord(before: at, start)
    }

    /// The lines before `position` are known not to be part of such a record.
    private mutating func withoutRecord(before position: Int, _ start: Int) -> JSONFramer.Outcome {
        withoutMetadata = builder.offset + Int64(position - start)
        return .text
    }

    private mutating func takeMessage(
        _ message: ByteRange, _ lines: Int64, _ metadata: Int, _ match: LineMatch, _ layout: Int
    ) {
        var entry = Entry(line: builder.counts.lines + 1, lineCount: Int32(clamping: lines + 1))
        entry.time = builder.time(match.time, layout)
        entry.process = match.process.range(metadata)
        entry.subsystem = match.subsystem.range(metadata)
        entry.message = message
        builder.appendWhole(entry, layout)
        builder.counts.lines += lines + 1
        builder.counts.entry += 1
        builder.counts.continuation += lines
    }
}
