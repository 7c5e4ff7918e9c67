import TraceRecords

/// The bytes that are scanned, and whether nothing can follow them.
struct Chunk {
    let base: UnsafePointer<UInt8>
    let count: Int
    let isEnd: Bool

    /// Where the line ends that the bytes from `start` on belong to; `nil` when its end lies at `limit` or later.
    func lineEnd(_ start: Int, _ limit: Int) -> Int? { Bytes.find(0x0A, base, start, limit) }

    func text(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + start, count: end - start)
    }
}

/// Frames records that are JSON objects, and makes entries of them.
///
/// A record is a sound object that a layout reads: one on a line, several on a line (in an array, or inside objects that
/// wrap them), or one over several lines. A broken object that has the key of a record is rejected whole: with the rest of
/// its line, or with its lines. Objects that no layout reads are text.
struct JSONFramer {
    enum Outcome {
        /// What begins here is not a record.
        case text
        /// More bytes must come first.
        case incomplete
        /// The line has been accounted for.
        case line
        /// Everything up to there has been accounted for.
        case lines(upTo: Int)
    }

    /// How deep inside other objects records are looked for; bounds the work on objects that hold none.
    private static let deepest = 8
    /// Bytes of a line of objects that are looked at.
    private static let longestLine = 8 << 20
    private static let reason = "a JSON record that is cut off or damaged, or longer than a record may be"

    private var json: JSONLayouts
    private let layouts: [Layout]
    private let recordBytes: Int
    /// Whether a layout reads single members of objects.
    private let readsMembers: Bool

    init(_ json: JSONLayouts, layouts: [Layout], recordBytes: Int) {
        self.json = json
        self.layouts = layouts
        self.recordBytes = recordBytes
        readsMembers = layouts.contains { $0.keepsWholeLine }
    }

    /// Whether a line whose end has not been read is waited for: lines of objects are read as a whole.
    func waits(for chunk: Chunk, _ start: Int) -> Bool {
        guard chunk.count - start <= Self.longestLine,
            let first = InvisibleBytes.firstVisible(chunk.base, start, start + recordBytes)
        else { return false }
        return chunk.base[first] == UInt8(ascii: "{") || chunk.base[first] == UInt8(ascii: "[")
    }

    /// Deals with what begins on the line `start..<stop`, whose first visible byte is at `first`.
    mutating func frame(
        _ chunk: Chunk, _ start: Int, _ first: Int, _ stop: Int, _ builder: inout EntryBuilder,
        _ matcher: inout LineMatcher
    ) -> Outcome {
        let walker = JSONWalker(base: chunk.base)
        let stop = min(stop, start + Self.longestLine)
        let brace = walker.skipPunctuation(first, stop)
        guard brace < stop, chunk.base[brace] == UInt8(ascii: "{") else { return .text }
        if case .complete(let end) = walker.object(at: brace, stop) {
            let outcome = lineOfObjects(chunk, start, stop, &builder, &matcher)
            if case .text = outcome { noteResource(chunk, brace, end, &builder) }
            return outcome
        }
        // What follows the brace may be on the next line.
        let limit = min(chunk.count, start + recordBytes)
        let mayGrow = limit == chunk.count && !chunk.isEnd
        let key = walker.skipBlanks(brace + 1, limit)
        guard key < limit else { return mayGrow ? .incomplete : .text }
        guard chunk.base[key] == UInt8(ascii: "\"") || chunk.base[key] == UInt8(ascii: "}") else { return .text }
        if stop < limit {
            switch walker.object(at: brace, limit) {
            case .complete(let end):
                let lineEnd = chunk.lineEnd(end, chunk.count)
                if lineEnd == nil, mayGrow { return .incomplete }
                return objectOverLines(chunk, start, brace, end, min(lineEnd ?? limit, limit), &builder, &matcher)
            case .incomplete where mayGrow: return .incomplete
            case .incomplete, .malformed: break
            }
        }
        if ContinuationRule.continues(builder, chunk.base, start, stop, first) { return .text }
        return key < stop
            ? lineOfObjects(chunk, start, stop, &builder, &matcher)
            : brokenLines(chunk, start, brace, depth: first - start, &builder)
    }

    // MARK: Objects over several lines

    /// Takes the object `brace..<end`, whose last line ends at `stop`.
    private mutating func objectOverLines(
        _ chunk: Chunk, _ start: Int, _ brace: Int, _ end: Int, _ stop: Int, _ builder: inout EntryBuilder,
        _ matcher: inout LineMatcher
    ) -> Outcome {
        let walker = JSONWalker(base: chunk.base)
        // The last line may begin the next record: it is counted as that one's first line, then.
        let rest = walker.skipPunctuation(end, stop)
        let beginsAnother = rest < stop && chunk.base[rest] == UInt8(ascii: "{")
        let next = beginsAnother ? walker.lineStart(end, from: start) : min(stop + 1, chunk.count)
        let lines = walker.lines(start, next)
        switch take(chunk, brace, end, lines: lines, process: builder.resource, &builder, &matcher) {
        case .needsMore: return .incomplete
        case .taken:
            builder.counts.entry += 1
            builder.counts.continuation += lines - 1
        case .refused where json.ignores(chunk.base, brace, end):
            builder.skipLine()
            builder.counts.other += lines - 1
        case .refused:
            noteResource(chunk, brace, end, &builder)
            return .text
        }
        builder.counts.lines += lines
        builder.offset += Int64(next - start)
        return .lines(upTo: next)
    }

