internal import TraceRecords

/// Findings as a summary for a pull request or a wiki.
struct FindingMarkdown {
    let report: FindingReport
    let examples: Int?

    var text: String {
        var text = "### Lifecycle check\(outcome)\n\n\(report.summarySentence)\n"
        for layer in report.measures ?? [] { text += table(of: layer) }
        let groups = report.groups
        guard !groups.isEmpty else { return text }
        text += "\n| severity | rule | count | what | first |\n| --- | --- | ---: | --- | --- |\n"
        for group in groups {
            let first = group.findings.first.map { code($0.place) } ?? ""
            let rule = MarkdownText.escaped(VisibleText.neutralised(group.key.rule))
            text += "| \(group.key.severity.rawValue) | \(rule) | \(NumberText.grouped(group.findings.count)) |"
            text += " \(cell(group.title)) | \(first) |\n"
        }
        for group in groups {
            text += "\n#### \(cell(group.key.rule)): \(cell(group.title))\n\n"
            for finding in group.findings.prefix(examples ?? .max) {
                text += "- \(code(finding.place)) \(cell(finding.message))\n"
                if let repair = finding.repair { text += "  - would conform \(cell(repair))\n" }
            }
            let more = group.findings.count - min(group.findings.count, examples ?? .max)
            if more > 0 { text += "- … and \(NumberText.grouped(more)) more\n" }
        }
        return text
    }

    /// What is to be said of the check as a whole: nothing where nothing can make it fail.
    private var outcome: String { report.fails ? ": failed" : report.failOn == nil ? "" : ": passed" }

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
