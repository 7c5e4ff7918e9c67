import TraceRecords

/// One kind of line, and what it states.
struct DialectRule: Sendable {
    /// What a line states.
    enum Outcome: Sendable {
        /// A callback of the vocabulary: the line is a message of a user's model.
        case callback(UInt16)
        /// Evidence, and who states it.
        case proof(Proof, origin: String)
    }

    var outcome: Outcome
    var pattern: TextPattern
    /// What else must stand in the line, wherever; a label in it names the instance.
    var with: [TextPattern] = []
    /// Whether people write such lines, so that sentences must be told from statements.
    var isSpoken = false

    /// What the line `start..<end` says, when the rule is about it.
    func match(_ bytes: RawSpan, _ start: Int, _ end: Int) -> TextPattern.Finding? {
        guard var finding = pattern.match(bytes, start, end) else { return nil }
        for other in with {
            guard let more = other.match(bytes, start, end) else { return nil }
            if !more.label.isEmpty { finding.label = more.label }
        }
        return finding
    }
}
