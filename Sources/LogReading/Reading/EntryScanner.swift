import TraceRecords

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Splits bytes into lines, and lines into entries. Hot path: works on the batch's bytes in place.
///
/// An entry stays open until the line that begins the next one: until then continuation lines may follow. What every
/// line counts as depends on the lines before it alone, never on where a chunk ends.
struct EntryScanner {
    /// Where an open entry or a long line began, to come back to.
    struct Bookmark {
        var offset: Int64 = 0
        var counts = LineCounts()
        var clock = ClockMemory()
    }

    let layouts: [Layout]
    let entryBytes: Int
    var matcher: LineMatcher
    var json: JSONLayouts
    /// Whether metadata lines end the records of this source, and whether it is coloured: its beginning tells.
    let hasMetadata: Bool
    let undoesColours: Bool
    var context: TimeContext

    /// What has been read so far, the open entry included.
    var counts: LineCounts
    var offset: Int64
    private(set) var firstTime: Int64?
    private(set) var lastTime: Int64?

    /// The entries of this chunk, the open one last.
    var entries: [Entry] = []
    var rejects: [Reject] = []

    var isOpen = false
    private var opened = Bookmark()
    /// Texts that are not in the source's bytes as they are: of JSON, with escapes undone. Their ranges count on
    /// behind the bytes of the chunk.
    var extra: [UInt8] = []
    var extraStart = 0
    /// The labels of layouts, and where they stand in `extra`.
    private let labels: [[UInt8]]
    private var labelPlaces: [Int]
    /// Lines before this offset are known not to be ended by a metadata line.
    var withoutMetadata: Int64 = 0
    /// What layouts say of the zone of their times; ``RawTime/noZone`` where they say nothing.
    let zones: [Int32]
    /// First byte of the open entry in the chunk; of its bytes the first `entryBytes` are kept.
    private(set) var openStart = 0
    var openLayout = -1
    /// Whether its subsystem is the label of its layout.
    private var openHasLabel = false
    /// Whether a blank line came since the last line that was not blank.
    var afterBlank = false
    /// Whether a layout reads single members of JSON objects.
    let readsMembers: Bool
    /// Inside a line whose beginning has been dealt with: everything up to its end is only counted.
    private var skipsLine = false
    /// The process that an attribute names of what is open around the JSON records of several lines.
    var resource: [UInt8]
    /// Inside a line of JSON records of which some have been taken.
    var jsonLine: JSONLine?
    /// Where that line begins.
    private var longLine = Bookmark()

    /// Whether the chunk holds NUL bytes, and whether bytes that are no text were left out so far.
    private var holdsNUL = false
    var leftOutDamage = false

    /// Which layout each entry of the chunk has, by line; kept only where somebody wants to know.
    var layoutOfLine: [Int64: Int]?

    /// How many entries each layout had; the last number counts lines without a layout.
    var entriesByLayout: [Int64]

    init(
        catalog: LayoutCatalog, options: ReadingOptions, position: SourcePosition, beginning: SourceBeginning
    ) {
        layouts = catalog.layouts
        entryBytes = max(options.entryBytes, 16)
        matcher = catalog.matcher
        json = catalog.json
        labels = catalog.layouts.map { Array(($0.label ?? "").utf8) }
        labelPlaces = Array(repeating: -1, count: labels.count)
        zones = catalog.layouts.map { $0.zone.map { Int32($0.seconds) } ?? RawTime.noZone }
        hasMetadata = beginning.hasMetadata && catalog.layouts.contains { $0.followsMessage }
        undoesColours = beginning.hasColours
        readsMembers = catalog.layouts.contains { $0.keepsWholeLine }
        context = TimeContext(options: options, clock: position.clock)
        opened.clock = position.clock
        counts = position.counts
        offset = position.byteOffset
        resource = Array((position.resource ?? "").utf8)
        firstTime = position.firstTime
        lastTime = position.lastTime
        entriesByLayout = Array(repeating: 0, count: catalog.layouts.count + 1)
    }

    /// The position before the open entry: everything up to there is final.
    var stablePosition: SourcePosition {
        var position = endPosition
        if isOpen || skipsLine || jsonLine != nil {
            let bookmark = isOpen ? opened : longLine
            position.byteOffset = bookmark.offset
            position.counts = bookmark.counts
            position.clock = bookmark.clock
        }
        position.firstTime = firstTime
        position.lastTime = lastTime
        return position
    }

    /// The position behind everything read.
    var endPosition: SourcePosition {
        var position = SourcePosition()
        position.byteOffset = offset
        position.counts = counts
        position.clock = context.clock
        position.resource = resource.isEmpty ? nil : String(decoding: resource, as: UTF8.self)
        position.firstTime = firstTime
        position.lastTime = lastTime
        if isOpen, let time = entries.last?.time {
            position.firstTime = min(firstTime ?? time, time)
            position.lastTime = max(lastTime ?? time, time)
        }
        return position
    }

