/// What lines stated that were recognised before. A log repeats its callback lines word for word, so most of them are
/// known by one comparison.
struct LineMemo {
    /// What a line states.
    struct Statement {
        var callback: UInt16
        /// The number of the label in the present batch.
        var label: UInt32
        var isReturn: Bool
    }

    /// The longest line that is remembered.
    static let longest = 96
    private static let slotCount = 256

    private struct Slot {
        var hash: UInt64 = 0
        var count: Int32 = -1
        var statement = Statement(callback: 0, label: 0, isReturn: false)
    }

    private var slots = [Slot](repeating: Slot(), count: slotCount)
    private var texts = [UInt8](repeating: 0, count: slotCount * longest)

    /// What a line with a given hash states; `nil` when it is not remembered.
    @inline(__always)
    func statement(_ bytes: RawSpan, _ start: Int, count: Int, hash: UInt64) -> Statement? {
        let slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        guard slots[slot].hash == hash, Int(slots[slot].count) == count,
            bytes.equals(start, texts.span.bytes, slot * Self.longest, count: count)
        else { return nil }
        return slots[slot].statement
    }

    /// Remembers a line in the place of the one that had its slot.
    mutating func remember(_ statement: Statement, _ bytes: RawSpan, _ start: Int, count: Int, hash: UInt64) {
        let slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        slots[slot] = Slot(hash: hash, count: Int32(count), statement: statement)
        for offset in 0..<count { texts[slot * Self.longest + offset] = bytes.byte(start + offset) }
    }

    /// Forgets everything: the labels have other numbers in the next batch.
    mutating func removeAll() {
        for slot in slots.indices { slots[slot].count = -1 }
    }
}
