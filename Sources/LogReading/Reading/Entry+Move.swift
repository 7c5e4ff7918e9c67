import TraceRecords

extension Entry {
    /// Moves all texts, when the bytes that they are in have moved.
    mutating func move(by shift: Int) {
        func move(_ range: inout ByteRange) {
            if !range.isEmpty { range.offset &+= Int32(truncatingIfNeeded: shift) }
        }
        move(&process)
        move(&device)
        move(&subsystem)
        move(&message)
    }
}
