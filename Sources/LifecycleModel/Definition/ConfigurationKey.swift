/// A key that a user can set, and that rules may ask for.
package struct ConfigurationKey: Sendable, Hashable {
    /// Identifier (`exits-on-suspend` …).
    package var id: String
    /// Values that it may have; empty for any text.
    package var values: [String]
    /// Value where the user says nothing.
    package var standard: String
    /// Whether the value is a decision that can't be changed, listed so that it is known.
    package var isFixed: Bool
    package var summary: String
    package var citation: String
}
