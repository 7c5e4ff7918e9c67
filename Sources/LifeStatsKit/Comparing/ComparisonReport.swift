import CohortComparison
import Reports
import TraceRecords

/// Two cohorts compared, ready to be written.
struct ComparisonReport {
    let comparison: Comparison
    let units: CohortUnits
    let request: CompareRequest
    /// The looks so far, when several are planned.
    let looks: [LookLedger.Look]
    /// Titles of states by layer and id, for pages that call them so.
    var titles: [String: [String: String]] = [:]

    /// What differs comes first, and of that what is worse.
    var rows: [ComparedRow] {
        func rank(_ row: ComparedRow) -> Int { row.isSignificant ? row.direction == .worse ? 0 : 1 : 2 }
        return (0...2).flatMap { wanted in comparison.rows.filter { rank($0) == wanted } }
    }

    var fails: Bool {
        switch request.failOn {
        case .any: comparison.isFired
        case .worse: comparison.isWorse
        case .never: false
        }
    }

    /// In words, without colours and of any width.
    private var plain: ComparisonText { ComparisonText(report: self, style: TextStyle(isOn: false), width: nil) }

    /// The answer in a sentence.
    var verdict: String { plain.gate }

    /// The cohorts, with what they consist of.
    var sides: [String] { plain.heading }

    /// The result, the figures, and then how they were found.
    var blocks: [ReportBlock] {
        let text = plain
        func table(_ caption: String, _ columns: [Column], _ rows: [[Cell]]) -> ReportTable {
            ReportTable(
                caption: caption, columns: columns.map { ReportColumn($0.name, kind: .plain) }, rows: rows)
        }
        let medians = table("Medians after Kaplan and Meier.", text.medianColumns, text.medians)
        var main = table(sides.joined(separator: "; ") + ".", text.columns, rows.map(text.cells))
        main.openRows = rows.count(where: \.isSignificant)
        return [.text(text.result), .table(main), .more("How to read it", [.list([text.gate] + text.notes)])]
            + (text.medians.isEmpty ? [] : [.more("Medians", [.table(medians)])])
    }

    /// The result as the first thing to know.
    var observation: ReportObservation {
        ReportObservation(
            severity: comparison.isWorse ? .error : comparison.isFired ? .warning : nil, text: plain.result,
            links: [ReportLink(text: "Comparison", target: "#section-comparison")])
    }

    /// The comparison in the requested format.
    var text: String {
        switch request.format {
        case .table: ComparisonText(report: self, style: TextStyle(isOn: request.colors), width: request.width).table
        case .markdown: plain.markdown
        case .json: ComparisonJSON(report: self).text
        case .junit: ComparisonJUnit(report: self).text
        }
    }
}

/// A comparison for people: what was compared, the answer, and the rows.
struct ComparisonText {
    let report: ComparisonReport
    let style: TextStyle
    let width: Int?

    var table: String {
        var lines = ([result] + heading).map { VisibleText.neutralised($0) }
        let passed = report.comparison.isFired ? style.yellow(gate) : style.green(gate)
        lines += [report.fails ? style.red(gate) : passed, ""]
        let options = TableOptions(colour: style.isOn, width: width)
        return lines.map { $0 + "\n" }.joined()
            + ResultWriter.text(.table, columns: columns, rows: report.rows.map(cells), options: options) + "\n"
            + (medians.isEmpty
                ? "" : ResultWriter.text(.table, columns: medianColumns, rows: medians, options: options) + "\n")
            + notes.map { style.dim($0) + "\n" }.joined()
    }

    var markdown: String {
        let table = ResultWriter.text(.markdown, columns: columns, rows: report.rows.map(cells))
        let medians = medians.isEmpty ? [] : [ResultWriter.text(.markdown, columns: medianColumns, rows: medians)]
        return
            (["### lifestats compare: \(report.fails ? "failed" : "passed")", ""]
            + [MarkdownText.escaped(result), ""] + heading.map { "- " + MarkdownText.escaped($0) }
            + ["- **\(gate)**", "", table] + medians + notes.map { "- " + MarkdownText.escaped($0) })
            .map { $0 + "\n" }.joined()
    }

