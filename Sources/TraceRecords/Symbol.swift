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
