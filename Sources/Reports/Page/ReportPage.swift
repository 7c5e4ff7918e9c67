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
        case "summary": report.overview.summary
        case "tiles":
            report.overview.tiles.map {
                ["name": $0.name, "value": $0.value, "remark": $0.remark ?? "", "mood": $0.mood]
            }
        case "states": report.states
        case "sections": report.sections.map { PageSection($0) }
        case "hasObservations": !report.overview.observations.isEmpty
        case "observations": report.overview.observations.map(Self.observation)
        case "style": ReportTemplates.style
        case "script": ReportTemplates.script
        // The content of the script element: the template puts a line end before it.
        case "scriptHash": SHA256.base64(Array(("\n" + ReportTemplates.script).utf8))
        default: nil
        }
    }

    private static func observation(_ observation: ReportObservation) -> [String: Any] {
        [
            "text": observation.text, "mood": observation.severity?.rawValue ?? "",
            "hasLinks": !observation.links.isEmpty,
            "links": observation.links.map { ["text": $0.text, "target": $0.target] },
        ]
    }
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
        case "blocks": section.blocks.map(Self.block)
        case "hasQuestions": !section.questions.isEmpty
        case "questionsTitle": section.questions.contains { $0.sql != nil } ? "Command and SQL" : "Command"
        case "questions":
            section.questions.map { question -> [String: Any] in
                ["command": question.command, "sql": question.sql ?? false]
            }
        default: nil
        }
    }

    /// The document from its root element on: a page must not contain an XML declaration.
    private static func fragment(_ document: String) -> String {
        document.range(of: "<svg").map { String(document[$0.lowerBound...]) } ?? ""
    }

    /// A block with the name of its template.
    private static func block(_ block: ReportBlock) -> Any {
        switch block {
        case .text(let text): ["kind": "paragraph", "paragraph": text]
        case .list(let entries): ["kind": "list", "entries": entries] as [String: Any]
        case .picture(let picture): pictures([picture], areSmall: false)
        case .pictures(let several): pictures(several, areSmall: true)
        case .table(let table): PageTable(table)
        case .findings(let report): PageFindings(report, isWorst: true)
        case .otherFindings(let report): PageFindings(report, isWorst: false)
        case .more(let title, let blocks):
            ["kind": "more", "title": title, "blocks": blocks.map(Self.block)] as [String: Any]
        case .tabs(let tabs):
            [
                "kind": "tabs", "label": tabs.label,
                "tabs": tabs.tabs.enumerated().map { place, tab -> [String: Any] in
                    [
                        "group": tabs.id, "id": "\(tabs.id)-\(place + 1)", "title": tab.title, "isFirst": place == 0,
                        "blocks": tab.blocks.map(Self.block),
                    ]
                },
            ] as [String: Any]
        }
    }

    private static func pictures(_ pictures: [ReportPicture], areSmall: Bool) -> [String: Any] {
        [
            "kind": "pictures", "areSmall": areSmall,
            "pictures": pictures.map { ["svg": fragment($0.svg), "caption": $0.caption] },
        ]
    }
}

/// The embedded files that make up the page.
enum ReportTemplates {
    /// Templates with the names by which they include each other.
    static var mustache: [(name: String, text: String)] {
        [
            ("report", text(PackageResources.report_mustache)), ("section", text(PackageResources.section_mustache)),
            ("blocks", text(PackageResources.blocks_mustache)), ("more", text(PackageResources.more_mustache)),
            ("paragraph", text(PackageResources.paragraph_mustache)), ("list", text(PackageResources.list_mustache)),
            ("pictures", text(PackageResources.pictures_mustache)), ("tabs", text(PackageResources.tabs_mustache)),
            ("table", text(PackageResources.table_mustache)), ("findings", text(PackageResources.findings_mustache)),
            ("place", text(PackageResources.place_mustache)), ("question", text(PackageResources.question_mustache)),
        ]
    }

    static var style: String { text(PackageResources.report_css) }
    static var script: String { text(PackageResources.report_js) }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
