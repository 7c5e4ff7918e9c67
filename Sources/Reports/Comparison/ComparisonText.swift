internal import TraceRecords

/// A comparison for people: what was compared, the answer, and the rows.
struct ComparisonText {
    let report: ComparisonReport
    let style: TextStyle
    let width: Int?

    var table: String {
        var lines = heading.map { VisibleText.neutralised($0) }
        let verdict = report.fails ? style.red(gate) : report.isFired ? style.yellow(gate) : style.green(gate)
        lines += [verdict, ""]
        let options = TableOptions(colour: style.isOn, width: width)
        return lines.map { $0 + "\n" }.joined()
            + ResultWriter.text(.table, columns: columns, rows: report.rows.map(cells), options: options)
            + "\n" + notes.map { style.dim($0) + "\n" }.joined()
    }

    var markdown: String {
        let table = ResultWriter.text(.markdown, columns: columns, rows: report.rows.map(cells))
        return
            (["### lifestats compare: \(report.fails ? "failed" : "passed")", ""]
            + heading.map { "- " + MarkdownText.escaped($0) }
            + ["- **\(gate)**", "", table] + notes.map { "- " + MarkdownText.escaped($0) })
            .map { $0 + "\n" }.joined()
    }

    // MARK: - Parts

    var heading: [String] {
        [("A", report.a), ("B", report.b)].map { name, side in
            let units = Plural.text(side.units, report.unit == "run" ? "run" : "device")
            let runs = report.unit == "run" ? "" : ", \(Plural.text(side.runs, "run"))"
            return "\(name)  \(side.title)  (\(units)\(runs))"
        }
    }

    /// The answer in a sentence.
    var gate: String {
        let significant = report.rows.filter(\.isSignificant)
        let worse = significant.count { $0.direction == "worse" }
        let level = NumberText.readable(report.level)
        let chance = "p = \(NumberText.readable(report.p)), level \(level)"
        let look = report.looks > 1 ? ", look \(report.look) of \(report.looks)" : ""
        guard report.isFired else { return "gate: no difference beyond chance (\(chance)\(look))" }
        let what = worse > 0 ? "\(Plural.text(worse, "row")) worse in B" : "none of them known to be worse"
        let verb = significant.count == 1 ? "differs" : "differ"
        return "gate: \(Plural.text(significant.count, "row")) \(verb) beyond chance, \(what) (\(chance)\(look))"
    }

    var notes: [String] {
        var notes = [
            "difference: B minus A with its 95 % interval over \(report.unit == "run" ? "runs" : "devices"); times are means up "
                + "to a horizon (τ), cut visits included",
            "p: chance of a difference this large in any of the \(Plural.text(report.rows.count, "row")) "
                + "(\(NumberText.grouped(report.permutations)) random divisions)",
            "found from: the smallest difference that this amount of data would probably have shown",
        ]
        if report.leastEffect > 0 {
            notes.append("differences up to \(NumberText.percent(report.leastEffect)) of A are ignored (--min-effect)")
        }
        if report.unit != "device" {
            notes.append("runs without a device count as independent; name devices with `lifestats ingest --device`")
        }
        if report.leftOut > 0 {
            notes.append(
                "\(Plural.text(report.leftOut, "row")) left out, with data on too few units or the same on all")
        }
        for look in report.ledger where look.number != report.look {
            notes.append("look \(look.number): p = \(NumberText.readable(look.p))\(look.isFired ? ", fired" : "")")
        }
        return notes
    }

    let columns = ["what", "A", "B", "difference", "95 % interval", "p", "found from"].map {
        Column($0, kind: .plain)
    }

    func cells(_ row: ComparisonReport.Row) -> [Cell] {
        let horizon = row.horizon.map { " τ " + HumanDuration.text(seconds: $0) } ?? ""
        let name = row.name.replacing(">", with: " → ")
        let mark = row.isSignificant ? " \(row.direction)" : ""
        let relative = row.relative.map { " (" + Self.signed(NumberText.percent($0.magnitude), $0) + ")" } ?? ""
        let interval = row.interval.map {
            "\(difference($0.lowerBound, row)) … \(difference($0.upperBound, row))"
        }
        let part = row.detectablePart.map { NumberText.percent($0) } ?? row.detectable.map { difference($0, row) }
        return [
            .text("\(row.kind) \(row.layer) \(name)\(horizon)"), .text(value(row.a.value, row)),
            .text(value(row.b.value, row)),
            .text(difference(row.difference, row) + relative), interval.map { .text($0) } ?? .null,
            .text(NumberText.readable(row.adjusted) + mark), part.map { .text($0) } ?? .null,
        ]
    }

    private func value(_ value: Double?, _ row: ComparisonReport.Row) -> String {
        guard let value, value.isFinite else { return "–" }
        return switch row.measure {
        case .seconds: HumanDuration.text(seconds: value)
        case .share: NumberText.percent(value)
        case .perHour: "\(Self.short(value))/h"
        case .perRun: Self.short(value)
        }
    }

    private func difference(_ value: Double, _ row: ComparisonReport.Row) -> String {
        guard value.isFinite else { return "–" }
        let text = row.measure == .share ? NumberText.percent(value.magnitude) : self.value(value.magnitude, row)
        return Self.signed(text, value)
    }

    private static func short(_ value: Double) -> String { value == 0 ? "0" : NumberText.threeDigits(value) }

    private static func signed(_ text: String, _ value: Double) -> String {
        value == 0 ? text : (value < 0 ? "−" : "+") + text
    }
}
