import TraceRecords

/// Turns classified lines into entries and rejects, and accounts for every line.
///
/// An entry stays open until the line that begins the next one, because lines may still continue it.
struct EntryBuilder {
    /// A place to come back to: the state before a line.
    struct Bookmark {
        var offset: Int64 = 0
        var counts = LineCounts()
        var clock = ClockMemory()
    }

    let layouts: [Layout]
    /// Bytes of an entry that are kept.
    let entryBytes: Int
    /// Zones that layouts state for their times; ``RawTime/noZone`` where they state none.
    private let zones: [Int32]
    private let labels: [[UInt8]]

    /// Everything up to here has been dealt with, the open entry included.
    var counts: LineCounts
    var offset: Int64
    var context: TimeContext
    private(set) var firstTime: Int64?
    private(set) var lastTime: Int64?
    /// The process named by an attribute of the object around the JSON records that follow.
    var resource: [UInt8]

    /// The entries of this chunk, the open one last.
    var entries: [Entry] = []
    var rejects: [Reject] = []
    /// Texts that are not in the source as they are (escapes undone, labels). Their ranges continue after the chunk.
    private(set) var extra: [UInt8] = []
    private var extraStart = 0
    private var labelPlaces: [Int]

    private(set) var isOpen = false
    /// Layout of the open entry; the number after the last one for a line without a layout.
    private(set) var openLayout = -1
    /// First byte of the open entry in the chunk.
    private(set) var openStart = 0
    private var opened = Bookmark()
    private var openHasLabel = false
    /// Whether a blank line came since the last line that was not blank.
    private(set) var isAfterBlank = false
    /// Where a line began whose first part has been dealt with and whose end has not been read.
    var longLine: Bookmark?

    /// Lines of which a part was not kept.
    private(set) var cutLines: Int64 = 0
    /// Whether bytes that are not text were left out.
    var leftOutDamage = false
    /// How many entries each layout had; the last number counts lines without a layout.
    private(set) var entriesByLayout: [Int64]
    /// How each entry was matched, by line; recorded on request.
    var matches: [Int64: Matching]?

    /// How an entry was matched.
    struct Matching {
        var layout: Int
        /// Its fields, counted from the beginning of its line; `nil` for an object.
        var fields: LineMatch?
    }

    init(layouts: [Layout], options: ReadingOptions, position: SourcePosition) {
        self.layouts = layouts
        entryBytes = max(options.entryBytes, 16)
        zones = layouts.map { $0.zone.map { Int32($0.seconds) } ?? RawTime.noZone }
        labels = layouts.map { Array(($0.label ?? "").utf8) }
        labelPlaces = Array(repeating: -1, count: layouts.count)
        counts = position.counts
        offset = position.byteOffset
        context = TimeContext(options: options, clock: position.clock)
        firstTime = position.firstTime
        lastTime = position.lastTime
        resource = Array((position.resource ?? "").utf8)
        opened.clock = position.clock
        entriesByLayout = Array(repeating: 0, count: layouts.count + 1)
    }

    /// Whether the open entry is a line without a layout.
    var hasOpenBareLine: Bool { isOpen && openLayout == layouts.count }

    // MARK: Positions

    var bookmark: Bookmark { Bookmark(offset: offset, counts: counts, clock: context.clock) }

    /// The position before the open entry: everything up to there is final.
    var stablePosition: SourcePosition {
        var position = endPosition
        if let bookmark = isOpen ? opened : longLine {
            position.byteOffset = bookmark.offset
            position.counts = bookmark.counts
            position.clock = bookmark.clock
        }
        position.firstTime = firstTime
        position.lastTime = lastTime
        return position
    }

    /// The position after everything read.
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

    // MARK: Chunks

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

    /// Takes the open entry out of a chunk that was scanned up to `end`: the bytes of it to keep, and the entry with
    /// ranges that count from the first of them.
    mutating func takeOpenEntry(scannedTo end: Int) -> (range: Range<Int>, entry: Entry)? {
        guard isOpen, var entry = entries.popLast() else { return nil }
        let range = openStart..<min(end, openStart + entryBytes)
        entry.move(by: -openStart)
        openStart = 0
        return (range, entry)
    }

    // MARK: Entries

    /// Counts a line, of which a part beyond the longest entry may be missing.
    @inline(__always)
    mutating func countLine(isCut: Bool = false) {
        counts.lines &+= 1
        if isCut { cutLines += 1 }
    }

    /// Begins an entry with the line at `start`, which has been counted.
    @inline(__always)
    mutating func begin(at start: Int, _ match: LineMatch, _ layout: Int) {
        close()
        isOpen = true
        opened.offset = offset
        opened.counts = counts
        opened.counts.lines &-= 1
        opened.clock = context.clock
        openStart = start
        openLayout = layout
        isAfterBlank = false
        counts.entry &+= 1
        entriesByLayout[layout] &+= 1
        if matches != nil { matches?[counts.lines] = Matching(layout: layout, fields: match) }
        var entry = match.entry(line: counts.lines, shift: start)
        if match.hasTime { entry.time = time(match.time, layout) }
        openHasLabel = match.subsystem.isEmpty
        if openHasLabel { entry.subsystem = label(of: layout) }
        entries.append(entry)
    }

