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
    /// Where an open entry began, to come back to.
    private struct Bookmark {
        var offset: Int64
        var counts: LineCounts
        var clock: ClockMemory
    }

    private let layouts: [Layout]
    private let entryBytes: Int
    private var matcher: LineMatcher
    var context: TimeContext

    /// What has been read so far, the open entry included.
    private(set) var counts: LineCounts
    private(set) var offset: Int64
    private(set) var firstTime: Int64?
    private(set) var lastTime: Int64?

    /// The entries of this chunk, the open one last.
    var entries: [Entry] = []
    var rejects: [Reject] = []

    private var open: Bookmark?
    /// First byte of the open entry in the chunk; of its bytes the first `entryBytes` are kept.
    private var openStart = 0
    private var openLayout = -1
    /// Whether a blank line came since the last line that was not blank.
    private var afterBlank = false
    /// Inside a line whose beginning has been dealt with: everything up to its end is only counted.
    private var skipsLine = false
    /// Where that line begins.
    private var skippedLine: Bookmark?

    /// How many entries each layout had; the last number counts lines without a layout.
    private(set) var entriesByLayout: [Int64]

    init(catalog: LayoutCatalog, options: ReadingOptions, position: SourcePosition) {
        layouts = catalog.layouts
        entryBytes = max(options.entryBytes, 16)
        matcher = LineMatcher(catalog: catalog)
        context = TimeContext(options: options, clock: position.clock)
        counts = position.counts
        offset = position.byteOffset
        firstTime = position.firstTime
        lastTime = position.lastTime
        entriesByLayout = Array(repeating: 0, count: catalog.layouts.count + 1)
    }

    /// The position before the open entry: everything up to there is final.
    var stablePosition: SourcePosition {
        var position = endPosition
        if let bookmark = open ?? (skipsLine ? skippedLine : nil) {
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
        position.firstTime = firstTime
        position.lastTime = lastTime
        if open != nil, let time = entries.last?.time {
            position.firstTime = min(firstTime ?? time, time)
            position.lastTime = max(lastTime ?? time, time)
        }
        return position
    }

    /// Scans the lines of `bytes` that begin at `start` or later, as far as they are complete, and the beginning of a
    /// line that is longer than an entry may be. Returns where the first line that is not complete begins.
    mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = bytes.baseAddress else { return start }
        let count = bytes.count
        var at = start
        while at < count {
            guard let found = memchr(base + at, 0x0A, count &- at) else { break }
            let end = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if skipsLine {
                skipsLine = false
            } else {
                line(base, at, end)
            }
            offset &+= Int64(end &+ 1 &- at)
            at = end &+ 1
        }
        if skipsLine {
            offset += Int64(count - at)
            return count
        }
        if count - at > entryBytes {
            skippedLine = Bookmark(offset: offset, counts: counts, clock: context.clock)
            line(base, at, count)
            skipsLine = true
            offset += Int64(count - at)
            return count
        }
        return at
    }

    /// Takes the rest of the bytes for a line, because nothing follows. Returns whether there was one.
    mutating func scanUnterminated(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
        guard let base = bytes.baseAddress, start < bytes.count else { return false }
        line(base, start, bytes.count)
        offset += Int64(bytes.count - start)
        return true
    }

    /// The bytes of the open entry, as far as they are kept, when the chunk has been scanned up to `end`. The entry
    /// is taken out of ``entries``; its ranges then count from the first of the returned bytes.
    mutating func takeOpenEntry(scannedTo end: Int) -> (range: Range<Int>, entry: Entry)? {
        guard open != nil, var entry = entries.popLast() else { return nil }
        let range = openStart..<min(end, openStart + entryBytes)
        entry.move(by: -openStart)
        openStart = 0
        return (range, entry)
    }

    /// Puts the open entry back, at the beginning of the next chunk.
    mutating func putBackOpenEntry(_ entry: Entry) { entries.append(entry) }

    // MARK: Lines

    /// Classifies one line.
    @inline(__always)
    private mutating func line(_ base: UnsafePointer<UInt8>, _ start: Int, _ lineEnd: Int) {
        var end = min(lineEnd, start &+ entryBytes)
        if end > start, base[end &- 1] == 0x0D, end == lineEnd { end &-= 1 }
        counts.lines &+= 1
        var match = LineMatch()
        guard end > start else {
            blank()
            return
        }
        switch matcher.match(base + start, end &- start, into: &match) {
        case .entry(let layout):
            begin(start, match, layout)
        case .impossibleTime(let layout):
            reject(base, start, end, "no clock or calendar has this time (read as \(layouts[layout].name))")
        case .none:
            otherLine(base, start, end)
        }
    }

    @inline(__always)
    private mutating func begin(_ start: Int, _ match: LineMatch, _ layout: Int) {
        close()
        open = Bookmark(offset: offset, counts: counts, clock: context.clock)
        open?.counts.lines &-= 1
        openStart = start
        openLayout = layout
        afterBlank = false
        counts.entry &+= 1
        entriesByLayout[layout] &+= 1
        var entry = Entry(line: counts.lines)
        if match.hasTime { entry.time = context.resolve(match.time) }
        if match.hasPid { entry.pid = match.pid }
        entry.process = Self.range(match.process, start)
        entry.device = Self.range(match.device, start)
        entry.subsystem = Self.range(match.subsystem, start)
        entry.message = Self.range(match.message, start)
        entries.append(entry)
    }

    /// The open entry is complete.
    @inline(__always)
    private mutating func close() {
        guard open != nil else { return }
        open = nil
        guard let time = entries.last?.time else { return }
        if time < firstTime ?? Int64.max { firstTime = time }
        if time > lastTime ?? Int64.min { lastTime = time }
    }

    private mutating func blank() {
        counts.other += 1
        afterBlank = true
    }

    /// A line that no layout matches.
    private mutating func otherLine(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) {
        guard let first = Self.firstVisible(base, start, end) else {
            blank()
            return
        }
        if memchr(base + start, 0, end - start) != nil {
            reject(base, start, end, "holds NUL bytes and has no layout: damaged")
            return
        }
        if continuesOpenEntry(base, start, first) {
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
        var match = LineMatch()
        match.message = LineMatch.Field(start: 0, end: Int32(truncatingIfNeeded: end - start))
        begin(start, match, layouts.count)
    }

    private func continuesOpenEntry(_ base: UnsafePointer<UInt8>, _ start: Int, _ first: Int) -> Bool {
        guard open != nil, openLayout < layouts.count else { return false }
        switch layouts[openLayout].continuation {
        case .none: return false
        case .any: return true
        case .indented:
            switch base[first] {
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return true
            default: return first > start && !afterBlank
            }
        }
    }

    private mutating func reject(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ reason: String) {
        close()
        openLayout = -1
        afterBlank = false
        counts.rejected += 1
        let bytes = UnsafeBufferPointer(start: base + start, count: min(end - start, 200))
        rejects.append(
            Reject(line: counts.lines, byteOffset: offset, reason: reason, text: String(decoding: bytes, as: UTF8.self))
        )
    }

    private static func firstVisible(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var at = start
        while at < end {
            switch base[at] {
            case 0x20, 0x09, 0x0D, 0x0B, 0x0C: at += 1
            // A blank that does not break (U+00A0), as web pages paste it.
            case 0xC2 where at + 1 < end && base[at + 1] == 0xA0: at += 2
            default: return at
            }
        }
        return nil
    }

    @inline(__always)
    private static func range(_ field: LineMatch.Field, _ start: Int) -> ByteRange {
        field.isEmpty ? .none : ByteRange(offset: start &+ Int(field.start), length: Int(field.end &- field.start))
    }
}
