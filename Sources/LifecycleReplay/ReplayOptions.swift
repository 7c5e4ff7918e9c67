import LifecycleModel

/// What the user decides about a replay; the same facts under the same options always give the same rows.
package struct ReplayOptions: Sendable {
    /// Silence of a process, in nanoseconds, after which a background stay counts as suspended; `nil` makes no
    /// estimate.
    package var suspendGrace: Int64?
    /// Device that the log belongs to, when the user says so; overrules what the lines print.
    package var device: String?
    /// Version of the app, when the user says so.
    package var appVersion: String?
    /// Profile of rules to follow; `nil` lets the callbacks decide (`ios13+` once a scene callback occurs, `ios12-`
    /// before).
    package var profile: String?
    /// Values of the configuration keys that rules and limits ask for; see ``defaultConfiguration``.
    package var configuration: [String: String]
    /// Major version of the system that the log comes from, when the user says so.
    package var systemVersion: Int?
    /// Whether messages are handed on to the store.
    package var keepsMessages: Bool
    /// Run ids whose stored rows the first batch replaces (a stream that has grown).
    package var forgottenRuns: [Int64]

    package init(
        suspendGrace: Int64? = 5_000_000_000, device: String? = nil, appVersion: String? = nil, profile: String? = nil,
        configuration: [String: String] = [:], systemVersion: Int? = nil, keepsMessages: Bool = false,
        forgottenRuns: [Int64] = []
    ) {
        self.suspendGrace = suspendGrace
        self.device = device
        self.appVersion = appVersion
        self.profile = profile
        self.configuration = configuration
        self.systemVersion = systemVersion
        self.keepsMessages = keepsMessages
        self.forgottenRuns = forgottenRuns
    }

    /// What holds where the user says nothing: watchdogs fire, and the app asks for no background modes. Whether it
    /// exits on suspend is not known.
    package static let defaultConfiguration = [
        "watchdog-active": "yes", "background-modes": "no", "exits-on-suspend": "unknown",
        "supports-multiple-scenes": "unknown", "edge-time": "enter",
    ]

    /// The profiles that a run follows.
    func profiles(withScenes: Bool) -> [String] {
        let base = withScenes ? "ios13+" : "ios12-"
        guard let profile else { return [base] }
        return profile == "ios12-" || profile == "ios13+" ? [profile] : [base, profile]
    }

    /// Whether the configuration is one that a rule or limit asks for, profiles apart.
    func meets(_ condition: RuleCondition) -> Bool {
        if let below = condition.systemBelow {
            guard let systemVersion, systemVersion < below else { return false }
        }
        return condition.options.allSatisfy { key, value in
            (configuration[key] ?? Self.defaultConfiguration[key]) == value
        }
    }
}
