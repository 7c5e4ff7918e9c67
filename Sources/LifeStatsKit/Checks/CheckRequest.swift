import TraceRecords

/// What to check, and when to call it a failure.
public struct CheckRequest: Sendable {
    public var database: String
    public var filter: Filter?
    /// Files of models beside the built-in ones.
    public var models: [String] = []
    public var format = CheckFormat.text
    public var failOn = FailOn.error
    /// A file of findings that are known and accepted.
    public var baseline: String?
    /// Where to write all present findings as a baseline; `nil` writes none.
    public var newBaseline: String?
    /// Places listed for each rule in text; `nil` lists all.
    public var examples: Int? = 5
    /// Whether to measure how well each layer agrees with its model: fitness, precision, coverage, usual times. In
    /// `text`, `json` and `markdown`.
    public var measures = false
    public var colors = false

    public init(database: String) { self.database = database }
}

/// How findings are written: the words of `check --format`.
public enum CheckFormat: String, Sendable, CaseIterable {
    case text, json, junit, sarif, github, markdown
}

/// From which severity on a check fails: the words of `--fail-on`.
public enum FailOn: String, Sendable, CaseIterable {
    case error, warning, info, never

    var severity: Severity? { Severity(rawValue: rawValue) }
}
