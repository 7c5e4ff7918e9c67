internal import Mustache
internal import TraceRecords

/// The report as the templates see it: names and texts.
struct ReportPage: MustacheParent {
    private let report: HTMLReport

    init(_ report: HTMLReport) { self.report = report }

    func child(named name: String) -> Any? {
        switch name {
        case "title": report.title
        case "database": report.database
        case "version": report.version
        case "restrictions": report.restrictions
        case "summary": report.overview.sentences
        case "tiles":
            report.overview.tiles.map {
                ["name": $0.name, "value": $0.value, "remark": $0.remark ?? "", "mood": $0.mood]
            }
        case "states": report.states
        case "hasStates": !report.states.isEmpty
        case "sections": report.sections.map { PageSection($0) }
        case "hasQuestions": !questions.isEmpty
        case "questions": questions
        case "style": ReportTemplates.style
        case "script": ReportTemplates.script
        // The content of the script element: the template puts a line end before it.
        case "scriptHash": SHA256.base64(Array(("\n" + ReportTemplates.script).utf8))
        default: nil
        }
    }

    private var questions: [[String: Any]] { report.sections.flatMap(\.questions).map(PageSection.question) }
}

/// A section as the templates see it.
struct PageSection: MustacheParent {
    private let section: ReportSection

    init(_ section: ReportSection) { self.section = section }

    func child(named name: String) -> Any? {
        switch name {
        case "id": section.id
        case "title": section.title
        case "introduction": section.introduction.isEmpty ? nil : section.introduction
        case "blocks": section.blocks.map { Self.block($0) }
        case "hasQuestions": !section.questions.isEmpty
        case "questions": section.questions.map(Self.question)
        default: nil
        }
    }

    static func question(_ question: ReportQuestion) -> [String: Any] {
        ["title": question.title, "command": question.command, "sql": question.sql]
    }

    /// The document from its root element on: a page must not contain an XML declaration.
    private static func fragment(_ document: String) -> String {
        document.range(of: "<svg").map { String(document[$0.lowerBound...]) } ?? ""
    }

    private static func block(_ block: ReportBlock) -> [String: Any] {
        switch block {
        case .text(let text): ["text": text]
        case .list(let entries): ["list": ["entries": entries]]
        case .picture(let picture):
            ["picture": ["svg": Self.fragment(picture.svg), "caption": picture.caption]]
        case .table(let table): ["table": PageTable(table)]
        case .findings(let report): ["findings": PageFindings(report)]
        }
    }
}

/// Findings grouped by rule as the templates see them.
struct PageFindings: MustacheParent {
    /// Most places listed per rule.
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

/// The embedded files that make up the page.
enum ReportTemplates {
    /// Templates with the names by which they include each other.
    static var mustache: [(name: String, text: String)] {
        [
            ("report", text(PackageResources.report_mustache)), ("section", text(PackageResources.section_mustache)),
            ("table", text(PackageResources.table_mustache)), ("findings", text(PackageResources.findings_mustache)),
            ("question", text(PackageResources.question_mustache)),
        ]
    }

    static var style: String { text(PackageResources.report_css) }
    static var script: String { text(PackageResources.report_js) }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
