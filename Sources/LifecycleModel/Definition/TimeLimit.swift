import DataFiles

/// A time that something should not exceed.
package struct TimeLimit: KeyedRecord {
    /// What is measured.
    package enum Measure: String, FieldWord {
        /// The time between ``TimeLimit/from`` and ``TimeLimit/to`` inside one instance. The first point of each list that
        /// the log shows counts.
        case duration
        /// How long a visit of one of the states of ``TimeLimit/from`` lasts.
        case visit
        /// Whether ``TimeLimit/to`` comes at all before one of ``TimeLimit/before``. The limit is broken regardless of the
        /// time; the threshold is 0.
        case unanswered
        /// A span that other parts use and that is never a finding itself.
        case grace
    }

    /// The time above which a finding has a severity.
    package struct Threshold: KeyedValue {
        package var severity: RuleSeverity
        /// Exclusive: a time of exactly this length breaks nothing.
        package var seconds: Double

        var key: String { severity.rawValue }
        var tree: DataTree { seconds.tree }
        init(_ field: Field) throws(DataFileError) {
            severity = try RuleSeverity(key: field)
            seconds = try Double(field)
        }
    }

    /// Identifier (`TL-01` …).
    package var id: String
    package var kind = Measure.duration
    package var says = ""
    /// What happened where it is exceeded, as a title of findings; empty where only their messages say it.
    package var title = ""
    /// Text of a finding. `{seconds}` and `{limit}` are replaced by the measured and the allowed time with
    /// their units.
    package var message = ""
    /// Models whose instances are measured; empty for the model that declares the limit.
    package var models: [String] = []
    package var from: [LimitPoint] = []
    package var to: [LimitPoint] = []
    package var before: [LimitPoint] = []
    /// Mildest first.
    package var thresholds: [Threshold] = []
    /// Thresholds in profiles that differ from ``thresholds``.
    package var thresholdsByProfile: [String: [Threshold]] = [:]
    /// Callbacks that cancel the measurement.
    package var cancelledBy: [String] = []
    /// A longer time, in seconds, means something else and is not a finding.
    package var plausibleUntil: Double?
    /// The last callback of ``to`` must begin within this time after ``from``, or a user caused the wait; in seconds.
    package var promptWithin: Double?
    /// Whether the limit applies only if the log shows the exit of the callback elsewhere.
    package var needsExit = false
    package var condition = RuleCondition()
    /// When a log may exceed it for a good reason.
    package var exception = ""
    package var citation = ""

    package init(id: String) { self.id = id }

    /// The thresholds in a run that follows these profiles.
    package func thresholds(in profiles: some Sequence<String>) -> [Threshold] {
        profiles.compactMap { thresholdsByProfile[$0] }.first ?? thresholds
    }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.require("measures", &kind)
        try fields.require("says", &says)
        try fields.bind("when broken", &title)
        try fields.bind("message", &message, usual: "broken: \(says)")
        try fields.bind("models", &models)
        try fields.bind("from", &from)
        try fields.bind("to", &to)
        try fields.bind("before", &before)
        try fields.bind("thresholds", &thresholds)
        try fields.bind("thresholds by profile", &thresholdsByProfile)
        thresholds.sort { $0.severity < $1.severity }
        thresholdsByProfile = thresholdsByProfile.mapValues { $0.sorted { $0.severity < $1.severity } }
        try fields.bind("cancelled by", &cancelledBy)
        try fields.bind("plausible until", &plausibleUntil)
        try fields.bind("prompt within", &promptWithin)
        try fields.bind("needs exit", &needsExit)
        try condition.bind(&fields)
        try fields.bind("exception", &exception)
        try fields.bind("citation", &citation)
    }
}

/// One end of a measured time.
package struct LimitPoint: FieldRecord {
    /// What can be an end.
    package enum Moment: String, FieldWord {
        case processStart = "process_start"
        case firstCallback = "first_callback"
        /// One of ``LimitPoint/callbacks``.
        case callback
        /// The line that reports the return of one of ``LimitPoint/callbacks``.
        case callbackExit = "callback_exit"
        case nextEvent = "next_event"
        /// The last activity of the run before the state changes or the run ends.
        case lastActivity = "last_activity"
        case runEnd = "run_end"
        /// Entering and leaving one of ``LimitPoint/states``.
        case stateEntry = "state_entry"
        case stateExit = "state_exit"
        /// The beginning of a suspension, observed or estimated.
        case suspension
    }

    package var kind = Moment.callback
    package var callbacks: [String] = []
    package var states: [String] = []
    /// Whether it substitutes for something the log does not show; the finding mentions this.
    package var isApproximate = false
    /// Whether it counts only if the process was never silent longer than the suspension grace in between and, where the
    /// next event substitutes for an end, no background task was open that kept the process running.
    package var isContinuous = false

    /// A point without further fields may be written as a single word.
    static var shorthand: String? { "point" }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.require("point", &kind)
        try fields.bind("callbacks", &callbacks)
        try fields.bind("states", &states)
        try fields.bind("approximate", &isApproximate)
        try fields.bind("continuous", &isContinuous)
    }
}
