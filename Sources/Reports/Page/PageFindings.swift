internal import Mustache
internal import TraceRecords

/// Findings grouped by rule as the templates see them.
struct PageFindings: MustacheParent {
    /// Most rules at first sight, and most places listed per rule.
    static let (ruleLimit, placeLimit) = (6, 5)

    private let report: FindingReport
    private let isWorst: Bool

    /// - Parameter isWorst: whether the worst rules are listed, or the others.
    init(_ report: FindingReport, isWorst: Bool) { (self.report, self.isWorst) = (report, isWorst) }

    func child(named name: String) -> Any? {
        switch name {
        case "kind": "findings"
        case "summary": isWorst ? report.summarySentence : nil
        case "groups":
            report.groups.enumerated().filter { ($0.offset < Self.ruleLimit) == isWorst }.map {
                group($0.element, isOpen: $0.offset == 0)
            }
        case "isEmpty": report.open.isEmpty
        default: nil
        }
    }

    private func group(_ group: FindingGroup, isOpen: Bool) -> [String: Any] {
        let shown = group.findings.prefix(Self.placeLimit)
        let rest = group.count - shown.count
        let sources = group.rule?.sources ?? []
        return [
            "severity": group.key.severity.rawValue, "severityName": group.key.severity.name,
            "rule": group.key.rule, "title": group.title, "anchor": Self.anchor(group.key),
            "count": NumberText.grouped(group.count), "isOpen": isOpen, "places": shown.prefix(1).map(place),
            "hasMore": shown.count > 1, "more": shown.dropFirst().map(place),
            "moreTitle": Plural.text(shown.count - 1, "more place"),
            "rest": rest > 0
                ? "And \(NumberText.grouped(rest)) more: lifestats query \"select * from findings where "
                    + "rule = '\(group.key.rule)'\"" : false,
            "hasSources": !sources.isEmpty,
            "sources": sources.enumerated().map { place, source -> [String: Any] in
                [
                    "title": source.text, "address": source.target.isEmpty ? false : source.target,
                    "separator": place + 1 < sources.count ? "; " : ".",
                ]
            },
        ]
    }

    /// The anchor of a group: rules of users' models may have any name.
    static func anchor(_ key: FindingGroup.Key) -> String {
        let name = key.rule.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return "rule-\(String(name.prefix(60)))-\(key.severity.rawValue)"
    }

    private func place(_ finding: LocatedFinding) -> [String: Any] {
        let name = finding.file.split(separator: "/").last.map(String.init) ?? finding.file
        return [
            "id": "finding-\(finding.id)", "path": finding.path.text ?? false, "file": finding.file,
            "place": finding.line > 0 ? "\(name):\(finding.line)" : name,
            "time": finding.time.map { CivilTime.readable(nanoseconds: $0) } ?? false, "app": finding.app ?? false,
            "run": finding.run.map(String.init) ?? false,
            "hasRun": finding.run.map(report.listedRuns.contains) ?? false,
            "message": finding.message, "fix": finding.repair.map(Self.fix) ?? false,
            "hasLines": !finding.lines.isEmpty,
            "lines": finding.lines.map { line -> [String: Any] in
                ["number": String(line.number), "text": line.text, "isHit": line.number == finding.line]
            },
        ]
    }

    private static func fix(_ repair: String) -> String { "The log would conform \(repair)." }
}

extension FindingReport {
    /// How many rules a page lists only on request.
    package var otherRules: Int { max(0, groups.count - PageFindings.ruleLimit) }

    /// What is found most often among the worst; `nil` when there are only remarks.
    package var observation: ReportObservation? {
        guard let worst = groups.first(where: { $0.key.severity > .info }) else { return nil }
        let counts = SeverityCounts.sentence { $0 == .info ? 0 : Int64(count($0)) } ?? ""
        var links = [ReportLink(text: worst.key.rule, target: "#\(PageFindings.anchor(worst.key))")]
        for finding in worst.findings.prefix(2) {
            let name = finding.file.split(separator: "/").last.map(String.init) ?? finding.file
            links.append(ReportLink(text: "\(name):\(finding.line)", target: "#finding-\(finding.id)"))
        }
        for run in worst.findings.compactMap(\.run).first.map({ [$0] }) ?? [] where listedRuns.contains(run) {
            links.append(ReportLink(text: "run \(run)", target: "#run-\(run)"))
        }
        let example = worst.findings.first?.message ?? worst.title
        return ReportObservation(
            severity: worst.key.severity,
            text: worst.count > 1
                ? "\(counts); most often (\(NumberText.grouped(worst.count)) times): \(example)."
                : "\(counts); for example: \(example).", links: links)
    }
}

extension Severity {
    /// The word of reports: an `info` is a remark.
    var name: String { self == .info ? "remark" : rawValue }
}