    // MARK: - Parts

    var heading: [String] {
        let (all, units) = (report.comparison.units, report.units)
        let sides = [
            ("A  \(report.request.a)", all.a, units.runs.a.count),
            ("B  \(report.request.b)", all.b, units.runs.b.count),
        ]
        return sides.map { title, count, runs in
            let runs = units.kind == .run ? "" : ", \(Plural.text(runs, "run"))"
            return "\(title)  (\(units.kind.counted(count))\(runs))"
        }
    }

    var gate: String { "gate: \(answer)" }

    /// What became worse, and what else changed, for people who do not read tables.
    var result: String {
        let different = report.rows.filter(\.isSignificant)
        let (a, b) = ("A (\(report.request.a))", "B (\(report.request.b))")
        guard !different.isEmpty else { return "Nothing differs between \(a) and \(b) beyond chance." }
        let worse = different.count { $0.direction == .worse }
        let (other, most) = (different.count - worse, 3)
        let head =
            worse == 0
            ? "\(b) differs from \(a), but nothing is known to be worse"
            : "\(b) is worse than \(a) in \(Plural.text(worse, "figure"))"
                + (other > 0 ? ", and differs in \(other) more" : "")
        let changes = different.prefix(most).map { row in
            let name = (Self.kinds[row.kind] ?? "%").replacing("%", with: words(row, withKind: false))
            return "\(name) \(value(row.a.value, row)) → \(value(row.b.value, row))\(relative(row))"
        }
        let rest = different.count > most ? ["\(different.count - most) more"] : []
        return "\(head): \((changes + rest).joined(separator: "; "))."
    }

    /// What the rows of a kind are, in words.
    private static let kinds: [MeasuredRow.Kind: String] = [
        .dwell: "mean visit of %", .share: "time in %", .transition: "moves of %", .launch: "mean launch of %",
        .visit: "visits of %", .finding: "findings of %", .end: "ends of %",
    ]

    /// The answer in a sentence.
    private var answer: String {
        let significant = report.rows.filter(\.isSignificant)
        let worse = significant.count { $0.direction == .worse }
        let level = NumberText.readable(options.level)
        let chance = "p = \(NumberText.readable(report.comparison.p)), level \(level)"
        let look = report.request.looks > 1 ? ", look \(options.look) of \(report.request.looks)" : ""
        guard report.comparison.isFired else { return "no difference beyond chance (\(chance)\(look))" }
        let isOne = significant.count == 1
        let what =
            worse > 0
            ? "\(Plural.text(worse, "row")) worse in B" : "\(isOne ? "not" : "none of them") known to be worse"
        let verb = isOne ? "differs" : "differ"
        return "\(Plural.text(significant.count, "row")) \(verb) beyond chance, \(what) (\(chance)\(look))"
    }

    var notes: [String] {
        var notes = [
            "difference: B minus A with its 95% interval over \(units), of shares in percentage points; times are means up to a horizon (τ), cut "
                + "visits included",
            "p: chance of a difference this large in any of the \(Plural.text(report.rows.count, "row")) "
                + "(\(NumberText.grouped(report.comparison.permutations)) random divisions)",
            "found from: the smallest difference that this amount of data would probably have shown",
        ]
        if !medians.isEmpty {
            notes.append("median: the time that half of the visits exceed (Kaplan-Meier), with a 95% interval")
        }
        if report.units.shared > 0 {
            notes.append(
                "\(Plural.text(report.units.shared, "device")) with runs in both cohorts, counted as independent: no more false "
                    + "alarms, but a difference must be larger to be found")
        }
        if options.leastEffect > 0 {
            notes.append("differences up to \(NumberText.percent(options.leastEffect)) of A are ignored (--min-effect)")
        }
        if report.units.kind != .device {
            notes.append("runs without a device count as independent; name devices with `lifestats ingest --device`")
        }
        if report.comparison.leftOut > 0 {
            let rows = Plural.text(report.comparison.leftOut, "row")
            notes.append("\(rows) left out: too few units have data, or all have the same")
        }
        for look in report.looks where look.number != options.look {
            notes.append("look \(look.number): p = \(NumberText.readable(look.p))\(look.isFired ? ", fired" : "")")
        }
        return notes
    }

