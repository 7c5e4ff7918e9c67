internal import TraceRecords

/// Findings in SARIF 2.1.0 (OASIS), which code scanning services read.
struct FindingSARIF {
    let report: FindingReport

    var text: String {
        let rules = describedRules
        let index = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.id, Int64($0)) })
        let document = JSONValue.members([
            "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"),
            "version": .string("2.1.0"),
            "runs": .array([
                .members([
                    "tool": .members([
                        "driver": .members([
                            "name": .string("lifestats"),
                            "version": .string(report.version),
                            "rules": .array(rules.map(rule)),
                        ])
                    ]),
                    "columnKind": .string("utf16CodeUnits"),
                    "results": .array(report.findings.map { result($0, ruleIndex: index[$0.rule]) }),
                ])
            ]),
        ])
        return document.indentedText
    }

    /// The rules that were checked, then those that only findings name; each once.
    private var describedRules: [RuleText] {
        var rules: [RuleText] = []
        var seen: Set<String> = []
        let named = report.findings.map { RuleText(id: $0.rule, title: $0.deviation) }
        for rule in report.rules + named where seen.insert(rule.id).inserted { rules.append(rule) }
        return rules
    }

    private func rule(_ rule: RuleText) -> JSONValue {
        .members([
            "id": .string(rule.id),
            "shortDescription": .members(["text": .string(rule.title)]),
            "help": rule.citation.map { .members(["text": .string($0)]) },
        ])
    }

    private func result(_ finding: LocatedFinding, ruleIndex: Int64?) -> JSONValue {
        let repair = finding.repair.map { ". It would conform \($0)." } ?? ""
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
            "level": .string(level(finding.severity)),
            "message": .members(["text": .string(finding.message + repair)]),
            "locations": .array([location]),
            "suppressions": finding.isAccepted ? .array([.members(["kind": .string("external")])]) : nil,
            "properties": .members([
                "deviation": .string(finding.deviation),
                "layer": .string(finding.layer),
                "app": finding.app.map { .string($0) },
                "run_id": finding.run.map { .integer($0) },
                "time": finding.time.map { .string(CivilTime.iso(nanoseconds: $0)) },
            ]),
        ])
    }

    private func level(_ severity: Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .info: "note"
        }
    }
}
