/// Walks over JSON text in place. Work is linear and bounded by the bytes given; nothing nests the stack.
struct JSONWalker {
    /// Where a record ends.
    enum End {
        /// Position after the closing brace.
        case complete(Int)
        /// The bytes end before it does.
        case incomplete
        /// It is not a JSON object.
        case malformed
    }

    let base: UnsafePointer<UInt8>

    /// Finds the end of the object that begins with the brace at `start`.
    ///
    /// - Parameter lineStart: where its line begins, if that is known: the lines that are indented deeper are then its
    ///   own, and no others.
    func end(from start: Int, limit: Int, lineStart: Int? = nil) -> End {
        var depth = 0
        var at = start
        let outer = lineStart.map { indent(of: $0, limit) }
        var isIndented: Bool?
        while at < limit {
            switch base[at] {
            case 0x0A where at + 2 < limit && base[at + 1] == UInt8(ascii: "{") && base[at + 2] == UInt8(ascii: "\""):
                // Another record begins: this one lost its end.
                return .malformed
            case 0x0A:
                guard let outer else { break }
                let own = indent(of: at + 1, limit)
                guard at + 1 + own < limit else { break }
                let isOuter = own <= outer
                if isOuter, beginsRecord(at + 1, limit) { return .malformed }
                if isIndented == nil { isIndented = !isOuter }
                // Only its closing brace may be indented as little as its beginning.
                if isIndented == true, isOuter, depth != 1 || base[at + 1 + own] != UInt8(ascii: "}") {
                    return .malformed
                }
            case UInt8(ascii: "\""):
                guard let next = stringEnd(at, limit) else {
                    // A text ends on its line.
                    return Bytes.find(0x0A, base, at, limit) == nil ? .incomplete : .malformed
                }
                at = next
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return .complete(at + 1) }
            case 0: return .malformed
            default: break
            }
            at += 1
        }
        return .incomplete
    }

    /// Whether a line begins with an object.
    private func beginsRecord(_ start: Int, _ limit: Int) -> Bool {
        var at = start
        while at < limit, base[at] == 0x20 || base[at] == 0x09 || base[at] == UInt8(ascii: "[") { at += 1 }
        return at + 1 < limit && base[at] == UInt8(ascii: "{") && base[at + 1] == UInt8(ascii: "\"")
    }

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

    /// The number of blanks and tabs that a line begins with.
    private func indent(of line: Int, _ limit: Int) -> Int {
        var at = line
        while at < limit, base[at] == 0x20 || base[at] == 0x09 { at += 1 }
        return at - line
    }

    /// Position after the object at `start`, if it is written as JSON must be; texts and numbers are not looked into.
    func soundEnd(_ start: Int, _ limit: Int) -> Int? {
        // Whether each open bracket is a brace. Logs are not nested deeper than this.
        var open: [Bool] = []
        var at = start
        var expectsValue = true
        while at < limit {
            if expectsValue {
                switch base[at] {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    guard open.count < 512 else { return nil }
                    let isObject = base[at] == UInt8(ascii: "{")
                    open.append(isObject)
                    at = skipBlanks(at + 1, limit)
                    guard at < limit else { return nil }
                    if base[at] != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                        if isObject {
                            guard let value = keyEnd(at, limit) else { return nil }
                            at = value
                        }
                        continue
                    }
                default:
                    guard let end = valueEnd(at, limit), end > at else { return nil }
                    at = end
                }
                expectsValue = false
            }
            at = skipBlanks(at, limit)
            guard at < limit, let isObject = open.last else { return nil }
            switch base[at] {
            case UInt8(ascii: ","):
                at = skipBlanks(at + 1, limit)
                if isObject {
                    guard let value = keyEnd(at, limit) else { return nil }
                    at = value
                }
                expectsValue = true
            case isObject ? 0x7D : 0x5D:
                open.removeLast()
                at += 1
                if open.isEmpty { return at }
            default: return nil
            }
        }
        return nil
    }

    /// Where the value begins that belongs to the key at `start`.
    private func keyEnd(_ start: Int, _ limit: Int) -> Int? {
        guard start < limit, base[start] == UInt8(ascii: "\""), let end = stringEnd(start, limit) else { return nil }
        let colon = skipBlanks(end, limit)
        guard colon < limit, base[colon] == UInt8(ascii: ":") else { return nil }
        return skipBlanks(colon + 1, limit)
    }

    /// Calls `body` with the range of each key (without quotes) and of its value (as written) of the object
    /// `start..<end`; stops at what is not JSON.
    func forEachMember(_ start: Int, _ end: Int, _ body: (Range<Int>, Range<Int>) -> Void) {
        var at = skipBlanks(start + 1, end)
        while at < end, base[at] == UInt8(ascii: "\"") {
            guard let keyEnd = stringEnd(at, end) else { return }
            let key = at + 1..<keyEnd - 1
            at = skipBlanks(keyEnd, end)
            guard at < end, base[at] == UInt8(ascii: ":") else { return }
            at = skipBlanks(at + 1, end)
            let valueStart = at
            guard let valueEnd = valueEnd(at, end) else { return }
            body(key, valueStart..<valueEnd)
            at = skipBlanks(valueEnd, end)
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
        if at < end, base[at] == UInt8(ascii: "{"), case .complete(let stop) = self.end(from: at, limit: end) {
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
            if case .complete(let end) = end(from: start, limit: limit) { return end }
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
    /// The text between the quotes of a string, as a range where nothing is escaped, else as new bytes; `nil` for
    /// values that are not strings.
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
