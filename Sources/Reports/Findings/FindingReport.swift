package import TraceRecords

/// Output formats of findings: the values of `check --format`.
public enum FindingFormat: String, Sendable, CaseIterable {
    /// Grouped and counted, for people.
    case text
    /// One document with a summary and every finding.
    case json
    /// Test results for build servers.
    case junit
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Annotations of GitHub Actions.
    case github
    /// A summary for a pull request.
    case markdown
}

/// A rule in words, for people who meet its id in a finding.
package struct RuleText: Sendable, Hashable {
    /// `R-APP-15`.
    package var id: String
    /// What it demands, in a sentence.
    package var says: String
    /// What happened where it is broken; `nil` where only the messages of findings say it.
    package var title: String?
    /// The documents that it comes from: title, and address where there is one.
    package var sources: [ReportLink]
    /// What the messages of its findings guess at where no line says why a run ended.
    var guess: String?

    package init(
        id: String, says: String, title: String? = nil, sources: [ReportLink] = [], message: String = ""
    ) {
        (self.id, self.says, self.title, self.sources) = (id, says, title, sources)
        guess = message.firstMatch(of: /\{reason\|([^}]*)\}/).map { String($0.1) }
    }
}

/// A finding with everything needed to look it up.
package struct LocatedFinding: Sendable, Hashable {
    /// `findings.finding_id`, for `lifestats show`.
    package var id: Int64
    /// Rule id (`R-APP-15`, `TL-01`, `clock-regression`).
    package var rule: String
    /// Class of the deviation; see ``Finding/deviation``.
    package var deviation: String
    package var severity: Severity
    package var message: String
    /// The smallest change to the log that would make it conform, as the end of "the log would conform …".
    package var repair: String?
    /// Path of the log as it was ingested, and the line in it, counted from 1.
    package var file: String
    package var line: Int64
    /// Nanoseconds since 1970 UTC.
    package var time: Int64?
    package var app: String?
    package var run: Int64?
    package var layer: String
    package var instance: String?
    /// Accepted by a baseline: listed for programs, never a reason to fail.
    package var isAccepted: Bool
    /// The lines of the log around it; empty when they were not read.
    package var lines: [LogLine] = []
    /// The change of state that it is about.
    package var path = StatePath()

    package struct LogLine: Sendable, Hashable {
        package var number: Int64
        package var text: String

        package init(number: Int64, text: String) {
            self.number = number
            self.text = text
        }
    }

    package init(
        id: Int64, rule: String, deviation: String, severity: Severity, message: String, repair: String? = nil,
        file: String, line: Int64, time: Int64? = nil, app: String? = nil, run: Int64? = nil, layer: String,
        instance: String? = nil, isAccepted: Bool = false
    ) {
        self.id = id
        self.rule = rule
        self.deviation = deviation
        self.severity = severity
        self.message = message
        self.repair = repair
        self.file = file
        self.line = line
        self.time = time
        self.app = app
        self.run = run
        self.layer = layer
        self.instance = instance
        self.isAccepted = isAccepted
    }

    /// The message, and the other rules that the same step breaks: `… in between (also R-APP-05)`.
    var parts: (text: String, also: String?) {
        guard message.hasSuffix(")"), let start = message.range(of: " (also ", options: .backwards) else {
            return (message, nil)
        }
        return (String(message[..<start.lowerBound]), String(message[start.upperBound...].dropLast()))
    }

    /// `logs/app.log:120`, safe for a terminal.
    var place: String {
        let name = VisibleText.neutralised(file)
        return line > 0 ? "\(name):\(line)" : name
    }
}

/// Calls its argument for every finding of a check, in order.
package typealias AllFindings = (_ body: (LocatedFinding) throws -> Void) throws -> Void

