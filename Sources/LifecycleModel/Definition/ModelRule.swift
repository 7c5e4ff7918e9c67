import DataFiles

/// A documented statement about the order of callbacks, and how serious a log that contradicts it is.
package struct ModelRule: KeyedRecord {
    /// Identifier (`R-APP-15` …).
    package var id: String
    package var severity = RuleSeverity.error
    /// Severity in profiles that differ from ``severity``.
    package var severityByProfile: [String: RuleSeverity] = [:]
    /// Severity from a major version of the system on, where it differs from ``severity``.
    package var severitySince: [String: RuleSeverity] = [:]
    /// ``severitySince`` in words.
    package var laterSeverities: [String] {
        severitySince.sorted { $0.key < $1.key }.map { "\($1.rawValue) from iOS \($0) on" }
    }
    package var says = ""
    /// What happened where it is broken, as a title of findings; empty where only their messages say it.
    package var title = ""
    /// Text of a finding. `{callback}`, `{previous}`, `{state}` and `{seconds}`, with its unit, are replaced by what was found.
    package var message = ""
    package var condition = RuleCondition()
    /// Whether one finding per run is enough.
    package var oncePerRun = false
    /// Whether it is about methods: a line that names the notification does not break it.
    package var isOfMethods = false
    /// A log breaks the rule at every event that breaks one of these.
    package var checks: [RuleCheck] = []
    /// When a log may break it for a good reason.
    package var exception = ""
    package var citation = ""

    package init(id: String) { self.id = id }

    /// The severity in a run that follows these profiles.
    package func severity(in profiles: some Sequence<String>) -> RuleSeverity {
        profiles.compactMap { severityByProfile[$0] }.max() ?? severity
    }

    /// The severity in a version of the system.
    package func severity(in system: Int) -> RuleSeverity {
        let since = severitySince.compactMap { version, severity in Int(version).map { ($0, severity) } }
        return since.filter { $0.0 <= system }.max { $0.0 < $1.0 }?.1 ?? severity
    }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.require("severity", &severity)
        try fields.bind("severity by profile", &severityByProfile)
        try fields.bind("severity since", &severitySince)
        try fields.require("says", &says)
        try fields.bind("when broken", &title)
        try fields.bind("message", &message, usual: "broken: \(says)")
        try condition.bind(&fields)
        try fields.bind("once per run", &oncePerRun)
        try fields.bind("of methods", &isOfMethods)
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

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.bind("profiles", &profiles)
        try fields.bind("options", &options)
        try fields.bind("system below", &systemBelow)
        try systems.bind(&fields)
    }
}

/// One condition of a rule. ``RuleTemplate`` defines how it uses the fields. Callbacks and states are given by id.
package struct RuleCheck: FieldRecord {
    /// Whose callbacks make up the sequence.
    package enum Scope: String, FieldWord {
        /// Those of one instance.
        case instance
        /// Those of all instances of a run.
        case run
        /// Those of the instances with the same label in all runs of the app.
        case session
    }

    /// Which kind of instance an exchange brings in.
    package enum Arriving: String, FieldWord {
        /// One that appears for the first time.
        case new
        /// One that was on the screen before.
        case known
    }

    package var template = RuleTemplate.permitted
    package var scope = Scope.instance
    /// Callbacks that the check is about.
    package var when: [String] = []
    /// Callbacks that they require or exclude.
    package var then: [String] = []
    /// The only callbacks that count as previous and next; empty for all that are not supplementary.
    package var among: [String] = []
    package var states: [String] = []
    package var from: [String] = []
    package var until: [String] = []
    package var unless: [String] = []
    /// Callbacks of which one must have come in the run for the check to apply (a log may omit some).
    package var seen: [String] = []
    /// Callbacks of which none may have come for the check to apply.
    package var unseen: [String] = []
    /// Origins of evidence that the check is about.
    package var evidence: [String] = []
    /// Pairs (earlier, later) of an exchange.
    package var order: [[String]] = []
    package var arriving: Arriving?
    /// Whether only the first view controller of the run counts.
    package var rootOnly = false
    /// Whether it applies only where the log shows the beginning of the run.
    package var needsStart = false
    /// Whether it applies only to runs whose launch reached neither active nor the background (`true`), or only to other
    /// runs (`false`); `nil` for all.
    package var failedLaunch: Bool?
    package var count: Int?
    package var seconds: Double?

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.require("template", &template)
        try fields.bind("scope", &scope, usual: .instance)
        try fields.bind("when", &when)
        try fields.bind("then", &then)
        try fields.bind("among", &among)
        try fields.bind("states", &states)
        try fields.bind("from", &from)
        try fields.bind("until", &until)
        try fields.bind("unless", &unless)
        try fields.bind("seen", &seen)
        try fields.bind("unseen", &unseen)
        try fields.bind("evidence", &evidence)
        let place = fields.entry("order")
        try fields.bind("order", &order)
        if let place, order.contains(where: { $0.count != 2 }) {
            throw place.error("\(place.role) must be a list of pairs")
        }
        try fields.bind("arriving", &arriving)
        try fields.bind("root only", &rootOnly)
        try fields.bind("needs start", &needsStart)
        try fields.bind("failed launch", &failedLaunch)
        try fields.bind("count", &count)
        try fields.bind("seconds", &seconds)
    }
}

