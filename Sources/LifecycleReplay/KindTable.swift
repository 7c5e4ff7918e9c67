import TraceRecords

/// Numbers for step kinds: a hash table from a packed key to the kind's number.
///
/// One probe per step; the texts of a kind are put together only when its key occurs for the first time.
struct KindTable {
    private var keys: [UInt64] = Array(repeating: 0, count: 1024)
    private var numbers: [Int32] = Array(repeating: 0, count: 1024)
    private var count: Int32 = 0
    /// The keys in the order of their numbers.
    private(set) var all: [KindKey] = []

    /// The number of a key, if it has one, otherwise the place where ``insert(_:at:)`` puts it.
    @inline(__always)
    func find(_ key: UInt64) -> (number: Int32?, place: Int) {
        let mask = keys.count - 1
        var place = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while true {
            let present = keys[place]
            if present == key { return (numbers[place], place) }
            if present == 0 { return (nil, place) }
            place = (place + 1) & mask
        }
    }

    /// Gives a new key the next number.
    mutating func insert(_ kind: KindKey, _ key: UInt64, at place: Int) -> Int32 {
        let number = count
        all.append(kind)
        count += 1
        keys[place] = key
        numbers[place] = number
        if Int(count) * 2 > keys.count { grow() }
        return number
    }

    private mutating func grow() {
        let old = zip(keys, numbers).filter { $0.0 != 0 }
        keys = Array(repeating: 0, count: keys.count * 2)
        numbers = Array(repeating: 0, count: keys.count)
        for (key, number) in old {
            let place = find(key).place
            keys[place] = key
            numbers[place] = number
        }
    }
}
