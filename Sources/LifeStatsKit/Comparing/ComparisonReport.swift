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
    /// Titles of states by layer and id, and of layers.
    var titles: [String: [String: String]] = [:]
    var layerTitles: [String: String] = [:]

    /// What differs comes first: of that what is worse, then what is large, then what users notice.
    var rows: [ComparedRow] {
        let different = comparison.rows.filter(\.isSignificant).map { (row: $0, weight: $0.weight) }
        return different.sorted { $1.weight.lexicographicallyPrecedes($0.weight) }.map(\.row)
            + comparison.rows.filter { !$0.isSignificant }
    }

    var fails: Bool {
        switch request.failOn {
        case .any: comparison.isFired
        case .worse: comparison.isWorse
        case .never: false
        }
    }

    /// In words, without colours and of any width.
    private var plain: ComparisonText { ComparisonText(report: self, style: TextStyle(isOn: false)) }

    /// The answer in a sentence.
    var verdict: String { plain.answer }

    /// What is compared: devices or runs.
    var unitNames: String { plain.units }

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
        // The result itself is the first sentence of the page.
        let answer = text.answer.prefix(1).uppercased() + text.answer.dropFirst()
        return [.text("\(answer)."), .table(main), .more("How to read it", [.list(text.notes)])]
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
        case .table: ComparisonText(report: self, style: TextStyle(isOn: request.colors, width: request.width)).table
        case .markdown: plain.markdown
        case .json: ComparisonJSON(report: self).text
        case .junit: ComparisonJUnit(report: self).text
        }
    }
}

extension ComparedRow {
    /// How important a difference is: larger numbers first.
    fileprivate var weight: [Double] {
        let isLarge =
            (relative?.magnitude ?? 1) >= 0.1 && (kind == .end || measure != .share || difference.magnitude >= 0.01)
        let order: [MeasuredRow.Kind] = [.visit, .transition, .share, .finding, .dwell, .launch, .end]
        // How the log ends says little about the app, and neither do remarks.
        let isMinor = name == "log_end" || name.hasPrefix("info ")
        let rank = isMinor ? -1 : order.firstIndex(of: kind) ?? 0
        return [direction == .worse ? 1 : 0, isLarge ? 1 : 0, Double(rank), difference.magnitude * a.count]
    }

    /// What a row is about: rows with the same subject show one change from several sides.
    fileprivate var subject: String { "\(layer) \(name.prefix { $0 != " " })" }
}

/// A comparison for people: what was compared, the answer, and the rows.
struct ComparisonText {
    let report: ComparisonReport
    let style: TextStyle

    var table: String {
        let passed = report.comparison.isFired ? style.yellow : style.green
        let changes = changes.flatMap { style.wrapped(VisibleText.neutralised($0), indent: 2) }
        let top = style.wrapped(VisibleText.neutralised(headline + (changes.isEmpty ? "." : ":"))) + changes + [""]
        let answer = style.wrapped(answer).map(report.fails ? style.red : passed)
        return (top + heading.flatMap { style.wrapped(VisibleText.neutralised($0)) } + answer + [""]).map { $0 + "\n" }
            .joined()
            + figures + "\n"
            + (medians.isEmpty ? "" : (isNarrow ? split(medianColumns, medians) : whole(medianColumns, medians)) + "\n")
            + notes.flatMap { style.wrapped($0) }.map { style.dim($0) + "\n" }.joined()
    }

    // MARK: - Tables

    /// Whether the terminal is too narrow for all columns.
    private var isNarrow: Bool { style.width.map { $0 < 100 } ?? false }

    private var figures: String {
        guard isNarrow else { return whole(columns, report.rows.map(cells)) }
        // Below what a row is about: A, B, difference and interval; beside it: p and what that means.
        let rows = report.rows.map { row in
            let meaning = row.isSignificant ? " \(row.direction.rawValue) in B," : ""
            return [.text("\(words(row)):\(meaning) p = \(NumberText.readable(row.adjusted))")] + cells(row)[1...4]
        }
        return split(Array(columns[...4]), rows)
    }

    private func whole(_ columns: [Column], _ rows: [[Cell]]) -> String {
        ResultWriter.text(
            .table, columns: columns, rows: rows, options: TableOptions(colour: style.isOn, width: style.width))
    }

