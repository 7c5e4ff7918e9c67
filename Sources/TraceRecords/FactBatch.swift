/// What recognition makes of one ``EntryBatch``: events and signs of life in the order of the source.
public struct FactBatch: Sendable {
    /// A recognised event, or a stretch of other lines of a process.
    public enum Fact: Sendable, Hashable {
        case event(Event)
        case life(LifeSpan)
    }

    /// The facts, in the order of the source; a span stands where its last line stands.
    public var facts: [Fact]
    /// Texts of symbols that occur for the first time in this batch, in order of their numbers. A source's symbols
    /// number from 1; the receiver keeps them.
    public var newSymbols: [String]
    /// Whether the source's symbols are numbered anew from here on, so that the receiver can drop the texts before.
    public var restartsSymbols = false
    /// Totals of a day that the source states itself (MetricKit).
    public var dailyTotals: [DailyTotal]
    /// What reading says of the batch.
    public var rejects: [Reject]
    public var position: SourcePosition

    public init(
        facts: [Fact] = [], newSymbols: [String] = [], dailyTotals: [DailyTotal] = [], rejects: [Reject] = [],
        position: SourcePosition = SourcePosition()
    ) {
        self.facts = facts
        self.newSymbols = newSymbols
        self.dailyTotals = dailyTotals
        self.rejects = rejects
        self.position = position
    }
}
