internal import Foundation
internal import Mustache
internal import TraceRecords

/// The report as the templates see it: names and texts.
struct ReportPage: MustacheParent {
    private let report: HTMLReport

    init(_ report: HTMLReport) { self.report = report }

    func child(named name: String) -> Any? {
        switch name {
        case "title": report.title
        case "heading": SafeHTML.withBreaks(report.title)
        case "database": report.database
        case "version": report.version
        case "restrictions": report.restrictions.map(SafeHTML.withWholeDates)
        case "summary": SafeHTML.withWholeDates(report.overview.summary)
        case "tiles":
            report.overview.tiles.map {
                ["name": $0.name, "value": SafeHTML.unbroken($0.value), "mood": $0.mood]
            }
        case "states": report.states.map { ["id": $0.id, "title": $0.title] }
        case "sections":
            report.sections.map { section in
                PageSection(
                    section,
                    titles: Dictionary(report.states.map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first })
                )
            }
        case "hasObservations": !report.overview.observations.isEmpty
        case "observations": report.overview.observations.map(Self.observation)
        case "style": ReportTemplates.style + report.pictureStyle
        case "script": ReportTemplates.script
        // The content of the script element: the template puts a line end before it.
        case "scriptHash": Data(SHA256.digest(Array(("\n" + ReportTemplates.script).utf8))).base64EncodedString()
        default: nil
        }
    }

    private static func observation(_ observation: ReportObservation) -> [String: Any] {
        [
            "text": SafeHTML.unbroken(observation.text), "mood": observation.severity?.rawValue ?? "",
            "hasLinks": !observation.links.isEmpty,
            "links": observation.links.map { ["text": $0.text, "target": $0.target] },
        ]
    }
}

/// A section as the templates see it.
struct PageSection: MustacheParent {
    private let section: ReportSection
    /// The titles of states by their ids.
    private let titles: [String: String]

    init(_ section: ReportSection, titles: [String: String]) { (self.section, self.titles) = (section, titles) }