    /// Takes over the entries of lines that repeat a header, which are the last of ``entries``; the last is open.
    mutating func take(_ lines: RepeatLane.Taken, before end: Int, layout: Int) {
        // The entry that was open before is the one in front of the new ones.
        if isOpen { note(entries[entries.count - lines.count - 1].time) }
        note(lines.earliest)
        note(lines.latest)
        context.noteDated(lines.lastLocal, zone: lines.lastZone == RawTime.noZone ? zones[layout] : lines.lastZone)
        if lines.usesAssumedZone { noteZone(of: layout) }
        isOpen = true
        openStart = lines.lastStart
        openLayout = layout
        openHasLabel = false
        isAfterBlank = false
        entriesByLayout[layout] &+= Int64(lines.count)
        counts.lines += Int64(lines.count)
        counts.entry += Int64(lines.count)
        offset += Int64(end - lines.start)
        opened.offset = offset - Int64(end - lines.lastStart)
        opened.counts = counts
        opened.counts.lines -= 1
        opened.counts.entry -= 1
        opened.clock = context.clock
    }

    /// Adds an entry that no line can continue.
    mutating func appendWhole(_ entry: Entry, _ layout: Int) {
        closeForGood()
        entriesByLayout[layout] += 1
        matches?[entry.line] = Matching(layout: layout)
        entries.append(entry)
        note(entry.time)
    }

    /// Adds an entry of a part of a line.
    mutating func appendWhole(_ match: LineMatch, _ layout: Int, at start: Int, line: Int64) {
        var entry = match.entry(line: line, shift: start)
        if match.hasTime { entry.time = time(match.time, layout) }
        if entry.subsystem.isEmpty { entry.subsystem = label(of: layout) }
        appendWhole(entry, layout)
    }

    /// Adds the line `start..<end`, which has been counted, to the open entry.
    mutating func continueEntry(_ start: Int, _ end: Int) {
        counts.continuation += 1
        isAfterBlank = false
        let last = entries.count - 1
        entries[last].lineCount &+= 1
        let limit = min(end, openStart + entryBytes)
        if limit < end { cutLines += 1 }
        if entries[last].message.isEmpty {
            entries[last].message = ByteRange(offset: min(start, limit), length: max(0, limit - start))
        } else {
            let begin = Int(entries[last].message.offset)
            entries[last].message.length = Int32(truncatingIfNeeded: max(limit - begin, 0))
        }
    }

    /// The open entry, a bare line, turns out to be a copy of the line after it.
    mutating func takeBackOpenEntry() {
        guard isOpen, let open = entries.popLast() else { return }
        isOpen = false
        counts.entry -= 1
        counts.other += 1
        entriesByLayout[openLayout] -= 1
        matches?[open.line] = nil
    }

    /// A line without information.
    mutating func skipLine() {
        counts.other += 1
        isAfterBlank = true
    }

    /// Rejects a line, which has been counted.
    mutating func reject(_ text: UnsafeBufferPointer<UInt8>, at place: Int64, _ reason: String) {
        closeForGood()
        counts.rejected += 1
        let text = String(decoding: text.prefix(200), as: UTF8.self)
        rejects.append(Reject(line: counts.lines, byteOffset: place, reason: reason, text: text))
    }

    /// Rejects what is no line: it counts as one.
    mutating func reject(_ text: String, at place: Int64, _ reason: String) {
        countLine()
        Array(text.utf8).withUnsafeBufferPointer { reject($0, at: place, reason) }
    }

    /// The open entry is complete.
    @inline(__always)
    mutating func close() {
        guard isOpen else { return }
        isOpen = false
        note(entries.last?.time)
    }

    /// The open entry is complete, and no line continues what comes instead of it.
    mutating func closeForGood() {
        close()
        openLayout = -1
        isAfterBlank = false
    }

    // MARK: Times and texts

    /// The time of an entry, in the zone that its layout states where the line states none.
    @inline(__always)
    mutating func time(_ raw: RawTime, _ layout: Int) -> Int64? {
        guard raw.zone == RawTime.noZone, zones[layout] != RawTime.noZone else { return context.resolve(raw) }
        var raw = raw
        raw.zone = zones[layout]
        noteZone(of: layout)
        return context.resolve(raw)
    }

    /// Seconds that times of the layout without a zone are ahead of UTC; `nil`: the zone assumed for the log.
    func zone(of layout: Int) -> Int64? { zones[layout] == RawTime.noZone ? nil : Int64(zones[layout]) }

    private mutating func noteZone(of layout: Int) {
        if let zone = layouts[layout].zone { context.zoneOfLayout = zone.name } else { context.assumedZone = true }
    }

    /// Keeps the earliest and the latest time.
    @inline(__always)
    private mutating func note(_ time: Int64?) {
        guard let time else { return }
        if time < firstTime ?? Int64.max { firstTime = time }
        if time > lastTime ?? Int64.min { lastTime = time }
    }

    /// The label of a layout's entries, as bytes after the chunk.
    @inline(__always)
    mutating func label(of layout: Int) -> ByteRange {
        guard layout < labels.count, !labels[layout].isEmpty else { return .none }
        if labelPlaces[layout] < 0 { labelPlaces[layout] = Int(place(labels[layout]).offset) }
        return ByteRange(offset: labelPlaces[layout], length: labels[layout].count)
    }

    /// Puts a text after the chunk.
    mutating func place(_ text: [UInt8]) -> ByteRange {
        let range = ByteRange(offset: extraStart + extra.count, length: text.count)
        extra += text
        return range
    }
}

extension Entry {
    /// Moves all texts, when the bytes that hold them have moved.
    fileprivate mutating func move(by shift: Int) {
        func move(_ range: inout ByteRange) {
            if !range.isEmpty { range.offset &+= Int32(truncatingIfNeeded: shift) }
        }
        move(&process)
        move(&device)
        move(&subsystem)
        move(&message)
        move(&record)
    }
}
