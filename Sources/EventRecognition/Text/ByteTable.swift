/// Numbers by text, where the text is looked up as bytes: no `String` is made to find one.
struct ByteTable: Sendable {
    private struct Slot: Sendable {
        var hash: UInt64
        var start: Int32
        var length: Int32
        var value: UInt32
    }

    /// Whether letters are looked up in any case.
    private let foldsCase: Bool
    private var keys: [UInt8] = []
    private var slots: [Slot]
    private(set) var count = 0

    init(foldsCase: Bool = false) {
        self.foldsCase = foldsCase
        slots = [Slot](repeating: Slot(hash: 0, start: 0, length: -1, value: 0), count: 64)
    }

    /// Bytes of all keys together: what the table costs in memory.
    var keyBytes: Int { keys.count }

    /// The number of a text; `nil` when the table does not have it.
    func value(_ bytes: RawSpan, _ start: Int, count length: Int) -> UInt32? {
        let hash = hash(bytes, start, length)
        var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while true {
            let slot = slots[index]
            if slot.length < 0 { return nil }
            if slot.hash == hash, Int(slot.length) == length, matches(bytes, start, slot) { return slot.value }
            index = (index + 1) & (slots.count - 1)
        }
    }

    /// Adds a text that the table does not have yet.
    mutating func insert(_ bytes: RawSpan, _ start: Int, count length: Int, value: UInt32) {
        if (count + 1) * 2 > slots.count { grow() }
        let slot = Slot(
            hash: hash(bytes, start, length), start: Int32(keys.count), length: Int32(length), value: value)
        for position in start..<start + length { keys.append(bytes.byte(position)) }
        place(slot)
        count += 1
    }

    mutating func removeAll() {
        self = ByteTable(foldsCase: foldsCase)
    }

    private func hash(_ bytes: RawSpan, _ start: Int, _ length: Int) -> UInt64 {
        guard foldsCase else { return bytes.stableHash(start, count: length) }
        var hash = UInt64(truncatingIfNeeded: length)
        for position in start..<start + length { hash = hash &* 31 &+ UInt64(bytes.byte(position) & ~0x20) }
        return StableHash.mix(hash)
    }

    private func matches(_ bytes: RawSpan, _ start: Int, _ slot: Slot) -> Bool {
        let stored = keys.span.bytes
        return foldsCase
            ? bytes.equalsFolded(start, stored, Int(slot.start), count: Int(slot.length))
            : bytes.equals(start, stored, Int(slot.start), count: Int(slot.length))
    }

    private mutating func place(_ slot: Slot) {
        var index = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
        while slots[index].length >= 0 { index = (index + 1) & (slots.count - 1) }
        slots[index] = slot
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(hash: 0, start: 0, length: -1, value: 0), count: old.count * 2)
        for slot in old where slot.length >= 0 { place(slot) }
    }
}
