/// What the user decides about a replay; the same facts under the same options always give the same rows.
package struct ReplayOptions: Sendable {
    /// Silence of a process, in nanoseconds, after which a background stay counts as suspended; `nil` makes no
    /// estimate.
    package var suspendGrace: Int64?
    /// Profile of rules to follow; `nil` lets the callbacks decide (`ios13+` once a scene callback occurs, `ios12-`
    /// before).
    package var profile: String?
    /// Values of configuration keys that overrule those of the catalog.
    package var configuration: [String: String]
    /// Major version of the system that the log comes from, when the user says so.
    package var systemVersion: Int?
    /// Whether messages are handed on to the store.
    package var keepsMessages: Bool
    package init(
        suspendGrace: Int64? = 5_000_000_000, profile: String? = nil,
        configuration: [String: String] = [:], systemVersion: Int? = nil, keepsMessages: Bool = false
    ) {
        self.suspendGrace = suspendGrace
        self.profile = profile
        self.configuration = configuration
        self.systemVersion = systemVersion
        self.keepsMessages = keepsMessages
    }
}
