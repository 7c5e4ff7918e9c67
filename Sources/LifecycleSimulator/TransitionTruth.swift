/// The transitions between two states on one callback.
package struct TransitionTruth: Sendable, Hashable, Codable {
    package var layer: String
    package var from: String
    package var to: String
    /// Canonical id, `nil` for a silent end.
    package var callback: String?
    /// `observed`, or `inferred` for a silent end.
    package var evidence: String
    package var count: Int
}
