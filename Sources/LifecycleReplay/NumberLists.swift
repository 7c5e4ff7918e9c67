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
