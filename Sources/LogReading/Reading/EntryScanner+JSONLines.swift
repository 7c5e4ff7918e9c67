import TraceRecords

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A line of JSON, as far as it has been walked.
struct JSONLine {
    /// Objects that are open here.
    var depth = 0
    /// Whether some of it was a record, or an object that is known to say nothing.
    var hasRecord = false
    var hasIgnored = false
    /// Inside a text that is longer than an entry may be.
    var isInText = false
    /// Depth of the record that is longer than an entry may be and was read from its beginning: nothing inside it is
    /// looked at.
    var quietDepth: Int?
    /// Where the bytes begin that the present walk goes over.
    var origin = 0
    /// The first record that cannot be read: where it begins, and its first bytes.
    var damage: (offset: Int64, text: String)?
    /// The process that an attribute of what is open here names.
    var process: [UInt8] = []

    var isKnown: Bool { hasRecord || hasIgnored }
}

/// Lines that hold whole JSON records: one, or thousands in an array, or some inside an object that wraps them. Such a
/// line may be as long as a disk; it is walked piece by piece, and no piece is kept longer than an entry may be.
extension EntryScanner {
    /// How deep inside other objects records are looked for; bounds the work on objects that hold none.
    private static let deepest = 8

    /// Takes the records of the line at `start`, or of its beginning when it goes on behind the chunk. A line is one
    /// of records when one begins within the length of an entry.
    mutating func recordsOfLine(_ base: UnsafePointer<UInt8>, _ start: Int, _ count: Int, isEnd: Bool) -> Record {
        var line = JSONLine()
        line.process = resource
        let bookmark = bookmark()
        let (end, isOver) = walk(base, start, count, isEnd: isEnd, &line)
        // What the line is must not depend on how many of its bytes are there.
        if !line.isKnown { return isOver || end - start >= entryBytes ? .none : .incomplete }
        if !isOver {
            beginLongLine(line, at: bookmark)
            offset += Int64(end - start)
            return .consumed(end)
        }
        endJSONLine(line)
        let behind = end < count ? end + 1 : count
        offset += Int64(behind - start)
        return .consumed(behind)
    }

    /// Goes on in the line of records that the last bytes left open; `at` moves as far as it came. False when the
    /// line needs more bytes.
    mutating func goOn(
        _ base: UnsafePointer<UInt8>, _ at: inout Int, _ count: Int, isEnd: Bool, _ open: JSONLine
    ) -> Bool {
        var line = open
        let (end, isOver) = walk(base, at, count, isEnd: isEnd, &line)
        offset += Int64(end - at)
        at = end
        guard isOver else {
            jsonLine = line
            return false
        }
        jsonLine = nil
        endJSONLine(line)
        if at < count {
            offset += 1
            at += 1
        }
        return true
    }

    mutating func endJSONLine(_ line: JSONLine) {
        counts.lines += 1
        if let damage = line.damage {
            close()
            counts.rejected += 1
            rejects.append(
                Reject(
                    line: counts.lines, byteOffset: damage.offset,
                    reason: "a JSON record in the line is cut off or damaged; the others are read", text: damage.text))
        } else if line.hasRecord {
            counts.entry += 1
        } else {
            counts.other += 1
        }
    }

    /// Walks on until the line ends or more bytes are needed. Returns how far it came, and whether the line is over.
    private mutating func walk(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ count: Int, isEnd: Bool, _ line: inout JSONLine
    ) -> (Int, isOver: Bool) {
        var at = start
        line.origin = start
        while at < count, line.isKnown || at - start < entryBytes {
            let step: Int? =
                if line.isInText {
                    Self.textEnd(base, at, count, isEnd: isEnd, &line)
                } else {
                    switch base[at] {
                    case 0x0A: at
                    case UInt8(ascii: "{"): object(base, at, count, isEnd: isEnd, &line)
                    case UInt8(ascii: "}"): Self.closeObject(at, &line)
                    case UInt8(ascii: "\""): text(base, at, count, isEnd: isEnd, &line)
                    default: at + 1
                    }
                }
            guard let step else { return (at, false) }
            if step < count, base[step] == 0x0A { return (step, true) }
            at = step
        }
        return (at, isEnd && at == count)
    }

