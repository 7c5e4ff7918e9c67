internal import Mustache
internal import TraceRecords

/// Findings grouped by rule as the templates see them.
struct PageFindings: MustacheParent {
    /// Places listed per rule.
    static let placeLimit = 50

    private let report: FindingReport

    init(_ report: FindingReport) { self.report = report }

    func child(named name: String) -> Any? {
        switch name {
        case "summary": report.summarySentence
        case "groups": report.groups.map(group)
        case "isEmpty": report.open.isEmpty
        default: nil
        }
    }

    private func group(_ group: FindingGroup) -> [String: Any] {
        let shown = group.findings.prefix(Self.placeLimit)
        var columns = [ReportColumn("place", heading: "file and line")]
        if shown.contains(where: { $0.time != nil }) { columns.append(ReportColumn("time")) }
        if shown.contains(where: { $0.app != nil }) { columns.append(ReportColumn("app")) }
        columns.append(ReportColumn("message", heading: "what happened"))
        if shown.contains(where: { $0.repair != nil }) {
            columns.append(ReportColumn("repair", heading: "would conform"))
        }
        let rows = shown.map { finding in columns.map { Self.cell(finding, $0.column.name) } }
        let table = ReportTable(
            caption: "Places of \(group.key.rule)", columns: columns, rows: rows, totalRows: group.count)
        return [
            "severity": group.key.severity.rawValue, "rule": group.key.rule, "title": group.title,
            "citation": group.rule?.citation ?? "", "count": NumberText.grouped(group.count),
            "isOpen": group.count <= 10, "table": PageTable(table),
        ]
    }

    private static func cell(_ finding: LocatedFinding, _ column: String) -> Cell {
        switch column {
        case "place": .text(finding.line > 0 ? "\(finding.file):\(finding.line)" : finding.file)
        case "time": finding.time.map { .text(CivilTime.iso(nanoseconds: $0)) } ?? .null
        case "app": finding.app.map { .text($0) } ?? .null
        case "repair": finding.repair.map { .text($0) } ?? .null
        default: .text(finding.message)
        }
    }
}
