package import TraceRecords

/// The findings of a check, with what is needed to judge them.
package struct FindingReport: Sendable, Hashable {
    /// How many findings of a rule there are.
    package struct Total: Sendable, Hashable {
        package var rule: String
        package var severity: Severity
        package var count: Int

        package init(rule: String, severity: Severity, count: Int) {
            self.rule = rule
            self.severity = severity
            self.count = count
        }
    }

    /// In the order in which they are to be listed inside their rule.
    package var findings: [LocatedFinding]
    /// Numbers of findings by rule and severity, when ``findings`` holds only the first ones of each.
    package var totals: [Total]
    /// The rules that were checked, by id. Findings may have others.
    package var rules: [RuleText]
    /// Severity from which on the check fails; `nil`: never.
    package var failOn: Severity?
    /// What was checked.
    package var runs: Int64
    package var events: Int64
    /// Version of lifestats, without `v`.
    package var version: String
    /// How well each layer agrees with its model; `nil` where nobody asked.
    package var measures: [MeasuredLayer]?

    package init(
        findings: [LocatedFinding], rules: [RuleText] = [], failOn: Severity? = .error, runs: Int64, events: Int64,
        version: String, totals: [Total] = []
    ) {
        self.totals = totals
        self.findings = findings
        self.rules = rules
        self.failOn = failOn
        self.runs = runs
        self.events = events
        self.version = version
    }

    /// Whether a finding that no baseline accepts is at or over ``failOn``.
    package var fails: Bool { findings.contains { isFailure($0) } }

    /// The report in a format.
    ///
    /// - Parameters:
    ///   - examples: places listed per group in `text` and `markdown`; `nil` lists all.
    ///   - style: colour of `text`.
    package func text(
        _ format: FindingFormat, examples: Int? = 5, style: TextStyle = TextStyle(isOn: false)
    ) -> String {
        switch format {
        case .text: FindingText(report: self, examples: examples, style: style).text
        case .markdown: FindingMarkdown(report: self, examples: examples).text
        case .json: FindingJSON(report: self).text
        case .junit: FindingJUnit(report: self).text
        case .sarif: FindingSARIF(report: self).text
        case .github: FindingAnnotations(report: self).text
        }
    }

    func isFailure(_ finding: LocatedFinding) -> Bool {
        guard let failOn, !finding.isAccepted else { return false }
        return finding.severity >= failOn
    }

    /// Findings that no baseline accepts.
    var open: [LocatedFinding] { findings.filter { !$0.isAccepted } }

    var acceptedCount: Int { findings.count - open.count }

    func count(_ severity: Severity) -> Int {
        if totals.isEmpty { return open.count { $0.severity == severity } }
        return totals.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
    }

    /// `2 errors, 1 warning`; `no findings`.
    var countSentence: String {
        let counts = Severity.allCases.reversed().compactMap { severity -> String? in
            let count = count(severity)
            guard count > 0 else { return nil }
            return Plural.text(count, severity == .info ? "remark" : severity.rawValue)
        }
        return counts.isEmpty ? "no findings" : counts.joined(separator: ", ")
    }

    /// `2 errors, 1 warning in 3 runs (812 events), 1 accepted by the baseline`.
    var summarySentence: String {
        let accepted = acceptedCount > 0 ? ", \(NumberText.grouped(acceptedCount)) accepted by the baseline" : ""
        return "\(countSentence) in \(Plural.text(runs, "run")) (\(Plural.text(events, "event")))\(accepted)"
    }

    func ruleText(_ id: String) -> RuleText? { rules.first { $0.id == id } }

    /// Open findings by severity, worst first, and rule, most frequent first.
    var groups: [FindingGroup] {
        let byKey = Dictionary(grouping: open) { FindingGroup.Key(severity: $0.severity, rule: $0.rule) }
        return byKey.map { key, found in
            let total = totals.first { $0.rule == key.rule && $0.severity == key.severity }?.count
            return FindingGroup(
                key: key, findings: found, count: max(found.count, total ?? 0), rule: ruleText(key.rule))
        }.sorted {
            if $0.key.severity != $1.key.severity { return $0.key.severity > $1.key.severity }
            if $0.count != $1.count { return $0.count > $1.count }
            return $0.key.rule < $1.key.rule
        }
    }
}
