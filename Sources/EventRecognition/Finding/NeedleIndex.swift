/// Finds which of some hundred texts stands in a line, without looking at most of the line's bytes.
///
/// Of every text one region of ``regionLength`` bytes is chosen (``WindowChoice``). A window of four bytes that is looked at
/// every ``stride`` bytes then falls, wherever the text stands, at least once completely into that region; so a line is
/// dismissed after one look into a small table for every ``stride`` of its bytes. Only a window that the table knows
/// leads to comparisons, with the few texts that have it in their region.
struct NeedleIndex: Sendable {
    /// A text found in a line.
    struct Hit {
        /// Index of the needle, and its place among those that have the window.
        var needle: Int
        var place: Int
        /// Where it stands.
        var start: Int
        var end: Int
    }

    static let stride = 8
    static let regionLength = stride + 3
    private static let filterBits: UInt32 = 14
    /// How many bits tell the slot of a window, at least.
    private static let fewestSlotBits: UInt32 = 12
    private static let fold: UInt32 = 0x2020_2020
    private static let foldWide: UInt64 = 0x2020_2020_2020_2020

    /// The shortest text that can be indexed.
    static let shortest = regionLength
    /// Where the hash of a window falls: its ``tag(_:)``, or ``anyTag`` when several fall there; 0 where none does.
    private var filter: [UInt8]
    /// Open addressing: window in the upper half; begin and number of its candidates in the lower half.
    private var slots: [UInt64]
    /// By how much the hash of a window is shifted to be its slot.
    private let slotShift: UInt32
    /// Beside every slot: which letters may stand before the window (lower half) and behind it (upper half).
    private var neighbours: [UInt64]
    /// The needles by window, in the order in which they are compared.
    private var candidates: [Candidate]
    /// All texts, one behind the other.
    private var texts: [UInt8]

    /// A needle that has a window in its region.
    private struct Candidate: Sendable {
        /// The first eight bytes of the needle in lower case: they tell most candidates from a line.
        var opening: UInt64
        /// Where the needle's text stands in `texts`.
        var textStart: Int32
        var needle: UInt16
        /// Where the window stands in the needle.
        var offset: UInt16
        var length: UInt16
    }

    /// - Parameter choice: which windows of the needles to look for; a hit names a needle by its place in the array.
    init(_ needles: [Needle], _ choice: WindowChoice) {
        texts = []
        filter = [UInt8](repeating: 0, count: 1 << Self.filterBits)
        var starts: [Int32] = []
        for needle in needles {
            starts.append(Int32(texts.count))
            texts += needle.text
        }
        let windows = choice.places.map { Self.window(needles[Int($0.needle)].text, Int($0.offset)) }
        let distinct = zip(windows, windows.dropFirst()).count { $0 != $1 } + 1
        var slotBits = Self.fewestSlotBits
        // Half of the slots stay empty, however many texts a user adds: an empty one ends every search.
        while 1 << slotBits < 2 * distinct { slotBits += 1 }
        slotShift = 32 - slotBits
        slots = [UInt64](repeating: 0, count: 1 << Int(slotBits))
        neighbours = [UInt64](repeating: 0, count: 1 << Int(slotBits))
        candidates = []
        candidates.reserveCapacity(windows.count)
        var begin = 0
        var allowed: UInt64 = 0
        for (number, place) in choice.places.enumerated() {
            let (needle, offset) = (Int(place.needle), Int(place.offset))
            let text = needles[needle].text
            allowed |= Self.neighbours(of: text, at: offset)
            candidates.append(
                Candidate(
                    opening: text.span.bytes.word64(0) | Self.foldWide, textStart: starts[needle],
                    needle: place.needle, offset: place.offset, length: UInt16(text.count)))
            if number + 1 < windows.count, windows[number + 1] == windows[number] { continue }
            add(windows[number], candidates: begin..<candidates.count, allowed)
            (begin, allowed) = (candidates.count, 0)
        }
    }

    private mutating func add(_ window: UInt32, candidates: Range<Int>, _ allowed: UInt64) {
        let place = Int(Self.filterHash(window))
        filter[place] = filter[place] == 0 ? Self.tag(window) : Self.anyTag
        var slot = firstSlot(window)
        while slots[slot] != 0 { slot = nextSlot(slot) }
        slots[slot] = UInt64(window) << 32 | UInt64(candidates.lowerBound) << 12 | UInt64(candidates.count)
        neighbours[slot] = allowed
    }

    /// One bit for the byte before a window and one for the byte behind it; all bits where the text ends.
    private static func neighbours(of text: [UInt8], at offset: Int) -> UInt64 {
        let before: UInt64 = offset > 0 ? 1 << UInt64(text[offset - 1] & 0x1F) : 0xFFFF_FFFF
        let behind: UInt64 = offset + 4 < text.count ? 1 << UInt64(text[offset + 4] & 0x1F) : 0xFFFF_FFFF
        return before | behind << 32
    }