    func child(named name: String) -> Any? {
        switch name {
        case "id": section.id
        case "title": section.title
        case "introduction": section.introduction.isEmpty ? nil : section.introduction
        case "blocks": section.blocks.map(block)
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
    private func block(_ block: ReportBlock) -> Any {
        switch block {
        case .text(let text): ["kind": "paragraph", "paragraph": text]
        case .list(let entries): ["kind": "list", "entries": entries] as [String: Any]
        case .picture(let picture): Self.pictures([picture], areSmall: false)
        case .pictures(let several): Self.pictures(several, areSmall: true)
        case .table(let table): PageTable(table, titles: titles)
        case .findings(let report): PageFindings(report, isWorst: true)
        case .otherFindings(let report): PageFindings(report, isWorst: false)
        case .more(let title, let blocks):
            ["kind": "more", "title": title, "blocks": blocks.map(self.block)] as [String: Any]
        case .columns(let columns):
            ["kind": "columns", "columns": columns.map { ["blocks": $0.map(self.block)] }] as [String: Any]
        case .tabs(let tabs):
            [
                "kind": "tabs", "label": tabs.label, "isWhole": tabs.isPrintedWhole,
                "tabs": tabs.tabs.enumerated().map { place, tab -> [String: Any] in
                    [
                        "group": tabs.id, "id": "\(tabs.id)-\(place + 1)", "title": tab.title, "isFirst": place == 0,
                        "blocks": tab.blocks.map(self.block),
                    ]
                },
            ] as [String: Any]
        }
    }

    private static func pictures(_ pictures: [ReportPicture], areSmall: Bool) -> [String: Any] {
        [
            "kind": "pictures", "areSmall": areSmall,
            "pictures": pictures.map { picture in
                [
                    "drawings": [(picture.svg, ""), (picture.narrow, " narrow")].filter { !$0.0.isEmpty }.map {
                        ["svg": fragment($0.0), "kind": $0.1, "width": width(of: fragment($0.0))]
                    }, "caption": picture.caption, "hint": picture.hint,
                ] as [String: Any]
            },
        ]
    }

    /// The width of a picture at full size, in points; 0 when it does not say.
    private static func width(of svg: String) -> String {
        svg.firstMatch(of: /^<svg[^>]* width="([0-9.]+)"/).map { String($0.1) } ?? "0"
    }
}

/// The embedded files that make up the page.
enum ReportTemplates {
    static var mustache: [(name: String, text: String)] {
        [
            ("report", text(PackageResources.report_mustache)), ("section", text(PackageResources.section_mustache)),
            ("blocks", text(PackageResources.blocks_mustache)), ("more", text(PackageResources.more_mustache)),
            ("paragraph", text(PackageResources.paragraph_mustache)), ("list", text(PackageResources.list_mustache)),
            ("pictures", text(PackageResources.pictures_mustache)), ("tabs", text(PackageResources.tabs_mustache)),
            ("columns", text(PackageResources.columns_mustache)),
            ("table", text(PackageResources.table_mustache)), ("findings", text(PackageResources.findings_mustache)),
            ("place", text(PackageResources.place_mustache)), ("question", text(PackageResources.question_mustache)),
        ]
    }

    static var style: String { text(PackageResources.report_css) }
    static var script: String { text(PackageResources.report_js) }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Findings grouped by rule as the templates see them.
struct PageFindings: MustacheParent {
    /// Rules at first sight, or more when more are broken, and most places listed per rule.
    static let (ruleLimit, placeLimit) = (4, 5)

    private let report: FindingReport
    private let isWorst: Bool
    private let groups: ArraySlice<FindingGroup>

    /// - Parameter isWorst: whether the worst rules are listed, or the others.
    init(_ report: FindingReport, isWorst: Bool) {
        (self.report, self.isWorst) = (report, isWorst)
        groups = isWorst ? report.groups.prefix(report.openRules) : report.groups.dropFirst(report.openRules)
    }

    func child(named name: String) -> Any? {
        switch name {
        case "kind": "findings"
        // `nil` would mean the summary of the page around it.
        case "summary": isWorst ? report.summarySentence : false as Any
        case "groups":
            groups.indices.map { group(groups[$0], isOpen: $0 == 0) }
        case "isEmpty": report.findings.isEmpty
        default: nil
        }
    }

    private func group(_ group: FindingGroup, isOpen: Bool) -> [String: Any] {
        let shown = group.findings.prefix(Self.placeLimit)
        let rest = group.count - shown.count
        let headline = group.heading
        let places = shown.map { place($0, below: headline) }
        // What the first place says is not repeated.
        let more = places.dropFirst().map { other in
            other.merging(["message", "fix"].map { ($0, places[0][$0] as? String == other[$0] as? String) }) {
                $1 as? Bool == true ? false : $0
            }
        }
        // What a reader cannot open is named only where there is nothing else.
        let all = group.rule?.sources ?? []
        let open = all.filter { !$0.target.isEmpty }
        let sources = open.isEmpty ? all : open
        return [
            "severity": group.key.severity.rawValue, "severityName": group.key.severity.name,
            "rule": group.key.rule, "title": Self.sentence(headline),
            "anchor": Self.anchor(group.key),
            "sentence": (group.rule?.says).flatMap { $0 == headline ? nil : $0 } ?? false,
            "count": NumberText.grouped(group.count), "isOpen": isOpen, "first": places.first?["place"] ?? "",
            "places": Array(places.prefix(1)), "hasMore": places.count > 1, "more": more,
            "moreTitle": Plural.text(shown.count - 1, "more place"),
            "rest": rest > 0
                ? "And \(NumberText.grouped(rest)) more: lifestats query \"select * from findings where "
                    + "rule = '\(group.key.rule)'\"\(report.origin)" : false,
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

    /// - Parameter headline: what the group says already.
    private func place(_ finding: LocatedFinding, below headline: String) -> [String: Any] {
        let (message, also) = finding.parts
        let name = finding.file.split(separator: "/").last.map(String.init) ?? finding.file
        return [
            "id": "finding-\(finding.id)", "path": finding.path.text ?? false, "file": finding.file,
            "place": finding.line > 0 ? "\(name):\(finding.line)" : name,
            "time": finding.time.map { ClockText.zoned($0) } ?? false, "app": finding.app ?? false,
            "run": finding.run.map(String.init) ?? false,
            "hasRun": finding.run.map(report.listedRuns.contains) ?? false,
            "message": message == headline ? false : message, "also": also ?? false,
            "fix": report.fix(of: finding)?.replacing(/`([^`]*)`/) { "“\($0.1)”" } ?? false,
            "hasLines": !finding.lines.isEmpty,
            "lines": finding.lines.map { line -> [String: Any] in
                [
                    "number": line.number > 0 ? String(line.number) : "", "text": SafeHTML.withWholeDates(line.text),
                    "isHit": line.number == finding.line,
                ]
            },
        ]
    }

    /// The text with a capital, unless it begins with the name of a callback.
    private static func sentence(_ text: String) -> String {
        let isName = text.prefix { $0 != " " }.contains { $0.isUppercase }
        return isName ? text : text.prefix(1).uppercased() + text.dropFirst()
    }
}

extension FindingReport {
    /// Links to the first listed finding about a change of state in a layer, and to its run.
    package func links(from: String, to: String, layer: String?) -> [ReportLink] {
        findings.first { $0.layer == layer && $0.path.has(from: from, to: to) }.map(links) ?? []
    }

    /// Links to a finding, and to its run where that is listed.
    private func links(to finding: LocatedFinding) -> [ReportLink] {
        let name = finding.file.split(separator: "/").last.map(String.init) ?? finding.file
        let run = finding.run.flatMap { listedRuns.contains($0) ? $0 : nil }
        return [ReportLink(text: "\(name):\(finding.line)", target: "#finding-\(finding.id)")]
            + (run.map { [ReportLink(text: "run \($0)", target: "#run-\($0)")] } ?? [])
    }

    /// How many rules a page lists at first sight: nothing but remarks may be missing on paper.
    fileprivate var openRules: Int { max(PageFindings.ruleLimit, groups.count { $0.key.severity > .info }) }

    /// How many rules a page lists only on request.
    package var otherRules: Int { max(0, groups.count - openRules) }

    /// What is found most often among the worst; `nil` when there are only remarks.
    ///
    /// - Parameters:
    ///   - rules: those of which something else has told.
    ///   - homes: the apps and versions of all runs.
    package func observation(without rules: Set<String> = [], homes: Homes = Homes()) -> ReportObservation? {
        let serious = groups.filter { $0.key.severity > .info }
        let groups = serious.filter { !rules.contains($0.key.rule) }
        guard let worst = groups.first else { return nil }
        let all = groups.reduce(0) { $0 + $1.count }
        let counts =
            SeverityCounts.sentence { severity in
                Int64(groups.reduce(0) { $0 + ($1.key.severity == severity ? $1.count : 0) })
            } ?? ""
        let links =
            [ReportLink(text: worst.key.rule, target: "#\(PageFindings.anchor(worst.key))")]
            + (worst.findings.first.map(links) ?? [])
        let named = groups.count < serious.count ? counts.replacing(#/([0-9]) /#) { "\($0.1) more " } : counts
        let found = "\(named.replacing(", ", with: " and ")) \(all == 1 ? "was" : "were") found"
        let which =
            worst.count == all
            ? all > 1 ? ", all of one kind" : ""
            : worst.count > 1 ? ", most often (\(NumberText.grouped(worst.count)) times)" : ", for example"
        let what = worst.commonMessage == nil ? worst.heading : worst.example
        let total = totals.first { $0.rule == worst.key.rule && $0.severity == worst.key.severity }
        let home = total?.homes.words(among: homes).map { " (\($0))" } ?? ""
        return ReportObservation(severity: worst.key.severity, text: "\(found)\(which): \(what)\(home).", links: links)
    }

    /// Links to the first rule of some that is broken, and to a finding of it.
    package func links(toOneOf rules: Set<String>) -> [ReportLink] {
        groups.first { rules.contains($0.key.rule) }.map { group in
            [ReportLink(text: group.key.rule, target: "#\(PageFindings.anchor(group.key))")]
                + (group.findings.first.map(links) ?? [])
        } ?? []
    }
}

extension Severity {
    /// The word for people: an `info` is a remark.
    package var name: String { self == .info ? "remark" : rawValue }
}
