internal import TraceRecords

/// Findings grouped and counted, for people at a terminal.
struct FindingText {
    let report: FindingReport
    let examples: Int?
    let style: TextStyle

    var text: String {
        var lines: [String] = []
        for group in report.groups { lines += self.lines(of: group) + [""] }
        for layer in report.measures ?? [] { lines += layer.lines(examples: examples, style: style) + [""] }
        lines.append(verdict)
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(of group: FindingGroup) -> [String] {
        let severity = coloured(group.key.severity, group.key.severity.rawValue)
        let count = group.count > 1 ? "  \(NumberText.grouped(group.count)) times" : ""
        let title = VisibleText.neutralised(group.title)
        var lines = ["\(severity)  \(style.bold(VisibleText.neutralised(group.key.rule)))  \(title)\(style.dim(count))"]
        let common = group.commonMessage
        if let common, common != group.title { lines.append("  " + VisibleText.neutralised(common)) }
        for finding in group.findings.prefix(examples ?? .max) {
            lines.append("  " + place(finding))
            if common == nil { lines.append("    " + VisibleText.neutralised(finding.message)) }
            if let repair = finding.repair, group.commonRepair == nil { lines.append("    " + wouldConform(repair)) }
        }
        let more = group.count - min(group.findings.count, examples ?? .max)
        if more > 0 { lines.append("  " + style.dim("… and \(NumberText.grouped(more)) more")) }
        if let repair = group.commonRepair { lines.append("  " + wouldConform(repair)) }
        return lines
    }

    private func wouldConform(_ repair: String) -> String {
        style.green("would conform ") + VisibleText.neutralised(repair)
    }

    private func place(_ finding: LocatedFinding) -> String {
        var facts = ["finding:\(finding.id)"]
        if let time = finding.time { facts.append(CivilTime.milliseconds(nanoseconds: time)) }
        if let app = finding.app {
            facts.append(VisibleText.neutralised(app) + (finding.run.map { " run:\($0)" } ?? ""))
        }
        if let instance = finding.instance, finding.layer != "app" { facts.append(VisibleText.neutralised(instance)) }
        return finding.place + "  " + style.dim(facts.joined(separator: "  "))
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

/// Findings as a summary for a pull request or a wiki.
struct FindingMarkdown {
    let report: FindingReport
    let examples: Int?

    var text: String {
        // Without a limit for failing there is no outcome.
        let outcome = report.fails ? ": failed" : report.failOn == nil ? "" : ": passed"
        var text = "### Lifecycle check\(outcome)\n\n\(report.summarySentence)\n"
        for layer in report.measures ?? [] { text += table(of: layer) }
        let groups = report.groups
        guard !groups.isEmpty else { return text }
        text += "\n| severity | rule | count | what | first |\n| --- | --- | ---: | --- | --- |\n"
        for group in groups {
            let first = group.findings.first.map { code($0.place) } ?? ""
            text += "| \(group.key.severity.rawValue) | \(cell(group.key.rule)) |"
            text += " \(NumberText.grouped(group.count)) | \(cell(group.title)) | \(first) |\n"
        }
        for group in groups {
            text += "\n#### \(cell(group.key.rule)): \(cell(group.title))\n\n"
            for finding in group.findings.prefix(examples ?? .max) {
                text += "- \(code(finding.place)) \(cell(finding.message))\n"
                if let repair = finding.repair { text += "  - would conform \(cell(repair))\n" }
            }
            let more = group.count - min(group.findings.count, examples ?? .max)
            if more > 0 { text += "- … and \(NumberText.grouped(more)) more\n" }
        }
        return text
    }

    private func table(of layer: MeasuredLayer) -> String {
        var text = "\n| \(cell(layer.layer)) layer, \(Plural.text(layer.traces, "instance")) | value | formula |\n"
        text += "| --- | ---: | --- |\n"
        for measure in layer.measures {
            text +=
                "| \(cell(measure.title)) | \(cell(MeasuredLayer.text(measure.value))) | \(cell(measure.formula)) |\n"
        }
        return text
    }

    private func cell(_ text: String) -> String { MarkdownText.escaped(VisibleText.neutralised(text)) }

    /// Code in a table: a backtick would end it and a pipe would end the cell, so such names are plain text.
    private func code(_ text: String) -> String {
        text.contains("`") || text.contains("|") ? MarkdownText.escaped(text) : "`\(text)`"
    }
}
