/// What is decided where the documents leave something open.
package struct ModelDecision: Sendable, Hashable {
    /// Number in the specification's list of ambiguities.
    package var number: Int
    package var question: String
    /// What happens unless the user says otherwise.
    package var standard: String
    /// Why.
    package var reason: String
    /// The ``ConfigurationKey`` or limit that changes it; `none` when nothing does.
    package var option: String
    package var citation: String
}
