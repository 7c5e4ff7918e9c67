/// A set of systems or of views on the documents, which selects and tunes rules.
package struct ModelProfile: Sendable, Hashable {
    /// Identifier (`ios13+` …).
    package var id: String
    package var title: String
    /// Major versions of the system that it covers; `nil` when it is no matter of the system.
    package var systems: ClosedRange<Int>?
    /// Whether a run of such a system follows it without being told to.
    package var followsSystem: Bool
    package var citation: String
}
