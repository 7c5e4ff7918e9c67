import TraceRecords

/// The text of a field in the line before, which is most often the text of the field in this line too.
struct RecentSymbol {
    private var text: [UInt8] = []
    private(set) var symbol = Symbol.none
    /// A hash of the text that is the same in every ingest, unlike the symbol.
    private(set) var hash: UInt64 = 0

    /// Takes the text of this line.
    @inline(__always)
    mutating func take(_ bytes: RawSpan, _ range: ByteRange, from store: inout SymbolStore) {
        let start = Int(range.offset)
        let count = Int(range.length)
        if count == text.count, bytes.equals(start, text.span.bytes, 0, count: count) { return }
        change(bytes, start, count, &store)
    }

    @inline(never)
    private mutating func change(_ bytes: RawSpan, _ start: Int, _ count: Int, _ store: inout SymbolStore) {
        text.removeAll(keepingCapacity: true)
        for position in start..<start + count { text.append(bytes.byte(position)) }
        symbol = store.symbol(bytes, start, start + count)
        hash = bytes.stableHash(start, count: count)
    }
}
