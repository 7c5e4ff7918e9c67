/// A ``LifeSpan`` with the run that it belongs to: the other kind of stored fact.
public struct LifeRecord: Sendable, Hashable {
    public var run: Int64
    /// Number of the source that the lines are in.
    public var source: Int32
    public var from: Int64?
    public var until: Int64?
    public var firstLine: Int64
    public var lastLine: Int64

    public init(run: Int64, source: Int32, from: Int64?, until: Int64?, firstLine: Int64, lastLine: Int64) {
        self.run = run
        self.source = source
        self.from = from
        self.until = until
        self.firstLine = firstLine
        self.lastLine = lastLine
    }
}
