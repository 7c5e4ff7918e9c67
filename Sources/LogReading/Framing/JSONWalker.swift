/// Walks over JSON text in place. Work is linear and bounded by the bytes given; nothing nests the stack.
struct JSONWalker {
    /// Where an object ends.
    enum End {
        /// Position after the closing brace.
        case complete(Int)
        /// The bytes end before it does.
        case incomplete
        /// It is not a JSON object.
        case malformed
    }

    let base: UnsafePointer<UInt8>

    /// The first byte of the line that holds a place.
    func lineStart(_ position: Int, from start: Int) -> Int {
        var at = position
        while at > start, base[at - 1] != 0x0A { at -= 1 }
        return at
    }

    /// Number of lines in a range, of which the last may lack its end.
    func lines(_ start: Int, _ end: Int) -> Int64 {
        var lines: Int64 = 0
        for at in start..<end where base[at] == 0x0A { lines += 1 }
        return end > start && base[end - 1] != 0x0A ? lines + 1 : lines
    }

    /// Where the lines end that belong to an object of several: those that are indented deeper than it, and the one that
    /// closes it, unless it opens the next. `nil`: more bytes must come first.
    func endOfLines(_ chunk: Chunk, _ start: Int, depth: Int, longest: Int) -> Int? {
        var at = start
        while at < chunk.count, at - start < longest {
            guard let end = chunk.lineEnd(at, chunk.count) ?? (chunk.isEnd ? chunk.count : nil) else { return nil }
            if at > start, let first = InvisibleBytes.firstVisible(base, at, end), first - at <= depth {
                let rest = skipPunctuation(first, end)
                return rest > first && rest == end ? min(end + 1, chunk.count) : at
            }
            at = min(end + 1, chunk.count)
        }
        return chunk.isEnd || at - start >= longest ? at : nil
    }

    /// Finds the end of the object or array at `start`, if it is written as JSON must be; texts and numbers are not looked
    /// into. Logs are not nested deeper than 64 levels.
    func object(at start: Int, _ limit: Int) -> End {
        // One bit for each open bracket, the innermost lowest: whether it is a brace.
        var (open, depth): (UInt64, Int) = (0, 0)
        var at = start
        var expectsValue = true
        while at < limit {
            let byte = base[at]
            switch byte {
            case UInt8(ascii: "{") where expectsValue, UInt8(ascii: "[") where expectsValue:
                guard depth < UInt64.bitWidth else { return .malformed }
                open = open << 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
                depth += 1
                at = skipBlanks(at + 1, limit)
                // Brackets of both kinds close two places after they open in ASCII.
                if at < limit, base[at] == byte + 2 { expectsValue = false }
            case UInt8(ascii: ",") where !expectsValue:
                at = skipBlanks(at + 1, limit)
                expectsValue = true
            case open & 1 == 1 ? 0x7D : 0x5D where !expectsValue:
                (open, depth) = (open >> 1, depth - 1)
                at += 1
                if depth == 0 { return .complete(at) }
                at = skipBlanks(at, limit)
                continue
            default:
                guard expectsValue, let end = valueEnd(at, limit), end > at else { return malformed(at, limit) }
                at = skipBlanks(end, limit)
                expectsValue = false
                continue
            }
            guard expectsValue, open & 1 == 1 else { continue }
            guard at < limit else { break }
            guard base[at] == UInt8(ascii: "\""), let key = stringEnd(at, limit) else { return malformed(at, limit) }
            let colon = skipBlanks(key, limit)
            guard colon < limit else { break }
            guard base[colon] == UInt8(ascii: ":") else { return .malformed }
            at = skipBlanks(colon + 1, limit)
        }
        return .incomplete
    }

    /// What a text that does not end means: it ends on its line, where there is a line end.
    private func malformed(_ start: Int, _ limit: Int) -> End {
        base[start] == UInt8(ascii: "\"") && Bytes.find(0x0A, base, start, limit) == nil ? .incomplete : .malformed
    }

    /// Calls `body` with the range of each key (without quotes) and of its value (as written) of the object
    /// `start..<end`; stops at what is not JSON, which may be the end of the last value.
    func forEachMember(_ start: Int, _ end: Int, _ body: (Range<Int>, Range<Int>) -> Void) {
        var at = skipBlanks(start + 1, end)
        while at < end, base[at] == UInt8(ascii: "\"") {
            guard let keyEnd = stringEnd(at, end) else { return }
            let key = at + 1..<keyEnd - 1
            at = skipBlanks(keyEnd, end)
            guard at < end, base[at] == UInt8(ascii: ":") else { return }
            at = skipBlanks(at + 1, end)
            let valueEnd = valueEnd(at, end)
            body(key, at..<(valueEnd ?? end))
            at = skipBlanks(valueEnd ?? end, end)
            guard at < end, base[at] == UInt8(ascii: ",") else { return }
            at = skipBlanks(at + 1, end)
        }
    }

