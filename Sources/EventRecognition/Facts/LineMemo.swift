import Synchronization

/// What lines stated that were recognised before. A log repeats its lines word for word, so most of those that state
/// something are known by one comparison, and many of those that only look like it.
final class LineMemo {
    /// What a line states.
    struct Statement {
        /// The callback; ``LineMemo/nothing`` where the line states nothing.
        var callback: UInt16
        /// Where the label is, counted from the beginning of the line.
        var label = Label()
        var isReturn = false
        /// The number of the label in the batch with this serial.
        var number: UInt32 = 0
        var batch: UInt64 = 0
    }

    static let nothing = UInt16.max
    /// The longest line that is remembered.
    static let longest = 96
    private static let slotCount = 256

    private struct Slot {
        var hash: UInt64 = 0
        var count: Int32 = -1
        var statement = Statement(callback: LineMemo.nothing)
    }

    private var slots = [Slot](repeating: Slot(), count: slotCount)
    private var texts = [UInt8](repeating: 0, count: slotCount * longest)
    private var batches: UInt64 = 0

    /// A serial for another batch: the labels have other numbers in each.
    func nextBatch() -> UInt64 {
        batches += 1
        return batches
    }

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
    func remember(_ statement: Statement, _ bytes: RawSpan, _ start: Int, count: Int, hash: UInt64) {
        let slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        slots[slot] = Slot(hash: hash, count: Int32(count), statement: statement)
        for offset in 0..<count { texts[slot * Self.longest + offset] = bytes.byte(start + offset) }
    }

    /// Gives the label of a line another number.
    func renumber(_ number: UInt32, in batch: UInt64, hash: UInt64) {
        let slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        (slots[slot].statement.number, slots[slot].statement.batch) = (number, batch)
    }
}

/// The memos of a lexicon that are not in use: what was learnt from one source helps with the next.
final class MemoShelf: Sendable {
    /// A memo is of one recogniser at a time.
    private struct Resting: @unchecked Sendable {
        var memo: LineMemo
    }

    private let memos = Mutex<[Resting]>([])

    fileprivate func take() -> LineMemo { memos.withLock { $0.popLast() }?.memo ?? LineMemo() }

    fileprivate func put(_ memo: LineMemo) {
        let resting = Resting(memo: memo)
        memos.withLock { $0.append(resting) }
    }
}

/// A memo in use. It goes back when the last copy of its recogniser does.
final class LentMemo {
    let memo: LineMemo
    private let shelf: MemoShelf

    init(from shelf: MemoShelf) {
        self.shelf = shelf
        memo = shelf.take()
    }

    deinit { shelf.put(memo) }
}
