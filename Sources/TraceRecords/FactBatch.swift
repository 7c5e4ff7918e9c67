/// What recognition makes of a stretch of one source: events and activity intervals in the order of the source.
///
/// The unit of storing and of replaying. A batch knows no other batch: its facts refer to its own ``speakers`` and
/// ``texts``. How a source is divided into batches changes no result.
public struct FactBatch: Sendable, Equatable {
    /// The most facts of a batch.
    public static let mostFacts = 4_096

    public enum Fact: Sendable, Hashable {
        case event(Event)
        case activity(ActivityInterval)
    }

    /// The facts, in the order of the source; an interval has the place of its last line.
    public var facts: [Fact]
    /// The speakers of the facts, by index.
    public var speakers: [Speaker]
    /// The texts of the symbols: origins, versions, messages. Symbol 1 is the first one.
    public var texts: [String]
    /// Time of the latest entry of the source so far, whether it is a fact or not, in nanoseconds since 1970 UTC.
    public var lastTime: Int64?

    public init(facts: [Fact] = [], speakers: [Speaker] = [], texts: [String] = [], lastTime: Int64? = nil) {
        self.facts = facts
        self.speakers = speakers
        self.texts = texts
        self.lastTime = lastTime
    }

    public var isEmpty: Bool { facts.isEmpty }

    /// The text of a symbol of this batch; `nil` for ``Symbol/none``.
    public func text(_ symbol: Symbol) -> String? { symbol.isNone ? nil : texts[Int(symbol.id) - 1] }
}
