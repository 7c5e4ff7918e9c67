/// How the state of one machine follows from the states of several others: the app's from its scenes'.
package struct DerivedState: Sendable, Hashable {
    /// Model of the machine that follows.
    package var model: String
    /// State of an instance, and the state that follows from it; the first that any instance is in decides.
    package var ranking: [Pair]
    /// What follows when no instance is in any of them.
    package var otherwise: String
    package var citation: String

    package struct Pair: Sendable, Hashable {
        package var of: String
        package var gives: String
        package init(of: String, gives: String) {
            self.of = of
            self.gives = gives
        }
    }

    package init(model: String, ranking: [Pair], otherwise: String, citation: String) {
        self.model = model
        self.ranking = ranking
        self.otherwise = otherwise
        self.citation = citation
    }

    /// The state that follows from these states.
    package func state(from states: some Sequence<String>) -> String {
        let present = Set(states)
        return ranking.first { present.contains($0.of) }?.gives ?? otherwise
    }
}
