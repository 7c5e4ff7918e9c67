internal import TraceRecords

/// The findings of one rule and severity.
struct FindingGroup {
    struct Key: Hashable {
        var severity: Severity
        var rule: String
    }

    var key: Key
    var findings: [LocatedFinding]
    var rule: RuleText?

    /// The message, when all findings have the same.
    var commonMessage: String? { common(\.message) }

    /// The repair, when all findings have the same.
    var commonRepair: String? { common(\.repair).flatMap(\.self) }

    /// What the group is about in one line.
    var title: String { rule?.title ?? commonMessage ?? findings.first?.deviation ?? key.rule }

    private func common<Value: Hashable>(_ value: (LocatedFinding) -> Value) -> Value? {
        let values = Set(findings.map(value))
        return values.count == 1 ? values.first : nil
    }
}
