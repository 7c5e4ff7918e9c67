internal import TraceRecords

/// Findings as JUnit test results: a rule without finding is a test that passed; each finding is a test that failed, or
/// one that passed with its message as output when it is below the limit of the check.
struct FindingJUnit {
    let report: FindingReport

    var text: String {
        let open = report.open
        let found = Set(open.map(\.rule))
        let passed = report.rules.filter { !found.contains($0.id) }
        let failures = open.count { report.isFailure($0) }
        let isEmpty = passed.isEmpty && open.isEmpty
        let counts = "tests=\"\(isEmpty ? 1 : passed.count + open.count)\" failures=\"\(failures)\" errors=\"0\""
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuites name=\"lifestats\" \(counts)>\n"
        text += "  <testsuite name=\"lifecycle\" \(counts) skipped=\"0\">\n"
        if isEmpty { text += "    <testcase classname=\"lifestats\" name=\"lifecycle\"/>\n" }
        for rule in passed {
            text += "    <testcase classname=\"lifestats.\(name(rule.id))\" name=\"\(name(rule.title))\"/>\n"
        }
        for finding in open { text += testCase(finding) }
        return text + "  </testsuite>\n</testsuites>\n"
    }

    private func testCase(_ finding: LocatedFinding) -> String {
        let title = name(report.ruleText(finding.rule)?.title ?? finding.deviation)
        var text = "    <testcase classname=\"lifestats.\(name(finding.rule))\""
        text += " name=\"\(title) (\(name(finding.place)))\""
        text += " file=\"\(name(finding.file))\" line=\"\(finding.line)\">\n"
        let details = XMLText.escaped(
            ["\(finding.place): \(finding.message)", finding.repair.map { "would conform \($0)" }].compactMap(\.self)
                .joined(separator: "\n"))
        if report.isFailure(finding) {
            let message = XMLText.escaped(finding.message)
            text += "      <failure type=\"\(finding.severity.rawValue)\" message=\"\(message)\">\(details)</failure>\n"
        } else {
            text += "      <system-out>\(finding.severity.rawValue): \(details)</system-out>\n"
        }
        return text + "    </testcase>\n"
    }

    private func name(_ text: String) -> String { XMLText.escaped(VisibleText.neutralised(text)) }
}
