/// What may stand at the beginning of a line and is not seen there, besides blanks and tabs.
enum InvisibleBytes {
    /// How many bytes such a character at a place has; `nil` when none stands there.
    @inline(__always)
    static func length(_ p: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Int? {
        guard at < end else { return nil }
        switch p[at] {
        // Of progress displays, of lines that end with LF CR, of page breaks.
        case 0x0D, 0x0B, 0x0C: return 1
        default: return isWideBlank(p, at, end) ? 2 : isMark(p, at, end) ? 3 : nil
        }
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
