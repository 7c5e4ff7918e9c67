import TraceRecords

/// The symbols of a source, found by bytes; only a text that is new becomes a `String`.
struct SymbolStore {
    /// The most bytes of keys to remember; the symbols themselves stay.
    private static let keyLimit = 1 << 20

    private var table = SymbolTable()
    private var known = ByteTable()
    private var handedOver = 1

    /// Number of texts.
    var count: Int { table.count - 1 }

    /// Texts that are new since the last call.
    mutating func takeNew() -> [String] {
        defer { handedOver = table.count }
        return handedOver == table.count ? [] : Array(table.texts(since: handedOver))
    }

    /// The symbol of a stretch of bytes.
    mutating func symbol(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Symbol {
        guard end > start else { return .none }
        if let number = known.value(bytes, start, count: end - start) { return Symbol(id: number) }
        var text: [UInt8] = []
        text.reserveCapacity(end - start)
        for position in start..<end { text.append(bytes.byte(position)) }
        let symbol = table.intern(String(decoding: VisText.plain(text), as: UTF8.self))
        if known.keyBytes > Self.keyLimit { known.removeAll() }
        known.insert(bytes, start, count: end - start, value: symbol.id)
        return symbol
    }

    /// The symbol of a label: its name, and its address behind a blank.
    mutating func symbol(_ bytes: RawSpan, _ label: LabelRules.Label) -> Symbol {
        if label.addressStart == label.addressEnd { return symbol(bytes, label.nameStart, label.nameEnd) }
        var text: [UInt8] = []
        for position in label.nameStart..<label.nameEnd { text.append(bytes.byte(position)) }
        if !text.isEmpty { text.append(0x20) }
        for position in label.addressStart..<label.addressEnd { text.append(bytes.byte(position)) }
        return symbol(text.span.bytes, 0, text.count)
    }

    /// The symbol of a text.
    mutating func symbol(_ text: String) -> Symbol { table.intern(text) }
}
