/// A time that something should not exceed.
package struct TimeLimit: Sendable, Hashable {
    /// What is measured.
    package enum Kind: String, Sendable, CaseIterable {
        /// The time between ``TimeLimit/from`` and ``TimeLimit/to``, inside one instance; the first point of each list
        /// that the log shows counts.
        case duration
        /// How long an instance stays in one of the states of ``TimeLimit/from``.
        case stay
        /// Whether ``TimeLimit/to`` comes at all before one of ``TimeLimit/before``. It breaks at once, whatever the
        /// time; the threshold is 0.
        case unanswered
        /// A span that other parts use and that is never a finding itself.
        case grace
    }

    /// From how many seconds on a finding has a severity.
    package struct Threshold: Sendable, Hashable {
        package var severity: RuleSeverity
        /// Exclusive: a time that is just as long breaks nothing.
        package var seconds: Double
        package init(severity: RuleSeverity, seconds: Double) {
            self.severity = severity
            self.seconds = seconds
        }
    }

    /// Identifier (`TL-01` …).
    package var id: String
    package var kind: Kind
    /// The limit, as one sentence.
    package var says: String
    /// What a finding tells: `{seconds}` and `{limit}` stand for what was measured and allowed.
    package var message: String
    /// Models whose instances are measured; empty for the model that the limit stands in.
    package var models: [String]
    package var from: [LimitPoint]
    package var to: [LimitPoint]
    package var before: [LimitPoint]
    /// Mildest first.
    package var thresholds: [Threshold]
    /// Other thresholds where a profile asks for them.
    package var thresholdsByProfile: [String: [Threshold]]
    /// Callbacks that call the measurement off.
    package var cancelledBy: [String]
    /// A longer time measures something else, and is no finding; in seconds.
    package var plausibleUntil: Double?
    /// The last callback of ``to`` must begin within this time after ``from``, or a person caused the wait; in
    /// seconds.
    package var promptWithin: Double?
    /// Callbacks without whose exit in the log (or an open background task) nothing is known.
    package var needsExitOrOpenTask: Bool
    package var condition: RuleCondition
    /// When a log may exceed it for a good reason.
    package var exception: String
    /// Where it is documented.
    package var citation: String

    package init(
        id: String, kind: Kind, says: String, message: String, models: [String] = [], from: [LimitPoint] = [],
        to: [LimitPoint] = [], before: [LimitPoint] = [], thresholds: [Threshold] = [],
        thresholdsByProfile: [String: [Threshold]] = [:], cancelledBy: [String] = [], plausibleUntil: Double? = nil,
        promptWithin: Double? = nil, needsExitOrOpenTask: Bool = false, condition: RuleCondition = RuleCondition(),
        exception: String = "", citation: String
    ) {
        self.id = id
        self.kind = kind
        self.says = says
        self.message = message
        self.models = models
        self.from = from
        self.to = to
        self.before = before
        self.thresholds = thresholds
        self.thresholdsByProfile = thresholdsByProfile
        self.cancelledBy = cancelledBy
        self.plausibleUntil = plausibleUntil
        self.promptWithin = promptWithin
        self.needsExitOrOpenTask = needsExitOrOpenTask
        self.condition = condition
        self.exception = exception
        self.citation = citation
    }

    /// The thresholds in a run that follows these profiles.
    package func thresholds(in profiles: some Sequence<String>) -> [Threshold] {
        profiles.compactMap { thresholdsByProfile[$0] }.first ?? thresholds
    }
}