/// The findings of a check, with what is needed to judge them.
package struct FindingReport: Sendable, Hashable {
    /// How many findings of a rule there are.
    package struct Total: Sendable, Hashable {
        package var rule: String
        package var severity: Severity
        package var count: Int
        /// The apps and versions that they are of.
        package var homes = Homes()
        /// Whether all of them have the same message and the same repair, listed or not.
        fileprivate var hasOneMessage = true
        fileprivate var hasOneRepair = true
        /// Place of the first one among ``FindingReport/findings``.
        fileprivate var first = 0

        package init(rule: String, severity: Severity, count: Int) {
            (self.rule, self.severity, self.count) = (rule, severity, count)
        }
    }

    /// Those that no baseline accepts, in the order in which they are listed inside their rule, or the first ones of each.
    package private(set) var findings: [LocatedFinding] = []
    /// Their numbers by rule and severity.
    package private(set) var totals: [Total] = []
    /// How many findings a baseline accepts.
    private(set) var acceptedCount = 0
    /// The rules that were checked. Findings may have others.
    package var rules: [RuleText]
    /// Lowest severity that makes the check fail; `nil`: it never fails.
    package var failOn: Severity?
    /// What was checked.
    package var runs: Int64
    package var events: Int64
    /// Version of lifestats, without `v`.
    package var version: String
    /// What was not checked, in words: a verdict must not hide it.
    package var gaps: [String] = []
    /// Runs that the same page lists, to link to.
    package var listedRuns: Set<Int64> = []
    /// What a query has to name to be about the same data, with a space before it: ` --db old.db`; empty for the usual one.
    package var origin = ""

    /// - Parameter totals: the numbers of findings where not all are given.
    package init(
        findings: [LocatedFinding] = [], rules: [RuleText] = [], failOn: Severity? = .error, runs: Int64,
        events: Int64, version: String, totals: [Total] = []
    ) {
        (self.rules, self.failOn) = (rules, failOn)
        (self.runs, self.events, self.version) = (runs, events, version)
        for finding in findings { add(finding) }
        if !totals.isEmpty { self.totals = totals }
    }

    /// Counts a finding, and keeps it if it is one of the first of its rule and severity: memory does not grow with their
    /// number.
    package mutating func add(_ finding: LocatedFinding, most: Int? = nil) {
        guard !finding.isAccepted else {
            acceptedCount += 1
            return
        }
        guard
            let place = totals.firstIndex(where: { $0.rule == finding.rule && $0.severity == finding.severity })
        else {
            var total = Total(rule: finding.rule, severity: finding.severity, count: 1)
            total.first = findings.count
            totals.append(total)
            return findings.append(finding)
        }
        let first = findings[totals[place].first]
        totals[place].count += 1
        if first.message != finding.message { totals[place].hasOneMessage = false }
        if first.repair != finding.repair { totals[place].hasOneRepair = false }
        if totals[place].count <= most ?? .max { findings.append(finding) }
    }

    /// Replaces the findings that are kept, which may have been added with no more than what counts them.
    package mutating func complete(_ full: (LocatedFinding) throws -> LocatedFinding) rethrows {
        findings = try findings.map(full)
    }

    /// Whether a finding that no baseline accepts reaches ``failOn``.
    package var fails: Bool { totals.contains { isFailure($0.severity) } }

    /// Writes the report in a format, piece by piece.
    ///
    /// - Parameters:
    ///   - examples: Places listed per group in `text` and `markdown`; `nil` lists all that ``findings`` holds.
    ///   - style: Colour of `text`.
    ///   - measures: how well each layer agrees with its model; for `text`, `json` and `markdown`.
    ///   - all: hands over every finding in order, whenever it is called; the other formats list them.
    package func write(
        _ format: FindingFormat, examples: Int? = 5, style: TextStyle = TextStyle(isOn: false),
        measures: [MeasuredLayer]? = nil, all: @escaping AllFindings,
        _ append: ([UInt8]) throws -> Void
    ) throws {
        switch format {
        case .text:
            try append(
                Array(FindingText(report: self, measures: measures ?? [], examples: examples, style: style).text.utf8))
        case .markdown:
            try append(Array(FindingMarkdown(report: self, measures: measures ?? [], examples: examples).text.utf8))
        case .json: try FindingJSON(report: self, measures: measures).write(all, append)
        case .junit: try FindingJUnit(report: self).write(all, append)
        case .sarif: try FindingSARIF(report: self).write(all, append)
        case .github: try FindingAnnotations(report: self).write(all, append)
        }
    }

    func isFailure(_ finding: LocatedFinding) -> Bool { !finding.isAccepted && isFailure(finding.severity) }

    func isFailure(_ severity: Severity) -> Bool { failOn.map { severity >= $0 } ?? false }

    /// The first finding that a text lists.
    package var worst: LocatedFinding? { groups.first?.findings.first }

    func count(_ severity: Severity) -> Int {
        totals.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
    }

    /// `2 errors, 1 warning in 3 runs (812 events), 1 accepted by the baseline`.
    package var summarySentence: String {
        let counts = SeverityCounts.sentence { Int64(count($0)) } ?? "no findings"
        let accepted = acceptedCount > 0 ? ", \(NumberText.grouped(acceptedCount)) accepted by the baseline" : ""
        let rest = gaps.isEmpty ? "" : "; not checked: " + VisibleText.neutralised(gaps.joined(separator: "; "))
        return "\(counts) in \(Plural.text(runs, "run")) (\(Plural.text(events, "event")))\(accepted)\(rest)"
    }

    func ruleText(_ id: String) -> RuleText? { rules.first { $0.id == id } }

    /// What to do about a finding.
    func fix(of finding: LocatedFinding) -> String? {
        if let repair = finding.repair { return "The log would conform \(repair)." }
        let guess = ruleText(finding.rule)?.guess
        let isKnown = guess.map { !finding.message.contains($0) } ?? false
        let ids = [isKnown ? Finding.abnormalEnd : finding.rule, finding.deviation]
        return ids.compactMap { DeviationText.all[$0]?.fix }.first
    }

    /// What happened at every finding of a rule; `nil` where only their messages say it.
    func title(of rule: String, deviation: String?) -> String? {
        if let known = ruleText(rule) { return known.title }
        // `not-logged` is about a missing callback as well, and says the opposite.
        return [rule, deviation].compactMap(\.self).compactMap(DeviationText.title).first
    }

    /// Open findings by severity, worst first, and rule, most frequent first.
    var groups: [FindingGroup] {
        let byKey = Dictionary(grouping: findings) { FindingGroup.Key(severity: $0.severity, rule: $0.rule) }
        let split = Dictionary(grouping: byKey.keys, by: \.rule).filter { $0.value.count > 1 }
        return byKey.map { key, found in
            let total = totals.first { $0.rule == key.rule && $0.severity == key.severity }
            return FindingGroup(
                key: key, findings: found, count: max(found.count, total?.count ?? 0), rule: ruleText(key.rule),
                knownTitle: title(of: key.rule, deviation: found.first?.deviation),
                hasOneMessage: total?.hasOneMessage ?? true, hasOneRepair: total?.hasOneRepair ?? true,
                isSplit: split[key.rule] != nil)
        }.sorted {
            if $0.key.severity != $1.key.severity { return $0.key.severity > $1.key.severity }
            if $0.count != $1.count { return $0.count > $1.count }
            return $0.key.rule < $1.key.rule
        }
    }
}

