/// Slots of a table in the order in which they were added.
///
/// A slot may be re-used, so that each entry names the serial number that it was added for.
struct SlotQueue: Codable {
    struct Entry: Codable {
        var slot: Int32
        var serial: Int64
    }

    private var entries: [Entry] = []
    private var head = 0

    var first: Entry? { head < entries.count ? entries[head] : nil }

    mutating func append(_ slot: Int32, serial: Int64) { entries.append(Entry(slot: slot, serial: serial)) }

    mutating func popFirst() -> Entry? {
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
