/// Slots of a table in the order in which they were added.
///
/// A slot may be re-used, so that each entry names the serial number that it was added for.
struct SlotQueue {
    private var entries: [(slot: Int32, serial: Int64)] = []
    private var head = 0

    var first: (slot: Int32, serial: Int64)? { head < entries.count ? entries[head] : nil }

    mutating func append(_ slot: Int32, serial: Int64) { entries.append((slot, serial)) }

    mutating func popFirst() -> (slot: Int32, serial: Int64)? {
        guard head < entries.count else { return nil }
        let first = entries[head]
        head += 1
        if head > 1024, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        }
        return first
    }
}
