/// Finds which of some hundred texts stands in a line, without looking at most of the line's bytes.
///
/// Of every text one region of ``regionLength`` bytes is chosen. A window of four bytes that is looked at every
/// ``stride`` bytes then falls, wherever the text stands, at least once completely into that region; so a line is
/// dismissed after one look into a small table for every ``stride`` of its bytes. Only a window that the table knows
/// leads to comparisons, with the few texts that have it in their region.
struct NeedleIndex: Sendable {
    /// A text found in a line.
    struct Hit {
        /// Index of the needle.
        var needle: Int
        /// Where it stands.
        var start: Int
        var end: Int
    }

    static let stride = 7
    static let regionLength = stride + 3
    private static let filterBits: UInt32 = 13
    private static let slotCount = 4096
    private static let fold: UInt32 = 0x2020_2020

    /// The shortest text that can be indexed.
    static let shortest = regionLength

    /// 1 where the hash of a window of some region falls.
    private var filter: [UInt8]
    /// Open addressing: window in the upper half; begin and number of its candidates in the lower half.
    private var slots: [UInt64]
    /// Needle in the upper half, offset of the window in it in the lower half; longest needles first.
    private var candidates: [UInt32]
    /// All texts, one behind the other, and where each begins; one more number than texts.
    private var texts: [UInt8]
    private var starts: [Int32]

    /// Compiles texts that are at least ``shortest`` bytes long; a hit names them by their place in the array.
    init(_ needles: [Needle]) {
        texts = []
        starts = [0]
        for needle in needles {
            texts += needle.text
            starts.append(Int32(texts.count))
        }
        var byWindow: [UInt32: [(needle: Int, offset: Int)]] = [:]
        for (number, needle) in needles.enumerated() where needle.text.count >= Self.shortest {
            let region = Self.rarestRegion(of: needle.text)
            for offset in region..<region + Self.stride {
                byWindow[Self.window(needle.text, offset), default: []].append((number, offset))
            }
        }
        filter = [UInt8](repeating: 0, count: 1 << Self.filterBits)
        slots = [UInt64](repeating: 0, count: Self.slotCount)
        candidates = []
        for (window, places) in byWindow.sorted(by: { $0.key < $1.key }) {
            let begin = candidates.count
            let ordered = places.sorted { a, b in
                let lengths = (needles[a.needle].text.count, needles[b.needle].text.count)
                return lengths.0 == lengths.1 ? a.needle < b.needle : lengths.0 > lengths.1
            }
            for place in ordered { candidates.append(UInt32(place.needle) << 16 | UInt32(place.offset)) }
            filter[Int(Self.filterHash(window))] = 1
            var slot = Self.slotHash(window)
            while slots[slot] != 0 { slot = (slot + 1) % Self.slotCount }
            slots[slot] = UInt64(window) << 32 | UInt64(begin) << 12 | UInt64(ordered.count)
        }
    }

    /// The next place from `position` on at which a window that occurs in some region stands; `end` when there is none.
    /// `limit` bounds the line.
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
                if a != 0 { return position }
                if b != 0 { return position + Self.stride }
                if c != 0 { return position + 2 * Self.stride }
                return position + 3 * Self.stride
            }
            position += 4 * Self.stride
        }
        while position <= last {
            if filter.byte(Int(Self.filterHash(bytes.word32(position) | Self.fold))) != 0 { return position }
            position += Self.stride
        }
        return limit
    }

    /// The longest needle in the line `start..<end` of which the window at `position` is part, and that `accepts`.
    @inline(__always)
    func hit(
        _ bytes: RawSpan, at position: Int, start: Int, end: Int, accepts: (Hit) -> Bool
    ) -> Hit? {
        let window = bytes.word32(position) | Self.fold
        var slot = Self.slotHash(window)
        while true {
            let entry = slots[slot]
            if entry == 0 { return nil }
            if UInt32(truncatingIfNeeded: entry >> 32) == window {
                let begin = Int(truncatingIfNeeded: entry >> 12) & 0xF_FFFF
                for candidate in candidates[begin..<begin + Int(truncatingIfNeeded: entry) & 0xFFF] {
                    let needle = Int(candidate >> 16)
                    let textStart = Int(starts[needle])
                    let length = Int(starts[needle + 1]) - textStart
                    let from = position - Int(candidate & 0xFFFF)
                    guard from >= start, from + length <= end,
                        bytes.equalsFolded(from, texts.span.bytes, textStart, count: length)
                    else { continue }
                    let hit = Hit(needle: needle, start: from, end: from + length)
                    if accepts(hit) { return hit }
                }
                return nil
            }
            slot = (slot + 1) % Self.slotCount
        }
    }

    private static func window(_ text: [UInt8], _ offset: Int) -> UInt32 {
        var window: UInt32 = 0
        for index in (0..<4).reversed() { window = window << 8 | UInt32(text[offset + index]) }
        return window | fold
    }

    @inline(__always)
    private static func filterHash(_ window: UInt32) -> UInt32 { (window &* 0x9E37_79B1) >> (32 - filterBits) }

    @inline(__always)
    private static func slotHash(_ window: UInt32) -> Int { Int((window &* 0x85EB_CA6B) >> 20) }

    /// The region that ordinary text resembles least: letters that are rare in English keep false alarms rare.
    private static func rarestRegion(of text: [UInt8]) -> Int {
        var best = Int.max
        var region = 0
        for offset in 0...text.count - regionLength {
            var score = 0
            for window in offset..<offset + stride {
                var sum = 0
                for position in window..<window + 4 { sum += commonness[Int(text[position] | 0x20)] }
                score += 1 << (sum / 8)
            }
            if score < best {
                best = score
                region = offset
            }
        }
        return region
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