    /// The first cell of each row on a line of its own, with the others below it.
    private func split(_ columns: [Column], _ rows: [[Cell]]) -> String {
        let figures = ResultWriter.text(
            .table, columns: Array(columns.dropFirst()), rows: rows.map { Array($0.dropFirst()) },
            options: TableOptions(colour: style.isOn, width: nil)
        ).split(separator: "\n").map { "  \($0)\n" }
        let head = figures.count - rows.count
        let body = zip(rows, figures.dropFirst(head)).map { row, figures in
            var label = ""
            if case .text(let text) = row[0] { label = VisibleText.neutralised(text) }
            return "\(style.bold(label))\n\(figures)"
        }
        return figures.prefix(head).joined() + body.joined(separator: "\n")
    }

    var markdown: String {
        let table = ResultWriter.text(.markdown, columns: columns, rows: report.rows.map(cells))
        let medians = medians.isEmpty ? [] : [ResultWriter.text(.markdown, columns: medianColumns, rows: medians)]
        let list = changes.isEmpty ? [] : changes.map { "- " + $0 } + [""]
        let top = [headline + (changes.isEmpty ? "." : ":"), ""] + list
        return
            (["### lifestats compare: \(report.fails ? "failed" : "passed")", ""]
            + (top + heading.map { "- " + $0 }).map(MarkdownText.escaped)
            + ["- **\(answer)**", "", table] + medians + notes.map { "- " + MarkdownText.escaped($0) })
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
            + units.unassigned.sorted { $0.key < $1.key }.map { column, runs in
                "\(Plural.text(runs, "run")) without \(column) \(runs == 1 ? "is" : "are") in neither"
            }
    }

    /// What became worse, and what else changed, for people who do not read tables.
    var result: String {
        let changes = changes
        return headline + (changes.isEmpty ? "." : ": \(changes.joined(separator: "; ")).")
    }

    private var headline: String {
        let different = report.rows.filter(\.isSignificant)
        let (a, b) = ("A (\(report.request.a))", "B (\(report.request.b))")
        guard !different.isEmpty else { return "No difference between \(a) and \(b) could be shown" }
        let worse = different.count { $0.direction == .worse }
        let other = different.count - worse
        return worse == 0
            ? "\(b) differs from \(a) in \(Plural.text(other, "figure")), but nothing is known to be worse"
            : "\(b) is worse than \(a) in \(Plural.text(worse, "figure"))"
                + (other > 0 ? ", and differs in \(other) more" : "")
    }

    /// The most important differences, one for each thing that they are about.
    private var changes: [String] {
        let different = report.rows.filter(\.isSignificant)
        var told: Set<String> = []
        let chosen = different.filter { told.insert($0.subject).inserted }.prefix(3)
        let rest = different.count - chosen.count
        return chosen.map { row in
            "\(words(row)) \(value(row.a.value, row)) → \(value(row.b.value, row))\(relative(row))"
        } + (rest > 0 && !chosen.isEmpty ? ["\(rest) more"] : [])
    }

    /// The answer in a sentence.
    var answer: String {
        let significant = report.rows.filter(\.isSignificant)
        let worse = significant.count { $0.direction == .worse }
        let level = NumberText.readable(options.level)
        let chance = "p = \(NumberText.readable(report.comparison.p)), level \(level)"
        let look = report.request.looks > 1 ? ", look \(options.look) of \(report.request.looks)" : ""
        guard report.comparison.isFired else { return "no difference could be shown (\(chance)\(look))" }
        let isOne = significant.count == 1
        let what = worse > 0 ? "\(worse) worse in B" : "\(isOne ? "not" : "none of them") known to be worse"
        let verb = isOne ? "differs" : "differ"
        return "\(Plural.text(significant.count, "figure")) \(verb) beyond chance, \(what) (\(chance)\(look))"
    }

