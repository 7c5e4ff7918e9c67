/// A documented scenario as a log.
package struct PlayedScenario: Sendable, Hashable {
    /// Which of the ways that a scenario leaves open is played.
    package enum Variant: Sendable, Hashable, CaseIterable {
        /// Without anything that may be missing, with the first of alternatives.
        case shortest
        /// With everything that may be missing, with the last of alternatives, and unordered steps the other way round.
        case longest
    }

    /// Id of the scenario (`SC-A01` …).
    package var scenario: String
    /// The log: NSLog lines in the new form.
    package var text: String
    /// The lines of the scenario itself, counted from 1: what stands before them leads up to it, what stands after
    /// them shows that a silent end was one.
    package var lines: ClosedRange<Int>
    /// Ids of all callbacks, one for each line of the log; after them comes a line that is none where a launch has to
    /// be shown to live on.
    package var callbacks: [String]
}
