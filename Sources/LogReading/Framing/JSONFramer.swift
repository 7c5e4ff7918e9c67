import TraceRecords

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Frames records that are JSON objects, and makes entries of them.
///
/// A record is an object that is balanced and that a layout reads: one on a line, several on a line (in an array, or inside
/// an object that wraps them), or one over several lines. A record that is broken or longer than an entry may be is rejected
/// as a whole, with the rest of its line. Objects that no layout reads are text.
struct JSONFramer {
    enum Outcome {
        /// What begins here is not a record.
        case text
        /// More bytes must come first.
        case incomplete
        /// Everything up to there has been dealt with.
        case consumed(Int)
    }

    /// The buffer: where the scanned bytes end, and whether nothing can follow them.
    struct Chunk {
        let base: UnsafePointer<UInt8>
        let count: Int
        let isEnd: Bool

        /// Where the line ends that the bytes from `start` on belong to; `nil` when its end lies at `limit` or later.
        func lineEnd(_ start: Int, _ limit: Int) -> Int? {
            guard start < limit else { return nil }
            return memchr(base + start, 0x0A, limit - start).map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
        }
    }

    /// A line of objects, as far as it has been read. It may be as long as a disk.
    private struct ObjectLine {
        /// Objects that are open here.
        var depth = 0
        var hasRecord = false
        /// Whether some of it is an object that is known to say nothing.
        var hasIgnored = false
        /// The first broken record: where it begins, and its first bytes.
        var damage: (offset: Int64, text: [UInt8])?
        /// The object stepped into last that is not written as JSON must be, as long as no record was found inside it.
        var suspect: (depth: Int, offset: Int64, text: [UInt8])?
        /// Nothing more of the line can be read.
        var isGivenUp = false
        /// The process named by an attribute of what is open here.
        var process: [UInt8]

        var isKnown: Bool { hasRecord || hasIgnored }

        /// A record was found.
        mutating func noteRecord() {
            hasRecord = true
            if let suspect, depth > suspect.depth { self.suspect = nil }
        }
    }

    /// How deep inside other objects records are looked for; bounds the work on objects that hold none.
    private static let deepest = 8
    private static let reason = "a JSON record that is cut off or damaged, or longer than a record may be"

    private var json: JSONLayouts
    private let layouts: [Layout]
    private let recordBytes: Int
    /// Whether a layout reads single members of objects.
    private let readsMembers: Bool
    /// The line of objects whose beginning has been read and whose end has not.
    private var openLine: ObjectLine?

    init(_ json: JSONLayouts, layouts: [Layout], recordBytes: Int) {
        self.json = json
        self.layouts = layouts
        self.recordBytes = recordBytes
        readsMembers = layouts.contains { $0.keepsWholeLine }
    }

    var isInsideLine: Bool { openLine != nil }

