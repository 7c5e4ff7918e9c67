/// A located deviation: a row of the view `findings`.
public struct Finding: Sendable, Hashable {
    public var run: Int64
    /// `nil` when the finding is about the run as a whole.
    public var instance: Int64?
    public var layer: String
    /// Rule id of the model (`R-APP-15`, `TL-01` …) or of the replay itself (`clock-regression` …).
    public var rule: String
    /// Class of the deviation: `illegal-transition`, `missing-callback`, `duplicate`, `reordered-tie`,
    /// `clock-regression`, `truncation`, `unknown-callback`, `limit-overrun`, `rule-violation`.
    public var deviation: String
    public var severity: Severity
    /// Time of the line, in nanoseconds since 1970 UTC.
    public var time: Int64?
    /// What happened, in plain words.
    public var message: String
    /// The smallest change to the log that would make it conform; `nil` when there is none to name.
    public var repair: String?
    /// Number of the source, and the line in it.
    public var source: Int32
    public var line: Int64
    /// Step of the instance at that line; `nil` when there is none.
    public var step: Int64?
    /// Of an overrun limit, in nanoseconds: how long it allows, and how long it took; `nil` when it just never came.
    public var limit: Int64?
    public var taken: Int64?

    public init(
        run: Int64, instance: Int64?, layer: String, rule: String, deviation: String, severity: Severity, time: Int64?,
        message: String, repair: String? = nil, source: Int32, line: Int64, step: Int64?,
        limit: Int64? = nil, taken: Int64? = nil
    ) {
        self.run = run
        self.instance = instance
        self.layer = layer
        self.rule = rule
        self.deviation = deviation
        self.severity = severity
        self.time = time
        self.message = message
        self.repair = repair
        self.source = source
        self.line = line
        self.step = step
        self.limit = limit
        self.taken = taken
    }
}
