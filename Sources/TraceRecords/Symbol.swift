/// A text that occurs again and again (process, device, instance label), as a small number.
///
/// Numbers are given out by a ``SymbolTable`` and mean nothing outside it. Symbol 0 is the absent text.
public struct Symbol: Sendable, Hashable {
    public var id: UInt32

    public init(id: UInt32) { self.id = id }

    /// The absent text.
    public static let none = Symbol(id: 0)

    public var isNone: Bool { id == 0 }
}

/// Texts by number and numbers by text. One table belongs to one stage on one thread.
public struct SymbolTable: Sendable {
    private var texts: [String] = [""]
    private var numbers: [String: UInt32] = ["": 0]

    public init() {}

    /// The symbol of a text, new if the text is.
    public mutating func intern(_ text: String) -> Symbol {
        if let number = numbers[text] { return Symbol(id: number) }
        let number = UInt32(texts.count)
        texts.append(text)
        numbers[text] = number
        return Symbol(id: number)
    }

    /// The text of a symbol of this table; `nil` for ``Symbol/none``.
    public func text(_ symbol: Symbol) -> String? {
        symbol.isNone ? nil : texts[Int(symbol.id)]
    }

    /// Number of symbols, the absent one included.
    public var count: Int { texts.count }

    /// The texts that were added since the table had `count` symbols, in order.
    public func texts(since count: Int) -> ArraySlice<String> { texts[count...] }
}
