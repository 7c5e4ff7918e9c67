/// Scenarios that callbacks alone cannot tell apart.
package struct EquivalenceClass: Sendable, Hashable {
    /// Something beyond callbacks that speaks for some members.
    package struct Hint: Sendable, Hashable {
        /// Members it speaks for.
        package var members: [String]
        /// Callbacks of which one must come in or just beside the sequence.
        package var callbacks: [String]
        /// The two callbacks whose distance in time counts.
        package var gap: [String]
        /// The distance lies below or above this many seconds.
        package var below: Double?
        package var above: Double?
        /// Values that configuration keys must have.
        package var options: [String: String]

        package init(
            members: [String], callbacks: [String] = [], gap: [String] = [], below: Double? = nil,
            above: Double? = nil, options: [String: String] = [:]
        ) {
            self.members = members
            self.callbacks = callbacks
            self.gap = gap
            self.below = below
            self.above = above
            self.options = options
        }
    }

    /// Identifier (`EQ-1` …).
    package var id: String
    package var title: LocalizedText
    /// The callbacks that all members share.
    package var signature: [StepPattern]
    /// Ids of the scenarios, the one to name first when nothing tells them apart.
    package var members: [String]
    /// States of which one must come before the first callback; empty where that callback says enough.
    package var beginsIn: [String]
    package var hints: [Hint]
    package var citation: String

    package init(
        id: String, title: LocalizedText, signature: [StepPattern], members: [String], beginsIn: [String] = [],
        hints: [Hint] = [], citation: String
    ) {
        self.id = id
        self.title = title
        self.signature = signature
        self.members = members
        self.beginsIn = beginsIn
        self.hints = hints
        self.citation = citation
    }
}
