/// A documented statement about the order of callbacks, and how serious a log that contradicts it is.
package struct ModelRule: KeyedRecord {
    /// Identifier (`R-APP-15` …).
    package var id: String
    package var severity = RuleSeverity.error
    /// Severity in profiles that differ from ``severity``.
    package var severityByProfile: [String: RuleSeverity] = [:]
    /// Severity from a major version of the system on, where it differs from ``severity``.
    package var severitySince: [String: RuleSeverity] = [:]
    /// The rule, as one sentence.
    package var says = ""
    /// Text of a finding. `{callback}`, `{previous}`, `{state}` and `{seconds}` are replaced by what was found.
    package var message = ""
    package var condition = RuleCondition()
    /// Whether one finding per run is enough.
    package var oncePerRun = false
    /// A log breaks the rule at every event that breaks one of these.
    package var checks: [RuleCheck] = []
    /// When a log may break it for a good reason.
    package var exception = ""
    /// Where it is documented.
    package var citation = ""

    package init(id: String) { self.id = id }

    /// The severity in a run that follows these profiles.
    package func severity(in profiles: some Sequence<String>) -> RuleSeverity {
        profiles.compactMap { severityByProfile[$0] }.max() ?? severity
    }

    mutating func bind(_ fields: inout Fields) throws(ModelError) {
        try fields.require("severity", &severity)
        try fields.bind("severity by profile", &severityByProfile)
        try fields.bind("severity since", &severitySince)
        try fields.require("says", &says)
        try fields.bind("message", &message, usual: says)
        try condition.bind(&fields)
        try fields.bind("once per run", &oncePerRun)
        try fields.require("checks", &checks)
        try fields.bind("exception", &exception)
        try fields.bind("citation", &citation)
    }
}

/// How serious a broken rule is, least serious first.
package enum RuleSeverity: String, FieldWord, Comparable, FieldKey {
    case info, warning, error

    package static func < (a: RuleSeverity, b: RuleSeverity) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// When a rule or limit applies at all.
package struct RuleCondition: Sendable, Hashable {
    /// Profiles of which the run must follow one; empty for all.
    package var profiles: [String] = []
    /// Values that configuration keys must have.
    package var options: [String: String] = [:]
    /// Major version of the system below which it applies; `nil` for all. An unknown version is not below.
    package var systemBelow: Int?
    /// Versions of the system that it is about.
    package var systems = SystemRange()

    /// Whether it always applies.
    package var isAlways: Bool { self == RuleCondition() }

    /// Whether it applies to a run.
    ///
    /// - Parameters:
    ///   - profiles: profiles that the run follows.
    ///   - options: values of the configuration keys.
    ///   - system: major version of the system, if known.
    package func holds(profiles: Set<String>, options: [String: String], system: Int?) -> Bool {
        if !self.profiles.isEmpty, profiles.isDisjoint(with: self.profiles) { return false }
        if let systemBelow {
            guard let system, system < systemBelow else { return false }
        }
        if let system, !systems.contains(system) { return false }
        return self.options.allSatisfy { options[$0.key] == $0.value }
    }

    /// Whether it applies to a version of the system, whatever else it asks.
    package func holds(in system: Int?) -> Bool {
        systems.contains(system) && systemBelow.map { below in system.map { $0 < below } ?? true } ?? true
    }

    mutating func bind(_ fields: inout Fields) throws(ModelError) {
        try fields.bind("profiles", &profiles)
        try fields.bind("options", &options)
        try fields.bind("system below", &systemBelow)
        try systems.bind(&fields)
    }
}
