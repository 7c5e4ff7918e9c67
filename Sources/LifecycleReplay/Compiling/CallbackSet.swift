/// A set of callbacks by their numbers in the vocabulary, as two machine words.
///
/// Callbacks beyond the first ``capacity`` are in no set: rules that name them are not checked.
struct CallbackSet: Sendable, Equatable, BitwiseCopyable {
    static let capacity: UInt16 = 128

    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

    init(_ numbers: some Sequence<UInt16>) { for number in numbers { insert(number) } }

    var isEmpty: Bool { low | high == 0 }

    @inline(__always)
    mutating func insert(_ number: UInt16) {
        if number < 64 {
            low |= 1 << UInt64(number)
        } else if number < Self.capacity {
            high |= 1 << UInt64(number - 64)
        }
    }

    @inline(__always)
    func contains(_ number: UInt16) -> Bool {
        if number < 64 { return low & 1 << UInt64(number) != 0 }
        return number < Self.capacity && high & 1 << UInt64(number - 64) != 0
    }

    @inline(__always)
    func intersects(_ other: CallbackSet) -> Bool { low & other.low | high & other.high != 0 }

    func union(_ other: CallbackSet) -> CallbackSet {
        var union = self
        union.low |= other.low
        union.high |= other.high
        return union
    }

    /// The number, when there is just one.
    var only: UInt16? {
        guard low.nonzeroBitCount + high.nonzeroBitCount == 1 else { return nil }
        return UInt16(low != 0 ? low.trailingZeroBitCount : 64 + high.trailingZeroBitCount)
    }

    /// The numbers, least first.
    var numbers: [UInt16] { (0..<Self.capacity).filter { contains($0) } }
}

/// Lists of numbers, one for each callback or model, side by side in one array.
///
/// Walking one counts no reference; an array of arrays would count two for every event.
struct NumberLists: Sendable {
    private let first: [Int32]
    private let items: [Int32]

    init(_ lists: [[Int]]) {
        var first: [Int32] = [0]
        var items: [Int32] = []
        for list in lists {
            items += list.map(Int32.init)
            first.append(Int32(items.count))
        }
        self.first = first
        self.items = items
    }

    /// Where the numbers of a list stand.
    @inline(__always)
    func places(of list: Int) -> Range<Int> { Int(first[list])..<Int(first[list + 1]) }

    /// The number at a place.
    @inline(__always)
    subscript(place: Int) -> Int { Int(items[place]) }
}
