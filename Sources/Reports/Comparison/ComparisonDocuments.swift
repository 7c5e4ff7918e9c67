internal import TraceRecords

/// A comparison as one JSON document; docs/compare.md describes its keys.
struct ComparisonJSON {
    let report: ComparisonReport

    var text: String {
        JSONValue.members([
            "unit": .string(report.unit),
            "units": pair(report.a.units, report.b.units),
            "runs": pair(report.a.runs, report.b.runs),
            "cohorts": .members(["a": .string(report.a.title), "b": .string(report.b.title)]),
            "alpha": .number(report.alpha),
            "looks": .integer(Int64(report.looks)),
            "look": .integer(Int64(report.look)),
            "level": .number(report.level),
            "ledger": .array(
                report.ledger.map {
                    .members([
                        "look": .integer(Int64($0.number)), "p": .number($0.p), "fired": .bool($0.isFired),
                    ])
                }),
            "min_effect": .number(report.leastEffect),
            "seed": .literal(String(report.seed)),
            "permutations": .integer(Int64(report.permutations)),
            "gate": .members(["fired": .bool(report.isFired), "p": .number(report.p)]),
            "fail_on": .string(report.failOn),
            "failed": .bool(report.fails),
            "left_out": .integer(Int64(report.leftOut)),
            "rows": .array(report.rows.map(value)),
        ]).indentedText
    }

    private func pair(_ a: Int, _ b: Int) -> JSONValue {
        .members(["a": .integer(Int64(a)), "b": .integer(Int64(b))])
    }

    private func value(_ row: ComparisonReport.Row) -> JSONValue {
        .members([
            "kind": .string(row.kind),
            "layer": .string(row.layer),
            "name": .string(row.name),
            "measure": .string(row.measure.rawValue),
            "a": figure(row.a, isTime: row.horizon != nil),
            "b": figure(row.b, isTime: row.horizon != nil),
            "horizon_s": row.horizon.map { .number($0) },
            "difference": .number(row.difference),
            "interval": bounds(row.interval?.lowerBound, row.interval?.upperBound),
            "relative": number(row.relative),
            "detectable": number(row.detectable),
            "detectable_relative": number(row.detectablePart),
            "p": .number(row.p),
            "p_adjusted": .number(row.adjusted),
            "q": .number(row.q),
            "significant": .bool(row.isSignificant),
            "direction": .string(row.direction),
            "log_rank": row.logRank.map {
                .members(["chi_squared": .number($0.chiSquared), "p": .number($0.p)])
            },
        ])
    }

    private func figure(_ figure: ComparisonReport.Figure, isTime: Bool) -> JSONValue {
        .members([
            "units": .integer(Int64(figure.units)),
            "count": .number(figure.count),
            "value": number(figure.value),
            "median_s": isTime ? number(figure.median) : nil,
            "median_interval": isTime ? bounds(figure.medianInterval.low, figure.medianInterval.high) : nil,
        ])
    }

    private func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }

    private func bounds(_ low: Double?, _ high: Double?) -> JSONValue { .array([number(low), number(high)]) }
}

/// A comparison as JUnit test results: each row is a test, which fails when it fails the build.
struct ComparisonJUnit {
    let report: ComparisonReport

    var text: String {
        let failures = report.rows.count(where: isFailure)
        let counts = "tests=\"\(report.rows.count)\" failures=\"\(failures)\" errors=\"0\""
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuites name=\"lifestats\" \(counts)>\n  <testsuite name=\"compare\" \(counts) skipped=\"0\">\n"
        for row in report.rows {
            text +=
                "    <testcase classname=\"lifestats.compare.\(row.kind)\" name=\"\(name(row.layer + " " + row.name))\""
            guard isFailure(row) else {
                text += "/>\n"
                continue
            }
            let relative = row.relative.map { " (\(NumberText.percent($0)) of A)" } ?? ""
            let message =
                "\(row.direction): \(NumberText.readable(row.a.value ?? .nan)) in A, "
                + "\(NumberText.readable(row.b.value ?? .nan)) in B\(relative), p = \(NumberText.readable(row.adjusted))"
            text += ">\n      <failure type=\"\(row.direction)\" message=\"\(name(message))\"/>\n    </testcase>\n"
        }
        return text + "  </testsuite>\n</testsuites>\n"
    }

    private func isFailure(_ row: ComparisonReport.Row) -> Bool {
        row.isSignificant && report.fails && (report.failOn == "any" || row.direction == "worse")
    }

    private func name(_ text: String) -> String { XMLText.escaped(VisibleText.neutralised(text)) }
}
