/// Something that the documents say about the order of callbacks, and what a log that contradicts it means.
package struct ModelRule: Sendable, Hashable {
    /// Identifier (`R-APP-15` …).
    package var id: String
    package var severity: RuleSeverity
    /// Severity where a profile asks for another one.
    package var severityByProfile: [String: RuleSeverity]
    /// The rule, as one sentence.
    package var says: String
    /// What a finding tells: `{callback}`, `{previous}`, `{state}` and `{seconds}` stand for what was found.
    package var message: String
    /// All conditions; a log breaks the rule at every event that breaks one of them.
    package var checks: [RuleCheck]
    package var condition: RuleCondition
    /// Whether one finding per run is enough.
    package var oncePerRun: Bool
    /// When a log may break it for a good reason.
    package var exception: String
    /// Where it is documented.
    package var citation: String

    package init(
        id: String, severity: RuleSeverity, severityByProfile: [String: RuleSeverity] = [:], says: String,
        message: String, checks: [RuleCheck], condition: RuleCondition = RuleCondition(), oncePerRun: Bool = false,
        exception: String = "", citation: String
    ) {
        self.id = id
        self.severity = severity
        self.severityByProfile = severityByProfile
        self.says = says
        self.message = message
        self.checks = checks
        self.condition = condition
        self.oncePerRun = oncePerRun
        self.exception = exception
        self.citation = citation
    }

    /// The severity in a run that follows these profiles.
    package func severity(in profiles: some Sequence<String>) -> RuleSeverity {
        profiles.compactMap { severityByProfile[$0] }.max() ?? severity
    }
}
