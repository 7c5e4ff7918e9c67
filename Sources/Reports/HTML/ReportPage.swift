internal import Mustache
internal import TraceRecords

/// The report as the templates see it: names and texts, nothing to compute.
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
        // What stands between the tags of the script: the template puts a line end before it.
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

    private static func block(_ block: ReportBlock) -> [String: Any] {
        switch block {
        case .text(let text): ["text": text]
        case .list(let entries): ["list": ["entries": entries]]
        case .picture(let picture):
            ["picture": ["svg": SVGFragment.text(picture.svg), "caption": picture.caption]]
        case .table(let table): ["table": PageTable(table)]
        case .findings(let report): ["findings": PageFindings(report)]
        }
    }
}
