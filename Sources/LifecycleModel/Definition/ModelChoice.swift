/// A point on which the documents disagree with each other or with observed logs, and what was chosen.
package struct ModelChoice: Sendable, Hashable {
    /// Number in the specification's list of disagreements.
    package var number: Int
    package var topic: String
    /// What the models and the replay do.
    package var choice: String
    /// Ids of the transitions, rules, limits, scenarios, callbacks and keys that express it.
    package var standsIn: [String]
    /// The test that holds it, or why there is nothing to test.
    package var testedBy: String
}