    /// Rejects the lines of an object that is broken: those that are indented deeper than it, and the one that closes it.
    private func brokenLines(
        _ chunk: Chunk, _ start: Int, _ brace: Int, depth: Int, _ builder: inout EntryBuilder
    ) -> Outcome {
        let walker = JSONWalker(base: chunk.base)
        guard let end = walker.endOfLines(chunk, start, depth: depth, longest: recordBytes) else { return .incomplete }
        guard json.isRecord(chunk.base, brace, end, isOverLines: true) else { return .text }
        let stop = chunk.lineEnd(start, end) ?? end
        let lines = walker.lines(start, end)
        builder.countLine()
        builder.reject(chunk.text(start, stop), at: builder.offset, Self.reason)
        // The first line is the one that is rejected; the others belong to it.
        builder.counts.other += lines - 1
        builder.counts.lines += lines - 1
        builder.offset += Int64(end - start)
        return .lines(upTo: end)
    }

    /// Keeps the process that an object names, if it is such an attribute, for the records that follow.
    private func noteResource(_ chunk: Chunk, _ brace: Int, _ end: Int, _ builder: inout EntryBuilder) {
        guard let name = json.processOfAttribute(chunk.base, brace, end) else { return }
        // What is open began under another resource: a reading that goes on must not go back before this.
        builder.closeForGood()
        builder.resource = Array(chunk.text(name.lowerBound, name.upperBound))
    }

    // MARK: Lines of objects

    /// Takes the records of the line `start..<stop`, up to one that is broken.
    private mutating func lineOfObjects(
        _ chunk: Chunk, _ start: Int, _ stop: Int, _ builder: inout EntryBuilder, _ matcher: inout LineMatcher
    ) -> Outcome {
        let walker = JSONWalker(base: chunk.base)
        var process = builder.resource
        var (depth, at) = (0, start)
        var (hasRecord, isKnown) = (false, false)
        var broken: Int?
        walk: while at < stop {
            switch chunk.base[at] {
            case UInt8(ascii: "{") where depth < Self.deepest:
                guard case .complete(let end) = walker.object(at: at, stop) else {
                    if json.holdsRecordKey(chunk.base, at, stop) { broken = at }
                    break walk
                }
                if end - at <= recordBytes {
                    switch take(chunk, at, end, lines: 1, process: process, &builder, &matcher) {
                    case .needsMore: return .incomplete
                    case .taken: (hasRecord, at) = (true, end)
                    case .refused where json.ignores(chunk.base, at, end): (isKnown, at) = (true, end)
                    case .refused: break
                    }
                    if at == end { continue walk }
                } else if json.isRecord(chunk.base, at, end) {
                    broken = at
                    break walk
                }
                depth += 1
                at += 1
            case UInt8(ascii: "}"):
                depth = max(0, depth - 1)
                at += 1
            case UInt8(ascii: "\""):
                guard let end = walker.stringEnd(at, stop) else { break walk }
                if json.isProcessAttribute(chunk.base, at, end), let name = walker.attributeText(after: end, stop) {
                    process = Array(chunk.text(name.lowerBound, name.upperBound))
                }
                let member = readsMembers && depth > 0 ? takeMember(chunk, at..<end, stop, &builder, &matcher) : nil
                hasRecord = hasRecord || member != nil
                at = member ?? end
            default: at += 1
            }
        }
        guard hasRecord || isKnown || broken != nil else { return .text }
        builder.countLine()
        if let broken {
            builder.reject(chunk.text(broken, stop), at: builder.offset + Int64(broken - start), Self.reason)
        } else if hasRecord {
            builder.counts.entry += 1
        } else {
            builder.skipLine()
        }
        return .line
    }

    /// Takes a key with its value, if a layout reads them as a line of their own. Returns where they end.
    private func takeMember(
        _ chunk: Chunk, _ key: Range<Int>, _ stop: Int, _ builder: inout EntryBuilder, _ matcher: inout LineMatcher
    ) -> Int? {
        let walker = JSONWalker(base: chunk.base)
        let colon = walker.skipBlanks(key.upperBound, stop)
        guard colon < stop, chunk.base[colon] == UInt8(ascii: ":"),
            let end = walker.valueEnd(walker.skipBlanks(colon + 1, stop), stop), end - key.lowerBound <= recordBytes
        else { return nil }
        var match = LineMatch()
        guard case .entry(let layout) = matcher.match(chunk.base + key.lowerBound, end - key.lowerBound, into: &match),
            layouts[layout].keepsWholeLine
        else { return nil }
        builder.appendWhole(match, layout, at: key.lowerBound, line: builder.counts.lines + 1)
        return end
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
            if let number = record.number { builder.context.take(number, of: record, &entry) }
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
            if !record.told.isEmpty {
                entry.record = builder.place(record.told + chunk.text(brace, end))
            } else if record.message != nil {
                entry.record = ByteRange(offset: brace, length: end - brace)
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

    /// The range of a text: in the chunk as it is, or after it when its escapes had to be undone.
    private static func place(_ value: JSONText.Value?, _ builder: inout EntryBuilder) -> ByteRange {
        switch value {
        case nil: .none
        case .plain(let range)?: ByteRange(offset: range.lowerBound, length: range.count)
        case .unescaped(let bytes)?: builder.place(bytes)
        }
    }
}
