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
