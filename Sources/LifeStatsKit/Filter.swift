import Reports
import TraceStore

/// Which part of a database a question is about. `nil` means no restriction.
public struct Filter: Sendable, Hashable {
    public var app: String?
    public var appVersion: String?
    public var device: String?
    /// `runs.run_id`.
    public var run: Int64?
    /// Only runs in which this documented scenario, or one of this class, occurs. Pictures know it; named queries don't.
    public var scenario: String?
    /// Half-open span of time, in nanoseconds since 1970 UTC.
    public var since: Int64?
    public var until: Int64?

    /// - Parameters since, until: ISO 8601 times, UTC unless they say otherwise.
    /// - Throws: ``LifeStatsError`` when a time cannot be read.
    public init(
        app: String? = nil, appVersion: String? = nil, device: String? = nil, run: Int64? = nil,
        scenario: String? = nil, since: String? = nil, until: String? = nil
    ) throws {
        self.app = app
        self.appVersion = appVersion
        self.device = device
        self.run = run
        self.scenario = scenario
        self.since = try since.map { try ISOTime.nanoseconds($0, option: "--since ") }
        self.until = try until.map { try ISOTime.nanoseconds($0, option: "--until ") }
    }

    /// Whether it restricts nothing.
    var isEmpty: Bool {
        app == nil && appVersion == nil && device == nil && run == nil && scenario == nil && since == nil
            && until == nil
    }

    /// The restrictions in words, without that to an app: pictures name their apps anyway.
    var words: [String] {
        [
            appVersion.map { "version \($0)" }, device.map { "device \($0)" }, run.map { "run \($0)" },
            scenario.map { "with \($0)" },
            // A bound beyond what can be counted leaves nothing out.
            since.flatMap { $0 == .min ? nil : "since \(Self.day($0))" },
            until.flatMap { $0 == .max ? nil : "until \(Self.day($0))" },
        ].compactMap(\.self)
    }

    private static func day(_ time: Int64) -> String { CivilTime.readable(nanoseconds: time) }

    /// The filter as the parameters that named queries share.
    var values: [String: SQLValue] {
        var all: [String: SQLValue] = [:]
        all["app"] = app.map(SQLValue.text)
        all["app_version"] = appVersion.map(SQLValue.text)
        all["device"] = device.map(SQLValue.text)
        all["run"] = run.map(SQLValue.integer)
        all["since"] = since.map(ParameterText.time)
        all["until"] = until.map(ParameterText.time)
        return all
    }
}
