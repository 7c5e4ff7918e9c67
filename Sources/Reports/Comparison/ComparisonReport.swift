internal import TraceRecords

/// How a comparison is written: the values of `compare --format`.
package enum ComparisonFormat: String, Sendable, CaseIterable {
    /// A table for people.
    case table
    /// One document with stable keys.
    case json
    /// A table for a pull request.
    case markdown
    /// Test results for build servers: one test for each row.
    case junit
}

/// Two cohorts compared, ready to be written.
package struct ComparisonReport: Sendable {
    /// A cohort as a whole.
    package struct Side: Sendable {
        package var title: String
        package var units: Int
        package var runs: Int

        package init(title: String, units: Int, runs: Int) {
            self.title = title
            self.units = units
            self.runs = runs
        }
    }

    /// A row in one cohort.
    package struct Figure: Sendable {
        package var units: Int
        package var count: Double
        package var value: Double?
        package var median: Double?
        package var medianInterval: (low: Double?, high: Double?)

        package init(
            units: Int, count: Double, value: Double?, median: Double? = nil,
            medianInterval: (low: Double?, high: Double?) = (nil, nil)
        ) {
            self.units = units
            self.count = count
            self.value = value
            self.median = median
            self.medianInterval = medianInterval
        }
    }

    /// What the numbers of a row are.
    package enum Measure: String, Sendable {
        case seconds, share
        case perHour = "per_hour"
        case perRun = "per_run"
    }

    /// One thing that was compared.
    package struct Row: Sendable {
        package var kind: String
        package var layer: String
        package var name: String
        package var measure: Measure
        package var a: Figure
        package var b: Figure
        /// Seconds up to which times count in means.
        package var horizon: Double?
        package var difference: Double
        package var interval: ClosedRange<Double>?
        /// As a part of A.
        package var relative: Double?
        package var detectable: Double?
        package var detectablePart: Double?
        package var p: Double
        package var adjusted: Double
        package var q: Double
        package var isSignificant: Bool
        /// `worse`, `better`, `more`, `less` or `none`.
        package var direction: String
        package var logRank: (chiSquared: Double, p: Double)?

        package init(kind: String, layer: String, name: String, measure: Measure, a: Figure, b: Figure) {
            self.kind = kind
            self.layer = layer
            self.name = name
            self.measure = measure
            self.a = a
            self.b = b
            (difference, p, adjusted, q, isSignificant, direction) = (0, 1, 1, 1, false, "none")
        }
    }

    /// One of several planned looks.
    package struct Look: Sendable {
        package var number: Int
        package var p: Double
        package var isFired: Bool

        package init(number: Int, p: Double, isFired: Bool) {
            self.number = number
            self.p = p
            self.isFired = isFired
        }
    }

    package var a: Side
    package var b: Side
    /// `device`, `run` or `device or run`.
    package var unit: String
    /// Devices with runs in both cohorts.
    package var shared = 0
    package var alpha: Double
    package var looks: Int
    package var look: Int
    /// What this look may spend.
    package var level: Double
    /// The looks so far, when several are planned.
    package var ledger: [Look] = []
    package var p: Double
    package var isFired: Bool
    package var permutations: Int
    package var seed: UInt64
    /// Differences up to this part of A were ignored.
    package var leastEffect: Double
    package var rows: [Row]
    /// Measurements that too few units have data for.
    package var leftOut: Int
    /// Whether the comparison fails a build, and what makes it fail (`worse`, `any`, `never`).
    package var fails: Bool
    package var failOn: String

    package init(
        a: Side, b: Side, unit: String, alpha: Double, looks: Int, look: Int, level: Double, p: Double, isFired: Bool,
        permutations: Int, seed: UInt64, leastEffect: Double, rows: [Row], leftOut: Int, fails: Bool, failOn: String
    ) {
        self.a = a
        self.b = b
        self.unit = unit
        self.alpha = alpha
        self.looks = looks
        self.look = look
        self.level = level
        self.p = p
        self.isFired = isFired
        self.permutations = permutations
        self.seed = seed
        self.leastEffect = leastEffect
        self.rows = rows
        self.leftOut = leftOut
        self.fails = fails
        self.failOn = failOn
    }

    /// A number of units in words.
    package static func counted(_ count: Int, unit: String) -> String {
        unit == "device or run"
            ? Plural.text(count, "device or single run", "devices or single runs") : Plural.text(count, unit)
    }

    /// In words, without colours and of any width.
    private var plain: ComparisonText { ComparisonText(report: self, style: TextStyle(isOn: false), width: nil) }

    /// The answer in a sentence.
    package var verdict: String { plain.gate }

    /// The cohorts, with what they consist of.
    package var sides: [String] { plain.heading }

    /// The rows as tables of the report.
    package var tables: [ReportTable] {
        let text = plain
        func table(_ caption: String, _ columns: [Column], _ rows: [[Cell]]) -> ReportTable {
            ReportTable(
                caption: caption, columns: columns.map { ReportColumn($0.name, kind: .plain) }, rows: rows)
        }
        let medians = table("Medians after Kaplan and Meier.", text.medianColumns, text.medians)
        return [table(text.notes.joined(separator: ". ") + ".", text.columns, rows.map(text.cells))]
            + (text.medians.isEmpty ? [] : [medians])
    }

    /// The comparison in a format.
    ///
    /// - Parameter width: columns of the terminal; `nil` for no limit.
    package func text(_ format: ComparisonFormat, style: TextStyle = TextStyle(isOn: false), width: Int? = nil)
        -> String
    {
        switch format {
        case .table: ComparisonText(report: self, style: style, width: width).table
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
        var lines = heading.map { VisibleText.neutralised($0) }
        let verdict = report.fails ? style.red(gate) : report.isFired ? style.yellow(gate) : style.green(gate)
        lines += [verdict, ""]
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
            + heading.map { "- " + MarkdownText.escaped($0) }
            + ["- **\(gate)**", "", table] + medians + notes.map { "- " + MarkdownText.escaped($0) })
            .map { $0 + "\n" }.joined()
    }

    // MARK: - Parts

    var heading: [String] {
        [("A", report.a), ("B", report.b)].map { name, side in
            let units = ComparisonReport.counted(side.units, unit: report.unit)
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
            "difference: B minus A with its 95 % interval over \(units); times are means up to a horizon (τ), cut "
                + "visits included",
            "p: chance of a difference this large in any of the \(Plural.text(report.rows.count, "row")) "
                + "(\(NumberText.grouped(report.permutations)) random divisions)",
            "found from: the smallest difference that this amount of data would probably have shown",
        ]
        if !medians.isEmpty {
            notes.append("median: half of the visits last longer (Kaplan-Meier), with a 95 % interval")
        }
        if report.shared > 0 {
            notes.append(
                "\(Plural.text(report.shared, "device")) with runs in both cohorts, counted as independent: no more false "
                    + "alarms, but a difference must be larger to be found")
        }
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

    private var units: String {
        ["run": "runs", "device": "devices"][report.unit] ?? "devices, and runs without one"
    }

    let columns = ["what", "A", "B", "difference", "95 % interval", "p", "found from"].map {
        Column($0, kind: .plain)
    }

    // MARK: - Medians

    let medianColumns = ["median", "A", "A: 95 % interval", "B", "B: 95 % interval"].map { Column($0, kind: .plain) }

    var medians: [[Cell]] {
        report.rows.filter { $0.a.median != nil || $0.b.median != nil }.map { row in
            [.text("\(row.kind) \(row.layer) \(row.name)")]
                + [row.a, row.b].flatMap { figure -> [Cell] in
                    let (low, high) = figure.medianInterval
                    let interval = "\(low.map { value($0, row) } ?? "?") … \(high.map { value($0, row) } ?? "?")"
                    return [.text(value(figure.median, row)), figure.median == nil ? .null : .text(interval)]
                }
        }
    }

    // MARK: - Rows

    func cells(_ row: ComparisonReport.Row) -> [Cell] {
        let horizon = row.horizon.map { " τ " + HumanDuration.text(seconds: $0) } ?? ""
        let name = row.name.replacing(">", with: " → ")
        let mark = row.isSignificant ? " \(row.direction)" : ""
        let relative = row.relative.map { " (" + Self.signed(NumberText.percent($0.magnitude), $0) + ")" } ?? ""
        let interval = row.interval.map {
            "\(difference($0.lowerBound, row)) … \(difference($0.upperBound, row))"
        }
        let part = row.detectablePart.map { " (\(NumberText.percent($0)))" } ?? ""
        let detectable = row.detectable.map { value($0, row) + part }
        return [
            .text("\(row.kind) \(row.layer) \(name)\(horizon)"), .text(value(row.a.value, row)),
            .text(value(row.b.value, row)),
            .text(difference(row.difference, row) + relative), interval.map { .text($0) } ?? .null,
            .text(NumberText.readable(row.adjusted) + mark), detectable.map { .text($0) } ?? .null,
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

/// A comparison as one JSON document; docs/compare.md describes its keys.
struct ComparisonJSON {
    let report: ComparisonReport

    var text: String {
        JSONValue.members([
            "unit": .string(report.unit),
            "units": pair(report.a.units, report.b.units),
            "runs": pair(report.a.runs, report.b.runs),
            "shared_devices": .integer(Int64(report.shared)),
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