    /// Scans the lines of `bytes` that begin at `start` or later, as far as they are complete, and the beginning of a
    /// line that is longer than an entry may be. Returns where the first line begins that needs more bytes: because
    /// it is not complete, or because it may begin a record of several lines that is not.
    ///
    /// - Parameter isEnd: nothing follows; the rest of the bytes is a line, and records are as they stand.
    mutating func scan(_ bytes: UnsafeMutableBufferPointer<UInt8>, from start: Int, isEnd: Bool) -> Int {
        guard let room = bytes.baseAddress, start < bytes.count else {
            if isEnd, let line = jsonLine { endJSONLine(line) }
            return start
        }
        let base = UnsafePointer(room)
        let count = bytes.count
        holdsNUL = memchr(base + start, 0, count - start) != nil
        var at = start
        while at < count {
            if let line = jsonLine {
                guard goOn(base, &at, count, isEnd: isEnd, line) else { return at }
                continue
            }
            if !skipsLine {
                if holdsNUL {
                    at = leaveOutGap(base, at, count, isEnd: isEnd)
                } else {
                    at = takeRepeats(base, from: at, count)
                }
            }
            guard at < count, let found = memchr(base + at, 0x0A, count &- at) else { break }
            let end = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if skipsLine {
                skipsLine = false
                offset &+= Int64(end &+ 1 &- at)
                at = end &+ 1
                continue
            }
            guard let next = line(room, at, end, count, isEnd: isEnd) else { return at }
            at = next
        }
        if skipsLine {
            offset += Int64(count - at)
            return count
        }
        if count - at > entryBytes, !isEnd {
            if holdsNUL, mayStandBehindGap(base, at, count) { return at }
            let beginning = bookmark()
            guard let next = line(room, at, count, count, isEnd: false) else { return at }
            if jsonLine != nil { return next }
            longLine = beginning
            skipsLine = true
            return count
        }
        if isEnd, at < count { _ = line(room, at, count, count, isEnd: true) }
        return at
    }

    /// The bytes of the open entry, as far as they are kept, when the chunk has been scanned up to `end`. The entry
    /// is taken out of ``entries``; its ranges then count from the first of the returned bytes.
    mutating func takeOpenEntry(scannedTo end: Int) -> (range: Range<Int>, entry: Entry)? {
        guard isOpen, var entry = entries.popLast() else { return nil }
        let range = openStart..<min(end, openStart + entryBytes)
        entry.move(by: -openStart)
        openStart = 0
        return (range, entry)
    }

    /// Begins a chunk of `count` bytes, with the entry that the last one left open.
    mutating func beginChunk(_ count: Int, openEntry: Entry?) {
        entries.removeAll(keepingCapacity: true)
        extra.removeAll(keepingCapacity: true)
        extraStart = count
        for layout in labelPlaces.indices { labelPlaces[layout] = -1 }
        guard var entry = openEntry else { return }
        if openHasLabel { entry.subsystem = label(of: openLayout) }
        entries.append(entry)
    }

    // MARK: Lines

    /// Classifies one line that does not simply repeat a header, with further lines when they are one record. Returns
    /// where the next line begins, or `nil` when more bytes must tell.
    private mutating func line(
        _ room: UnsafeMutablePointer<UInt8>, _ start: Int, _ lineEnd: Int, _ count: Int, isEnd: Bool
    ) -> Int? {
        let base = UnsafePointer(room)
        var end = min(lineEnd, start + entryBytes)
        if end > start, base[end - 1] == 0x0D, end == lineEnd { end -= 1 }
        var original: [UInt8] = []
        if undoesColours { end = Colours.end(room, start, end, original: &original) }
        guard let first = Self.firstVisible(base, start, end) else {
            counts.lines += 1
            blank()
            return next(start, lineEnd, count)
        }
        if holdsNUL, let gap = endOfGap(base, start, end, lineEnd),
            takeBehindDamage(base, start, gap, line: counts.lines + 1)
        {
            counts.lines += 1
            counts.entry += 1
            return next(start, lineEnd, count)
        }
        switch jsonRecord(base, start, first, count, isEnd: isEnd) {
        case .consumed(let next): return next
        case .incomplete: return putBack(original, room, start)
        case .none: break
        }
        var match = LineMatch()
        switch matcher.match(base + start, end - start, into: &match) {
        case .entry(let layout):
            if match.hasTime { takeBackCopy(base, of: match.message.range(start)) }
            counts.lines += 1
            begin(start, match, layout)
        case .metadata, .ignored:
            counts.lines += 1
            blank()
        case .impossibleTime(let layout):
            counts.lines += 1
            reject(base, start, end, "no clock or calendar has this time (read as \(layouts[layout].name))")
        case .none:
            switch record(base, start, count, isEnd: isEnd) {
            case .consumed(let next): return next
            case .incomplete: return putBack(original, room, start)
            case .none: break
            }
            counts.lines += 1
            otherLine(base, start, end, first)
        }
        return next(start, lineEnd, count)
    }

