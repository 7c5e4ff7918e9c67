#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Searching and comparing bytes in place.
enum Bytes {
    /// The first place of a byte in `start..<end`.
    @inline(__always)
    static func find(_ byte: UInt8, _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard start < end else { return nil }
        return memchr(base + start, Int32(byte), end - start).map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
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

    /// Takes the codes out of the line `start..<end`, and the blanks at its end, which may be what fills their place.
    /// Returns the new end.
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
