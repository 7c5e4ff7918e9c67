/// What only the caller knows about where a table goes, and what the person asked for.
package struct TableOptions: Sendable, Hashable {
    /// Numbers as they are stored, instead of units, percent and grouped thousands.
    package var raw: Bool
    /// Whether colour and bold may be used.
    package var colour: Bool
    /// Cells of the terminal's line, to which a table is fitted by shortening its texts; `nil` on a pipe: no limit.
    package var width: Int?
    /// Whether the output is a terminal, which must never see a control character, not even in CSV.
    package var isTerminal: Bool

    package init(raw: Bool = false, colour: Bool = false, width: Int? = nil, isTerminal: Bool = false) {
        self.raw = raw
        self.colour = colour
        self.width = width
        self.isTerminal = isTerminal
    }
}
