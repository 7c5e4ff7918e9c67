internal import TraceRecords

/// Findings as one JSON document.
struct FindingJSON {
    let report: FindingReport
    let measures: [MeasuredLayer]?

    func write(_ findings: @escaping AllFindings, _ append: ([UInt8]) throws -> Void) throws {
        try JSONValue.members([
            "failed": .bool(report.fails),
            "fail_on": .string(report.failOn?.rawValue ?? "never"),
            "summary": .members([
                "errors": .integer(Int64(report.count(.error))),
                "warnings": .integer(Int64(report.count(.warning))),
                "infos": .integer(Int64(report.count(.info))),
                "accepted": .integer(Int64(report.acceptedCount)),
                "runs": .integer(report.runs),
                "events": .integer(report.events),
            ]),
            "findings": .array([.laterElements]),
            "measures": measures.map { .array($0.map(\.json)) },
        ]).write(append) { put in try findings { try put(value($0)) } }
    }

    private func value(_ finding: LocatedFinding) -> JSONValue {
        .members([
            "finding_id": .integer(finding.id),
            "rule": .string(finding.rule),
            "deviation": .string(finding.deviation),
            "severity": .string(finding.severity.rawValue),
            "message": .string(finding.message),
            "repair": .optional(finding.repair),
            "file": .string(finding.file),
            "line": .integer(finding.line),
            "time_ns": .optional(finding.time),
            "time": .optional(finding.time.map { CivilTime.iso(nanoseconds: $0) }),
            "app": .optional(finding.app),
            "run_id": .optional(finding.run),
            "layer": .string(finding.layer),
            "instance": .optional(finding.instance),
            "accepted": .bool(finding.isAccepted),
        ])
    }
}

/// Findings as JUnit test results: a rule without findings is a passed test; a finding is a failed test, or a passed
/// one with the message as output when it is below the limit of the check.
struct FindingJUnit {
    let report: FindingReport

    func write(_ findings: @escaping AllFindings, _ append: ([UInt8]) throws -> Void) throws {
        let found = Set(report.totals.map(\.rule))
        let passed = report.rules.filter { !found.contains($0.id) }
        let open = Severity.allCases.reduce(0) { $0 + report.count($1) }
        let failures = Severity.allCases.reduce(0) { $0 + (report.isFailure($1) ? report.count($1) : 0) }
        let isEmpty = passed.isEmpty && open == 0
        var text = JUnitText.begin("lifecycle", tests: isEmpty ? 1 : passed.count + open, failures: failures)
        if isEmpty { text += JUnitText.test("lifestats", "lifecycle") }
        for rule in passed { text += JUnitText.test("lifestats.\(rule.id)", rule.says) }
        try append(Array(text.utf8))
        try findings { if !$0.isAccepted { try append(Array(testCase($0).utf8)) } }
        try append(Array(JUnitText.end.utf8))
    }

    private func testCase(_ finding: LocatedFinding) -> String {
        let title = report.title(of: finding.rule, deviation: finding.deviation) ?? finding.message
        let repair = finding.repair.map { "\nthe log would conform \($0)" } ?? ""
        let details = XMLText.escaped("\(finding.place): \(finding.message)\(repair)\nfinding:\(finding.id)")
        let severity = finding.severity.rawValue
        return JUnitText.test(
            "lifestats.\(finding.rule)", "\(title) (\(finding.place))", place: (finding.file, finding.line),
            report.isFailure(finding)
                ? JUnitText.failure(severity, XMLText.escaped(finding.message), details)
                : "<system-out>\(severity): \(details)</system-out>")
    }
}