    private static func closeObject(_ at: Int, _ line: inout JSONLine) -> Int {
        line.depth = max(0, line.depth - 1)
        if line.quietDepth == line.depth { line.quietDepth = nil }
        return at + 1
    }

    /// Takes an object as a record, or steps into it. `nil`: more bytes are needed.
    private mutating func object(
        _ base: UnsafePointer<UInt8>, _ at: Int, _ count: Int, isEnd: Bool, _ line: inout JSONLine
    ) -> Int? {
        if line.quietDepth == nil, line.depth < Self.deepest {
            let walker = JSONWalker(base: base)
            let limit = min(count, at + entryBytes)
            let mayGrow = limit == count && !isEnd
            var stop = Self.lineEnd(base, at, limit) ?? limit
            switch walker.end(from: at, limit: limit) {
            case .complete(let end) where !Self.holdsLineEnd(base, at, end):
                // A record that lost its end seems to hold those that follow it.
                var next = nextRecord(base, at + 1, end)
                if next != nil, walker.isSound(at, end) { next = nil }
                switch take(base, at, next ?? end, count, isEnd: isEnd, lines: 1, process: line.process) {
                case .taken:
                    line.hasRecord = true
                    guard let next else { return end }
                    _ = noteDamage(base, at, end, &line)
                    return next
                case .needsMore: return nil
                case .refused: break
                }
                if json.ignores(base, at, end) {
                    line.hasIgnored = true
                    return end
                }
                stop = walker.isSound(at, end) ? at : end
            case .incomplete where mayGrow: return nil
            case .incomplete where limit - at < entryBytes && nextRecord(base, at + 1, limit) != nil: break
            case .incomplete where !Self.holdsLineEnd(base, at, limit):
                if case .taken = take(base, at, limit, count, isEnd: true, lines: 1) {
                    line.hasRecord = true
                    line.quietDepth = line.depth
                    stop = at
                } else if stop == at + entryBytes {
                    // Longer than a record may be: what it wraps may be sound.
                    stop = at
                }
            default: break
            }
            if noteDamage(base, at, stop, &line) {
                // Where a quotation mark is missing, what follows would be read inside out.
                if let next = nextRecord(base, at + 1, limit) { return next }
                if let lineEnd = Self.lineEnd(base, at, limit) { return lineEnd }
            }
        }
        line.depth += 1
        return at + 1
    }