/// The findings of one rule and severity.
struct FindingGroup {
    struct Key: Hashable {
        var severity: Severity
        var rule: String
    }

    var key: Key
    var findings: [LocatedFinding]
    /// How many there are, listed or not.
    var count: Int
    var rule: RuleText?
    /// What happened, where the rule says it for all of its findings.
    var knownTitle: String?
    /// Whether findings that are not listed have the message, and the repair, of those that are.
    var hasOneMessage: Bool
    var hasOneRepair: Bool
    /// Whether the rule has findings of another severity, too.
    var isSplit: Bool

    /// The message, when all findings have the same.
    var commonMessage: String? { hasOneMessage ? common(\.message) : nil }

    /// The repair, when all findings have the same.
    var commonRepair: String? { hasOneRepair ? common(\.repair).flatMap(\.self) : nil }

    var title: String {
        // Of a rule that the report does not know, the message says more than the class of the deviation.
        (rule == nil ? DeviationText.title(of: key.rule) ?? commonMessage : nil) ?? knownTitle ?? commonMessage
            ?? rule.map { "Broken: \($0.says)" } ?? key.rule
    }

    /// What happened at the first place.
    var example: String { findings.first?.parts.text ?? title }

    /// What happened; several places have only their rule in common, if that is the heading of no other group.
    var heading: String { count > 1 && !(isSplit && commonMessage != nil) ? title : example }

    private func common<Value: Hashable>(_ value: (LocatedFinding) -> Value) -> Value? {
        let values = Set(findings.map(value))
        return values.count == 1 ? values.first : nil
    }
}

/// What a class of deviations means, and a finding that the replay makes without a rule of a model: the entries of
/// `templates/deviations.txt`, by id. Those of rules only say what to do about their findings, which have no repair.
package struct DeviationText: Sendable {
    package let title: String
    /// Empty for rules, which explain themselves.
    package let explanation: String
    /// What to do, where a finding has no repair of its own.
    package let fix: String
    /// The documents, as models cite them.
    package let citation: String

    /// `nil` for what is not listed, and for rules.
    package static func title(of id: String) -> String? { all[id].flatMap { $0.explanation.isEmpty ? nil : $0.title } }

    package static let all: [String: DeviationText] = {
        let text = String(decoding: PackageResources.deviations_txt, as: UTF8.self)
        let entries = text.split(separator: "\n\n").map { entry in
            let lines = entry.split(separator: "\n")
            let head = lines[0].split(separator: ": ", maxSplits: 1).map(String.init)
            let rest = lines.dropFirst().map { " \($0)" }.joined()
            let parts = rest.split(separator: " Fix: ", omittingEmptySubsequences: false)
            let ends = parts[1].split(separator: " Source: ").map(String.init)
            let text = DeviationText(
                title: head[head.count - 1], explanation: String(parts[0].dropFirst()), fix: ends[0], citation: ends[1])
            return (head[0], text)
        }
        return Dictionary(uniqueKeysWithValues: entries)
    }()
}