    /// A line needs more bytes: it becomes what it was.
    private func putBack(_ original: [UInt8], _ room: UnsafeMutablePointer<UInt8>, _ start: Int) -> Int? {
        for (place, byte) in original.enumerated() { room[start + place] = byte }
        return nil
    }

    /// The present place, to come back to.
    func bookmark() -> Bookmark { Bookmark(offset: offset, counts: counts, clock: context.clock) }

    /// A line of JSON records goes on behind the chunk; it began at `bookmark`.
    mutating func beginLongLine(_ line: JSONLine, at bookmark: Bookmark) {
        jsonLine = line
        longLine = bookmark
    }

    /// Goes on behind a line, and counts its bytes.
    private mutating func next(_ start: Int, _ lineEnd: Int, _ count: Int) -> Int {
        let next = lineEnd < count ? lineEnd + 1 : count
        offset += Int64(next - start)
        return next
    }

    @inline(__always)
    mutating func begin(_ start: Int, _ match: LineMatch, _ layout: Int) {
        close()
        isOpen = true
        opened.offset = offset
        opened.counts = counts
        opened.counts.lines &-= 1
        if context.usesClock {
            opened.clock = context.clock
        } else {
            // The rest of it is still what the reading began with.
            opened.clock.dated = context.clock.dated
            opened.clock.datedZone = context.clock.datedZone
        }
        openStart = start
        openLayout = layout
        afterBlank = false
        counts.entry &+= 1
        entriesByLayout[layout] &+= 1
        if layoutOfLine != nil { layoutOfLine?[counts.lines] = layout }
        var entry = match.entry(line: counts.lines, shift: start)
        if match.hasTime { entry.time = time(match.time, layout) }
        openHasLabel = match.subsystem.isEmpty
        if openHasLabel { entry.subsystem = label(of: layout) }
        entries.append(entry)
    }

    /// Accounts for lines that were taken one after another; the last of them is the open entry.
    mutating func reopen(at start: Int, lines: Int64, bytes: Int, lastBytes: Int, layout: Int) {
        isOpen = true
        openStart = start
        openLayout = layout
        openHasLabel = false
        afterBlank = false
        entriesByLayout[layout] &+= lines
        counts.lines += lines
        counts.entry += lines
        offset += Int64(bytes)
        opened.offset = offset - Int64(lastBytes)
        opened.counts = counts
        opened.counts.lines -= 1
        opened.counts.entry -= 1
        opened.clock = context.clock
    }

    /// The label of a layout's entries, as bytes behind the chunk.
    @inline(__always)
    mutating func label(of layout: Int) -> ByteRange {
        guard layout < labels.count, !labels[layout].isEmpty else { return .none }
        return placeLabel(layout)
    }

    private mutating func placeLabel(_ layout: Int) -> ByteRange {
        if labelPlaces[layout] < 0 {
            labelPlaces[layout] = extra.count
            extra += labels[layout]
        }
        return ByteRange(offset: extraStart + labelPlaces[layout], length: labels[layout].count)
    }

    /// The open entry is complete.
    @inline(__always)
    mutating func close() {
        guard isOpen else { return }
        isOpen = false
        note(entries.last?.time)
    }

    /// Keeps the earliest and the latest time.
    @inline(__always)
    mutating func note(_ time: Int64?) {
        guard let time else { return }
        if time < firstTime ?? Int64.max { firstTime = time }
        if time > lastTime ?? Int64.min { lastTime = time }
    }

    /// A line that no layout matches.
    private mutating func otherLine(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ first: Int) {
        if takeBehindDamage(base, start, end, line: counts.lines) {
            counts.entry += 1
            return
        }
        if memchr(base + start, 0, end - start) != nil {
            reject(base, start, end, "holds NUL bytes and has no layout: damaged")
            return
        }
        if isCopyOfOpenEntry(base, start, end) {
            blank()
            return
        }
        if continuesOpenEntry(base, start, end, first) {
            counts.continuation += 1
            afterBlank = false
            let last = entries.count - 1
            entries[last].lineCount &+= 1
            let begin = Int(entries[last].message.offset)
            let limit = min(end, openStart + entryBytes)
            if entries[last].message.isEmpty {
                entries[last].message = ByteRange(offset: min(start, limit), length: max(0, limit - start))
            } else {
                entries[last].message.length = Int32(truncatingIfNeeded: max(limit - begin, 0))
            }
            return
        }
        if JSONWalker(base: base).isPunctuation(start, end) {
            blank()
            return
        }
        var match = LineMatch()
        match.message = LineMatch.Field(start: 0, end: Int32(truncatingIfNeeded: end - start))
        begin(start, match, layouts.count)
    }
}