    /// A member of an object of which the end may not be there.
    enum Member {
        case value(Range<Int>)
        case absent
        /// The bytes end too early to know.
        case incomplete
    }

    /// The value of a key of the object that begins at `start`.
    func member(_ name: [UInt8], ofObjectAt start: Int, limit: Int) -> Member {
        var at = skipBlanks(start + 1, limit)
        while at < limit, base[at] == UInt8(ascii: "\"") {
            guard let keyEnd = stringEnd(at, limit) else { return .incomplete }
            let key = at + 1..<keyEnd - 1
            at = skipBlanks(keyEnd, limit)
            guard at < limit else { return .incomplete }
            guard base[at] == UInt8(ascii: ":") else { return .absent }
            at = skipBlanks(at + 1, limit)
            guard let end = valueEnd(at, limit), end < limit else { return .incomplete }
            if equal(key, name[...]) { return .value(at..<end) }
            at = skipBlanks(end, limit)
            guard at < limit else { return .incomplete }
            guard base[at] == UInt8(ascii: ",") else { return .absent }
            at = skipBlanks(at + 1, limit)
        }
        return at < limit ? .absent : .incomplete
    }

    /// The value of a path of keys (`label.subsystem`) in the object `start..<end`.
    func value(_ path: [UInt8], _ start: Int, _ end: Int) -> Range<Int>? {
        var object = start..<end
        var rest = path[...]
        while true {
            let dot = rest.firstIndex(of: UInt8(ascii: "."))
            let name = dot.map { rest[..<$0] } ?? rest
            var found: Range<Int>?
            forEachMember(object.lowerBound, object.upperBound) { key, value in
                if found == nil, equal(key, name) { found = value }
            }
            guard let found else { return nil }
            guard let dot else { return found }
            guard base[found.lowerBound] == UInt8(ascii: "{") else { return nil }
            object = found
            rest = rest[(dot + 1)...]
        }
    }

    /// The text that a key or the name of an attribute is given, after its closing quotation mark at `position`:
    /// `:"Tea"`, or `,"value":{"stringValue":"Tea"}` as OpenTelemetry writes it.
    func attributeText(after position: Int, _ end: Int) -> Range<Int>? {
        var at = skipBlanks(position, end)
        guard at < end else { return nil }
        if base[at] == UInt8(ascii: ",") {
            at = skipBlanks(at + 1, end)
            guard at < end, base[at] == UInt8(ascii: "\""), let key = stringEnd(at, end),
                equal(at + 1..<key - 1, Array("value".utf8)[...])
            else { return nil }
            at = skipBlanks(key, end)
        }
        guard at < end, base[at] == UInt8(ascii: ":") else { return nil }
        at = skipBlanks(at + 1, end)
        if at < end, base[at] == UInt8(ascii: "{"), case .complete(let stop) = object(at: at, end) {
            guard let text = value(Array("stringValue".utf8), at, stop) else { return nil }
            at = text.lowerBound
        }
        guard at < end, base[at] == UInt8(ascii: "\""), let stop = stringEnd(at, end), stop > at + 2 else { return nil }
        return at + 1..<stop - 1
    }

    /// Whether there is nothing but brackets and commas, as between the records of an array.
    func isPunctuation(_ start: Int, _ end: Int) -> Bool {
        var at = skipPunctuation(start, end)
        while at < end, base[at] == UInt8(ascii: "{") { at = skipPunctuation(at + 1, end) }
        return at == end
    }