    /// The next place from `position` on with a window of some region; `limit`, the end of the line, when there is
    /// none.
    @inline(__always)
    func nextWindow(_ bytes: RawSpan, from position: Int, limit: Int) -> Int {
        let filter = filter.span.bytes
        let last = limit - 4
        var position = position
        while position + 3 * Self.stride <= last {
            let a = filter.byte(Int(Self.filterHash(bytes.word32(position) | Self.fold)))
            let b = filter.byte(Int(Self.filterHash(bytes.word32(position + Self.stride) | Self.fold)))
            let c = filter.byte(Int(Self.filterHash(bytes.word32(position + 2 * Self.stride) | Self.fold)))
            let d = filter.byte(Int(Self.filterHash(bytes.word32(position + 3 * Self.stride) | Self.fold)))
            if a | b | c | d != 0 {
                if a != 0, isKnown(bytes, at: position, tag: a) { return position }
                if b != 0, isKnown(bytes, at: position + Self.stride, tag: b) { return position + Self.stride }
                if c != 0, isKnown(bytes, at: position + 2 * Self.stride, tag: c) { return position + 2 * Self.stride }
                if d != 0, isKnown(bytes, at: position + 3 * Self.stride, tag: d) { return position + 3 * Self.stride }
            }
            position += 4 * Self.stride
        }
        while position <= last {
            let tag = filter.byte(Int(Self.filterHash(bytes.word32(position) | Self.fold)))
            if tag != 0, isKnown(bytes, at: position, tag: tag) { return position }
            position += Self.stride
        }
        return limit
    }

    /// Whether the window at a position, whose hash falls where `tag` stands, occurs in some region.
    @inline(__always)
    private func isKnown(_ bytes: RawSpan, at position: Int, tag: UInt8) -> Bool {
        (tag == Self.anyTag || tag == Self.tag(bytes.word32(position) | Self.fold)) && isKnown(bytes, at: position)
    }

    /// Whether a window occurs in some region, and not only its hash or among other letters.
    @inline(never)
    private func isKnown(_ bytes: RawSpan, at position: Int) -> Bool {
        let window = bytes.word32(position) | Self.fold
        var slot = firstSlot(window)
        while slots[slot] != 0 {
            if UInt32(truncatingIfNeeded: slots[slot] >> 32) == window {
                let allowed = neighbours[slot]
                let before = position > 0 ? UInt64(bytes.byte(position - 1)) : 0
                let behind = position + 4 < bytes.byteCount ? UInt64(bytes.byte(position + 4)) : 0
                return allowed >> (before & 0x1F) & allowed >> (32 + behind & 0x1F) & 1 != 0
            }
            slot = nextSlot(slot)
        }
        return false
    }

    /// The first needle in the line `start..<end` of which the window at `position` is part, and that `accepts`.
    ///
    /// - Parameter first: the place of the first needle to compare, among those that have the window.
    @inline(__always)
    func hit(
        _ bytes: RawSpan, at position: Int, from first: Int, start: Int, end: Int, accepts: (Hit) -> Bool
    ) -> Hit? {
        let window = bytes.word32(position) | Self.fold
        var slot = firstSlot(window)
        while true {
            let entry = slots[slot]
            if entry == 0 { return nil }
            if UInt32(truncatingIfNeeded: entry >> 32) == window {
                let begin = Int(truncatingIfNeeded: entry >> 12) & 0xF_FFFF
                let candidates = candidates.span
                let count = Int(truncatingIfNeeded: entry & 0xFFF)
                for number in begin + min(first, count)..<begin + count {
                    let from = position - Int(candidates[number].offset)
                    let length = Int(candidates[number].length)
                    guard from >= start, from + length <= end,
                        bytes.word64(from) | Self.foldWide == candidates[number].opening,
                        bytes.equalsFolded(
                            from, texts.span.bytes, Int(candidates[number].textStart), count: length)
                    else { continue }
                    let hit = Hit(
                        needle: Int(candidates[number].needle), place: number - begin, start: from, end: from + length)
                    if accepts(hit) { return hit }
                }
                return nil
            }
            slot = nextSlot(slot)
        }
    }

    static func window(_ text: [UInt8], _ offset: Int) -> UInt32 {
        text.span.bytes.word32(offset) | fold
    }

    @inline(__always)
    private static func filterHash(_ window: UInt32) -> UInt32 { (window &* 0x9E37_79B1) >> (32 - filterBits) }

    /// Tells most windows whose hashes fall together apart; neither 0 nor ``anyTag``.
    @inline(__always)
    private static func tag(_ window: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: ((window &* 0xC2B2_AE35) >> 24) & 0x7F) | 0x40
    }

    private static let anyTag: UInt8 = 0xFF

    @inline(__always)
    private func firstSlot(_ window: UInt32) -> Int { Int((window &* 0x85EB_CA6B) >> slotShift) }

    @inline(__always)
    private func nextSlot(_ slot: Int) -> Int { (slot &+ 1) & (slots.count &- 1) }
}
