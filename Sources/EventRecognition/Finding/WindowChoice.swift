/// Which windows of the needles a ``NeedleIndex`` looks for, in the order in which it compares the needles that have them.
///
/// Choosing takes most of the time of building an index. So the choice for the built-in needles is compiled (`make data`),
/// and a user's spellings are chosen with all others when they are loaded.
struct WindowChoice: Sendable, Equatable {
    /// Where a window is: in which needle, and at which byte of it.
    struct Place: Sendable, Equatable {
        var needle: UInt16
        var offset: UInt16
    }

    let places: [Place]

    private static let stride = NeedleIndex.stride
    /// The last place of a text where a window of its region may begin.
    private static let mostOffset = 0x1FFF

    /// Chooses the windows of all regions. Of the needles with one window that comes first of which more of the region is
    /// behind: so needles are found in the order of their regions, in whatever column of a line they are.
    ///
    /// - Parameter common: windows that ordinary text is full of; they are avoided where possible.
    init(_ needles: [Needle], avoiding common: Set<UInt32>) {
        let order = Self.order(of: needles)
        var ranks = [Int](repeating: 0, count: needles.count)
        for (rank, needle) in order.enumerated() { ranks[needle] = rank }
        var keys: [UInt64] = []
        keys.reserveCapacity(needles.count * Self.stride)
        var used = WindowSet(count: needles.count * Self.stride)
        var avoided = WindowSet(count: common.count)
        for window in common { avoided.insert(window) }
        // Slips come last, so that they share the windows of the proper spellings.
        for isSlip in [false, true] {
            for (number, needle) in needles.enumerated()
            where needle.isSlip == isSlip && needle.text.count >= NeedleIndex.shortest {
                let region = Self.rarestRegion(of: needle.text) { window in
                    (avoided.contains(window) ? 1 << 24 : 1) * (used.contains(window) ? 1 : 64)
                }
                for offset in region..<region + Self.stride {
                    let window = NeedleIndex.window(needle.text, offset)
                    used.insert(window)
                    // The window, how far it is from the region's end, the rank of the needle, the window's place in it.
                    let left = UInt64(region + Self.stride - 1 - offset)
                    keys.append(UInt64(window) << 32 | left << 29 | UInt64(ranks[number]) << 13 | UInt64(offset))
                }
            }
        }
        keys.sort()
        places = keys.map { key in
            Place(needle: UInt16(order[Int(key >> 13 & 0xFFFF)]), offset: UInt16(key & UInt64(Self.mostOffset)))
        }
    }

    /// The compiled choice; `nil` when it was not made for these needles.
    init?(compiled bytes: [UInt8], for needles: [Needle]) {
        let head = Self.head(of: needles)
        guard bytes.starts(with: head) else { return nil }
        var places: [Place] = []
        places.reserveCapacity(bytes.count / 4)
        for at in Swift.stride(from: head.count, to: bytes.count - 3, by: 4) {
            let word = bytes.span.bytes.word32(at)
            places.append(
                Place(needle: UInt16(truncatingIfNeeded: word), offset: UInt16(truncatingIfNeeded: word >> 16)))
        }
        self.places = places
    }

    /// The choice for these needles in the form that ``init(compiled:for:)`` reads.
    func compiled(for needles: [Needle]) -> [UInt8] {
        var bytes = Self.head(of: needles)
        for place in places {
            for half in [place.needle, place.offset] { bytes += [UInt8(truncatingIfNeeded: half), UInt8(half >> 8)] }
        }
        return bytes
    }

    /// Eight bytes that differ where needles differ.
    private static func head(of needles: [Needle]) -> [UInt8] {
        var hash = UInt64(needles.count)
        for needle in needles {
            hash = needle.text.span.bytes.stableHash(0, count: needle.text.count, seed: hash &+ (needle.isSlip ? 1 : 0))
        }
        return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
    }

    /// Of needles whose regions begin together, phrases and names with their class come first, the longest before those
    /// that are part of it; then bare names, which the letters around them keep apart, the short ones first, because
    /// they are written most; then slips.
    private static func order(of needles: [Needle]) -> [Int] {
        let keys = needles.indices.map { number in
            let needle = needles[number]
            let isPhrase = needle.text.contains { $0 == 0x20 || $0 == 0x2E || $0 == 0x3A }
            let (kind, order) = isPhrase ? (0, 0xFFFF - needle.text.count) : (needle.isSlip ? 2 : 1, needle.text.count)
            return kind << 48 | order << 32 | number
        }
        return keys.sorted().map { $0 & 0xFFFF_FFFF }
    }

    /// A set of windows: building an index asks for tens of thousands.
    private struct WindowSet {
        /// Open addressing; 0 is in no set.
        private var slots: [UInt32]

        init(count: Int) { slots = [UInt32](repeating: 0, count: 2 << (Int.bitWidth - count.leadingZeroBitCount)) }

        private func slot(_ window: UInt32) -> Int {
            var slot = Int((window &* 0x85EB_CA6B) >> 8) & (slots.count - 1)
            while slots[slot] != 0, slots[slot] != window { slot = (slot + 1) & (slots.count - 1) }
            return slot
        }

        func contains(_ window: UInt32) -> Bool { slots[slot(window)] == window }

        mutating func insert(_ window: UInt32) { slots[slot(window)] = window }
    }

    /// The part of a text that is enough to find it by: the region of which ordinary text has the least.
    static func rarestPart(of text: [UInt8]) -> [UInt8] {
        guard text.count > NeedleIndex.shortest else { return text }
        let region = rarestRegion(of: text) { _ in 1 }
        return Array(text[region..<region + NeedleIndex.regionLength])
    }

    /// The region that ordinary text resembles least: letters that are rare in English keep false alarms rare.
    ///
    /// - Parameter weight: how much worse or better a window is than its letters are.
    private static func rarestRegion(of text: [UInt8], weight: (UInt32) -> Int) -> Int {
        let costs = (0...min(text.count - 4, mostOffset)).map { offset in
            let sum = (offset..<offset + 4).reduce(0) { $0 + commonness[Int(text[$1] | 0x20)] }
            return (1 << (sum / 8)) * weight(NeedleIndex.window(text, offset))
        }
        var best = (region: 0, score: Int.max)
        var score = 0
        for (offset, cost) in costs.enumerated() {
            score += cost
            guard offset >= stride - 1 else { continue }
            let region = offset - (stride - 1)
            if score < best.score { best = (region, score) }
            score -= costs[region]
        }
        return best.region
    }

    /// How often a byte occurs in log text, as eight times a logarithm.
    private static let commonness: [Int] = {
        var table = [Int](repeating: 16, count: 256)
        for (rank, letter) in "etaoinsrlcdpumhgfbywvkxqjz".utf8.enumerated() { table[Int(letter)] = 44 - rank }
        table[0x20] = 44
        for digit in 0x30...0x39 { table[digit] = 34 }
        return table
    }()
}