    /// Deals with what begins on the line at `start`, whose first visible byte is at `first`.
    ///
    /// - Parameter lineEnd: where the line ends; `nil` when it is longer than a record may be and its end has not been read.
    mutating func frame(
        _ chunk: Chunk, _ start: Int, _ first: Int, lineEnd: Int?, _ builder: inout EntryBuilder, _ matcher: inout LineMatcher
    ) -> Outcome {
        switch chunk.base[first] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","): break
        default: return .text
        }
        let walker = JSONWalker(base: chunk.base)
        let stop = lineEnd ?? chunk.count
        let brace = walker.skipPunctuation(first, stop)
        guard brace < stop, chunk.base[brace] == UInt8(ascii: "{") else { return .text }
        // What follows the brace may be on the next line.
        let limit = min(chunk.count, start + recordBytes)
        guard let isObject = walker.looksLikeObject(brace, limit) else {
            return limit == chunk.count && !chunk.isEnd ? .incomplete : .text
        }
        guard isObject else { return .text }
        if case .complete(let end) = walker.end(from: brace, limit: min(stop, limit)) {
            let outcome = lineOfObjects(chunk, start, lineEnd: lineEnd, &builder, &matcher)
            if case .text = outcome { noteResource(chunk, brace, end, &builder) }
            return outcome
        }
        if lineEnd == nil || stop > limit {
            return brokenObject(chunk, start, brace, lineEnd: lineEnd, &builder, &matcher)
        }
        return objectOverLines(chunk, start, brace, lineEnd: stop, &builder, &matcher)
    }

    // MARK: Objects over several lines

    private mutating func objectOverLines(
        _ chunk: Chunk, _ start: Int, _ brace: Int, lineEnd firstEnd: Int, _ builder: inout EntryBuilder,
        _ matcher: inout LineMatcher
    ) -> Outcome {
        let walker = JSONWalker(base: chunk.base)
        let limit = min(chunk.count, start + recordBytes)
        let mayGrow = limit == chunk.count && !chunk.isEnd
        switch walker.end(from: brace, limit: limit, lineStart: start) {
        case .complete(let end):
            let lineEnd = chunk.lineEnd(end, chunk.count)
            if lineEnd == nil, mayGrow { return .incomplete }
            let stop = min(lineEnd ?? chunk.count, limit)
            // The last line may begin the next record: it is counted as that one's first line, then.
            let rest = walker.skipPunctuation(end, stop)
            let beginsAnother = rest < stop && chunk.base[rest] == UInt8(ascii: "{")
            let lastLine = walker.lineStart(end, from: start)
            let next = beginsAnother ? lastLine : (lineEnd.map { $0 + 1 } ?? chunk.count)
            let isSound = walker.breakInside(brace, end) == nil
            // Of text that happens to close a brace nothing is known; lines that are indented belong together.
            if isSound || walker.isIndented(brace, end, lineStart: start) {
                let lines = walker.lines(start, next)
                switch take(chunk, brace, end, lines: lines, process: builder.resource, &builder, &matcher) {
                case .taken:
                    builder.counts.entry += 1
                    builder.counts.continuation += lines - 1
                    return consume(start, next, lines, &builder)
                case .needsMore: return .incomplete
                case .refused where json.ignores(chunk.base, brace, end):
                    builder.skipLine()
                    builder.counts.other += lines - 1
                    return consume(start, next, lines, &builder)
                case .refused: break
                }
            }
            if isSound, rest == stop || beginsAnother {
                noteResource(chunk, brace, end, &builder)
                return .text
            }
        case .incomplete where mayGrow: return .incomplete
        case .incomplete, .malformed: break
        }
        return brokenObject(chunk, start, brace, lineEnd: firstEnd, &builder, &matcher)
    }

    private func consume(
        _ start: Int, _ next: Int, _ lines: Int64, _ builder: inout EntryBuilder
    ) -> Outcome {
        builder.counts.lines += lines
        builder.offset += Int64(next - start)
        return .consumed(next)
    }

    /// An object that ends neither on its line nor on lines that are its own.
    private mutating func brokenObject(
        _ chunk: Chunk, _ start: Int, _ brace: Int, lineEnd: Int?, _ builder: inout EntryBuilder,
        _ matcher: inout LineMatcher
    ) -> Outcome {
        let firstEnd = min(lineEnd ?? chunk.count, start + recordBytes)
        let first = InvisibleBytes.firstVisible(chunk.base, start, firstEnd) ?? brace
        if ContinuationRule.continues(builder, chunk.base, start, firstEnd, first) { return .text }
        if InvisibleBytes.firstVisible(chunk.base, brace + 1, firstEnd) != nil {
            return lineOfObjects(chunk, start, lineEnd: lineEnd, &builder, &matcher)
        }
        guard let end = endOfLines(chunk, start, depth: first - start) else { return .incomplete }
        guard linesHoldMessage(chunk, start, end) else { return .text }
        let lines = JSONWalker(base: chunk.base).lines(start, end)
        builder.countLine()
        builder.reject(
            UnsafeBufferPointer(start: chunk.base + start, count: firstEnd - start), at: builder.offset, Self.reason)
        // The first line is the one that is rejected; the others belong to it.
        builder.counts.other += lines - 1
        return consume(start, end, lines - 1, &builder)
    }

    /// Where the lines end that belong to an object of several: those that are indented deeper than it, and the one that
    /// closes it, unless it opens the next. `nil`: more bytes must come first.
    private func endOfLines(_ chunk: Chunk, _ start: Int, depth: Int) -> Int? {
        let walker = JSONWalker(base: chunk.base)
        var at = start
        while at < chunk.count {
            guard let end = chunk.lineEnd(at, chunk.count) ?? (chunk.isEnd ? chunk.count : nil) else {
                return at - start < recordBytes ? nil : at
            }
            if at > start, let first = InvisibleBytes.firstVisible(chunk.base, at, end), first - at <= depth {
                let rest = walker.skipPunctuation(first, end)
                return rest > first && rest == end ? min(end + 1, chunk.count) : at
            }
            if at - start >= recordBytes { return at }
            at = min(end + 1, chunk.count)
        }
        return chunk.isEnd ? chunk.count : nil
    }

    /// Whether one of the lines `start..<end` begins with the key of a message, indented like the first member.
    private func linesHoldMessage(_ chunk: Chunk, _ start: Int, _ end: Int) -> Bool {
        var depth: Int?
        var at = start
        while let lineEnd = chunk.lineEnd(at, end), lineEnd + 1 < end {
            at = lineEnd + 1
            guard let first = InvisibleBytes.firstVisible(chunk.base, at, chunk.lineEnd(at, end) ?? end) else { continue }
            if depth == nil { depth = first - at }
            if first - at == depth, json.isMessageKey(chunk.base, first, end) { return true }
        }
        return false
    }

    /// Keeps the process that an object names, if it is such an attribute, for the records that follow.
    private func noteResource(_ chunk: Chunk, _ brace: Int, _ end: Int, _ builder: inout EntryBuilder) {
        guard let name = json.processOfAttribute(chunk.base, brace, end) else { return }
        // What is open began under another resource: a reading that goes on must not go back before this.
        builder.closeForGood()
        builder.resource = Array(UnsafeBufferPointer(start: chunk.base + name.lowerBound, count: name.count))
    }

    // MARK: Lines of objects

    /// Takes the records of the line at `start`, or of its beginning when it goes on after the chunk.
    private mutating func lineOfObjects(
        _ chunk: Chunk, _ start: Int, lineEnd: Int?, _ builder: inout EntryBuilder, _ matcher: inout LineMatcher
    ) -> Outcome {
        var line = ObjectLine(process: builder.resource)
        let bookmark = builder.bookmark
        let (at, isOver) = walk(chunk, start, lineEnd: lineEnd, &line, &builder, &matcher)
        // What the line is must not depend on how many of its bytes are there.
        guard line.isKnown || line.damage != nil else {
            return isOver || line.isGivenUp || at - start >= recordBytes ? .text : .incomplete
        }
        builder.offset += Int64(at - start)
        if isOver { return .consumed(end(line, at, chunk, &builder)) }
        openLine = line
        builder.longLine = bookmark
        return .consumed(at)
    }

    /// Goes on in the line whose beginning has been read. Returns how far it came.
    mutating func goOn(
        _ chunk: Chunk, _ start: Int, _ builder: inout EntryBuilder, _ matcher: inout LineMatcher
    ) -> Int {
        guard var line = openLine else { return start }
        let lineEnd = chunk.lineEnd(start, chunk.count) ?? (chunk.isEnd ? chunk.count : nil)
        let (at, isOver) = walk(chunk, start, lineEnd: lineEnd, &line, &builder, &matcher)
        builder.offset += Int64(at - start)
        openLine = line
        guard isOver else { return at }
        openLine = nil
        builder.longLine = nil
        return end(line, at, chunk, &builder)
    }

    /// Accounts for a line that ends at `at`. Returns where the next one begins.
    private func end(_ line: ObjectLine, _ at: Int, _ chunk: Chunk, _ builder: inout EntryBuilder) -> Int {
        builder.countLine()
        let suspect = line.hasRecord ? line.suspect.map { (offset: $0.offset, text: $0.text) } : nil
        if let damage = line.damage ?? suspect {
            damage.text.withUnsafeBufferPointer { text in
                builder.reject(
                    text, at: damage.offset,
                    line.hasRecord
                        ? "a JSON record in the line is cut off or damaged; the records before it are read" : Self.reason)
            }
        } else if line.hasRecord {
            builder.counts.entry += 1
        } else {
            builder.skipLine()
        }
        guard at < chunk.count else { return at }
        builder.offset += 1
        return at + 1
    }

    /// Walks on until the line ends or more bytes are needed. Returns how far it came, and whether the line is over.
    private mutating func walk(
        _ chunk: Chunk, _ start: Int, lineEnd: Int?, _ line: inout ObjectLine, _ builder: inout EntryBuilder,
        _ matcher: inout LineMatcher
    ) -> (Int, isOver: Bool) {
        let part = LinePart(start: start, stop: lineEnd ?? chunk.count, isWhole: lineEnd != nil)
        var at = start
        while at < part.stop, !line.isGivenUp, line.isKnown || at - start < recordBytes {
            let next: Int? =
                switch chunk.base[at] {
                case UInt8(ascii: "{"): object(chunk, at, part, &line, &builder, &matcher)
                case UInt8(ascii: "\""): text(chunk, at, part, &line, &builder, &matcher)
                case UInt8(ascii: "}"):
                    closeObject(at, &line)
                default: at + 1
                }
            guard let next else { return (at, false) }
            at = next
        }
        if line.isGivenUp { at = part.stop }
        return (at, part.isWhole && at == part.stop)
    }

    /// The bytes of a line that are there.
    private struct LinePart {
        let start: Int
        let stop: Int
        let isWhole: Bool
    }

    private func closeObject(_ at: Int, _ line: inout ObjectLine) -> Int {
        line.depth = max(0, line.depth - 1)
        return at + 1
    }

    /// Takes an object as a record, or steps into it. Returns where to go on; `nil`: more bytes must come first.
    private mutating func object(
        _ chunk: Chunk, _ at: Int, _ part: LinePart, _ line: inout ObjectLine, _ builder: inout EntryBuilder,
        _ matcher: inout LineMatcher
    ) -> Int? {
        line.depth += 1
        guard line.depth <= Self.deepest else { return at + 1 }
        let walker = JSONWalker(base: chunk.base)
        let limit = min(part.stop, at + recordBytes)
        let place = builder.offset + Int64(at - part.start)
        func text(_ end: Int) -> [UInt8] {
            Array(UnsafeBufferPointer(start: chunk.base + at, count: min(end - at, 200)))
        }
        switch walker.end(from: at, limit: limit) {
        case .complete(let end):
            let broken = walker.breakInside(at, end)
            // A record that lost its end or a quotation mark seems to hold the one after it.
            let swallows = broken.map { json.repeatsRecordKey(chunk.base, $0, end) } ?? false
            if !swallows {
                switch take(chunk, at, end, lines: 1, process: line.process, &builder, &matcher) {
                case .taken:
                    line.noteRecord()
                    line.depth -= 1
                    return end
                case .needsMore:
                    line.depth -= 1
                    return nil
                case .refused: break
                }
                if json.ignores(chunk.base, at, end) {
                    line.hasIgnored = true
                    line.depth -= 1
                    return end
                }
            }
            guard let broken else { break }
            guard json.holdsRecordKey(chunk.base, at, broken) else {
                line.suspect = (line.depth, place, text(end))
                break
            }
            line.damage = line.damage ?? (place, text(end))
            line.depth -= 1
            // Where only the end is lost, the next one begins where it must.
            if swallows, chunk.base[broken] == UInt8(ascii: "{") { return broken }
            line.isGivenUp = swallows
            return end
        case .incomplete where limit == part.stop && !part.isWhole:
            line.depth -= 1
            return nil
        case .incomplete, .malformed:
            if json.holdsRecordKey(chunk.base, at, limit) {
                line.damage = line.damage ?? (place, text(limit))
                line.isGivenUp = true
            } else if part.isWhole, limit == part.stop {
                line.suspect = (line.depth, place, text(limit))
            }
        }
        return at + 1
    }

    /// Steps over a text. A key whose layout reads its line is taken with its value, as if it stood alone on a line.
    private func text(
        _ chunk: Chunk, _ at: Int, _ part: LinePart, _ line: inout ObjectLine, _ builder: inout EntryBuilder,
        _ matcher: inout LineMatcher
    ) -> Int? {
        let walker = JSONWalker(base: chunk.base)
        let limit = min(part.stop, at + recordBytes)
        let mayGrow = limit == part.stop && !part.isWhole
        guard let end = walker.stringEnd(at, limit) else {
            if mayGrow { return nil }
            line.isGivenUp = true
            if line.hasRecord, line.damage == nil {
                let text = UnsafeBufferPointer(start: chunk.base + at, count: min(limit - at, 200))
                line.damage = (builder.offset + Int64(at - part.start), Array(text))
            }
            return limit
        }
        if json.isProcessAttribute(chunk.base, at, end) {
            if let name = walker.attributeText(behind: end, limit) {
                line.process = Array(UnsafeBufferPointer(start: chunk.base + name.lowerBound, count: name.count))
            } else if mayGrow {
                return nil
            }
        }
        guard readsMembers, (1...Self.deepest).contains(line.depth) else { return end }
        let colon = walker.skipBlanks(end, limit)
        if colon == limit, mayGrow { return nil }
        guard colon < limit, chunk.base[colon] == UInt8(ascii: ":") else { return end }
        guard let valueEnd = walker.valueEnd(walker.skipBlanks(colon + 1, limit), limit), valueEnd < limit || !mayGrow else {
            return mayGrow ? nil : colon + 1
        }
        var match = LineMatch()
        guard case .entry(let layout) = matcher.match(chunk.base + at, valueEnd - at, into: &match),
            layouts[layout].keepsWholeLine
        else { return colon + 1 }
        builder.appendWhole(match, layout, at: at, line: builder.counts.lines + 1)
        line.noteRecord()
        return valueEnd
    }

    // MARK: Records

    /// What became of an object.
    private enum Taking {
        case taken
        /// No layout reads it.
        case refused
        /// What follows it must be there first.
        case needsMore
    }

    /// Makes an entry of the record `brace..<end`, which begins on the next line.
    ///
    /// - Parameter process: what the object around the record names, for layouts that take it from there.
    private mutating func take(
        _ chunk: Chunk, _ brace: Int, _ end: Int, lines: Int64, process: [UInt8], _ builder: inout EntryBuilder,
        _ matcher: inout LineMatcher
    ) -> Taking {
        var found: (layout: Int, record: JSONRecord)?
        var inner: (match: LineMatch, text: [UInt8])?
        json.read(chunk.base, brace, end) { [layouts] layout, record in
            // Such a layout reads the lines of a record one by one, where there are several.
            if lines > 1, layouts[layout].keepsWholeLine { return false }
            if let wrapped = record.wrapped {
                guard let unwrapped = Self.unwrap(wrapped, chunk.base, &matcher) else { return false }
                inner = unwrapped
            }
            found = (layout, record)
            return true
        }
        guard let (layout, record) = found else { return .refused }
        var entry = Entry(line: builder.counts.lines + 1, lineCount: Int32(clamping: lines))
        if let (match, text) = inner {
            if match.hasTime { entry.time = builder.context.resolve(match.time) }
            if match.hasPid { entry.pid = match.pid }
            let shift = Int(builder.place(text).offset)
            entry.process = match.process.range(shift)
            entry.device = match.device.range(shift)
            entry.subsystem = match.subsystem.range(shift)
            entry.message = match.message.range(shift)
        } else {
            guard let pid = pid(of: record, layouts[layout].json?.pidOfNext, end, chunk) else { return .needsMore }
            entry.pid = pid
            entry.time = record.epoch
            if let raw = record.time, entry.time == nil { entry.time = builder.time(raw, layout) }
            if entry.time == nil, layouts[layout].json?.takesTimeBefore == true {
                entry.time = builder.context.timeBefore()
            }
            let isPart = record.process == nil && layouts[layout].json?.processAttribute.isEmpty == false
            entry.process = Self.place(isPart && !process.isEmpty ? .unescaped(process) : record.process, &builder)
            entry.device = Self.place(record.device, &builder)
            entry.subsystem =
                record.subsystem == nil ? builder.label(of: layout) : Self.place(record.subsystem, &builder)
            if record.message != nil {
                entry.message = Self.place(record.message, &builder)
            } else if lines > 1 {
                // Recognition looks at one line at a time, and such a record is one statement.
                entry.message = builder.place(JSONText.onOneLine(chunk.base, brace, end))
            } else {
                entry.message = ByteRange(offset: brace, length: end - brace)
            }
        }
        builder.appendWhole(entry, layout)
        return .taken
    }

    /// The process id of a record, or that of the object after it; `nil` outside when more bytes must come first.
    private func pid(of record: JSONRecord, _ keyOfNext: [UInt8]?, _ end: Int, _ chunk: Chunk) -> Int32?? {
        guard record.pid == nil, let keyOfNext else { return .some(record.pid) }
        let walker = JSONWalker(base: chunk.base)
        let limit = min(chunk.count, end + recordBytes)
        let brace = walker.skipBlanks(end, limit)
        if brace < limit, chunk.base[brace] != UInt8(ascii: "{") { return .some(nil) }
        switch walker.member(keyOfNext, ofObjectAt: brace, limit: limit) {
        case .value(let range):
            return .some(JSONRecordReader.number(chunk.base, range).flatMap { Int32(exactly: $0) })
        case .incomplete where limit == chunk.count && !chunk.isEnd: return nil
        case .incomplete, .absent: return .some(nil)
        }
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

    /// The range of a text: in the chunk as it stands, or after it when its escapes had to be undone.
    private static func place(_ value: JSONText.Value?, _ builder: inout EntryBuilder) -> ByteRange {
        switch value {
        case nil: .none
        case .plain(let range)?: ByteRange(offset: range.lowerBound, length: range.count)
        case .unescaped(let bytes)?: builder.place(bytes)
        }
    }
}