    private var options: ComparisonOptions { report.comparison.options }

    private var units: String {
        switch report.units.kind {
        case .run: "runs"
        case .device: "devices"
        case .mixed: "devices, and runs without one"
        }
    }

    let columns = ["what", "A", "B", "difference", "95% interval", "p", "found from"].map {
        Column($0, kind: .plain)
    }

    // MARK: - Medians

    let medianColumns = ["median", "A", "A: 95% interval", "B", "B: 95% interval"].map { Column($0, kind: .plain) }

    var medians: [[Cell]] {
        report.rows.filter { $0.a.median != nil || $0.b.median != nil }.map { row in
            [.text(words(row))]
                + [row.a, row.b].flatMap { figure -> [Cell] in
                    let (low, high) = (figure.median?.low, figure.median?.high)
                    let interval = "\(low.map { value($0, row) } ?? "?") … \(high.map { value($0, row) } ?? "?")"
                    return [.text(value(figure.median?.value, row)), figure.median == nil ? .null : .text(interval)]
                }
        }
    }

    // MARK: - Rows

    func cells(_ row: ComparedRow) -> [Cell] {
        let horizon = row.horizon.map { " τ " + HumanDuration.text(seconds: $0) } ?? ""
        let mark = row.isSignificant ? " \(row.direction.rawValue)" : ""
        let interval = row.interval.map {
            "\(difference($0.lowerBound, row, unit: "")) … \(difference($0.upperBound, row))"
        }
        let part = row.detectablePart.map { " (\(NumberText.percent($0)))" } ?? ""
        let detectable = row.detectable.map { (row.measure == .share ? Self.points($0) : value($0, row)) + part }
        return [
            .text(words(row) + horizon), .text(value(row.a.value, row)),
            .text(value(row.b.value, row)),
            .text(difference(shown(row), row) + relative(row)), interval.map { .text($0) } ?? .null,
            .text(NumberText.readable(row.adjusted) + mark), detectable.map { .text($0) } ?? .null,
        ]
    }

    private func relative(_ row: ComparedRow) -> String {
        row.relative.map { " (" + Self.signed(NumberText.percent($0.magnitude), $0) + ")" } ?? ""
    }

    /// `end app ended in use`: what a row is about, in the words of pictures.
    private func words(_ row: ComparedRow, withKind: Bool = true) -> String {
        let states = row.name.split(separator: ">").map { part in
            let state = String(part)
            return report.titles[row.layer]?[state]
                ?? state.replacing("fg_", with: "foreground ").replacing("_", with: " ")
        }
        let name =
            row.kind == .finding && row.name.hasPrefix("info ")
            ? "remark" + row.name.dropFirst(4)
            : row.kind == .end ? EndReason.words(of: row.name) : states.joined(separator: " → ")
        return "\(withKind ? row.kind.rawValue + " " : "")\(row.layer) \(name)"
    }

    private func value(_ value: Double?, _ row: ComparedRow) -> String {
        guard let value, value.isFinite else { return "–" }
        return switch row.measure {
        case .seconds: HumanDuration.text(seconds: value)
        case .share: NumberText.percent(value)
        case .perHour: "\(Self.short(value))/h"
        case .perRun: Self.short(value)
        }
    }

    private func difference(_ value: Double, _ row: ComparedRow, unit: String = " points") -> String {
        guard value.isFinite else { return "–" }
        let isShare = row.measure == .share
        return Self.signed(isShare ? Self.points(value.magnitude, unit) : self.value(value.magnitude, row), value)
    }

    /// The difference between the two values as they are printed: shares have one decimal, and counts two when small.
    private func shown(_ row: ComparedRow) -> Double {
        guard row.measure != .seconds, let a = row.a.value, let b = row.b.value, a.isFinite, b.isFinite else {
            return row.difference
        }
        let isFine = row.measure == .share || max(a.magnitude, b.magnitude) < 9.995
        guard isFine else { return row.difference }
        let scale = row.measure == .share ? 1000.0 : 100.0
        return ((b * scale).rounded() - (a * scale).rounded()) / scale
    }