/// Findings grouped and counted, for people at a terminal.
struct FindingText {
    let report: FindingReport
    let measures: [MeasuredLayer]
    let examples: Int?
    let style: TextStyle

    var text: String {
        var lines: [String] = []
        for group in report.groups { lines += self.lines(of: group) + [""] }
        for layer in measures { lines += layer.lines(examples: examples, style: style) + [""] }
        lines += verdict
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(of group: FindingGroup) -> [String] {
        var lines = headline(of: group)
        let common = group.commonMessage
        if let common, common != group.title {
            lines += style.wrapped(VisibleText.neutralised(common), indent: 2)
        }
        for finding in group.findings.prefix(examples ?? .max) {
            lines += place(finding)
            if common == nil { lines += style.wrapped(VisibleText.neutralised(finding.message), indent: 4) }
            if let repair = finding.repair, group.commonRepair == nil { lines += wouldConform(repair, indent: 4) }
        }
        let more = group.count - min(group.findings.count, examples ?? .max)
        if more > 0 { lines.append("  " + style.dim("… and \(NumberText.grouped(more)) more")) }
        if let repair = group.commonRepair { lines += wouldConform(repair, indent: 2) }
        return lines
    }

    private func headline(of group: FindingGroup) -> [String] {
        let rule = VisibleText.neutralised(group.key.rule)
        let indent = CellWidth.of("\(group.key.severity.name)  \(rule)  ")
        var lines = style.wrapped(VisibleText.neutralised(group.title), indent: indent)
        let head = "\(style.severity(group.key.severity.rawValue))  \(style.bold(rule))  "
        let count = group.count > 1 ? "\(NumberText.grouped(group.count)) times" : ""
        let (last, margin) = (lines[lines.count - 1], String(repeating: " ", count: indent))
        if !count.isEmpty, !style.fits("\(last)  \(count)") {
            lines.append(margin + style.dim(count))
        } else if !count.isEmpty {
            lines[lines.count - 1] = "\(last)  \(style.dim(count))"
        }
        lines[0] = head + lines[0].dropFirst(indent)
        return lines
    }

    private func wouldConform(_ repair: String, indent: Int) -> [String] {
        var lines = style.wrapped("the log would conform \(VisibleText.neutralised(repair))", indent: indent)
        lines[0] = lines[0].replacing("would conform", with: style.green("would conform"), maxReplacements: 1)
        return lines
    }

    private func place(_ finding: LocatedFinding) -> [String] {
        var facts = ["finding:\(finding.id)"]
        if let time = finding.time { facts.append(ClockText.exact(time)) }
        if let app = finding.app {
            facts.append(VisibleText.neutralised(app) + (finding.run.map { " run:\($0)" } ?? ""))
        }
        if let instance = finding.instance, finding.layer != "app" { facts.append(VisibleText.neutralised(instance)) }
        let (place, details) = ("  " + finding.place, facts.joined(separator: "  "))
        guard !style.fits("\(place)  \(details)") else { return ["\(place)  \(style.dim(details))"] }
        return [place] + style.wrapped(details, indent: 4).map(style.dim)
    }

    private var verdict: [String] {
        let sentence = report.summarySentence
        guard let failOn = report.failOn else { return style.wrapped(sentence, indent: 0) }
        let outcome = report.fails ? "Failed" : "Passed"
        return style.wrapped("\(outcome) at --fail-on \(failOn.rawValue): \(sentence)", indent: 0)
            .map(report.fails ? style.red : style.green)
    }
}

/// Findings as a summary for a pull request or a wiki.
struct FindingMarkdown {
    let report: FindingReport
    let measures: [MeasuredLayer]
    let examples: Int?

    var text: String {
        // Without a limit for failing there is no outcome.
        let outcome = report.fails ? ": failed" : report.failOn == nil ? "" : ": passed"
        var text = "### Lifecycle check\(outcome)\n\n\(report.summarySentence)\n"
        for layer in measures { text += table(of: layer) }
        let groups = report.groups
        guard !groups.isEmpty else { return text }
        text += "\n| severity | rule | count | what | first |\n| --- | --- | ---: | --- | --- |\n"
        for group in groups {
            let first = group.findings.first.map { code($0.place) } ?? ""
            text += "| \(group.key.severity.name) | \(cell(group.key.rule)) |"
            text += " \(NumberText.grouped(group.count)) | \(cell(group.title)) | \(first) |\n"
        }
        for group in groups {
            text += "\n#### \(cell(group.key.rule)): \(cell(group.title))\n\n"
            for finding in group.findings.prefix(examples ?? .max) {
                text += "- \(code(finding.place)) \(cell(finding.message)) (finding:\(finding.id))\n"
                if let repair = finding.repair { text += "  - the log would conform \(cell(repair))\n" }
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