    var notes: [String] {
        var notes: [String] = []
        if report.rows.contains(where: { $0.horizon != nil }) {
            notes.append(
                "mean visit (≤ …): visits count up to this limit, which about nine in ten do not exceed, and those that the "
                    + "log cuts count too. Means of complete visits in full length, as in `dwell_times`, are other figures"
            )
        }
        notes += [
            "time in a state: share of the observed time. transitions from X to Y: share of all transitions out of X",
            "difference: B minus A, of shares in percentage points, and its 95% interval over \(units)",
            "p: chance of a difference this large in any of the \(Plural.text(report.rows.count, "row")) "
                + "(\(NumberText.grouped(report.comparison.permutations)) random divisions)",
            isNarrow
                ? "on terminals of 100 columns and more, one more column says which difference would have been found"
                : "detectable from: the smallest difference that this amount of data would probably have shown",
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
        notes += leftOut
        for look in report.looks where look.number != options.look {
            notes.append("look \(look.number): p = \(NumberText.readable(look.p))\(look.isFired ? ", fired" : "")")
        }
        return notes
    }

    /// What there is too little data about; states are named, because pictures do not show them.
    private var leftOut: [String] {
        let all = report.comparison.leftOut
        guard !all.isEmpty else { return [] }
        let states = all.filter { $0.kind == .dwell }.map { words($0.kind, $0.layer, $0.name, horizon: nil) }
        let named =
            states.isEmpty
            ? ""
            : ": \(states.joined(separator: ", "))"
                + (all.count > states.count ? ", and \(all.count - states.count) other" : "")
        let rows = Plural.text(all.count, "row")
        return ["\(rows) left out, because too few units have data, or all have the same\(named)"]
    }

    private var options: ComparisonOptions { report.comparison.options }

    var units: String {
        switch report.units.kind {
        case .run: "runs"
        case .device: "devices"
        case .mixed: "devices, and runs without one"
        }
    }

    let columns = ["what", "A", "B", "difference", "95% interval", "p", "in B", "detectable from"].map {
        Column($0, kind: .plain)
    }

    // MARK: - Medians

    let medianColumns = ["median", "A", "A: 95% interval", "B", "B: 95% interval"].map { Column($0, kind: .plain) }

    var medians: [[Cell]] {
        report.rows.filter { $0.a.median != nil || $0.b.median != nil }.map { row in
            [.text(words(row.kind, row.layer, row.name, horizon: nil).replacing("mean ", with: ""))]
                + [row.a, row.b].flatMap { figure -> [Cell] in
                    let (low, high) = (figure.median?.low, figure.median?.high)
                    let interval = "\(low.map { value($0, row) } ?? "?") … \(high.map { value($0, row) } ?? "?")"
                    return [.text(value(figure.median?.value, row)), figure.median == nil ? .null : .text(interval)]
                }
        }
    }

    // MARK: - Rows

    func cells(_ row: ComparedRow) -> [Cell] {
        let shown = shown(row)
        // The difference of rounded figures is in the interval, too.
        let interval = row.interval.map {
            "\(difference(min($0.lowerBound, shown), row, unit: "")) … \(difference(max($0.upperBound, shown), row))"
        }
        let part = row.detectablePart.map { " (\(NumberText.percent($0)))" } ?? ""
        let detectable = row.detectable.map { (row.measure == .share ? points($0, row) : value($0, row)) + part }
        return [
            .text(words(row)), .text(value(row.a.value, row)), .text(value(row.b.value, row)),
            .text(difference(shown, row) + relative(row)), interval.map { .text($0) } ?? .null,
            .text(NumberText.readable(row.adjusted)), row.isSignificant ? .text(row.direction.rawValue) : .null,
            detectable.map { .text($0) } ?? .null,
        ]
    }

    private func relative(_ row: ComparedRow) -> String { row.relative.map { " (\(Self.change($0)))" } ?? "" }

    /// `+12.5%`, `+120%`, `24 times`: a large percentage would be hard to read, and look precise.
    static func change(_ relative: Double) -> String {
        if (9..<1e15).contains(relative) { return NumberText.grouped(Int64((relative + 1).rounded())) + " times" }
        return signed(NumberText.percent(relative.magnitude).replacing("100.0%", with: "100%"), relative)
    }

    /// `mean visit to Background (≤ 9 min)`: what a row is about, in the words of pictures.
    private func words(_ row: ComparedRow) -> String { words(row.kind, row.layer, row.name, horizon: row.horizon) }

    private func words(_ kind: MeasuredRow.Kind, _ layer: String, _ name: String, horizon: Double?) -> String {
        let states = name.split(separator: ">").map { part in
            let state = String(part)
            return report.titles[layer]?[state]
                ?? state.replacing("fg_", with: "foreground ").replacing("_", with: " ")
        }
        let limit = horizon.map { " (≤ \(HumanDuration.text(seconds: $0)))" } ?? ""
        let words =
            switch kind {
            case .dwell: "mean visit to \(states.joined())" + limit
            case .share: "time in \(states.joined())"
            case .transition: "transitions from \(states.joined(separator: " to "))"
            case .launch: "mean \(name == "resume" ? name : name + " launch")" + limit
            case .visit: "visits \(name)"
            case .finding: finding(name)
            case .end: "ends of runs: \(EndReason.words(of: name))"
            }
        return layer == "app" ? words : "\(report.layerTitles[layer] ?? layer): \(words)"
    }

    /// `errors per run`, `findings of R-APP-15 per run`.
    private func finding(_ name: String) -> String {
        let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
        let noun = Severity(rawValue: parts[0]).map { $0.name + "s" } ?? "findings of \(parts[0])"
        return ([noun] + parts.dropFirst()).joined(separator: " ")
    }

    private func value(_ value: Double?, _ row: ComparedRow) -> String {
        guard let value, value.isFinite else { return "–" }
        return switch row.measure {
        case .seconds: HumanDuration.text(seconds: value)
        case .share: percent(value, row)
        case .perHour: "\(short(value, row))/h"
        case .perRun: short(value, row)
        }
    }

    private func difference(_ value: Double, _ row: ComparedRow, unit: String = " points") -> String {
        guard value.isFinite else { return "–" }
        let isShare = row.measure == .share
        return Self.signed(isShare ? points(value.magnitude, row, unit) : self.value(value.magnitude, row), value)
    }

    // MARK: - Decimals

    /// How many decimals the shares (in per cent) or rates of a row have: enough for two digits of what is small, and to
    /// tell A from B where they differ. `nil` for a rate that needs no decimals of its own.
    private func decimals(_ row: ComparedRow) -> Int? {
        let scale = row.measure == .share ? 100.0 : 1.0
        let (a, b) = ((row.a.value ?? 0) * scale, (row.b.value ?? 0) * scale)
        guard row.measure == .share || max(a, b) < 9.995 else { return nil }
        var (decimals, unit) = row.measure == .share ? (1, 10.0) : (2, 100.0)
        func isRounded(_ value: Double, below digits: Double) -> Bool { value > 0 && value * unit < digits }
        while decimals < 6,
            isRounded(max(a, b), below: 9.95) || row.isSignificant && isRounded((b - a).magnitude, below: 1.5)
        {
            (decimals, unit) = (decimals + 1, unit * 10)
        }
        return decimals
    }

    /// The difference between the two values as they are printed.
    private func shown(_ row: ComparedRow) -> Double {
        guard row.measure != .seconds, let a = row.a.value, let b = row.b.value, a.isFinite, b.isFinite,
            let decimals = decimals(row)
        else { return row.difference }
        let scale = (0..<decimals).reduce(row.measure == .share ? 100.0 : 1.0) { scale, _ in scale * 10 }
        return ((b * scale).rounded() - (a * scale).rounded()) / scale
    }

    /// A share, rounded to none or all only when it is exactly that.
    private func percent(_ share: Double, _ row: ComparedRow) -> String {
        let text = points(share, row, "%")
        return share < 1 && text.hasPrefix("100") ? ">99.9%" : text
    }

    private func points(_ share: Double, _ row: ComparedRow, _ unit: String = " points") -> String {
        guard share != 0 else { return "0" + unit }
        let text = NumberText.fixed(share * 100, decimals: decimals(row) ?? 1)
        let isZero = !text.contains { "1"..."9" ~= $0 }
        return (isZero ? "<" + text.dropLast() + "1" : text) + unit
    }

    private func short(_ value: Double, _ row: ComparedRow) -> String {
        guard value != 0, let decimals = decimals(row), decimals > 2 else {
            return value == 0 ? "0" : NumberText.threeDigits(value)
        }
        return NumberText.fixed(value, decimals: decimals)
    }

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
            "left_out": .integer(Int64(report.comparison.leftOut.count)),
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