    /// Leaves out closing and opening brackets of arrays, closing braces, commas and blanks.
    func skipPunctuation(_ start: Int, _ end: Int) -> Int {
        var at = start
        while at < end {
            switch base[at] {
            case 0x20, 0x09, 0x0D, UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","): at += 1
            default: return at
            }
        }
        return at
    }

    func skipBlanks(_ start: Int, _ end: Int) -> Int {
        var at = start
        while at < end {
            switch base[at] {
            case 0x20, 0x09, 0x0A, 0x0D: at += 1
            default: return at
            }
        }
        return at
    }

    private func equal(_ range: Range<Int>, _ name: ArraySlice<UInt8>) -> Bool {
        guard range.count == name.count else { return false }
        for (index, byte) in name.enumerated() where base[range.lowerBound + index] != byte { return false }
        return true
    }

    /// Position after the string that begins with the quote at `start`.
    func stringEnd(_ start: Int, _ limit: Int) -> Int? {
        var at = start + 1
        while at < limit {
            switch base[at] {
            // A text ends on its line, also after a backslash.
            case UInt8(ascii: "\\"): at += at + 1 < limit && base[at + 1] == 0x0A ? 1 : 2
            case UInt8(ascii: "\""): return at + 1
            case 0x0A: return nil
            default: at += 1
            }
        }
        return nil
    }

    /// Position after the value that begins at `start`; `nil` when it does not end.
    func valueEnd(_ start: Int, _ limit: Int) -> Int? {
        guard start < limit else { return nil }
        switch base[start] {
        case UInt8(ascii: "\""): return stringEnd(start, limit)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if case .complete(let end) = object(at: start, limit) { return end }
            return nil
        default:
            var at = start
            while at < limit {
                switch base[at] {
                case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09, 0x0A, 0x0D: return at
                default: at += 1
                }
            }
            return at
        }
    }
}

/// Texts of JSON, with their escapes undone.
enum JSONText {
    /// The text of a string, as a range where nothing is escaped, else as new bytes; `nil` for other values.
    enum Value {
        case plain(Range<Int>)
        case unescaped([UInt8])
    }

    static func string(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> Value? {
        guard range.count >= 2, base[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
        let inner = range.lowerBound + 1..<range.upperBound - 1
        guard let first = inner.first(where: { base[$0] == UInt8(ascii: "\\") }) else { return .plain(inner) }
        var bytes = Array(UnsafeBufferPointer(start: base + inner.lowerBound, count: first - inner.lowerBound))
        var at = first
        while at < inner.upperBound {
            let byte = base[at]
            guard byte == UInt8(ascii: "\\"), at + 1 < inner.upperBound else {
                bytes.append(byte)
                at += 1
                continue
            }
            at += 2
            switch base[at - 1] {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "u"): at = appendUnicode(base, at, inner.upperBound, to: &bytes)
            case let other: bytes.append(other)
            }
        }
        return .unescaped(bytes)
    }

    /// The texts of a string, or of an array of strings.
    static func strings(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> [Value] {
        guard !range.isEmpty, base[range.lowerBound] == UInt8(ascii: "[") else {
            return string(base, range).map { [$0] } ?? []
        }
        let walker = JSONWalker(base: base)
        var texts: [Value] = []
        var at = range.lowerBound
        while at < range.upperBound {
            if base[at] == UInt8(ascii: "\""), let end = walker.stringEnd(at, range.upperBound) {
                if let text = string(base, at..<end) { texts.append(text) }
                at = end
            } else {
                at += 1
            }
        }
        return texts
    }

    /// Texts with a blank between them.
    static func joined(_ texts: [Value], _ base: UnsafePointer<UInt8>) -> [UInt8] {
        let all = texts.map { text in
            switch text {
            case .plain(let range): Array(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
            case .unescaped(let bytes): bytes
            }
        }
        return Array(all.joined(separator: [0x20]))
    }

    /// The record `start..<end` without the blanks and line ends between its texts.
    static func onOneLine(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> [UInt8] {
        let walker = JSONWalker(base: base)
        var bytes: [UInt8] = []
        var at = start
        while at < end {
            if base[at] == UInt8(ascii: "\""), let next = walker.stringEnd(at, end) {
                bytes.append(contentsOf: UnsafeBufferPointer(start: base + at, count: next - at))
                at = next
                continue
            }
            switch base[at] {
            case 0x20, 0x09, 0x0A, 0x0D: break
            default: bytes.append(base[at])
            }
            at += 1
        }
        return bytes
    }

    /// Appends what the four digits at `start` mean, with the second half of a pair; returns where to go on.
    private static func appendUnicode(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, to bytes: inout [UInt8]
    ) -> Int {
        guard let first = hexadecimal(base, start, end) else { return start }
        var at = start + 4
        var code = first
        if (0xD800..<0xDC00).contains(first), at + 1 < end, base[at] == UInt8(ascii: "\\"),
            base[at + 1] == UInt8(ascii: "u"), let second = hexadecimal(base, at + 2, end),
            (0xDC00..<0xE000).contains(second)
        {
            code = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
            at += 6
        }
        let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
        bytes.append(contentsOf: String(Character(scalar)).utf8)
        return at
    }

    private static func hexadecimal(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> UInt32? {
        guard start + 4 <= end else { return nil }
        var value: UInt32 = 0
        for index in start..<start + 4 {
            let byte = base[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 48)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 87)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 55)
            default: return nil
            }
        }
        return value
    }
}
