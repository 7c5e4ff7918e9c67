internal import TraceRecords

/// Findings as one JSON document.
struct FindingJSON {
    let report: FindingReport

    var text: String {
        JSONValue.members([
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
            "findings": .array(report.findings.map(value)),
            "measures": report.measures.map { .array($0.map(\.json)) },
        ]).indentedText
    }

    private func value(_ finding: LocatedFinding) -> JSONValue {
        .members([
            "finding_id": .integer(finding.id),
            "rule": .string(finding.rule),
            "deviation": .string(finding.deviation),
            "severity": .string(finding.severity.rawValue),
            "message": .string(finding.message),
            "repair": finding.repair.map { .string($0) } ?? .null,
            "file": .string(finding.file),
            "line": .integer(finding.line),
            "time_ns": finding.time.map { .integer($0) } ?? .null,
            "time": finding.time.map { .string(CivilTime.iso(nanoseconds: $0)) } ?? .null,
            "app": finding.app.map { .string($0) } ?? .null,
            "run_id": finding.run.map { .integer($0) } ?? .null,
            "layer": .string(finding.layer),
            "instance": finding.instance.map { .string($0) } ?? .null,
            "accepted": .bool(finding.isAccepted),
        ])
    }
}
