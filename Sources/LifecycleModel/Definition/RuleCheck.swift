/// One condition of a rule. What the fields mean, the ``RuleTemplate`` says; callbacks and states go by their ids.
package struct RuleCheck: Sendable, Hashable {
    /// Whose callbacks make up the sequence.
    package enum Scope: String, Sendable, CaseIterable {
        /// Those of one instance.
        case instance
        /// Those of all instances of a run.
        case run
        /// Those of the instances with the same label in all runs of the app.
        case session
    }

    /// Which instance an exchange brings in.
    package enum Arriving: String, Sendable, CaseIterable {
        /// One that appears for the first time.
        case new
        /// One that was on the screen before.
        case known
    }

    package var template: RuleTemplate
    package var scope: Scope
    /// Callbacks that the check is about.
    package var when: [String]
    /// Callbacks that they call for, or rule out.
    package var then: [String]
    /// The only callbacks that count as previous and next; empty for all that are not supplementary.
    package var among: [String]
    package var states: [String]
    package var from: [String]
    package var until: [String]
    package var unless: [String]
    /// Callbacks of which one must have come in the run for the check to apply (a log may leave some out).
    package var seen: [String]
    /// Callbacks of which none may have come for the check to apply.
    package var unseen: [String]
    /// Pairs (earlier, later) of an exchange.
    package var order: [[String]]
    package var arriving: Arriving?
    /// Whether only the first controller of the run counts, among the callbacks that controllers get.
    package var rootOnly: Bool
    /// Whether it applies only where the log shows the beginning of the run.
    package var needsStart: Bool
    /// Whether it applies only to runs whose launch led neither to active nor to the background, or only to others; `nil`
    /// for all.
    package var failedLaunch: Bool?
    package var count: Int?
    package var seconds: Double?

    package init(
        template: RuleTemplate, scope: Scope = .instance, when: [String] = [], then: [String] = [],
        among: [String] = [], states: [String] = [], from: [String] = [], until: [String] = [], unless: [String] = [],
        seen: [String] = [], unseen: [String] = [], order: [[String]] = [], arriving: Arriving? = nil,
        rootOnly: Bool = false, needsStart: Bool = false, failedLaunch: Bool? = nil,
        count: Int? = nil, seconds: Double? = nil
    ) {
        self.template = template
        self.scope = scope
        self.when = when
        self.then = then
        self.among = among
        self.states = states
        self.from = from
        self.until = until
        self.unless = unless
        self.seen = seen
        self.unseen = unseen
        self.order = order
        self.arriving = arriving
        self.rootOnly = rootOnly
        self.needsStart = needsStart
        self.failedLaunch = failedLaunch
        self.count = count
        self.seconds = seconds
    }
}
