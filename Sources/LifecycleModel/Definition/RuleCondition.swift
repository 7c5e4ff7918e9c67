/// When a rule or limit applies at all.
package struct RuleCondition: Sendable, Hashable {
    /// Profiles of which the run must follow one; empty for all.
    package var profiles: [String]
    /// Values that configuration keys must have.
    package var options: [String: String]
    /// Major version of the system below which it applies; `nil` for all. An unknown version does not count as below.
    package var systemBelow: Int?

    package init(profiles: [String] = [], options: [String: String] = [:], systemBelow: Int? = nil) {
        self.profiles = profiles
        self.options = options
        self.systemBelow = systemBelow
    }

    /// Whether it always applies.
    package var isAlways: Bool { self == RuleCondition() }
}