/// Test results as build servers read them.
package enum JUnitText {
    package static func begin(_ suite: String, tests: Int, failures: Int) -> String {
        let counts = "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="lifestats" \(counts)>
              <testsuite name="\(suite)" \(counts) skipped="0">

            """
    }

    package static let end = "  </testsuite>\n</testsuites>\n"

    /// A test, which has passed unless its content says otherwise.
    package static func test(
        _ group: String, _ title: String, place: (file: String, line: Int64)? = nil, _ content: String? = nil
    ) -> String {
        let file = place.map { " file=\"\(name($0.file))\" line=\"\($0.line)\"" } ?? ""
        let start = "    <testcase classname=\"\(name(group))\" name=\"\(name(title))\"\(file)"
        return content.map { "\(start)>\n      \($0)\n    </testcase>\n" } ?? start + "/>\n"
    }

    /// - Parameters message, details: text of XML.
    package static func failure(_ type: String, _ message: String, _ details: String? = nil) -> String {
        let start = "<failure type=\"\(type)\" message=\"\(message)\""
        return details.map { "\(start)>\($0)</failure>" } ?? start + "/>"
    }

    package static func name(_ text: String) -> String { XMLText.escaped(VisibleText.neutralised(text)) }
}

/// Findings in SARIF 2.1.0 (OASIS), which code scanning services read.
struct FindingSARIF {
    let report: FindingReport

    func write(_ findings: @escaping AllFindings, _ append: ([UInt8]) throws -> Void) throws {
        let rules = describedRules
        let index = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.id, Int64($0)) })
        let driver = JSONValue.members([
            "name": .string("lifestats"),
            "version": .string(report.version),
            "rules": .array(rules.map(rule)),
        ])
        try JSONValue.members([
            "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"),
            "version": .string("2.1.0"),
            "runs": .array([
                .members([
                    "tool": .members(["driver": driver]),
                    "columnKind": .string("utf16CodeUnits"),
                    "results": .array([.laterElements]),
                ])
            ]),
        ]).write(append) { put in try findings { try put(result($0, ruleIndex: index[$0.rule])) } }
    }

    /// The rules that were checked, then those that only findings name; each once.
    private var describedRules: [RuleText] {
        var seen: Set<String> = []
        let named = report.findings.map { finding in
            RuleText(
                id: finding.rule, says: finding.deviation,
                title: report.title(of: finding.rule, deviation: finding.deviation))
        }
        return (report.rules + named).filter { seen.insert($0.id).inserted }
    }

    private func rule(_ rule: RuleText) -> JSONValue {
        .members([
            "id": .string(rule.id),
            "shortDescription": Self.message(rule.title ?? rule.says),
            "fullDescription": Self.message(rule.says),
            "help": rule.sources.isEmpty ? nil : Self.message(rule.sources.map(Self.text).joined(separator: "\n")),
            "helpUri": rule.sources.map(\.target).first { !$0.isEmpty }.map { .string($0) },
        ])
    }

    private static func text(_ source: ReportLink) -> String {
        source.target.isEmpty ? source.text : "\(source.text): \(source.target)"
    }

    private func result(_ finding: LocatedFinding, ruleIndex: Int64?) -> JSONValue {
        let repair = finding.repair.map { ". The log would conform \($0)." } ?? ""
        let region = finding.line > 0 ? JSONValue.members(["startLine": .integer(finding.line)]) : nil
        let location = JSONValue.members([
            "physicalLocation": .members([
                "artifactLocation": .members(["uri": .string(FileURI.text(path: finding.file))]),
                "region": region,
            ]),
            "logicalLocations": finding.instance.map {
                .array([.members(["name": .string($0), "kind": .string("object")])])
            },
        ])
        return .members([
            "ruleId": .string(finding.rule),
            "ruleIndex": ruleIndex.map { .integer($0) },
            "level": .string(finding.severity == .info ? "note" : finding.severity.rawValue),
            "message": Self.message(finding.message + repair),
            "locations": .array([location]),
            "suppressions": finding.isAccepted ? .array([.members(["kind": .string("external")])]) : nil,
            "properties": .members([
                "deviation": .string(finding.deviation),
                "layer": .string(finding.layer),
                "app": finding.app.map { .string($0) },
                "finding_id": .integer(finding.id),
                "run_id": finding.run.map { .integer($0) },
                "time": finding.time.map { .string(CivilTime.iso(nanoseconds: $0)) },
            ]),
        ])
    }

    private static func message(_ text: String) -> JSONValue { .members(["text": .string(text)]) }
}

/// Findings as workflow commands of GitHub Actions, which shows them at their file and line.
struct FindingAnnotations {
    let report: FindingReport

    func write(_ findings: @escaping AllFindings, _ append: ([UInt8]) throws -> Void) throws {
        // GitHub shows only the first annotations of a step, so the worst come first.
        for severity in Severity.allCases.sorted(by: >) where report.count(severity) > 0 {
            try findings { finding in
                guard finding.severity == severity, !finding.isAccepted else { return }
                try append(Array(annotation(finding).utf8))
            }
        }
        try append(Array("\(VisibleText.neutralised(report.summarySentence))\n".utf8))
    }

    private func annotation(_ finding: LocatedFinding) -> String {
        let command = finding.severity == .info ? "notice" : finding.severity.rawValue
        let line = finding.line > 0 ? ",line=\(finding.line)" : ""
        let repair = finding.repair.map { "\nthe log would conform \($0)" } ?? ""
        let title = [finding.rule, report.title(of: finding.rule, deviation: finding.deviation)].compactMap(\.self)
        return "::\(command) file=\(property(finding.file))\(line),title=\(property(title.joined(separator: ": ")))"
            + "::\(data("\(finding.message)\(repair)\nfinding:\(finding.id)"))\n"
    }

    private func data(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            default: VisibleText.neutralised(String(scalar))
            }
        }.joined()
    }

    private func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