    /// Whether an object that no layout can read is a record itself and not what wraps records; the first one is noted.
    private func noteDamage(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ line: inout JSONLine
    ) -> Bool {
        let place = offset + Int64(start - line.origin)
        guard end > start else { return false }
        var depth = 0
        for at in start + 1..<end {
            switch base[at] {
            // In an object no other one stands behind a comma: this one lost its end.
            case UInt8(ascii: "{") where depth > 0 || !Self.isBehindComma(base, at, start): depth += 1
            case UInt8(ascii: "{"):
                note(base, start, end, at: place, &line)
                return true
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\"") where depth <= 0 && json.isRecordKey(base, at, end):
                note(base, start, end, at: place, &line)
                return true
            default: break
            }
        }
        return false
    }

    private func note(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, at place: Int64, _ line: inout JSONLine
    ) {
        guard line.damage == nil else { return }
        let bytes = UnsafeBufferPointer(start: base + start, count: min(end - start, 200))
        line.damage = (place, String(decoding: bytes, as: UTF8.self))
    }

    /// Where the next record of an array begins: its brace behind a comma, before a key that tells a record. What a
    /// record holds besides, such as the frames of a stack, has objects behind commas, too.
    private func nextRecord(_ base: UnsafePointer<UInt8>, _ start: Int, _ limit: Int) -> Int? {
        let limit = Self.lineEnd(base, start, limit) ?? limit
        var candidate = Self.nextObject(base, start, limit)
        while let begin = candidate {
            candidate = Self.nextObject(base, begin + 1, limit)
            for at in begin..<(candidate ?? limit)
            where base[at] == UInt8(ascii: "\"") && json.isRecordKey(base, at, limit) { return begin }
        }
        return nil
    }

    /// The next brace that opens an object behind a comma.
    private static func nextObject(_ base: UnsafePointer<UInt8>, _ start: Int, _ limit: Int) -> Int? {
        var at = start
        while at < limit, let found = memchr(base + at, Int32(UInt8(ascii: "{")), limit - at) {
            at = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            let key = skipBlanks(base, at + 1, limit)
            if key < limit, base[key] == UInt8(ascii: "\""), isBehindComma(base, at, start - 1) { return at }
            at += 1
        }
        return nil
    }

    private static func isBehindComma(_ base: UnsafePointer<UInt8>, _ at: Int, _ start: Int) -> Bool {
        var before = at - 1
        while before > start, base[before] == 0x20 || base[before] == 0x09 { before -= 1 }
        return before >= start && base[before] == UInt8(ascii: ",")
    }

    /// Steps over a text. A key whose layout reads its line is taken with its value, as if it stood alone on a line.
    private mutating func text(
        _ base: UnsafePointer<UInt8>, _ at: Int, _ count: Int, isEnd: Bool, _ line: inout JSONLine
    ) -> Int? {
        let walker = JSONWalker(base: base)
        let limit = min(count, at + entryBytes)
        let mayGrow = limit == count && !isEnd
        guard let end = walker.stringEnd(at, limit) else {
            if let lineEnd = Self.lineEnd(base, at, limit) { return lineEnd }
            if mayGrow { return nil }
            line.isInText = true
            return at + 1
        }
        if json.isProcessAttribute(base, at, end) {
            if let name = walker.attributeText(behind: end, limit) {
                line.process = Array(UnsafeBufferPointer(start: base + name.lowerBound, count: name.count))
            } else if mayGrow, Self.lineEnd(base, end, limit) == nil {
                return nil
            }
        }
        guard readsMembers, line.quietDepth == nil, (1...Self.deepest).contains(line.depth) else { return end }
        let colon = Self.skipBlanks(base, end, limit)
        if colon == limit, mayGrow { return nil }
        guard colon < limit, base[colon] == UInt8(ascii: ":") else { return end }
        let value = Self.skipBlanks(base, colon + 1, limit)
        guard let valueEnd = walker.valueEnd(value, limit), valueEnd < limit || !mayGrow else {
            return mayGrow ? nil : colon + 1
        }
        if !Self.holdsLineEnd(base, at, valueEnd), takeMember(base, at, valueEnd) {
            line.hasRecord = true
            return valueEnd
        }
        return colon + 1
    }

    /// Makes an entry of a key and its value, if a layout reads them.
    private mutating func takeMember(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        var match = LineMatch()
        guard case .entry(let layout) = matcher.match(base + start, end - start, into: &match),
            layouts[layout].keepsWholeLine
        else { return false }
        var entry = match.entry(line: counts.lines + 1, shift: start)
        if match.hasTime { entry.time = time(match.time, layout) }
        if entry.subsystem.isEmpty { entry.subsystem = label(of: layout) }
        appendWhole(entry, layout)
        return true
    }

    /// Goes on inside a long text, up to what follows its closing quotation mark.
    private static func textEnd(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ count: Int, isEnd: Bool, _ line: inout JSONLine
    ) -> Int? {
        var at = start
        while at < count {
            switch base[at] {
            case 0x0A: return at
            case UInt8(ascii: "\\") where at + 1 == count && !isEnd: return at == start ? nil : at
            case UInt8(ascii: "\\"): at += at + 1 < count && base[at + 1] == 0x0A ? 1 : 2
            case UInt8(ascii: "\""):
                line.isInText = false
                return at + 1
            default: at += 1
            }
        }
        return min(at, count)
    }

    private static func skipBlanks(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var at = start
        while at < end, base[at] == 0x20 || base[at] == 0x09 { at += 1 }
        return at
    }

    private static func holdsLineEnd(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        lineEnd(base, start, end) != nil
    }
}
