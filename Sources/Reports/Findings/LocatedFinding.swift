package import TraceRecords

/// A finding with everything a person needs to go and look.
package struct LocatedFinding: Sendable, Hashable {
    /// `findings.finding_id`, for `lifestats show`.
    package var id: Int64
    /// Rule id (`R-APP-15`, `TL-01`, `clock-regression` …).
    package var rule: String
    /// Class of the deviation; see ``Finding/deviation``.
    package var deviation: String
    package var severity: Severity
    package var message: String
    /// The smallest change to the log that would make it conform, as the end of "would conform …".
    package var repair: String?
    /// Path of the log as it was ingested, and the line in it, counted from 1.
    package var file: String
    package var line: Int64
    /// Nanoseconds since 1970 UTC.
    package var time: Int64?
    package var app: String?
    package var run: Int64?
    package var layer: String
    package var instance: String?
    /// Known and accepted by a baseline: listed by machines, never a reason to fail.
    package var isAccepted: Bool

    package init(
        id: Int64, rule: String, deviation: String, severity: Severity, message: String, repair: String? = nil,
        file: String, line: Int64, time: Int64? = nil, app: String? = nil, run: Int64? = nil, layer: String,
        instance: String? = nil, isAccepted: Bool = false
    ) {
        self.id = id
        self.rule = rule
        self.deviation = deviation
        self.severity = severity
        self.message = message
        self.repair = repair
        self.file = file
        self.line = line
        self.time = time
        self.app = app
        self.run = run
        self.layer = layer
        self.instance = instance
        self.isAccepted = isAccepted
    }

    /// `logs/app.log:120`, safe for a terminal.
    var place: String {
        let name = VisibleText.neutralised(file)
        return line > 0 ? "\(name):\(line)" : name
    }
}
