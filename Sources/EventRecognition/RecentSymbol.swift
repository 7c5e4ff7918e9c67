import TraceRecords

/// The text of a field in the line before, which is most often the text of the field in this line too.
struct RecentSymbol {
    private var text: [UInt8] = []
    /// What is shown in its place; `nil` where that is the text itself.
    private var shown: [UInt8]?
    private let showing: (([UInt8]) -> [UInt8]?)?
    private(set) var symbol = Symbol.none
    /// A hash of the text that is the same in every ingest, unlike the symbol.
    private(set) var hash: UInt64 = 0

    /// A field, and what is shown in place of its texts; `nil` where that is the text itself.
    init(showing: (([UInt8]) -> [UInt8]?)? = nil) { self.showing = showing }

    /// The text as it is written; `nil` before the first line that has one.
    var remembered: String? { text.isEmpty ? nil : String(decoding: shown ?? text, as: UTF8.self) }

    /// The text as people read it.
    var name: String? { text.isEmpty ? nil : String(decoding: VisText.plain(shown ?? text), as: UTF8.self) }

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
        shown = showing?(text)
        if let shown {
            symbol = store.symbol(shown.span.bytes, 0, shown.count)
            hash = shown.span.bytes.stableHash(0, count: shown.count)
        } else {
            symbol = store.symbol(bytes, start, start + count)
            hash = bytes.stableHash(start, count: count)
        }
    }
}