/// The forms that a check may have: the templates of Declare where they fit, and a few about states, times and several
/// instances.
///
/// A check examines a *sequence*: the events of one instance (or, with the scope `run`, of all instances of a run) in log
/// order, without the supplementary callbacks that the check does not name; with ``RuleCheck/among`` only those callbacks.
/// `when` means ``RuleCheck/when``, `then` means ``RuleCheck/then``. A finding is located at the event that breaks the
/// rule, or at the last event when something is missing at the end.
package enum RuleTemplate: String, FieldWord {
    /// The first callback of the sequence is one of `when`.
    case initial = "init"
    /// Nothing follows one of `when`.
    case end
    /// One of `when` occurs, at least ``RuleCheck/count`` times (default 1). Judged when the run has ended.
    case existence
    /// None of `when` occurs.
    case absence
    /// No line is evidence of one of the origins of ``RuleCheck/evidence``.
    case noEvidence = "no_evidence"
    /// Each of `when` occurs at most ``RuleCheck/count`` times (default 1).
    case atMost = "at_most"
    /// `when`, taken together, occur exactly ``RuleCheck/count`` times (default 1). Too few is judged when the run has ended.
    case exactly
    /// After one of `when`, one of `then` follows before the run ends.
    case response
    /// Before one of `when`, one of `then` has come.
    case precedence
    /// The callback directly after one of `when`, if any, is one of `then`.
    case chainResponse = "chain_response"
    /// The callback directly before one of `when`, if any, is one of `then`.
    case chainPrecedence = "chain_precedence"
    /// Between two of `when`, one of `then` comes.
    case alternate
    /// After one of `when`, none of `then` comes.
    case notSuccession = "not_succession"
    /// None of `then` comes directly after one of `when`.
    case notChainSuccession = "not_chain_succession"
    /// `when` and `then` do not both occur.
    case notCoexistence = "not_coexistence"
    /// If one of `when` occurs, one of `then` occurs as well, before or after. Judged when the run has ended.
    case respondedExistence = "responded_existence"
    /// If both occur, the first of `when` comes before the first of `then`. The finding is located at the latter.
    case firstOrder = "first_order"
    /// One of `when` comes only in one of ``RuleCheck/states``. An unknown state breaks nothing.
    case onlyInState = "only_in_state"
    /// After one of ``RuleCheck/from`` and until one of ``RuleCheck/until`` (or the end), none of `when` comes. With
    /// ``RuleCheck/states``, only an instance that was in one of them at the beginning counts.
    case absenceBetween = "absence_between"
    /// Between one of ``RuleCheck/from`` and the next of ``RuleCheck/until``, one of `when` comes. Only the first such
    /// stretch of an instance counts.
    case existenceBetween = "existence_between"
    /// The process ends in one of ``RuleCheck/states`` without a callback that announces it: another run of the app
    /// follows, or evidence proves the end. The end of the log does not count. With ``RuleCheck/seen`` one of those must
    /// have come, with ``RuleCheck/unseen`` none of them. ``RuleCheck/failedLaunch`` separates failed launches from other
    /// runs.
    case silentEnd = "silent_end"
    /// One of `when` comes in one of ``RuleCheck/states`` after the process was silent for at most
    /// ``RuleCheck/seconds``.
    case noLongSilenceBefore = "no_long_silence_before"
    /// One of `then` does not come within ``RuleCheck/seconds`` after one of `when`, unless the process ends then or
    /// one of ``RuleCheck/unless`` comes within ``RuleCheck/seconds`` after it.
    case notWithin = "not_within"
    /// When one of `when` comes, no instance of this model is in one of ``RuleCheck/states``.
    case noInstanceInState = "no_instance_in_state"
    /// One instance leaves the screen while another arrives. The callbacks of ``RuleCheck/order`` (`leaving x` and
    /// `arriving y`) come in the order of each pair when both occur. ``RuleCheck/arriving`` restricts it to an arriving
    /// instance that is `new` or `known`. Where a new one begins to arrive before the other one begins to leave, they are
    /// tabs or pages: then, and whenever one of them leaves for a known one, nothing is judged.
    case exchange
    /// Like ``exchange``; in addition, the leaving instance receives one of `then` before the run ends.
    case exchangeResponse = "exchange_response"
    /// The state that one of `when` proves is the one derived from the scenes, at most ``RuleCheck/seconds`` later.
    case agreesWithDerived = "agrees_with_derived"
    /// Never broken: states that something is allowed.
    case permitted
}
