internal import TraceRecords

/// The findings of one rule and severity.
struct FindingGroup {
    struct Key: Hashable {
        var severity: Severity
        var rule: String
    }

    var key: Key
    var findings: [LocatedFinding]
    /// How many there are, listed or not.
    var count: Int
    var rule: RuleText?

    /// The message, when all findings have the same.
    var commonMessage: String? { common(\.message) }

    /// The repair, when all findings have the same.
    var commonRepair: String? { common(\.repair).flatMap(\.self) }

    /// What the group is about in one line.
    var title: String {
        if let title = rule?.title ?? commonMessage { return title }
        let deviation = findings.first?.deviation ?? key.rule
        return Self.sentences[deviation] ?? deviation
    }

    /// The classes of deviations in words, for rules that have no sentence of their own.
    private static let sentences = [
        "illegal-transition": "A change of state that is not documented",
        "missing-callback": "A callback is missing",
        "duplicate": "A callback that changes nothing",
        "reordered-tie": "Lines of the same time stand in another order than they happened",
        "clock-regression": "The clock goes back",
        "truncation": "The log is cut",
        "unknown-callback": "A callback that the model does not know",
        "limit-overrun": "A time limit was overrun",
        "rule-violation": "A documented rule was broken",
    ]

    private func common<Value: Hashable>(_ value: (LocatedFinding) -> Value) -> Value? {
        let values = Set(findings.map(value))
        return values.count == 1 ? values.first : nil
    }
}
