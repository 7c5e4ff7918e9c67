/// What a model has one machine for.
package enum InstanceScope: String, Sendable, CaseIterable {
    /// One per process lifetime.
    case run
    /// One per scene session.
    case scene
    /// One per labelled object (a view controller, a player).
    case object
}
