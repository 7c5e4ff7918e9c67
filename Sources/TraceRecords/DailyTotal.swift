/// One figure of a MetricKit payload: what the system itself says of an app's day.
public struct DailyTotal: Sendable, Hashable, Codable {
    /// Line of the source.
    public var line: Int64
    /// The app: the last part of the bundle identifier that the payload says, else the process that wrote its line.
    public var app: String?
    /// Version of the app, as the payload says.
    public var appVersion: String?
    /// Begin and end of the span, in nanoseconds since 1970 UTC.
    public var from: Int64?
    public var until: Int64?
    /// Name of the figure, as the payload says (`cumulativeForegroundTime` …); counts of exits with the object
    /// that they stand in (`foregroundExitData.cumulativeNormalAppExitCount` …).
    public var metric: String
    /// The value: seconds for times, a plain number for counts.
    public var value: Double
    /// `s` or `count`.
    public var unit: String

    public init(
        line: Int64, app: String? = nil, appVersion: String?, from: Int64?, until: Int64?, metric: String,
        value: Double, unit: String
    ) {
        self.line = line
        self.app = app
        self.appVersion = appVersion
        self.from = from
        self.until = until
        self.metric = metric
        self.value = value
        self.unit = unit
    }
}