    private static func points(_ share: Double, _ unit: String = " points") -> String {
        NumberText.percent(share).dropLast() + unit
    }

    private static func short(_ value: Double) -> String { value == 0 ? "0" : NumberText.threeDigits(value) }

    private static func signed(_ text: String, _ value: Double) -> String {
        value == 0 || text.hasPrefix("<") ? text : (value < 0 ? "−" : "+") + text
    }
}

/// A comparison as one JSON document; docs/compare.md describes its keys.
struct ComparisonJSON {
    let report: ComparisonReport

    var text: String {
        let (comparison, options, request) = (report.comparison, report.comparison.options, report.request)
        return JSONValue.members([
            "unit": .string(report.units.kind.rawValue),
            "units": pair(comparison.units.a, comparison.units.b),
            "runs": pair(report.units.runs.a.count, report.units.runs.b.count),
            "shared_devices": .integer(Int64(report.units.shared)),
            "cohorts": .members(["a": .string(request.a), "b": .string(request.b)]),
            "alpha": .number(options.alpha),
            "looks": .integer(Int64(request.looks)),
            "look": .integer(Int64(options.look)),
            "level": .number(options.level),
            "ledger": .array(
                report.looks.map {
                    .members([
                        "look": .integer(Int64($0.number)), "p": .number($0.p), "fired": .bool($0.isFired),
                    ])
                }),
            "min_effect": .number(options.leastEffect),
            "seed": .literal(String(options.seed)),
            "permutations": .integer(Int64(comparison.permutations)),
            "gate": .members(["fired": .bool(comparison.isFired), "p": .number(comparison.p)]),
            "fail_on": .string(request.failOn.rawValue),
            "failed": .bool(report.fails),
            "left_out": .integer(Int64(report.comparison.leftOut)),
            "rows": .array(report.rows.map(value)),
        ]).indentedText
    }

    private func pair(_ a: Int, _ b: Int) -> JSONValue {
        .members(["a": .integer(Int64(a)), "b": .integer(Int64(b))])
    }

    private func value(_ row: ComparedRow) -> JSONValue {
        .members([
            "kind": .string(row.kind.rawValue),
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
            "direction": .string(row.direction.rawValue),
            "log_rank": row.logRank.map {
                .members(["chi_squared": .number($0.chiSquared), "p": .number($0.p)])
            },
        ])
    }

    private func figure(_ figure: CohortFigure, isTime: Bool) -> JSONValue {
        .members([
            "units": .integer(Int64(figure.units)),
            "count": .number(figure.count),
            "value": number(figure.value),
            "median_s": isTime ? number(figure.median?.value) : nil,
            "median_interval": isTime ? bounds(figure.median?.low, figure.median?.high) : nil,
        ])
    }

    private func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }

    private func bounds(_ low: Double?, _ high: Double?) -> JSONValue { .array([number(low), number(high)]) }
}

/// A comparison as JUnit test results: each row is a test, which fails when it fails the build.
struct ComparisonJUnit {
    let report: ComparisonReport

    var text: String {
        JUnitText.begin("compare", tests: report.rows.count, failures: report.rows.count(where: isFailure))
            + report.rows.map(test).joined() + JUnitText.end
    }

    private func test(_ row: ComparedRow) -> String {
        let relative = row.relative.map { " (\(NumberText.percent($0)) of A)" } ?? ""
        let message =
            "\(row.direction.rawValue): \(NumberText.readable(row.a.value ?? .nan)) in A, "
            + "\(NumberText.readable(row.b.value ?? .nan)) in B\(relative), p = \(NumberText.readable(row.adjusted))"
        return JUnitText.test(
            "lifestats.compare.\(row.kind.rawValue)", row.layer + " " + row.name,
            isFailure(row) ? JUnitText.failure(row.direction.rawValue, JUnitText.name(message)) : nil)
    }

    private func isFailure(_ row: ComparedRow) -> Bool {
        row.isSignificant && report.fails && (report.request.failOn == .any || row.direction == .worse)
    }
}
