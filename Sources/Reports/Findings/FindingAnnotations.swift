internal import TraceRecords

/// Findings as workflow commands of GitHub Actions, which shows them at their file and line.
struct FindingAnnotations {
    let report: FindingReport

    var text: String {
        var text = ""
        // Only the first annotations of a step are shown, so the worst come first.
        let worstFirst = report.open.enumerated().sorted {
            ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }
        for (_, finding) in worstFirst {
            let line = finding.line > 0 ? ",line=\(finding.line)" : ""
            let repair = finding.repair.map { "\nwould conform \($0)" } ?? ""
            text += "::\(command(finding.severity)) file=\(property(finding.file))\(line)"
            text += ",title=\(property(finding.rule))::\(data(finding.message + repair))\n"
        }
        return text + VisibleText.neutralised(report.summarySentence) + "\n"
    }

    private func command(_ severity: Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .info: "notice"
        }
    }

    private func data(_ text: String) -> String {
        let escaped = text.replacing("%", with: "%25").unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\r": "%0D"
            case "\n": "%0A"
            default: VisibleText.neutralised(String(scalar))
            }
        }
        return escaped.joined()
    }

    private func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
