/// Colour codes of terminals, which some tools write into their logs.
enum Colours {
    private static let escape: UInt8 = 0x1B

    /// Takes the codes out of the line `start..<end`, in place; blanks fill what becomes free. Returns the new end,
    /// or `nil` when there are no codes. `original` becomes the line as it was: one that turns out to need more bytes is
    /// put back, to be read again as if for the first time.
    static func remove(
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
