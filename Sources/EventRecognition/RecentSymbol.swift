import TraceRecords

/// The text of a field in the line before, which is most often the text of the field in this line too.
struct RecentSymbol {
    private var text: [UInt8] = []
    private(set) var symbol = Symbol.none
    /// A hash of the text that is the same in every ingest, unlike the symbol.
    private(set) var hash: UInt64 = 0

    /// The text as it is written; `nil` before the first line that has one.
    var remembered: String? { text.isEmpty ? nil : String(decoding: text, as: UTF8.self) }

    /// The text as people read it.
    var name: String? { text.isEmpty ? nil : String(decoding: VisText.plain(text), as: UTF8.self) }

    /// Goes on from a text that was remembered.
    mutating func restore(_ remembered: String?, from store: inout SymbolStore) {
        guard let remembered, !remembered.isEmpty else { return }
        let bytes = Array(remembered.utf8)
        change(bytes.span.bytes, 0, bytes.count, &store)
    }

    /// Gives the text the number that it has in another store.
    mutating func renumber(from store: inout SymbolStore) { restore(remembered, from: &store) }

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
