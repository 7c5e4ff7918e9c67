/// Marks by which a transition that no callback marks may be recognised.
package struct SilentEvidence: Sendable, Hashable {
    /// Id of the transition.
    package var transition: String
    /// Marks inside the log of the app.
    package var inLog: String
    /// Marks in other logs and reports.
    package var elsewhere: String
}
