/// The line accounting of a source. `lines` is always the sum of the other four.
public struct LineCounts: Sendable, Hashable, Codable {
    /// Physical lines read.
    public var lines: Int64 = 0
    /// Lines that start an entry.
    public var entry: Int64 = 0
    /// Lines that continue an entry.
    public var continuation: Int64 = 0
    /// Preludes, headers, footers, blank lines, bare copies of timed lines, text that belongs to no entry.
    public var other: Int64 = 0
    /// Lines that could not be read; each has a ``Reject``.
    public var rejected: Int64 = 0

    public init() {}

    /// Whether every line is accounted for exactly once.
    public var isBalanced: Bool { lines == entry + continuation + other + rejected }
}
