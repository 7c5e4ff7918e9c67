internal import TraceRecords

/// Findings grouped and counted, for people at a terminal.
struct FindingText {
    let report: FindingReport
    let examples: Int?
    let style: TextStyle

    var text: String {
        var lines: [String] = []
        for group in report.groups {
            lines += self.lines(of: group)
            lines.append("")
        }
        for layer in report.measures ?? [] {
            lines += layer.lines(examples: examples, style: style)
            lines.append("")
        }
        lines.append(verdict)
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(of group: FindingGroup) -> [String] {
        let severity = coloured(group.key.severity, group.key.severity.rawValue)
        let count = group.findings.count > 1 ? "  \(NumberText.grouped(group.findings.count)) times" : ""
        let title = VisibleText.neutralised(group.title)
        var lines = ["\(severity)  \(style.bold(VisibleText.neutralised(group.key.rule)))  \(title)\(style.dim(count))"]
        let common = group.commonMessage
        if let common, common != group.title { lines.append("  " + VisibleText.neutralised(common)) }
        for finding in group.findings.prefix(examples ?? .max) {
            lines.append("  " + place(finding))
            if common == nil { lines.append("    " + VisibleText.neutralised(finding.message)) }
            if let repair = finding.repair, group.commonRepair == nil {
                lines.append("    " + style.green("would conform ") + VisibleText.neutralised(repair))
            }
        }
        let more = group.findings.count - min(group.findings.count, examples ?? .max)
        if more > 0 { lines.append("  " + style.dim("… and \(NumberText.grouped(more)) more")) }
        if let repair = group.commonRepair {
            lines.append("  " + style.green("would conform ") + VisibleText.neutralised(repair))
        }
        return lines
    }

    private func place(_ finding: LocatedFinding) -> String {
        var facts: [String] = []
        if let time = finding.time { facts.append(CivilTime.iso(nanoseconds: time)) }
        if let app = finding.app {
            facts.append(VisibleText.neutralised(app) + (finding.run.map { " (run \($0))" } ?? ""))
        }
        if let instance = finding.instance, finding.layer != "app" { facts.append(VisibleText.neutralised(instance)) }
        let rest = facts.isEmpty ? "" : "  " + style.dim(facts.joined(separator: "  "))
        return finding.place + rest
    }

    private var verdict: String {
        let sentence = report.summarySentence
        guard let failOn = report.failOn else { return sentence }
        return report.fails
            ? style.red("Failed: \(sentence), at or over --fail-on \(failOn.rawValue)")
            : style.green("Passed: \(sentence), none at or over --fail-on \(failOn.rawValue)")
    }

    private func coloured(_ severity: Severity, _ text: String) -> String {
        switch severity {
        case .error: style.red(text)
        case .warning: style.yellow(text)
        case .info: style.blue(text)
        }
    }
}
