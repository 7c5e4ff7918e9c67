import Foundation
import TraceRecords

/// Searching and comparing bytes in place.
enum Bytes {
    /// The first place of a byte in `start..<end`.
    @inline(__always)
    static func find(_ byte: UInt8, _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard start < end else { return nil }
        return memchr(base + start, Int32(byte), end - start).map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
    }

    /// The first place of a text in `start..<end`.
    static func position(of text: [UInt8], _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard let first = text.first else { return nil }
        var at = start
        while let found = find(first, base, at, end - text.count + 1) {
            if areEqual(base + found, text, text.count) { return found }
            at = found + 1
        }
        return nil
    }

    @inline(__always)
    static func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
        memcmp(a, b, count) == 0
    }
}

/// Characters besides blanks and tabs that are invisible at the beginning of a line.
enum InvisibleBytes {
    /// How many bytes such a character at a place has; `nil` when there is none.
    @inline(__always)
    static func length(_ p: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Int? {
        guard at < end else { return nil }
        switch p[at] {
        // Of progress displays, of lines that end with LF CR, of page breaks.
        case 0x0D, 0x0B, 0x0C: return 1
        default: return isWideBlank(p, at, end) ? 2 : isMark(p, at, end) ? 3 : nil
        }
    }

    /// The first visible byte of a line.
    static func firstVisible(_ p: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var at = start
        while at < end {
            guard let length = p[at] == 0x20 || p[at] == 0x09 ? 1 : length(p, at, end) else { return at }
            at += length
        }
        return nil
    }

    /// How many bytes of them something begins with, up to the last one: web pages put blanks of both kinds in turn, more
    /// often than there may be decorations.
    static func run(_ p: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var at = 0
        var end = 0
        while at < count {
            if let size = length(p, at, count) {
                at += size
                end = at
            } else if end > 0, p[at] == 0x20 || p[at] == 0x09 {
                at += 1
            } else {
                break
            }
        }
        return end
    }

    /// A blank that does not break (U+00A0), as web pages paste it.
    @inline(__always)
    static func isWideBlank(_ p: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Bool {
        p[at] == 0xC2 && at + 1 < end && p[at + 1] == 0xA0
    }

    /// A mark of the direction of writing (U+200E, U+200F), as chats paste it.
    @inline(__always)
    private static func isMark(_ p: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Bool {
        p[at] == 0xE2 && at + 2 < end && p[at + 1] == 0x80 && (p[at + 2] == 0x8E || p[at + 2] == 0x8F)
    }
}

/// Colour codes of terminals, which some tools write into their logs.
enum Colours {
    private static let escape: UInt8 = 0x1B

    /// Bytes without the codes that are in them.
    static func removed(from bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let end = bytes.withUnsafeMutableBufferPointer { room in
            var original: [UInt8] = []
            return room.baseAddress.flatMap { remove($0, 0, room.count, original: &original) }
        }
        return end.map { Array(bytes[..<$0]) } ?? bytes
    }

    /// Takes the codes out of the line `start..<end`, and the blanks at its end. Returns the new end.
    static func end(
        _ room: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int, original: inout [UInt8]
    ) -> Int {
        var end = remove(room, start, end, original: &original) ?? end
        while end > start, room[end - 1] == 0x20 { end -= 1 }
        return end
    }

    /// Takes the codes out of the line `start..<end`, in place; blanks fill what becomes free. Returns the new end,
    /// or `nil` when there are no codes. `original` becomes the line as it was: one that turns out to need more bytes is
    /// put back, to be read again as if for the first time.
    private static func remove(
        _ room: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int, original: inout [UInt8]
    ) -> Int? {
        guard (start..<end).contains(where: { room[$0] == escape }) else { return nil }
        original = Array(UnsafeBufferPointer(start: room + start, count: end - start))
        var to = start
        var at = start
        while at < end {
            if room[at] == escape, at + 1 < end, room[at + 1] == UInt8(ascii: "[") {
                at += 2
                // Parameters, then one letter.
                while at < end, (0x20..<0x40).contains(room[at]) { at += 1 }
                at += 1
                continue
            }
            room[to] = room[at]
            to += 1
            at += 1
        }
        for index in to..<end { room[index] = 0x20 }
        return to
    }
}

/// The NUL bytes that a crash or a truncated file leaves. They have no line ends, so that a good line may follow them.
enum NULGap {
    /// Where the NUL bytes end that a line begins with; they may be more than fit into memory.
    static func end(_ base: UnsafePointer<UInt8>, _ start: Int, _ count: Int, isEnd: Bool, entryBytes: Int) -> Int {
        var at = start
        while at < count, base[at] == 0 { at += 1 }
        // Those at the end may be the place of what has not been written yet.
        return at > start && (at < count || isEnd || at - start > entryBytes) ? at : start
    }
}

/// Whether a line that no layout matches belongs to the entry before it, or repeats it.
enum ContinuationRule {
    /// Whether the line, whose first visible byte is at `first`, continues the open entry.
    static func continues(
        _ builder: EntryBuilder, _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ first: Int
    ) -> Bool {
        guard builder.isOpen, builder.openLayout < builder.layouts.count else { return false }
        switch builder.layouts[builder.openLayout].continuation {
        case .none: return false
        case .any: return true
        case .indented:
            switch base[first] {
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return true
            // Frames of box-drawing characters (U+2500 to U+257F).
            case 0xE2
            where !builder.isAfterBlank && first + 1 < end && (base[first + 1] == 0x94 || base[first + 1] == 0x95):
                return true
            default:
                let isDeeper = indent(base, start, first) > openIndent(builder, base)
                return !builder.isAfterBlank && (isDeeper || closesOpenMethod(builder, base, start, end))
            }
        }
    }

    /// Whether a line without a layout repeats the timed line directly before it: an app that prints what it logs writes
    /// each text once with time and process, and once without.
    static func repeatsOpenEntry(
        _ builder: EntryBuilder, _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int
    ) -> Bool {
        guard builder.isOpen, !builder.isAfterBlank, builder.openLayout < builder.layouts.count,
            let open = builder.entries.last, open.time != nil, open.lineCount == 1
        else { return false }
        return isText(of: open.message, base, ByteRange(offset: start, length: end - start))
    }

    /// Whether the open entry is a line without a layout that has the message of the timed line directly after it.
    static func isRepeated(_ builder: EntryBuilder, _ base: UnsafePointer<UInt8>, by message: ByteRange) -> Bool {
        guard builder.hasOpenBareLine, !builder.isAfterBlank, let open = builder.entries.last else { return false }
        return isText(of: message, base, open.message)
    }

    /// Whether a line without a layout is the text of a message, which may have `[subsystem:category] ` before it.
    private static func isText(of message: ByteRange, _ base: UnsafePointer<UInt8>, _ line: ByteRange) -> Bool {
        let head = Int(message.length - line.length)
        guard line.length > 0, head >= 0 else { return false }
        let text = base + Int(message.offset) + head
        return Bytes.areEqual(text, base + Int(line.offset), Int(line.length))
            && (head == 0
                || head > 2 && base[Int(message.offset)] == UInt8(ascii: "[") && text[-1] == 0x20
                    && text[-2] == UInt8(ascii: "]"))
    }

    /// The indentation of the open entry: in a log that is indented as a whole, its lines are indented alike.
    private static func openIndent(_ builder: EntryBuilder, _ base: UnsafePointer<UInt8>) -> Int {
        guard let open = builder.entries.last else { return 0 }
        let (start, limit) = (builder.openStart, Int(open.message.offset))
        guard limit > start, let first = InvisibleBytes.firstVisible(base, start, limit) else { return 0 }
        return indent(base, start, first)
    }

    /// The indentation of a line whose first visible byte is at `first`; characters without width don't count.
    private static func indent(_ base: UnsafePointer<UInt8>, _ start: Int, _ first: Int) -> Int {
        var width = 0
        for at in start..<first
        where base[at] == 0x20 || base[at] == 0x09 || InvisibleBytes.isWideBlank(base, at, first) {
            width += 1
        }
        return width
    }

    /// Whether the open entry ends inside the name of a method (`-[AppDelegate application`, `scene(_:will`), and the line
    /// has its end: a terminal or a web page broke the line in two.
    private static func closesOpenMethod(
        _ builder: EntryBuilder, _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int
    ) -> Bool {
        guard let open = builder.entries.last, open.lineCount <= 3, open.message.length <= 1024,
            let closer = firstBracket(base, start, end)
        else { return false }
        let message = Int(open.message.offset)
        var depth = 0
        var at = message + Int(open.message.length)
        while at > message {
            at -= 1
            switch base[at] {
            case UInt8(ascii: "]"), UInt8(ascii: ")"): depth += 1
            case UInt8(ascii: "[") where depth > 0, UInt8(ascii: "(") where depth > 0: depth -= 1
            case UInt8(ascii: "["):
                guard closer == UInt8(ascii: "]"), at > message else { return false }
                return base[at - 1] == UInt8(ascii: "-") || base[at - 1] == UInt8(ascii: "+")
            case UInt8(ascii: "("):
                // A remark in parentheses has a blank before it.
                guard closer == UInt8(ascii: ")"), at > message else { return false }
                return base[at - 1] | 0x20 &- 97 < 26
            default: break
            }
        }
        return false
    }

    /// The first bracket of a line.
    private static func firstBracket(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> UInt8? {
        for at in start..<min(end, start + 1024) {
            switch base[at] {
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "("), UInt8(ascii: ")"): return base[at]
            default: break
            }
        }
        return nil
    }
}
